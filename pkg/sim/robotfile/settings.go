package robotfile

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Live says how a key can be set while the robot runs.
type Live string

// The ways.
const (
	Fixed     Live = ""      // not at all
	LiveLoop  Live = "loop"  // it belongs to the loop or to what is published
	LiveModel Live = "model" // a model that is made with it can continue from the state of another
)

// Setting is one key of a robot with its present value.
type Setting struct {
	// Path names the key as Draft.Set takes it, its parts joined by dots: list items by their
	// name where they have one, otherwise by their number from 0.
	Path string
	// Value is a bool, int64, float64, string, []float64 or []string. Lists of vectors are
	// one after the other.
	Value any
	Unit  string // SI; "1" is dimensionless, empty unless it is a number
	// Range is the interval of every number as the schema has it, such as "(0, 100]", with
	// its bounds; empty unless it is a number.
	Range    string
	Min, Max float64
	Words    []string // the allowed words, where only some are
	Doc      string
	Live     Live
}

// Settings lists every key that the robot has, in the order of the printed file. Absent
// alternatives and mappings are not among them.
func Settings[T Robot](r *T) []Setting {
	var s settings
	s.block(reflect.ValueOf(r).Elem(), "")
	return s
}

type settings []Setting

func (s *settings) block(v reflect.Value, at string) {
	fields := fieldsOf(v.Type())
	for i := range fields {
		if f := &fields[i]; !unused(v, fields, f) {
			s.value(f.of(v), f, join(at, f.key))
		}
	}
}

func (s *settings) value(v reflect.Value, f *field, at string) {
	switch {
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			s.value(v.Elem(), f, at)
		}
	case isBlock(v.Type()):
		s.block(v, at)
	case v.Kind() == reflect.Slice && isBlock(v.Type().Elem()):
		for i := range v.Len() {
			part := itemName(v.Index(i))
			if part == "" || strings.Contains(part, ".") {
				part = strconv.Itoa(i)
			}
			s.block(v.Index(i), join(at, part))
		}
	default:
		*s = append(*s, Setting{
			Path: at, Value: plain(v), Unit: f.unit, Range: f.limits.text, Min: f.limits.low, Max: f.limits.high,
			Words: f.enum, Doc: f.doc, Live: f.live,
		})
	}
}

// plain is a value without the types of the schema.
func plain(v reflect.Value) any {
	items := components(v)
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			items = append(items, v.Index(i))
		}
		if v.Type().Elem().Kind() == reflect.String {
			words := make([]string, len(items))
			for i := range items {
				words[i] = items[i].String()
			}
			return words
		}
	}
	switch {
	case items != nil || v.Kind() == reflect.Slice:
		numbers := []float64{}
		var words []string
		for _, x := range items {
			switch p := plain(x).(type) {
			case float64:
				numbers = append(numbers, p)
			case []float64:
				numbers = append(numbers, p...)
			case string:
				words = append(words, p)
			case []string:
				words = append(words, p...)
			}
		}
		if words != nil {
			return words
		}
		return numbers
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.Kind() == reflect.String:
		return v.String()
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	}
	return v.Float()
}

// Literal writes a value of the types of Setting.Value as YAML that Draft.Set reads.
func Literal(value any) string { return formatValue(reflect.ValueOf(value)) }

// SameValue reports whether two values of the types of Setting.Value are equal.
func SameValue(a, b any) bool {
	switch x := a.(type) {
	case []float64:
		y, ok := b.([]float64)
		return ok && slices.Equal(x, y)
	case []string:
		y, ok := b.([]string)
		return ok && slices.Equal(x, y)
	case bool, int64, float64, string:
		return a == b
	}
	panic(fmt.Sprintf("robotfile: %T is no value of a setting", a))
}
