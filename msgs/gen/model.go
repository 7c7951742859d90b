package main

import "strings"

// Side tells in which ROS versions a message, field or constant exists.
type Side uint8

// The sides.
const (
	BothSides Side = iota
	ROS1Only
	ROS2Only
)

// On reports whether what carries s exists on the given side.
func (s Side) On(side Side) bool { return s == BothSides || s == side }

// TypeRef is the type of a field.
type TypeRef struct {
	Builtin string   // "float64", "time", ...; empty for a message
	Package string   // of the message, after resolution
	Name    string   // of the message
	Message *Message // set by resolution
	Written string   // the element type as the file has it
	Bound   int      // N of string<=N, else 0
	Array   bool     // [] or [N]
	Fixed   int      // N of [N], else 0
	Most    int      // N of [<=N], else 0
}

// Text is the type as the file has it.
func (t TypeRef) Text() string {
	switch {
	case t.Fixed > 0:
		return t.Written + "[" + itoa(t.Fixed) + "]"
	case t.Most > 0:
		return t.Written + "[<=" + itoa(t.Most) + "]"
	case t.Array:
		return t.Written + "[]"
	}
	return t.Written
}

// Element is the type without its array part.
func (t TypeRef) Element() TypeRef {
	t.Array, t.Fixed, t.Most = false, 0, 0
	return t
}

// Field is one field of a message.
type Field struct {
	Name string
	Type TypeRef
	Side Side
	// Twin tells that the other side has a field of the same Go name: with the same type the two are one member of the Go struct,
	// else there are two of them.
	Twin Twin
}

// Twin is the relation of a field to one of the other side.
type Twin uint8

// The relations: there is no such field, it has the same type, it has another one.
const (
	NoTwin Twin = iota
	SameType
	OtherType
)

// Constant is one constant of a message.
type Constant struct {
	Type, Name, Value string
	Side              Side
}

// Message is one message type, or one half of a service.
type Message struct {
	Package, Name string
	Source        string // "msg/Pose.msg"
	Constants     []Constant
	Fields        []Field
	Side          Side
	// Shadowed tells that the package has a message of this name with Type behind it.
	Shadowed bool
}

// typeVariable is the Go name of the description of m.
func (m *Message) typeVariable() string {
	if m.Shadowed {
		return "TypeOf" + m.Name
	}
	return m.Name + "Type"
}

// FullName is the ROS 1 name, "package/Name".
func (m *Message) FullName() string { return m.Package + "/" + m.Name }

// FieldsOn lists the fields that exist on the given side.
func (m *Message) FieldsOn(side Side) []Field {
	var on []Field
	for _, f := range m.Fields {
		if f.Side.On(side) {
			on = append(on, f)
		}
	}
	return on
}

// ConstantsOn lists the constants that exist on the given side.
func (m *Message) ConstantsOn(side Side) []Constant {
	var on []Constant
	for _, c := range m.Constants {
		if c.Side.On(side) {
			on = append(on, c)
		}
	}
	return on
}

// Service is one service type.
type Service struct {
	Package, Name     string
	Source            string // "srv/Step.srv"
	Request, Response *Message
}

// Side tells in which ROS versions the service exists: those that have its request.
func (s *Service) Side() Side { return s.Request.Side }

// FullName is the ROS 1 name, "package/Name".
func (s *Service) FullName() string { return s.Package + "/" + s.Name }

// Catalog is everything that the tree of field lists defines, sorted by name.
type Catalog struct {
	Messages []*Message
	Services []*Service
}

// builtin describes a type that needs no field list.
type builtin struct {
	Go     string // the type in the neutral struct
	Method string // msgs.Append<Method>, Reader.<Method>
	Size   int    // bytes, of a string the least
}

// builtins are the primitive types that both ROS versions have. The deprecated
// byte is a signed char in ROS 1 and an octet in ROS 2; the wire has one byte.
var builtins = map[string]builtin{
	"bool":     {"bool", "Bool", 1},
	"byte":     {"byte", "Uint8", 1},
	"char":     {"uint8", "Uint8", 1},
	"int8":     {"int8", "Int8", 1},
	"uint8":    {"uint8", "Uint8", 1},
	"int16":    {"int16", "Int16", 2},
	"uint16":   {"uint16", "Uint16", 2},
	"int32":    {"int32", "Int32", 4},
	"uint32":   {"uint32", "Uint32", 4},
	"int64":    {"int64", "Int64", 8},
	"uint64":   {"uint64", "Uint64", 8},
	"float32":  {"float32", "Float32", 4},
	"float64":  {"float64", "Float64", 8},
	"string":   {"string", "String", 4},
	"time":     {"msgs.Time", "Time", 8},
	"duration": {"msgs.Duration", "Duration", 8},
}

// camel turns a ROS name into a Go name: "frame_id" into "FrameID", "LINE_STRIP"
// into "LineStrip".
func camel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(strings.ToLower(name), "_") {
		switch word {
		case "":
		case "id":
			b.WriteString("ID")
		default:
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// goField is the Go name of a field. A field called "type" becomes Kind, because
// Type is a method of every message. A field that has another type in ROS 2 bears the name of its side.
func goField(f Field) string {
	name := camel(f.Name)
	if name == "Type" {
		name = "Kind"
	}
	if f.Twin == OtherType && f.Side == ROS1Only {
		name += "ROS1"
	}
	return name
}

// findTwins relates the fields of one side to those of the other.
func (m *Message) findTwins() {
	for i := range m.Fields {
		for k := range m.Fields {
			a, b := &m.Fields[i], &m.Fields[k]
			switch {
			case a.Side == BothSides || b.Side == BothSides || a.Side == b.Side || camel(a.Name) != camel(b.Name):
			case a.Type.Text() == b.Type.Text():
				a.Twin = SameType
			default:
				a.Twin = OtherType
			}
		}
	}
}
