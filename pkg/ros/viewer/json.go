package viewer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sinew/msgs"
)

// parseJSON reads a message in JSON. Its fields have their ROS names, and missing fields are zero.
// Times are objects of sec and nanosec, or nsec. It refuses null, which JSON.stringify writes for
// NaN and infinity, and which package json reads as 0.
func parseJSON(data []byte, m msgs.Message) error {
	var tree any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	if _, ok := tree.(map[string]any); !ok {
		return fmt.Errorf("no JSON object: %.40q", data)
	}
	if path, ok := findNull(tree, maxDepth); ok {
		return fmt.Errorf("%s is null, which JavaScript writes for NaN and infinity; send a number, or leave the field out", strings.TrimPrefix(path, "."))
	}
	tree, err := asFields(tree, maxDepth)
	if err != nil {
		return err
	}
	plain, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	d = json.NewDecoder(bytes.NewReader(plain))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return fmt.Errorf("no %s: %w", m.Type().ROS2Name, err)
	}
	return nil
}

// maxDepth bounds the nesting of JSON; that of the messages is smaller.
const maxDepth = 20

// findNull returns the path of a null in the tree v, as in .data[2], down to the given depth. Of
// several it takes the first in the order of names.
func findNull(v any, depth int) (path string, found bool) {
	if depth == 0 {
		return "", false // asFields refuses it
	}
	switch v := v.(type) {
	case nil:
		return "", true
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if below, ok := findNull(v[name], depth-1); ok {
				return fmt.Sprintf(".%.40s%s", name, below), true
			}
		}
	case []any:
		for i := range v {
			if below, ok := findNull(v[i], depth-1); ok {
				return fmt.Sprintf("[%d]%s", i, below), true
			}
		}
	}
	return "", false
}

// asFields returns the tree v with names that equal those of the struct fields except for case, and
// times as nanoseconds.
func asFields(v any, depth int) (any, error) {
	if depth == 0 {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	switch v := v.(type) {
	case map[string]any:
		if ns, ok := asTime(v); ok {
			return ns, nil
		}
		fields := make(map[string]any, len(v))
		for name, x := range v {
			to := strings.ReplaceAll(name, "_", "")
			if _, twice := fields[to]; twice {
				return nil, fmt.Errorf("the field %.40q is there twice", name)
			}
			var err error
			if fields[to], err = asFields(x, depth-1); err != nil {
				return nil, err
			}
		}
		return fields, nil
	case []any:
		for i := range v {
			var err error
			if v[i], err = asFields(v[i], depth-1); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// asTime returns the nanoseconds of an object that represents a time.
func asTime(v map[string]any) (int64, bool) {
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
