package main

import "strings"

// emitMessageFile writes the neutral struct of a message and all its wire forms.
func emitMessageFile(s *source, m *Message) {
	emitMessage(s, m, "the ROS message "+m.FullName())
}

// emitServiceFile writes both halves of a service and its description.
func emitServiceFile(s *source, v *Service) {
	s.p("// %s describes the ROS service %s.", v.Name, v.FullName())
	s.p("var %s = &%s{", v.Name, s.use("sinew/msgs", "Service"))
	s.p("Name: %q,", v.FullName())
	if v.Side().On(ROS1Only) {
		s.p("MD5: %q,", serviceMD5Sum(v))
	}
	if v.Side().On(ROS2Only) {
		s.p("Hash: %q,", serviceHash(v))
	}
	s.p("Request: %s,", v.Request.typeVariable())
	s.p("Response: %s,", v.Response.typeVariable())
	s.p("}\n")
	emitMessage(s, v.Request, "the request of the ROS service "+v.FullName())
	emitMessage(s, v.Response, "the response of the ROS service "+v.FullName())
}

func emitMessage(s *source, m *Message, what string) {
	emitStruct(s, m, what)
	emitConstants(s, m)
	emitType(s, m)
	emitStamp(s, m)
	emitROS1(s, m)
	emitCDR(s, m)
}

// emitAbsent writes the methods of a form that the message does not have.
func emitAbsent(s *source, m *Message, form, version string) {
	fault := "ErrNotIn" + strings.ReplaceAll(version, " ", "")
	s.p("// Append%s appends nothing: %s does not have the message.", form, version)
	s.p("func (*%s) Append%s(dst []byte) []byte { return dst }\n", m.Name, form)
	s.p("// Parse%s fails with [msgs.%s].", form, fault)
	s.p("func (*%s) Parse%s([]byte) error {", m.Name, form)
	s.p("return %s(\"%s: %%w\", msgs.%s)", s.use("fmt", "Errorf"), m.FullName(), fault)
	s.p("}\n")
}

// emitStruct writes the struct. A field's comment is its declaration in the
// field list, with the side it is limited to, which its tag has for reflection.
func emitStruct(s *source, m *Message, what string) {
	s.p("// %s is %s.", m.Name, what)
	s.p("type %s struct {", m.Name)
	done := map[string]bool{}
	for _, f := range m.Fields {
		if done[goField(f)] {
			continue
		}
		done[goField(f)] = true
		note, tag := map[Side]string{ROS1Only: ", ROS 1 only", ROS2Only: ", ROS 2 only"}[f.Side], map[Side]string{ROS1Only: "`ros:\"1\"`", ROS2Only: "`ros:\"2\"`"}[f.Side]
		if f.Twin == SameType {
			note, tag = ", in both versions", ""
		}
		s.p("%s %s %s // %s %s%s", goField(f), goType(s, f.Type), tag, f.Type.Text(), f.Name, note)
	}
	s.p("}\n")
}

func goType(s *source, t TypeRef) string {
	switch {
	case t.Fixed > 0:
		return "[" + itoa(t.Fixed) + "]" + goType(s, t.Element())
	case t.Array:
		return "[]" + goType(s, t.Element())
	case t.Builtin == "time" || t.Builtin == "duration":
		return s.use("sinew/msgs", camel(t.Builtin))
	case t.Builtin != "":
		return builtins[t.Builtin].Go
	}
	return s.use("sinew/msgs/"+t.Package, t.Name)
}

// emitConstants writes the constants untyped, because ROS often gives them
// another type than the field they are meant for. Those listed for both sides
// separately appear once.
func emitConstants(s *source, m *Message) {
	if len(m.Constants) == 0 {
		return
	}
	s.p("// Constants of %s.", m.FullName())
	s.p("const (")
	done := map[string]bool{}
	for _, c := range m.Constants {
		if done[c.Name] {
			continue
		}
		done[c.Name] = true
		value := c.Value
		if builtins[c.Type].Go == "string" {
			value = `"` + value + `"`
		}
		s.p("%s%s = %s", m.Name, camel(c.Name), value)
	}
	s.p(")\n")
}

// emitType writes the static description of a message.
func emitType(s *source, m *Message) {
	s.p("// %s describes %s.", m.typeVariable(), m.FullName())
	s.p("var %s = &%s{", m.typeVariable(), s.use("sinew/msgs", "Type"))
	s.p("Name: %q,", m.FullName())
	if m.Side.On(ROS1Only) {
		s.p("MD5: %q,", md5Sum(m))
		s.p("Definition: `%s`,", definitionROS1(m))
	}
	if m.Side.On(ROS2Only) {
		s.p("ROS2Name: %q,", nameROS2(m))
		s.p("DDSName: %q,", nameDDS(m))
		s.p("Hash: %q,", typeHash(m))
		s.p("Schema: `%s`,", schemaROS2(m))
	}
	s.p("New: func() msgs.Message { return new(%s) },", m.Name)
	s.p("}\n")
	s.p("// Type returns [%s].", m.typeVariable())
	s.p("func (*%s) Type() *msgs.Type { return %s }\n", m.Name, m.typeVariable())
}

// emitStamp writes the method of msgs.Stamped where the message begins with a header.
func emitStamp(s *source, m *Message) {
	if len(m.Fields) == 0 || m.Fields[0].Type.Text() != "std_msgs/Header" {
		return
	}
	s.p("// HeaderStamp implements msgs.Stamped.")
	s.p("func (m *%s) HeaderStamp() %s { return m.%s.Stamp }\n", m.Name, s.use("sinew/msgs", "Time"), goField(m.Fields[0]))
}

// emitCatalog writes the lists of all types and services.
func emitCatalog(s *source, c *Catalog) {
	s.p("// types are all messages, sorted by name, then the halves of all services.")
	s.p("var types = []*%s{", s.use("sinew/msgs", "Type"))
	for _, m := range c.all() {
		s.p("%s,", s.use("sinew/msgs/"+m.Package, m.typeVariable()))
	}
	s.p("}\n")
	s.p("// services are all services, sorted by name.")
	s.p("var services = []*msgs.Service{")
	for _, v := range c.Services {
		s.p("%s,", s.use("sinew/msgs/"+v.Package, v.Name))
	}
	s.p("}")
}
