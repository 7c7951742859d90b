package robotfile

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Overlay returns those keys of the robot that the paths name, written as in Number.Path,
// as a robot file that overrides the files of the draft, each with the comment
// that belongs to its path. Items of lists are found by their names. Lists of unnamed items and
// vectors are written completely: of such items only the given keys, so that sections continue to
// inherit the others from the rod.
func (d *Draft[T]) Overlay(comments map[string]string) ([]byte, error) {
	return d.OverlayOn(nil, comments)
}

// OverlayOn is Overlay for the files of another draft, which give the keys for which given returns true. The
// draft itself may be a complete file. nil: the keys that the draft gives.
func (d *Draft[T]) OverlayOn(given func(path string) bool, comments map[string]string) ([]byte, error) {
	r, err := d.Robot()
	if err != nil {
		return nil, err
	}
	if given == nil {
		given = d.checker.has
	}
	o := &overlay{comments: comments, given: given, paths: slices.Sorted(maps.Keys(comments))}
	o.block(reflect.ValueOf(r).Elem(), "", "")
	return o.out.Bytes(), nil
}

// Gives reports whether the last call of Robot has read a key, by path.
func (d *Draft[T]) Gives(path string) bool { return d.checker.has(path) }

type overlay struct {
	printer
	comments map[string]string
	given    func(path string) bool
	paths    []string
}

// wanted are the paths at or below a key.
func (o *overlay) wanted(above string) []string {
	return slices.DeleteFunc(slices.Clone(o.paths), func(p string) bool { return !inside(p, above) })
}

func (o *overlay) block(v reflect.Value, path, indent string) {
	fields := fieldsOf(v.Type())
	for i := range fields {
		f := &fields[i]
		if at := join(path, f.key); len(o.wanted(at)) > 0 && !unused(v, fields, f) {
			o.key(f.of(v), f, at, indent)
		}
	}
}

func (o *overlay) key(v reflect.Value, f *field, at, indent string) {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	blocks := v.Kind() == reflect.Slice && isBlock(v.Type().Elem())
	switch {
	case isBlock(v.Type()):
		o.line(indent, f.key+":", "")
		o.block(v, at, indent+"  ")
	case blocks:
		o.line(indent, f.key+":", "")
		for i := range v.Len() {
			o.item(v.Index(i), item(at, i), indent+"  ")
		}
	default:
		o.value(v, f, at, indent)
	}
}

// value writes a key without keys of its own, with its comment.
func (o *overlay) value(v reflect.Value, f *field, at, indent string) {
	var notes []string
	for _, p := range o.wanted(at) {
		if c := o.comments[p]; c != "" && !slices.Contains(notes, c) {
			notes = append(notes, c)
		}
	}
	o.line(indent, f.key+": "+formatValue(v), strings.Join(notes, "; "))
}

// whole writes the keys of a mapping that are given or wanted, the first one after lead.
func (o *overlay) whole(v reflect.Value, path, indent, lead string) {
	fields := fieldsOf(v.Type())
	for i := range fields {
		f, x := &fields[i], fields[i].of(v)
		if unused(v, fields, f) || x.Kind() == reflect.Pointer && x.IsNil() {
			continue
		}
		x, at := reflect.Indirect(x), join(path, f.key)
		if !o.given(at) && len(o.wanted(at)) == 0 {
			continue
		}
		here := indent + lead
		indent, lead = indent+strings.Repeat(" ", len(lead)), ""
		switch blocks := x.Kind() == reflect.Slice && isBlock(x.Type().Elem()); {
		case isBlock(x.Type()):
			o.line(here, f.key+":", "")
			o.whole(x, at, indent+"  ", "")
		case blocks && x.Len() > 0:
			o.line(here, f.key+":", "")
			given := o.given
			if !given(at) { // a list that the files do not give
				o.given = func(string) bool { return true }
			}
			for k := range x.Len() {
				o.whole(x.Index(k), item(at, k), indent+"  ", "- ")
			}
			o.given = given
		default:
			o.value(x, f, at, here)
		}
	}
	if lead != "" {
		o.line(indent+lead, "{}", "")
	}
}

// item writes the wanted keys of a list item with a name, or all of one without,
// because such lists are replaced as a whole.
func (o *overlay) item(v reflect.Value, at, indent string) {
	name := itemName(v)
	switch {
	case name == "":
		o.whole(v, at, indent, "- ")
	case len(o.wanted(at)) > 0:
		o.line(indent, "- name: "+formatText(name), "")
		o.block(v, at, indent+"  ")
	}
}
