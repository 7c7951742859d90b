package catalog

import (
	"slices"

	"sinew/msgs"
)

// Types returns all message types, sorted by name, then the requests and
// responses of all services.
func Types() []*msgs.Type { return slices.Clone(types) }

// Services returns all service types, sorted by name.
func Services() []*msgs.Service { return slices.Clone(services) }

// Find returns the message type of the given name, for example
// "geometry_msgs/PoseStamped", or nil.
func Find(name string) *msgs.Type {
	for _, t := range types {
		if t.Name == name {
			return t
		}
	}
	return nil
}
