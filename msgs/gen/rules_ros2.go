package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// emptyMember is the member that ROS 2 gives a message without any, because IDL
// has no empty structs. It is on the wire and in the type hash, not in the schema.
const emptyMember = "structure_needs_at_least_one_member"

// standIns are the messages that ROS 2 has in place of the types of time.
var standIns = map[string]*Message{
	"time":     standIn("Time"),
	"duration": standIn("Duration"),
}

func standIn(name string) *Message {
	return &Message{
		Package: "builtin_interfaces", Name: name, Source: "msg/" + name + ".msg", Side: ROS2Only,
		Fields: []Field{
			{Name: "sec", Type: TypeRef{Builtin: "int32", Written: "int32"}},
			{Name: "nanosec", Type: TypeRef{Builtin: "uint32", Written: "uint32"}},
		},
	}
}

// messageROS2 is the message that t nests in ROS 2, or nil.
func messageROS2(t TypeRef) *Message {
	if m := standIns[t.Builtin]; m != nil {
		return m
	}
	return t.Message
}

// nameParts splits the ROS 2 name of m. The halves of the service Step are
// Step_Request and Step_Response there.
func nameParts(m *Message) (pkg, kind, name string) {
	kind, _, _ = strings.Cut(m.Source, "/")
	name = m.Name
	if kind == "srv" {
		for _, half := range []string{"Request", "Response"} {
			if service, ok := strings.CutSuffix(m.Name, half); ok {
				name = service + "_" + half
			}
		}
	}
	return m.Package, kind, name
}

// nameROS2 is for example "geometry_msgs/msg/PoseStamped".
func nameROS2(m *Message) string {
	pkg, kind, name := nameParts(m)
	return pkg + "/" + kind + "/" + name
}

// nameDDS is for example "geometry_msgs::msg::dds_::PoseStamped_".
func nameDDS(m *Message) string {
	pkg, kind, name := nameParts(m)
	return pkg + "::" + kind + "::dds_::" + name + "_"
}

// dependenciesROS2 lists what m nests, directly or not, each message once.
func dependenciesROS2(m *Message, found []*Message) []*Message {
	for _, f := range m.FieldsOn(ROS2Only) {
		if d := messageROS2(f.Type); d != nil && !slices.Contains(found, d) {
			found = dependenciesROS2(d, append(found, d))
		}
	}
	return found
}

// schemaROS2 is the definition text of MCAP's and Foxglove's "ros2msg": the
// message, then each message it needs once.
func schemaROS2(m *Message) string {
	var b strings.Builder
	b.WriteString(bodyROS2(m))
	for _, d := range dependenciesROS2(m, nil) {
		b.WriteString(strings.Repeat("=", 80) + "\n")
		b.WriteString("MSG: " + d.FullName() + "\n" + bodyROS2(d))
	}
	return b.String()
}

func bodyROS2(m *Message) string {
	var b strings.Builder
	for _, c := range m.ConstantsOn(ROS2Only) {
		b.WriteString(c.Type + " " + c.Name + "=" + c.Value + "\n")
	}
	for _, f := range m.FieldsOn(ROS2Only) {
		t := f.Type
		if d := messageROS2(t); d != nil {
			t.Written = d.FullName()
		}
		b.WriteString(t.Text() + " " + f.Name + "\n")
	}
	return b.String()
}

// typeHash is the REP-2011 hash of m, version 1: the SHA-256 of a JSON text in
// the spacing of Python's json.dumps (rosidl_generator_type_description). Names
// are plain ASCII, so nothing in it needs escaping. Constants and default values
// have no part in it.
func typeHash(m *Message) string {
	sum := sha256.Sum256([]byte(typeDescription(m)))
	return "RIHS01_" + hex.EncodeToString(sum[:])
}

func typeDescription(m *Message) string {
	nested := dependenciesROS2(m, nil)
	slices.SortFunc(nested, func(a, b *Message) int { return strings.Compare(nameROS2(a), nameROS2(b)) })
	var list []string
	for _, d := range nested {
		list = append(list, describe(d))
	}
	return fmt.Sprintf(`{"type_description": %s, "referenced_type_descriptions": [%s]}`,
		describe(m), strings.Join(list, ", "))
}

func describe(m *Message) string {
	fields := m.FieldsOn(ROS2Only)
	if len(fields) == 0 {
		fields = []Field{{Name: emptyMember, Type: TypeRef{Builtin: "uint8"}}}
	}
	var list []string
	for _, f := range fields {
		nested := ""
		if d := messageROS2(f.Type); d != nil {
			nested = nameROS2(d)
		}
		list = append(list, fmt.Sprintf(
			`{"name": %q, "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": %q}}`,
			f.Name, typeID(f.Type), max(f.Type.Fixed, f.Type.Most), f.Type.Bound, nested))
	}
	return fmt.Sprintf(`{"type_name": %q, "fields": [%s]}`, nameROS2(m), strings.Join(list, ", "))
}

// typeIDs are the FIELD_TYPE constants of type_description_interfaces/FieldType.
// char is an uint8 in ROS 2.
var typeIDs = map[string]int{
	"int8": 2, "uint8": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "uint64": 9,
	"float32": 10, "float64": 11, "char": 3, "bool": 15, "byte": 16, "string": 17,
}

func typeID(t TypeRef) int {
	const nested, boundedString, array, boundedSequence, sequence = 1, 21, 48, 96, 144
	id := typeIDs[t.Builtin]
	switch {
	case messageROS2(t) != nil:
		id = nested
	case t.Bound > 0:
		id = boundedString
	}
	switch {
	case t.Fixed > 0:
		id += array
	case t.Most > 0:
		id += boundedSequence
	case t.Array:
		id += sequence
	}
	return id
}
