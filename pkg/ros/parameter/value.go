package parameter

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// convert converts a value to the type of another if that loses nothing: integers become
// floating-point numbers, an empty list a list of any type, and text that is a number or a list of
// numbers what it says: ros2 param set and load send 1e-06, inf and [0, 0.5] as text, because YAML
// 1.1 requires a point in numbers and clients require lists of one type.
func convert(v, like any) (any, bool) {
	if reflect.TypeOf(v) == reflect.TypeOf(like) {
		return v, true
	}
	if x := reflect.ValueOf(v); x.Kind() == reflect.Slice && x.Len() == 0 && reflect.TypeOf(like).Kind() == reflect.Slice {
		return reflect.MakeSlice(reflect.TypeOf(like), 0, 0).Interface(), true
	}
	switch like.(type) {
	case int64:
		x, ok := parseNumber(v)
		return int64(x), ok && x == math.Trunc(x) && math.Abs(x) <= exact
	case float64:
		if n, ok := v.(int64); ok {
			return float64(n), -exact <= n && n <= exact
		}
		return parseNumber(v)
	case []float64:
		return numbers(v)
	}
	return nil, false
}

// exact is up to where floating-point numbers hold every integer.
const exact = 1 << 53

// numbers converts a list of numbers, or of texts that are numbers, or a text that is such a list.
func numbers(v any) (all []float64, ok bool) {
	const longest = 64 << 10 // bytes; no list of numbers of a robot is longer
	if text, ok := v.(string); ok {
		inner, opens := strings.CutPrefix(strings.TrimSpace(text), "[")
		inner, closes := strings.CutSuffix(inner, "]")
		if !opens || !closes || len(inner) > longest {
			return nil, false
		}
		if inner = strings.TrimSpace(inner); inner == "" {
			return []float64{}, true
		}
		v = strings.Split(inner, ",")
	}
	list := reflect.ValueOf(v)
	if list.Kind() != reflect.Slice {
		return nil, false
	}
	all = make([]float64, list.Len())
	for i := range all {
		x, ok := convert(list.Index(i).Interface(), 0.0)
		if !ok {
			return nil, false
		}
		all[i] = x.(float64)
	}
	return all, true
}

// number is a number as YAML writes it, and Python.
var number = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$|^[-+]?\.?(inf|Inf|INF)$|^\.?(nan|NaN|NAN)$`)

// parseNumber returns the number that a text is.
func parseNumber(v any) (x float64, ok bool) {
	text, ok := v.(string)
	if text = strings.TrimSpace(text); !ok || !number.MatchString(text) {
		return 0, false
	}
	if strings.ContainsAny(text, "nN") { // infinities and NaN may have a point
		text = strings.Replace(text, ".", "", 1)
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// same reports whether values of one type are equal. NaN equals itself.
func same(a, b any) bool {
	equal := func(x, y float64) bool { return x == y || x != x && y != y }
	switch x := a.(type) {
	case float64:
		return equal(x, b.(float64))
	case []float64:
		return slices.EqualFunc(x, b.([]float64), equal)
	case []string:
		return slices.Equal(x, b.([]string))
	}
	return a == b
}

// typeName returns the name of the type of a value in ROS 2, with its article.
func typeName(v any) string {
	switch v.(type) {
	case bool:
		return "a boolean"
	case int64:
		return "an integer"
	case float64:
		return "a double"
	case string:
		return "a string"
	case []byte:
		return "a byte array"
	case []bool:
		return "a boolean array"
	case []int64:
		return "an integer array"
	case []float64:
		return "a double array"
	case []string:
		return "a string array"
	case []any:
		return "a list of several types"
	}
	return fmt.Sprintf("%T", v)
}
