package parameter

import (
	"math"
	"reflect"
	"strings"
)

// mirrored reports whether a parameter belongs on the server of ROS 1. Those of every node of ROS 2
// do not.
func mirrored(name string) bool {
	return name != "use_sim_time" && name != "start_type_description_service" && !strings.HasPrefix(name, "qos_overrides.")
}

// key returns the name of a parameter on the server.
func (m *Mirror) key(name string) string {
	return m.client.Caller + "/" + strings.ReplaceAll(name, ".", "/")
}

// flat returns the parameters of a tree of the server by their names with dots, with values of the
// types of Assignment.
func flat(tree any) map[string]any {
	all := map[string]any{}
	var walk func(v any, at string)
	walk = func(v any, at string) {
		m, ok := v.(map[string]any)
		if !ok {
			all[at] = fromServer(v)
			return
		}
		for k, inner := range m {
			if at != "" {
				k = at + "." + k
			}
			walk(inner, k)
		}
	}
	walk(tree, "")
	return all
}

// fromServer returns a value of the server as one of Assignment. A list of several types is
// returned unchanged; no parameter accepts it.
func fromServer(v any) any {
	switch v := v.(type) {
	case int:
		return int64(v)
	case []any:
		return listFromServer(v)
	}
	return v
}

func listFromServer(list []any) any {
	numbers, words, flags := []float64{}, []string{}, []bool{}
	for _, x := range list {
		switch x := x.(type) {
		case int:
			numbers = append(numbers, float64(x))
		case float64:
			numbers = append(numbers, x)
		case string:
			words = append(words, x)
		case bool:
			flags = append(flags, x)
		}
	}
	switch len(list) {
	case len(numbers):
		return numbers
	case len(words):
		return words
	case len(flags):
		return flags
	}
	return list
}

// serverValue returns a value of a parameter in a type of the server.
func serverValue(v any) any {
	switch v := v.(type) {
	case int64:
		if v > math.MaxInt32 || v < math.MinInt32 {
			return float64(v)
		}
		return int(v)
	case []float64:
		return list(v)
	case []string:
		return list(v)
	}
	return v
}

func list[T any](v []T) []any {
	all := make([]any, len(v))
	for i := range v {
		all[i] = v[i]
	}
	return all
}

// equal reports whether a value of the server equals that of a parameter. Text does not equal the
// number that it says: who reads the server would get text.
func equal(v, of any) bool {
	if n, ok := of.(int64); ok {
		if x, isFloat := v.(float64); isFloat {
			return x == float64(n)
		}
	}
	if reflect.TypeOf(of) == nil || v == nil {
		return v == nil && of == nil
	}
	switch v.(type) {
	case string, []string, []any:
		if reflect.TypeOf(v) != reflect.TypeOf(of) {
			return false
		}
	}
	c, ok := convert(v, of)
	return ok && same(c, of)
}
