package main

import "strings"

const goroslibMsg = "github.com/bluenviron/goroslib/v2/pkg/msg"

// gorosName is the name of a goroslib struct: all packages share one Go package.
func gorosName(pkg, name string) string {
	words := camel(pkg) + name
	return strings.ToLower(words[:1]) + words[1:]
}

// gorosField avoids the names of the fields that goroslib embeds.
func gorosField(m *Message, f Field) string {
	switch name := goField(f); name {
	case "Package", "Name", "Definitions":
		return m.Name + name
	default:
		return name
	}
}

// emitGoros writes the goroslib structs and the conversions of one ROS package.
func emitGoros(s *source, c *Catalog, pkg string) {
	for _, m := range c.all() {
		if m.Package == pkg && m.Side.On(ROS1Only) {
			emitGorosStruct(s, m)
			emitGorosFrom(s, m)
			emitGorosTo(s, m)
		}
	}
	for _, v := range c.Services {
		if v.Package == pkg {
			emitGorosService(s, v)
		}
	}
}

// emitGorosStruct writes the struct from which goroslib derives type name,
// checksum and definition by reflection. Every field carries its ROS name, so
// goroslib never has to guess it.
func emitGorosStruct(s *source, m *Message) {
	s.p("type %s struct {", gorosName(m.Package, m.Name))
	s.p("%s `ros:%q`", s.use(goroslibMsg, "Package"), m.Package)
	s.p("msg.Name `ros:%q`", m.Name)
	if constants := m.ConstantsOn(ROS1Only); len(constants) > 0 {
		var list []string
		for _, c := range constants {
			list = append(list, c.Type+" "+c.Name+"="+c.Value)
		}
		s.p("msg.Definitions `ros:%q`", strings.Join(list, ","))
	}
	for _, f := range m.FieldsOn(ROS1Only) {
		tag := `rosname:"` + f.Name + `"`
		if f.Type.Builtin == "byte" || f.Type.Builtin == "char" {
			tag += ` rostype:"` + f.Type.Builtin + `"`
		}
		s.p("%s %s `%s`", gorosField(m, f), gorosType(s, f.Type), tag)
	}
	s.p("}\n")
}

func gorosType(s *source, t TypeRef) string {
	switch {
	case t.Fixed > 0:
		return "[" + itoa(t.Fixed) + "]" + gorosType(s, t.Element())
	case t.Array:
		return "[]" + gorosType(s, t.Element())
	}
	switch t.Builtin {
	case "":
		return gorosName(t.Package, t.Name)
	case "time":
		return s.use("time", "Time")
	case "duration":
		return s.use("time", "Duration")
	case "byte":
		return "int8"
	}
	return builtins[t.Builtin].Go
}

func emitGorosFrom(s *source, m *Message) {
	name := gorosName(m.Package, m.Name)
	s.p("func %s(m *%s) (g %s) {", converter("from", name), s.use("sinew/msgs/"+m.Package, m.Name), name)
	for _, f := range m.FieldsOn(ROS1Only) {
		emitConvert(s, "g."+gorosField(m, f), "m."+goField(f), f.Type, "from")
	}
	s.p("return g")
	s.p("}\n")
}

func emitGorosTo(s *source, m *Message) {
	name := gorosName(m.Package, m.Name)
	s.p("func %s(g *%s) (m %s) {", converter("to", name), name, s.use("sinew/msgs/"+m.Package, m.Name))
	for _, f := range m.FieldsOn(ROS1Only) {
		emitConvert(s, "m."+goField(f), "g."+gorosField(m, f), f.Type, "to")
	}
	s.p("return m")
	s.p("}\n")
}

// converter names the conversion of a struct: fromStdMsgsHeader.
func converter(direction, name string) string {
	return direction + strings.ToUpper(name[:1]) + name[1:]
}

// emitConvert assigns a deep copy of src to dst.
func emitConvert(s *source, dst, src string, t TypeRef, direction string) {
	one := ""
	switch t.Builtin {
	case "time", "duration":
		one = converter(direction, t.Builtin)
	case "byte":
		one = map[string]string{"from": "int8", "to": "byte"}[direction]
	case "":
		one = converter(direction, gorosName(t.Package, t.Name))
	}
	switch {
	case t.Array && t.Fixed == 0 && t.Message != nil:
		s.p("%s = convert(%s, %s)", dst, src, one)
	case t.Array && t.Fixed == 0 && one == "":
		s.p("%s = %s(%s)", dst, s.use("slices", "Clone"), src)
	case t.Array && t.Fixed > 0 && one == "":
		s.p("%s = %s", dst, src)
	case t.Array && t.Fixed == 0:
		s.p("%s = make(%s, len(%s))", dst, map[string]string{"from": gorosType(s, t), "to": goType(s, t)}[direction], src)
		fallthrough
	case t.Array:
		s.p("for i := range %s {", src)
		emitConvert(s, dst+"[i]", src+"[i]", t.Element(), direction)
		s.p("}")
	case t.Message != nil:
		s.p("%s = %s(&%s)", dst, one, src)
	case one != "":
		s.p("%s = %s(%s)", dst, one, src)
	default:
		s.p("%s = %s", dst, src)
	}
}

// emitGorosService writes the service struct. The name comes last: goroslib
// takes the first two fields that are not the package for request and response.
func emitGorosService(s *source, v *Service) {
	s.p("type %s struct {", gorosName(v.Package, v.Name))
	s.p("%s `ros:%q`", s.use(goroslibMsg, "Package"), v.Package)
	s.p("Request %s", gorosName(v.Package, v.Request.Name))
	s.p("Response %s", gorosName(v.Package, v.Response.Name))
	s.p("msg.Name `ros:%q`", v.Name)
	s.p("}\n")
}

// emitGorosTables writes the switches between neutral and goroslib messages.
func emitGorosTables(s *source, c *Catalog) {
	s.p("func prototype(t *%s) any {", s.use("sinew/msgs", "Type"))
	s.p("switch t {")
	eachROS1(c, func(m *Message) {
		s.p("case %s:\nreturn new(%s)", s.use("sinew/msgs/"+m.Package, m.Name+"Type"), gorosName(m.Package, m.Name))
	})
	s.p("}\nreturn nil\n}\n")

	s.p("func service(v *msgs.Service) any {")
	s.p("switch v {")
	for _, v := range c.Services {
		s.p("case %s:\nreturn new(%s)", s.use("sinew/msgs/"+v.Package, v.Name), gorosName(v.Package, v.Name))
	}
	s.p("}\nreturn nil\n}\n")

	s.p("func from(m msgs.Message) any {")
	s.p("switch m := m.(type) {")
	eachROS1(c, func(m *Message) {
		name := gorosName(m.Package, m.Name)
		s.p("case *%s:\ng := %s(m)\nreturn &g", s.use("sinew/msgs/"+m.Package, m.Name), converter("from", name))
	})
	s.p("}\nreturn nil\n}\n")

	s.p("func to(g any) msgs.Message {")
	s.p("switch g := g.(type) {")
	eachROS1(c, func(m *Message) {
		name := gorosName(m.Package, m.Name)
		s.p("case *%s:\nm := %s(g)\nreturn &m", name, converter("to", name))
	})
	s.p("}\nreturn nil\n}")
}

func eachROS1(c *Catalog, do func(*Message)) {
	for _, m := range c.all() {
		if m.Side.On(ROS1Only) {
			do(m)
		}
	}
}
