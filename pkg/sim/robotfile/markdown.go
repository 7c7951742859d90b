package robotfile

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
)

// Markdown returns the reference of all robot files: a table per mapping with
// every key, its kind, unit, range, default and meaning. A mapping that occurs at
// several places is explained once.
func Markdown() []byte {
	d := &document{at: map[reflect.Type]string{}}
	d.out.WriteString(markdownPreface)
	describe[Continuum](d)
	describe[Mechanism](d)
	describe[Microrobot](d)
	return d.out.Bytes()
}

const markdownPreface = `<!-- Written by "tendonsim params --markdown"; "go generate ./pkg/sim/robotfile" writes it anew. -->
# Robot files

A robot file is YAML and strict: an unknown key or a number out of range is an error, and
` + "`check`" + ` lists all of them at once with their lines. Everything is SI, and the unit is in the key. A key that is
absent has its default; only what says *must be given* is required. Several ` + "`--config`" + ` are laid over one
another, key by key. What wins, first to last: the command line (` + "`_solver/step_s:=0.0002`" + `, on ROS 2
` + "`--ros-args -p solver.step_s:=0.0002`" + `), the ROS 1 parameter server, ` + "`--config`" + ` files from last to first,
defaults.

In a range, a round bracket leaves the bound out and a square one admits it. Vectors are in world axes unless the
meaning says otherwise; quaternions are x, y, z, w. A dash is a default that the meaning explains or that is empty.
Keys marked *live* can be set while the robot runs ([ROS](ros.md#parameters)); all others are fixed then.
`

// document is Markdown under construction.
type document struct {
	out bytes.Buffer
	at  map[reflect.Type]string // where a mapping is explained already, as a link
}

// section is a mapping that still has to be explained.
type section struct {
	path string
	typ  reflect.Type
}

// describe adds all keys of one kind of robot file, its mappings from the top down.
func describe[T Robot](d *document) {
	r := any(new(T)).(robot)
	heading, _ := r.about()
	title := "`" + r.program() + "`"
	if reflect.TypeFor[T]() == mechanismType {
		title = "mechanism"
	}
	fmt.Fprintf(&d.out, "\n## %s\n\n%s\n", title, heading)
	waiting := []section{{"", reflect.TypeFor[T]()}}
	for len(waiting) > 0 {
		next := waiting[0]
		below := d.section(title, next)
		waiting = append(below, waiting[1:]...)
	}
}

// section writes the table of one mapping and returns the mappings in it that are
// not explained yet.
func (d *document) section(title string, s section) []section {
	if s.path != "" {
		fmt.Fprintf(&d.out, "\n### %s: %s\n", title, s.path)
	}
	d.out.WriteString("\n| key | value | range | default | meaning |\n|---|---|---|---|---|\n")
	var below []section
	fields := fieldsOf(s.typ)
	for i := range fields {
		f := &fields[i]
		value := kindOf(f)
		if t := element(f.typ); isBlock(t) {
			path := join(s.path, f.key)
			link, known := d.at[t]
			if !known {
				link = fmt.Sprintf("[%s](#%s-%s)", path, anchor(title), anchor(path))
				d.at[t] = link
				below = append(below, section{path, t})
			}
			value += " " + link
		}
		fmt.Fprintf(&d.out, "| `%s` | %s | %s | %s | %s |\n", f.key, value, cell(f.limits.text), defaultOf(f), cell(meaning(f, fields)))
	}
	return below
}

// kindOf says in words what stands after the key.
func kindOf(f *field) string {
	t := element(f.typ)
	list := f.typ.Kind() == reflect.Slice
	unit := f.unit
	if unit != "" && unit != "1" {
		unit = ", " + unit
	} else {
		unit = ""
	}
	switch {
	case isBlock(t) && list:
		return "list of"
	case isBlock(t):
		return "mapping"
	case f.enum != nil && list:
		return "list of `" + strings.Join(f.enum, "`, `") + "`"
	case f.enum != nil:
		return "`" + strings.Join(f.enum, "`, `") + "`"
	case f.lengths != nil:
		return strings.Join(f.lengths, " or ") + " numbers" + unit
	case t.Kind() == reflect.Array && t.Elem().Kind() == reflect.String:
		if list {
			return "list of pairs of names"
		}
		return "2 names"
	case list && isSingle(t) && t.Kind() == reflect.Array:
		return fmt.Sprintf("list of %d numbers%s", t.Len(), unit)
	case list && t.Kind() == reflect.String:
		return "list of names"
	case list:
		return "list of numbers" + unit
	case t == vecType:
		return "3 numbers" + unit
	case t == quatType:
		return "4 numbers" + unit
	case t.Kind() == reflect.Array:
		return fmt.Sprintf("%d numbers%s", t.Len(), unit)
	case t.Kind() == reflect.Int:
		return "integer" + unit
	case t.Kind() == reflect.Bool:
		return "`true`, `false`"
	case t.Kind() == reflect.String:
		return "text"
	}
	return "number" + unit
}

// defaultOf is the value of an absent key.
func defaultOf(f *field) string {
	switch {
	case f.fallback != "":
		return "`" + f.fallback + "`"
	case !f.optional:
		return "must be given"
	}
	return "–"
}

// meaning is the field's doc with the keys that it excludes.
func meaning(f *field, fields []field) string {
	var others []string
	for i := range fields {
		if g := &fields[i]; f.choice != "" && g.choice == f.choice && g.side != f.side {
			others = append(others, "`"+g.key+"`")
		}
	}
	text := f.doc
	if others != nil {
		text += "; excludes " + strings.Join(others, ", ")
	}
	if f.live != Fixed {
		text += "; *live*"
	}
	return text
}

// cell escapes what would end a cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// anchor is how a heading's text is found in a link.
func anchor(path string) string {
	return strings.NewReplacer(".", "", "`", "").Replace(strings.ToLower(path))
}
