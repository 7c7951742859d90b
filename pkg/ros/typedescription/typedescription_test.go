package typedescription_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/catalog"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_srvs"
	tdi "sinew/msgs/type_description_interfaces"
	"sinew/pkg/ros"
	"sinew/pkg/ros/typedescription"
)

// hashOf is the REP-2011 hash of a description: of a JSON text in the spacing of Python.
func hashOf(d tdi.TypeDescription) string {
	one := func(t tdi.IndividualTypeDescription) string {
		var fields []string
		for _, f := range t.Fields {
			fields = append(fields, fmt.Sprintf(`{"name": %q, "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": %q}}`,
				f.Name, f.Kind.TypeID, f.Kind.Capacity, f.Kind.StringCapacity, f.Kind.NestedTypeName))
		}
		return fmt.Sprintf(`{"type_name": %q, "fields": [%s]}`, t.TypeName, strings.Join(fields, ", "))
	}
	var nested []string
	for _, t := range d.ReferencedTypeDescriptions {
		nested = append(nested, one(t))
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf(`{"type_description": %s, "referenced_type_descriptions": [%s]}`, one(d.TypeDescription), strings.Join(nested, ", "))))
	return "RIHS01_" + hex.EncodeToString(sum[:])
}

// server keeps what is served.
type server struct {
	ros.Transport
	kind   *msgs.Service
	handle ros.Handler
}

func (s *server) Serve(_ string, kind *msgs.Service, handle ros.Handler) error {
	s.kind, s.handle = kind, handle
	return nil
}

func serve(t *testing.T) func(tdi.GetTypeDescriptionRequest) *tdi.GetTypeDescriptionResponse {
	t.Helper()
	s := new(server)
	if err := typedescription.Serve(s, "/x/get_type_description"); err != nil || s.kind != tdi.GetTypeDescription {
		t.Fatalf("serves %v, %v", s.kind, err)
	}
	return func(q tdi.GetTypeDescriptionRequest) *tdi.GetTypeDescriptionResponse {
		return s.handle(&q)().(*tdi.GetTypeDescriptionResponse)
	}
}

// Every description of a message and of a service has the hash by which it was asked for.
func TestDescriptionsHaveTheirHashes(t *testing.T) {
	ask := serve(t)
	check := func(name, hash string) {
		r := ask(tdi.GetTypeDescriptionRequest{TypeName: name, TypeHash: hash, IncludeTypeSources: true})
		if !r.Successful || r.FailureReason != "" || r.TypeDescription.TypeDescription.TypeName != name {
			t.Errorf("%s: %v, %q, describes %q", name, r.Successful, r.FailureReason, r.TypeDescription.TypeDescription.TypeName)
		}
		if got := hashOf(r.TypeDescription); got != hash {
			t.Errorf("%s: the description has hash %s, want %s", name, got, hash)
		}
		if len(r.TypeSources) == 0 || r.TypeSources[0].TypeName != name {
			t.Errorf("%s: sources %+v", name, r.TypeSources)
		}
	}
	for _, m := range catalog.Types() {
		if m.ROS2Name != "" {
			check(m.ROS2Name, m.Hash)
		}
	}
	for _, s := range catalog.Services() {
		if s.Hash != "" {
			check(strings.TrimSuffix(s.Request.ROS2Name, "_Request"), s.Hash)
		}
	}
}

// A description tells name, type and what it nests; sources come only when wanted.
func TestDescription(t *testing.T) {
	ask := serve(t)
	q := tdi.GetTypeDescriptionRequest{TypeName: "geometry_msgs/msg/PointStamped", TypeHash: geometry_msgs.PointStampedType.Hash}
	r := ask(q)
	d := r.TypeDescription.TypeDescription
	if len(d.Fields) != 2 || d.Fields[1].Name != "point" || d.Fields[1].Kind.NestedTypeName != "geometry_msgs/msg/Point" || d.Fields[1].Kind.TypeID != 1 {
		t.Errorf("%+v", d)
	}
	var names []string
	for _, n := range r.TypeDescription.ReferencedTypeDescriptions {
		names = append(names, n.TypeName)
	}
	if got := strings.Join(names, " "); got != "builtin_interfaces/msg/Time geometry_msgs/msg/Point std_msgs/msg/Header" {
		t.Errorf("nests %s", got)
	}
	if r.TypeSources != nil {
		t.Errorf("sources %+v without a request", r.TypeSources)
	}
	q.IncludeTypeSources = true
	if s := ask(q).TypeSources; len(s) < 2 || s[0].Encoding != "msg" || s[0].RawFileContents != "std_msgs/Header header\ngeometry_msgs/Point point\n" {
		t.Errorf("sources %+v", s)
	}
}

// What is not known, or by another hash, is refused with the reason.
func TestUnknownTypes(t *testing.T) {
	ask := serve(t)
	if r := ask(tdi.GetTypeDescriptionRequest{TypeName: "x/msg/Y"}); r.Successful || !strings.Contains(r.FailureReason, "not known") {
		t.Errorf("%+v", r)
	}
	r := ask(tdi.GetTypeDescriptionRequest{TypeName: "geometry_msgs/msg/Point", TypeHash: "RIHS01_00"})
	if r.Successful || !strings.Contains(r.FailureReason, geometry_msgs.PointType.Hash) || len(r.TypeDescription.TypeDescription.Fields) > 0 {
		t.Errorf("%+v", r)
	}
}

// A service has its own text, with the rule between request and response; the halves of one have
// none of their own and say so.
func TestSourcesOfServices(t *testing.T) {
	ask := serve(t)
	for _, c := range []struct{ name, hash, encoding, text string }{
		{"std_srvs/srv/SetBool", std_srvs.SetBool.Hash, "srv", "bool data\n---\nbool success\nstring message\n"},
		{"std_srvs/srv/SetBool_Request", std_srvs.SetBool.Request.Hash, "implicit", ""},
	} {
		s := ask(tdi.GetTypeDescriptionRequest{TypeName: c.name, TypeHash: c.hash, IncludeTypeSources: true}).TypeSources
		if len(s) == 0 || s[0].TypeName != c.name || s[0].Encoding != c.encoding || s[0].RawFileContents != c.text {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}
