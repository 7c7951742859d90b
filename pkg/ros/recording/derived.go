package recording

import (
	"path/filepath"
	"strings"

	"sinew/msgs/nav_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros"
)

// IsDerived reports whether a topic of the node only shows what others of its topics say: paths and markers.
func IsDerived(t ros.Topic) bool {
	return t.Type == nav_msgs.PathType || t.Type == visualization_msgs.MarkerArrayType
}

// HasDerived reports whether a recording to a file has derived topics, with all or without: a .bag carries no robot file from which
// a viewer could derive them.
func HasDerived(file string, all bool) bool {
	return all || strings.EqualFold(filepath.Ext(file), ".bag")
}

// Selected is the transport that records to a file what is recorded there by default, or all.
func Selected(to ros.Transport, file string, all bool) ros.Transport {
	if HasDerived(file, all) {
		return to
	}
	return withoutDerived{to}
}

// withoutDerived drops derived topics.
type withoutDerived struct{ ros.Transport }

// Advertise implements ros.Transport.
func (w withoutDerived) Advertise(t ros.Topic) (ros.Publisher, error) {
	if IsDerived(t) {
		return dropped{}, nil
	}
	return w.Transport.Advertise(t)
}

// dropped is the ros.Publisher of a topic that is not recorded.
type dropped struct{}

func (dropped) Publish(*ros.Sample)  {}
func (dropped) HasSubscribers() bool { return false }
