package robotfile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"sinew/pkg/sim/spatial"
)

// field is one key of a mapping, as its struct tags declare it.
type field struct {
	key      string
	unit     string
	limits   interval
	fallback string // default, YAML text
	optional bool   // may be absent without a default
	example  string // YAML text for the printed pattern of absent blocks
	enum     []string
	word     string   // for a mapping without keys
	lengths  []string // admitted list lengths
	choice   string   // group of keys that exclude one another
	side     string   // alternative within the group
	live     Live     // how it can be set while the robot runs
	doc      string
	index    []int // of the struct field, through embedded structs
	typ      reflect.Type
}

// of returns the field of a struct.
func (f *field) of(v reflect.Value) reflect.Value { return v.FieldByIndex(f.index) }

// underRule is the default of keys whose absence the finalize methods handle.
const underRule = "-"

// fieldsOf reads the schema off a struct type. The keys of an embedded struct are those of the struct around it.
// Malformed tags are programming errors and panic.
func fieldsOf(t reflect.Type) []field {
	if known, ok := schemas.Load(t); ok {
		return known.([]field)
	}
	var fields []field
	for i := range t.NumField() {
		s := t.Field(i)
		if !s.Anonymous {
			f := newField(s)
			f.index = s.Index
			fields = append(fields, f)
			continue
		}
		for _, f := range fieldsOf(s.Type) {
			f.index = append(slices.Clone(s.Index), f.index...)
			fields = append(fields, f)
		}
	}
	schemas.Store(t, fields)
	return fields
}

// schemas caches the fields of types; they are immutable.
var schemas sync.Map

func newField(s reflect.StructField) field {
	tag := s.Tag
	f := field{
		key: tag.Get("yaml"), unit: tag.Get("unit"), fallback: tag.Get("default"), live: Live(tag.Get("live")),
		example: tag.Get("example"), word: tag.Get("word"), doc: tag.Get("doc"), typ: s.Type,
	}
	if f.key == "" {
		panic("robotfile: field " + s.Name + " has no yaml tag")
	}
	if r, ok := tag.Lookup("range"); ok {
		var err error
		if f.limits, err = parseInterval(r); err != nil {
			panic(fmt.Sprintf("%v (field %s)", err, s.Name))
		}
	}
	if e := tag.Get("enum"); e != "" {
		f.enum = strings.Split(e, "|")
	}
	if l := tag.Get("len"); l != "" {
		f.lengths = strings.Split(l, "|")
	}
	if c := tag.Get("choice"); c != "" {
		f.choice, f.side, _ = strings.Cut(c, "/")
		if f.side == "" {
			f.side = f.key
		}
	}
	if f.fallback == underRule {
		f.fallback, f.optional = "", true
	}
	f.optional = f.optional || f.choice != "" || f.fallback != "" || !isSingle(s.Type)
	return f
}

// find returns the field of a key, or nil.
func find(fields []field, key string) *field {
	for i := range fields {
		if fields[i].key == key {
			return &fields[i]
		}
	}
	return nil
}

var (
	vecType  = reflect.TypeFor[spatial.Vec]()
	quatType = reflect.TypeFor[spatial.Quat]()

	fileNameType = reflect.TypeFor[FileName]()
	warningType  = reflect.TypeFor[Warning]()

	mechanismType  = reflect.TypeFor[Mechanism]()
	microrobotType = reflect.TypeFor[Microrobot]()
)

// isBlock reports whether a struct is a mapping in the file and not a vector.
func isBlock(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != vecType && t != quatType
}

// isSingle reports whether a file must give values of the type unless they have a default. The
// absence of lists, pointers and mappings has a meaning.
func isSingle(t reflect.Type) bool {
	return t.Kind() != reflect.Slice && t.Kind() != reflect.Pointer && !isBlock(t)
}

// components returns the numbers of a vector in the order of the file, or nil if
// the type is not a fixed list of numbers.
func components(v reflect.Value) []reflect.Value {
	switch {
	case v.Type() == vecType:
		return []reflect.Value{v.Field(0), v.Field(1), v.Field(2)}
	case v.Type() == quatType: // x y z w in files, w first in memory
		q := v.Addr().Interface().(*spatial.Quat)
		return []reflect.Value{
			reflect.ValueOf(&q.X).Elem(), reflect.ValueOf(&q.Y).Elem(),
			reflect.ValueOf(&q.Z).Elem(), reflect.ValueOf(&q.W).Elem(),
		}
	case v.Kind() == reflect.Array:
		c := make([]reflect.Value, v.Len())
		for i := range c {
			c[i] = v.Index(i)
		}
		return c
	}
	return nil
}
