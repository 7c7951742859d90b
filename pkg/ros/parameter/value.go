package parameter

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// convert converts a value to the type of another if that loses nothing: integers become
// floating-point numbers, and an empty list a list of any type.
func convert(v, like any) (any, bool) {
	if reflect.TypeOf(v) == reflect.TypeOf(like) {
		return v, true
	}
	if x := reflect.ValueOf(v); x.Kind() == reflect.Slice && x.Len() == 0 && reflect.TypeOf(like).Kind() == reflect.Slice {
		return reflect.MakeSlice(reflect.TypeOf(like), 0, 0).Interface(), true
	}
	const exact = 1 << 53
	within := func(n int64) bool { return -exact <= n && n <= exact }
	switch like.(type) {
	case float64:
		n, ok := v.(int64)
		return float64(n), ok && within(n)
	case []float64:
		whole, ok := v.([]int64)
		numbers := make([]float64, len(whole))
		for i, n := range whole {
			numbers[i] = float64(n)
			ok = ok && within(n)
		}
		return numbers, ok
	}
	return nil, false
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

// hint says how to write a number or numbers that arrived as text: ros2 param sends 1e-3 and [0,
// 0.5] as text, because YAML 1.1 requires a point and a sign, and lists of one type.
func hint(v, like any) string {
	const longest = 200
	text, ok := v.(string)
	if !ok || len(text) > longest {
		return ""
	}
	var written string
	switch like.(type) {
	case int64, float64:
		written, ok = plainNumber(text, like)
	case []float64:
		inner, opens := strings.CutPrefix(strings.TrimSpace(text), "[")
		inner, closes := strings.CutSuffix(inner, "]")
		parts := strings.Split(inner, ",")
		for i, part := range parts {
			var number bool
			parts[i], number = plainNumber(strings.TrimSpace(part), 0.0)
			ok = ok && number
		}
		written, ok = "["+strings.Join(parts, ", ")+"]", ok && opens && closes
	default:
		return ""
	}
	if !ok {
		return ""
	}
	return "; write " + written
}

// plainNumber returns a number without exponent, with a point unless it must be an integer.
func plainNumber(text string, like any) (string, bool) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return "", false
	}
	written := strconv.FormatFloat(x, 'f', -1, 64)
	if _, whole := like.(int64); whole {
		return written, x == math.Trunc(x)
	}
	if !strings.Contains(written, ".") {
		written += ".0"
	}
	return written, true
}
