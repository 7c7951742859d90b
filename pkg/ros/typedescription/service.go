package typedescription

import (
	"fmt"
	"strings"

	"sinew/msgs"
	"sinew/msgs/catalog"
	tdi "sinew/msgs/type_description_interfaces"
	"sinew/pkg/ros"
)

// described is a type that may be requested.
type described struct {
	hash     string
	describe func() tdi.TypeDescription
	sources  []tdi.TypeSource // of the type itself
}

// Serve offers the service of a resolved name on a network of ROS 2. It describes all types of the
// catalog, by name and hash.
func Serve(t ros.Transport, name string) error {
	known := all()
	return ros.OpenService(t, name, tdi.GetTypeDescription, ros.Deferred(func(m msgs.Message) msgs.Message {
		return answer(known, m.(*tdi.GetTypeDescriptionRequest))
	}))
}

// all returns the types that ROS 2 has, by name.
func all() map[string]described {
	known := map[string]described{}
	for _, t := range catalog.Types() {
		if t.ROS2Name != "" {
			known[t.ROS2Name] = described{t.Hash, func() tdi.TypeDescription { return ofMessage(t) }, []tdi.TypeSource{source(t)}}
		}
	}
	for _, s := range catalog.Services() {
		if s.Hash != "" {
			request, _, _ := strings.Cut(s.Request.Schema, rule)
			response, _, _ := strings.Cut(s.Response.Schema, rule)
			text := tdi.TypeSource{TypeName: serviceName(s), Encoding: "srv", RawFileContents: request + "---\n" + response}
			known[serviceName(s)] = described{s.Hash, func() tdi.TypeDescription { return ofService(s) }, []tdi.TypeSource{text}}
		}
	}
	return known
}

// source returns the definition text of one message. Requests and responses of services have none
// of their own.
func source(t *msgs.Type) tdi.TypeSource {
	if strings.Contains(t.ROS2Name, "/srv/") {
		return tdi.TypeSource{TypeName: t.ROS2Name, Encoding: "implicit"}
	}
	own, _, _ := strings.Cut(t.Schema, rule)
	return tdi.TypeSource{TypeName: t.ROS2Name, Encoding: "msg", RawFileContents: own}
}

// answer describes the requested type, or gives the reason of a failure.
func answer(known map[string]described, q *tdi.GetTypeDescriptionRequest) *tdi.GetTypeDescriptionResponse {
	d, ok := known[q.TypeName]
	switch {
	case !ok:
		return &tdi.GetTypeDescriptionResponse{FailureReason: fmt.Sprintf("type %.100q is not known to this node", q.TypeName)}
	case q.TypeHash != d.hash:
		return &tdi.GetTypeDescriptionResponse{FailureReason: fmt.Sprintf("type %s has the hash %s here, not %.100q", q.TypeName, d.hash, q.TypeHash)}
	}
	r := &tdi.GetTypeDescriptionResponse{Successful: true, TypeDescription: d.describe()}
	if q.IncludeTypeSources {
		r.TypeSources = append(r.TypeSources, d.sources...)
		for _, nested := range r.TypeDescription.ReferencedTypeDescriptions {
			if n, ok := known[nested.TypeName]; ok {
				r.TypeSources = append(r.TypeSources, n.sources...)
			}
		}
	}
	return r
}
