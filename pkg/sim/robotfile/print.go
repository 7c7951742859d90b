package robotfile

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Print returns the complete robot file of r, every key with unit, range, meaning and,
// where the robot has another value, its default. In a list the first item has the
// comments. Keys that the robot does not use are null or empty, with a pattern as a
// comment where they hold keys of their own. Parsing the text gives r again.
func Print[T Robot](r *T) []byte {
	heading, _ := any(r).(robot).about()
	p := &printer{}
	p.line("", "# "+heading, "")
	p.line("", "# SI throughout. Comments give unit, range, meaning and, where the value is another, the", "")
	p.line("", "# default, which absent keys have.", "")
	p.block(reflect.ValueOf(r).Elem(), "", "")
	return p.out.Bytes()
}

// PrintValues is Print without comments and patterns, for programs that read it again.
func PrintValues[T Robot](r *T) []byte {
	p := &printer{bare: true}
	p.block(reflect.ValueOf(r).Elem(), "", "")
	return p.out.Bytes()
}

// Example returns a small robot in which all that can be is left at its default.
func Example[T Robot]() *T {
	_, text := any(new(T)).(robot).about()
	r, err := Parse[T]("example", []byte(text))
	if err != nil {
		panic("robotfile: " + reflect.TypeFor[T]().Name() + ": " + err.Error())
	}
	return r
}

// commentColumn is where the comments stand, unless the value is longer.
const commentColumn = 42

type printer struct {
	out  bytes.Buffer
	bare bool // no comments
}

func (p *printer) line(indent, text, comment string) {
	text = indent + text
	if comment != "" && !p.bare {
		text = fmt.Sprintf("%-*s  # %s", commentColumn-2, text, comment)
	}
	p.out.WriteString(text + "\n")
}

// block prints the keys of a mapping, the first one after lead, the others below it.
func (p *printer) block(v reflect.Value, indent, lead string) {
	fields := fieldsOf(v.Type())
	for i := range fields {
		f := &fields[i]
		p.key(f.of(v), f, indent+lead, unused(v, fields, f))
		if i == 0 {
			indent, lead = indent+strings.Repeat(" ", len(lead)), ""
		}
	}
}

// unused reports whether a key belongs to an alternative that is not chosen.
func unused(v reflect.Value, fields []field, f *field) bool {
	if f.choice == "" {
		return false
	}
	side := ""
	for i := range fields {
		g := &fields[i]
		if g.choice != f.choice {
			continue
		}
		if !g.of(v).IsZero() {
			return g.side != f.side
		}
		if side == "" && g.fallback != "" {
			side = g.side
		}
	}
	return side != f.side
}

// key prints one key with its value. indent may end in the dash of a list item.
func (p *printer) key(v reflect.Value, f *field, indent string, unused bool) {
	below := strings.ReplaceAll(indent, "-", " ")
	list := v.Kind() == reflect.Slice && isBlock(f.typ.Elem())
	switch {
	case unused || v.Kind() == reflect.Pointer && v.IsNil():
		p.line(indent, f.key+": null", f.comment())
		p.pattern(f, below)
	case v.Kind() == reflect.Pointer:
		p.key(v.Elem(), f, indent, false)
	case isBlock(v.Type()):
		p.line(indent, f.key+":", f.comment())
		p.block(v, below+"  ", "")
	case list && v.Len() == 0:
		p.line(indent, f.key+": []", f.comment()+"; for example")
		p.pattern(f, below)
	case list:
		p.line(indent, f.key+":", f.comment())
		before := p.bare
		for i := range v.Len() {
			p.block(v.Index(i), below+"  ", "- ")
			p.bare = true
		}
		p.bare = before
	default:
		p.line(indent, f.key+": "+formatValue(v), f.comment()+f.otherDefault(v))
	}
}

// pattern prints, as comments, what an absent block could hold.
func (p *printer) pattern(f *field, indent string) {
	t := element(f.typ)
	if !isBlock(t) || p.bare {
		return
	}
	sample := reflect.New(f.typ).Elem()
	if f.typ.Kind() == reflect.Slice {
		sample.Set(reflect.MakeSlice(f.typ, 1, 1))
		fillPattern(sample.Index(0))
	} else {
		sample.Set(reflect.New(t))
		fillPattern(sample.Elem())
	}
	named := *f
	named.doc = ""
	p.key(sample, &named, indent+"# ", false)
}

// fillPattern sets the defaults and examples of a block.
func fillPattern(v reflect.Value) {
	d := newDecoder(v.Type(), nil)
	fields := fieldsOf(v.Type())
	for i := range fields {
		f := fields[i]
		if f.example != "" {
			f.fallback = f.example
		}
		to := f.of(v)
		if isBlock(f.typ) {
			fillPattern(to)
		} else if f.fallback != "" {
			d.fallback(to, &f)
		}
	}
}

// comment is unit, range and meaning.
func (f *field) comment() string {
	t := element(f.typ)
	var parts []string
	switch {
	case f.unit == "1":
		parts = append(parts, "dimensionless, "+f.limits.text)
	case f.unit != "":
		parts = append(parts, f.unit+", "+f.limits.text)
	case t.Kind() == reflect.Bool:
		parts = append(parts, "true | false")
	case f.enum != nil:
		parts = append(parts, strings.Join(f.enum, " | "))
	case t.Kind() == reflect.String:
		parts = append(parts, "text")
	}
	if f.doc != "" {
		parts = append(parts, f.doc)
	}
	return strings.Join(parts, ": ")
}

// otherDefault says the default of a key whose value v is another one.
func (f *field) otherDefault(v reflect.Value) string {
	if f.fallback == "" || isBlock(f.typ) {
		return ""
	}
	to := reflect.New(f.typ).Elem()
	newDecoder(f.typ, nil).fallback(to, f)
	if to.Kind() == reflect.Pointer {
		to = to.Elem()
	}
	if text := formatValue(to); text != formatValue(v) {
		return " (default " + text + ")"
	}
	return ""
}

// formatValue writes a value on one line of YAML.
func formatValue(v reflect.Value) string {
	if c := components(v); c != nil || v.Kind() == reflect.Slice {
		if v.Kind() == reflect.Slice {
			for i := range v.Len() {
				c = append(c, v.Index(i))
			}
		}
		texts := make([]string, len(c))
		for i := range c {
			texts[i] = formatValue(c[i])
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	switch v.Kind() {
	case reflect.Float64:
		return formatNumber(v.Float())
	case reflect.String:
		return formatText(v.String())
	}
	return fmt.Sprint(v.Interface())
}

// formatNumber writes the shortest YAML number that reads back as x.
func formatNumber(x float64) string {
	switch a := math.Abs(x); {
	case math.IsInf(x, 1):
		return ".inf"
	case math.IsInf(x, -1):
		return "-.inf"
	case a != 0 && (a < 1e-4 || a >= 1e9):
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// formatText writes text bare where that reads back as text.
func formatText(s string) string {
	if n, found := read("", []byte(s)); len(found) == 0 && n.kind == scalar && n.tag == "!!str" && n.text == s && plainKey.MatchString(s) {
		return s
	}
	return strconv.Quote(s)
}
