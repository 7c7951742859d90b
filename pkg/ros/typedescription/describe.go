package typedescription

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sinew/msgs"
	tdi "sinew/msgs/type_description_interfaces"
)

// The identifiers of types (FIELD_TYPE_... of type_description_interfaces/FieldType); arrays
// of a type have that of the type and an offset. char is an uint8 in ROS 2.
var typeIDs = map[string]uint8{
	"int8": 2, "uint8": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "uint64": 9,
	"float32": 10, "float64": 11, "char": 3, "bool": 15, "byte": 16, "string": 17,
}

const (
	nestedType      uint8 = 1
	boundedString   uint8 = 21
	fixedArray      uint8 = 48
	boundedSequence uint8 = 96
	sequence        uint8 = 144
)

// emptyMember is the member that represents a message without fields on the wire.
var emptyMember = tdi.Field{Name: "structure_needs_at_least_one_member", Kind: tdi.FieldType{TypeID: typeIDs["uint8"]}}

// rule separates the messages in a definition text.
var rule = strings.Repeat("=", 80) + "\n"

// ofMessage describes a message type of ROS 2 and the types that it nests.
func ofMessage(t *msgs.Type) tdi.TypeDescription {
	own, nested, _ := strings.Cut(t.Schema, rule)
	d := tdi.TypeDescription{TypeDescription: individual(t.ROS2Name, own)}
	for nested != "" {
		var body string
		body, nested, _ = strings.Cut(nested, rule)
		name, fields, _ := strings.Cut(strings.TrimPrefix(body, "MSG: "), "\n")
		d.ReferencedTypeDescriptions = append(d.ReferencedTypeDescriptions, individual(messageName(name), fields))
	}
	sortByName(d.ReferencedTypeDescriptions)
	return d
}

// messageName returns the ROS 2 name of a message, "geometry_msgs/msg/Point" for
// "geometry_msgs/Point".
func messageName(name string) string {
	pkg, base, _ := strings.Cut(name, "/")
	return pkg + "/msg/" + base
}

func sortByName(all []tdi.IndividualTypeDescription) {
	slices.SortFunc(all, func(a, b tdi.IndividualTypeDescription) int { return cmp.Compare(a.TypeName, b.TypeName) })
}

// individual describes one message by its fields.
func individual(name, text string) tdi.IndividualTypeDescription {
	d := tdi.IndividualTypeDescription{TypeName: name}
	for line := range strings.Lines(text) {
		kind, field, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok && !strings.Contains(field, "=") { // no constant
			d.Fields = append(d.Fields, tdi.Field{Name: field, Kind: fieldType(kind)})
		}
	}
	if len(d.Fields) == 0 {
		d.Fields = []tdi.Field{emptyMember}
	}
	return d
}

// typeText splits the type of a field: name, bound of a string, and in brackets the length of an
// array, with <= its greatest length.
var typeText = regexp.MustCompile(`^([A-Za-z0-9_/]+)(?:<=([0-9]+))?(\[(<=)?([0-9]*)\])?$`)

// fieldType describes a type in the syntax of a definition text.
func fieldType(text string) tdi.FieldType {
	p := typeText.FindStringSubmatch(text)
	if p == nil {
		panic(fmt.Sprintf("typedescription: %q in a definition text", text)) // the generator has written the text
	}
	number := func(s string) uint64 {
		n, _ := strconv.ParseUint(s, 10, 64) // empty is 0
		return n
	}
	t := tdi.FieldType{TypeID: typeIDs[p[1]], StringCapacity: number(p[2]), Capacity: number(p[5])}
	switch {
	case strings.Contains(p[1], "/"):
		t.TypeID, t.NestedTypeName = nestedType, messageName(p[1])
	case p[2] != "":
		t.TypeID = boundedString
	}
	switch {
	case p[4] != "":
		t.TypeID += boundedSequence
	case p[5] != "":
		t.TypeID += fixedArray
	case p[3] != "":
		t.TypeID += sequence
	}
	return t
}

// serviceEventInfo is the message service_msgs/ServiceEventInfo.
var serviceEventInfo = individual("service_msgs/msg/ServiceEventInfo",
	"uint8 event_type\nbuiltin_interfaces/Time stamp\nchar[16] client_gid\nint64 sequence_number\n")

// stamp is the message builtin_interfaces/Time.
var stamp = individual("builtin_interfaces/msg/Time", "int32 sec\nuint32 nanosec\n")

// ofService describes a service as ROS 2 does: a message of request, response and the event of a
// call.
func ofService(s *msgs.Service) tdi.TypeDescription {
	name := serviceName(s)
	nested := func(field, name string) tdi.Field {
		return tdi.Field{Name: field, Kind: tdi.FieldType{TypeID: nestedType, NestedTypeName: name}}
	}
	atMostOne := func(field, name string) tdi.Field {
		return tdi.Field{Name: field, Kind: tdi.FieldType{TypeID: nestedType + boundedSequence, Capacity: 1, NestedTypeName: name}}
	}
	event := tdi.IndividualTypeDescription{TypeName: name + "_Event", Fields: []tdi.Field{
		nested("info", serviceEventInfo.TypeName), atMostOne("request", s.Request.ROS2Name), atMostOne("response", s.Response.ROS2Name),
	}}
	d := tdi.TypeDescription{TypeDescription: tdi.IndividualTypeDescription{TypeName: name, Fields: []tdi.Field{
		nested("request_message", s.Request.ROS2Name), nested("response_message", s.Response.ROS2Name), nested("event_message", event.TypeName),
	}}}
	all := []tdi.IndividualTypeDescription{event, serviceEventInfo, stamp}
	for _, half := range []*msgs.Type{s.Request, s.Response} {
		h := ofMessage(half)
		all = append(append(all, h.TypeDescription), h.ReferencedTypeDescriptions...)
	}
	sortByName(all)
	d.ReferencedTypeDescriptions = slices.CompactFunc(all, func(a, b tdi.IndividualTypeDescription) bool { return a.TypeName == b.TypeName })
	return d
}

// serviceName returns the ROS 2 name of a service.
func serviceName(s *msgs.Service) string {
	return strings.TrimSuffix(s.Request.ROS2Name, "_Request")
}
