package main

// emitROS1 writes the ROS 1 encoder and parser of a message.
func emitROS1(s *source, m *Message) {
	if !m.Side.On(ROS1Only) {
		emitAbsent(s, m, "ROS1", "ROS 1")
		return
	}
	fields := m.FieldsOn(ROS1Only)

	s.p("// AppendROS1 appends the ROS 1 serialisation to dst.")
	s.p("func (m *%s) AppendROS1(dst []byte) []byte {", m.Name)
	for _, f := range fields {
		emitAppend(s, "m."+goField(f), f.Type)
	}
	s.p("return dst")
	s.p("}\n")

	s.p("// ParseROS1 fills m from a ROS 1 serialisation; after an error m is undefined.")
	s.p("func (m *%s) ParseROS1(src []byte) error {", m.Name)
	s.p("r := msgs.NewReader(src)")
	s.p("m.ReadROS1(&r)")
	s.p("return r.Finish(%q)", m.FullName())
	s.p("}\n")

	s.p("// ReadROS1 takes m off a reader.")
	s.p("func (m *%s) ReadROS1(r *msgs.Reader) {", m.Name)
	for _, f := range fields {
		emitRead(s, "m."+goField(f), f.Type)
	}
	s.p("}\n")
}

func emitAppend(s *source, v string, t TypeRef) {
	if t.Array && t.Fixed == 0 {
		s.p("dst = msgs.AppendCount(dst, len(%s))", v)
	}
	all := v // the array as a slice
	if t.Fixed > 0 {
		all += "[:]"
	}
	switch {
	case t.Array && t.Builtin == "uint8":
		s.p("dst = append(dst, %s...)", all)
	case t.Array && t.Builtin == "float32":
		s.p("dst = msgs.AppendFloat32s(dst, %s)", all)
	case t.Array && t.Builtin == "float64":
		s.p("dst = msgs.AppendFloat64s(dst, %s)", all)
	case t.Array:
		s.p("for i := range %s {", v)
		emitAppend(s, v+"[i]", t.Element())
		s.p("}")
	case t.Builtin != "":
		s.p("dst = msgs.Append%s(dst, %s)", builtins[t.Builtin].Method, v)
	default:
		s.p("dst = %s.AppendROS1(dst)", v)
	}
}

func emitRead(s *source, v string, t TypeRef) {
	switch {
	case t.Array && t.Fixed == 0:
		s.p("%s = nil", v)
		s.p("if n := r.Count(%d); n > 0 {", minSize(t.Element(), ROS1Only))
		s.p("%s = make(%s, n)", v, goType(s, t))
		s.p("}")
		fallthrough
	case t.Array:
		s.p("for i := range %s {", v)
		emitRead(s, v+"[i]", t.Element())
		s.p("}")
	case t.Builtin != "":
		s.p("%s = r.%s()", v, builtins[t.Builtin].Method)
	default:
		s.p("%s.ReadROS1(r)", v)
	}
}
