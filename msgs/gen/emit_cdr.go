package main

const cdrPackage = "sinew/msgs/cdr"

// emitCDR writes the ROS 2 encoder and parser of a message.
func emitCDR(s *source, m *Message) {
	if !m.Side.On(ROS2Only) {
		emitAbsent(s, m, "CDR", "ROS 2")
		return
	}
	fields := m.FieldsOn(ROS2Only)

	s.p("// AppendCDR appends the ROS 2 serialisation with its header to dst.")
	s.p("func (m *%s) AppendCDR(dst []byte) []byte {", m.Name)
	s.p("w := %s(dst)", s.use(cdrPackage, "NewWriter"))
	s.p("m.WriteCDR(&w)")
	s.p("return w.Bytes()")
	s.p("}\n")

	s.p("// WriteCDR appends m to a body.")
	s.p("func (m *%s) WriteCDR(w *cdr.Writer) {", m.Name)
	for _, f := range fields {
		emitWriteCDR(s, "m."+goField(f), f.Type)
	}
	if len(fields) == 0 {
		s.p("w.Uint8(0) // %s", emptyMember)
	}
	s.p("}\n")

	s.p("// ParseCDR fills m from a ROS 2 serialisation; after an error m is undefined.")
	s.p("func (m *%s) ParseCDR(src []byte) error {", m.Name)
	s.p("r := cdr.NewReader(src)")
	s.p("m.ReadCDR(&r)")
	s.p("return r.Finish(%q)", nameROS2(m))
	s.p("}\n")

	s.p("// ReadCDR takes m off a reader.")
	s.p("func (m *%s) ReadCDR(r *cdr.Reader) {", m.Name)
	for _, f := range fields {
		emitReadCDR(s, "m."+goField(f), f.Type)
	}
	if len(fields) == 0 {
		s.p("r.Uint8() // %s", emptyMember)
	}
	s.p("}\n")
}

// emitWriteCDR writes one value. A bounded string or array is written as it is: whoever
// fills the message keeps the bound.
func emitWriteCDR(s *source, v string, t TypeRef) {
	if t.Array && t.Fixed == 0 {
		s.p("w.Count(len(%s))", v)
	}
	switch {
	case t.Array && bulkCDR(t) != "":
		s.p("w.%s(%s)", bulkCDR(t), asSlice(v, t))
	case t.Array:
		s.p("for i := range %s {", v)
		emitWriteCDR(s, v+"[i]", t.Element())
		s.p("}")
	case t.Builtin == "time" || t.Builtin == "duration":
		s.p("w.Time(%s.ROS2())", v)
	case t.Builtin != "":
		s.p("w.%s(%s)", builtins[t.Builtin].Method, v)
	default:
		s.p("%s.WriteCDR(w)", v)
	}
}

func emitReadCDR(s *source, v string, t TypeRef) {
	if t.Array && t.Fixed == 0 {
		s.p("%s = nil", v)
		count := itoa(minSize(t.Element(), ROS2Only))
		if t.Most > 0 {
			s.p("if n := r.BoundedCount(%s, %d); n > 0 {", count, t.Most)
		} else {
			s.p("if n := r.Count(%s); n > 0 {", count)
		}
		s.p("%s = make(%s, n)", v, goType(s, t))
		s.p("}")
	}
	switch {
	case t.Array && bulkCDR(t) != "":
		s.p("r.%s(%s)", bulkCDR(t), asSlice(v, t))
	case t.Array:
		s.p("for i := range %s {", v)
		emitReadCDR(s, v+"[i]", t.Element())
		s.p("}")
	case t.Builtin == "time" || t.Builtin == "duration":
		s.p("%s = msgs.%sROS2(r.Time())", v, camel(t.Builtin))
	case t.Bound > 0:
		s.p("%s = r.BoundedString(%d)", v, t.Bound)
	case t.Builtin != "":
		s.p("%s = r.%s()", v, builtins[t.Builtin].Method)
	default:
		s.p("%s.ReadCDR(r)", v)
	}
}

// bulkCDR is the method that writes or reads all elements of an array at once,
// or empty.
func bulkCDR(t TypeRef) string {
	switch builtins[t.Builtin].Method {
	case "Uint8":
		return "Uint8s"
	case "Float32":
		return "Float32s"
	case "Float64":
		return "Float64s"
	}
	return ""
}

func asSlice(v string, t TypeRef) string {
	if t.Fixed > 0 {
		return v + "[:]"
	}
	return v
}
