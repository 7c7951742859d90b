package program

import (
	"reflect"

	"sinew/pkg/sim/robotfile"
)

// namedFiles lists the files that a robot file names, such as the calibration of
// coils.
func namedFiles(robot any) (names []string) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch {
		case !v.IsValid():
		case v.Type() == reflect.TypeFor[robotfile.FileName]():
			if v.String() != "" {
				names = append(names, v.String())
			}
		case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
			walk(v.Elem())
		case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(robot))
	return names
}
