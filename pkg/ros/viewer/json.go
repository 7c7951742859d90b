package viewer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
)

// parseJSON reads a message in JSON. Its fields have their ROS names. Every number and every truth
// value is required and has that type, and an array of fixed length has all its elements, because
// JavaScript writes null for NaN and infinity and leaves undefined fields out: neither may become a
// command of 0. What may be left out has a meaning of its own when it is empty; see isOptional.
// Times are objects of sec and nanosec, or nsec.
func parseJSON(data []byte, m msgs.Message) error {
	var tree any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("no JSON: data after the object")
	}
	if _, ok := tree.(map[string]any); !ok {
		return fmt.Errorf("no JSON object: %.40q", data)
	}
	if err := checkDepth(tree, maxDepth); err != nil {
		return err
	}
	if err := setJSON("", tree, reflect.ValueOf(m).Elem()); err != nil {
		return fmt.Errorf("no %s: %w", m.Type().ROS2Name, err)
	}
	return nil
}

// maxDepth bounds the nesting of JSON; that of the messages is smaller.
const maxDepth = 20

// checkDepth returns an error if the tree v is nested deeper than the given depth.
func checkDepth(v any, depth int) error {
	if depth == 0 {
		return fmt.Errorf("nested deeper than %d", maxDepth)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			if err := checkDepth(x, depth-1); err != nil {
				return err
			}
		}
	case []any:
		for _, x := range v {
			if err := checkDepth(x, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

var (
	timeType     = reflect.TypeFor[msgs.Time]()
	durationType = reflect.TypeFor[msgs.Duration]()
	headerType   = reflect.TypeFor[std_msgs.Header]()
	layoutType   = reflect.TypeFor[std_msgs.MultiArrayLayout]()
)

// isOptional reports whether JSON may leave out the field f of a message: headers (no stamp means
// now, no frame the first of the port), texts, layouts of arrays, covariances, which are unknown
// when they are zero, and arrays of variable length, whose length the receiver checks.
func isOptional(f reflect.StructField) bool {
	return f.Type == headerType || f.Type == layoutType || f.Type.Kind() == reflect.String || f.Type.Kind() == reflect.Slice ||
		f.Type.Kind() == reflect.Array && strings.HasSuffix(f.Name, "Covariance")
}

// wrongValue is the error of the value v at path.
func wrongValue(path string, v any, allowed string) error {
	text, _ := json.Marshal(v) // decoded from JSON
	hint := ""
	if v == nil {
		hint = ", which JavaScript writes for NaN and infinity"
	}
	return fmt.Errorf("%s is %.40s%s; allowed: %s", strings.TrimPrefix(path, "."), text, hint, allowed)
}

// setJSON sets the field to, at path in the message, to the decoded JSON v.
func setJSON(path string, v any, to reflect.Value) error {
	if t := to.Type(); t == timeType || t == durationType {
		ns, ok := asTime(v)
		if !ok {
			return wrongValue(path, v, "an object of sec and nanosec")
		}
		to.SetInt(ns)
		return nil
	}
	switch to.Kind() {
	case reflect.Struct:
		return setStruct(path, v, to)
	case reflect.Slice, reflect.Array:
		return setList(path, v, to)
	case reflect.String:
		s, ok := v.(string)
		if !ok {
			return wrongValue(path, v, "a text")
		}
		to.SetString(s)
	case reflect.Bool:
		b, ok := v.(bool)
		if !ok {
			return wrongValue(path, v, "true or false")
		}
		to.SetBool(b)
	default:
		return setNumber(path, v, to)
	}
	return nil
}

// setStruct sets the fields of a message, or of a part of one.
func setStruct(path string, v any, to reflect.Value) error {
	given, ok := v.(map[string]any)
	if !ok {
		return wrongValue(path, v, "an object")
	}
	fields := make(map[string]string, len(given)) // names as given, by their folded forms
	for _, name := range slices.Sorted(maps.Keys(given)) {
		folded := fold(name)
		if _, twice := fields[folded]; twice {
			return fmt.Errorf("the field %.40q is there twice", name)
		}
		fields[folded] = name
	}
	allOptional := to.Type() == headerType || to.Type() == layoutType
	for i := range to.NumField() {
		f := to.Type().Field(i)
		name, is := fields[fold(f.Name)]
		delete(fields, fold(f.Name))
		at := path + "." + rosName(f.Name)
		if is {
			if err := setJSON(at, given[name], to.Field(i)); err != nil {
				return err
			}
		} else if !allOptional && !isOptional(f) {
			return fmt.Errorf("%s is missing; allowed: %s", strings.TrimPrefix(at, "."), allowedAt(f.Type))
		}
	}
	if unknown := slices.Sorted(maps.Values(fields)); len(unknown) > 0 {
		return fmt.Errorf("unknown field %.40q", strings.TrimPrefix(path+"."+unknown[0], "."))
	}
	return nil
}

// setList sets an array.
func setList(path string, v any, to reflect.Value) error {
	list, ok := v.([]any)
	if !ok {
		return wrongValue(path, v, allowedAt(to.Type()))
	}
	if to.Kind() == reflect.Slice {
		to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
	} else if len(list) != to.Len() {
		return fmt.Errorf("%s has %d elements; allowed: %s", strings.TrimPrefix(path, "."), len(list), allowedAt(to.Type()))
	}
	for i, x := range list {
		if err := setJSON(fmt.Sprintf("%s[%d]", path, i), x, to.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// setNumber sets a number, within the range of its type.
func setNumber(path string, v any, to reflect.Value) error {
	n, _ := v.(json.Number)
	bits := to.Type().Bits()
	var err error
	switch {
	case to.CanFloat():
		var x float64
		if x, err = strconv.ParseFloat(string(n), bits); err == nil {
			to.SetFloat(x)
		}
	case to.CanInt():
		var x int64
		if x, err = strconv.ParseInt(string(n), 10, bits); err == nil {
			to.SetInt(x)
		}
	case to.CanUint():
		var x uint64
		if x, err = strconv.ParseUint(string(n), 10, bits); err == nil {
			to.SetUint(x)
		}
	default:
		return fmt.Errorf("%s: %s cannot be given in JSON; use %q", strings.TrimPrefix(path, "."), to.Type(), encodingCDR)
	}
	if err != nil { // n is empty unless v is a number
		return wrongValue(path, v, allowedAt(to.Type()))
	}
	return nil
}

// allowedAt describes for people what JSON may have at a field of the type t.
func allowedAt(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		return "an object with all numbers of " + t.Name()
	case reflect.Slice:
		return "an array"
	case reflect.Array:
		return fmt.Sprintf("an array of %d elements", t.Len())
	case reflect.Bool:
		return "true or false"
	case reflect.Float32:
		return fmt.Sprintf("a number of at most %.3g", math.MaxFloat32)
	case reflect.Float64:
		return "a finite number"
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if t == timeType || t == durationType {
			return "an object of sec and nanosec"
		}
		most := int64(1)<<(t.Bits()-1) - 1
		return fmt.Sprintf("an integer from %d to %d", -most-1, most)
	}
	return fmt.Sprintf("an integer from 0 to %d", ^uint64(0)>>(64-t.Bits()))
}

// fold returns the form in which the ROS name of a field and its Go name are equal.
func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// rosName returns the ROS name of the field of a message, as frame_id for FrameID.
func rosName(goName string) string {
	var b strings.Builder
	letters := []rune(goName)
	for i, r := range letters {
		begins := i > 0 && unicode.IsUpper(r) && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// asTime returns the nanoseconds of an object that represents a time.
func asTime(tree any) (int64, bool) {
	v, _ := tree.(map[string]any)
	part := func(name string) (int64, bool) {
		n, ok := v[name].(json.Number)
		if !ok {
			return 0, false
		}
		i, err := n.Int64()
		return i, err == nil
	}
	sec, ok := part("sec")
	if !ok || len(v) != 2 || sec < -1<<31 || sec >= 1<<32 {
		return 0, false
	}
	for _, name := range []string{"nanosec", "nsec"} {
		if ns, ok := part(name); ok && 0 <= ns && ns < 1e9 {
			return sec*1e9 + ns, true
		}
	}
	return 0, false
}
