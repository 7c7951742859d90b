package robotfile

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Overlay returns those keys of r that the paths name, written as in Number.Path,
// as a robot file to be laid over the one that r came from, each with the comment
// that belongs to its path. Items of lists are found by their names; lists whose
// items have none, and vectors, are written whole.
func Overlay[T Robot](r *T, comments map[string]string) []byte {
	o := &overlay{comments: comments, paths: slices.Sorted(maps.Keys(comments))}
	o.block(reflect.ValueOf(r).Elem(), "", "")
	return o.out.Bytes()
}

type overlay struct {
	printer
	comments map[string]string
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
			o.key(v.Field(f.index), f, at, indent)
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
		var notes []string
		for _, p := range o.wanted(at) {
			if c := o.comments[p]; c != "" && !slices.Contains(notes, c) {
				notes = append(notes, c)
			}
		}
		o.line(indent, f.key+": "+formatValue(v), strings.Join(notes, "; "))
	}
}

// item writes the wanted keys of a list item with a name, or all of one without,
// because such lists are replaced as a whole.
func (o *overlay) item(v reflect.Value, at, indent string) {
	name := itemName(v)
	switch {
	case name == "":
		o.printer.block(v, indent, "- ")
	case len(o.wanted(at)) > 0:
		o.line(indent, "- name: "+formatText(name), "")
		o.block(v, at, indent+"  ")
	}
}
