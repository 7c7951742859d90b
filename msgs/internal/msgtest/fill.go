// Package msgtest fills messages for the tests of the message packages.
package msgtest

import (
	"math/rand/v2"
	"reflect"

	"sinew/msgs"
)

// ros2Only are the fields that no ROS 1 form carries.
var ros2Only = map[string]bool{
	"TextureResource": true, "Texture": true, "UvCoordinates": true, "MeshFile": true,
}

// Fill gives every field of m a random value that ROS 1 can carry. Arrays get up
// to three elements, and none with probability 1/4. Durations are not negative,
// because goroslib writes negative ones in another form than other libraries.
func Fill(m msgs.Message, rng *rand.Rand) {
	walk(reflect.ValueOf(m).Elem(), func(v reflect.Value) { fillValue(v, rng) })
}

// Scribble changes every value that m holds or refers to in place, so that
// whoever shares memory with m sees it.
func Scribble(m msgs.Message) {
	walk(reflect.ValueOf(m).Elem(), func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Slice:
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.String:
			v.SetString("scribbled over " + v.String())
		case reflect.Float32, reflect.Float64:
			v.SetFloat(v.Float() + 1)
		case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			v.SetInt(v.Int() ^ 1)
		default:
			v.SetUint(v.Uint() ^ 1)
		}
	})
}

// walk visits all leaves below v, and each slice before its elements.
func walk(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !ros2Only[v.Type().Field(i).Name] {
				walk(v.Field(i), visit)
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			visit(v)
		}
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	default:
		visit(v)
	}
}

func fillValue(v reflect.Value, rng *rand.Rand) {
	const seconds = int64(1e9)
	switch v.Interface().(type) {
	case msgs.Time:
		v.SetInt(rng.Int64N(1 << 32 * seconds))
		return
	case msgs.Duration:
		v.SetInt(rng.Int64N(1 << 31 * seconds))
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		v.SetZero()
		if n := rng.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 1)
	case reflect.String:
		v.SetString(string([]rune("Übung № 5")[:rng.IntN(10)])) // valid UTF-8 of 1 to 3 bytes each
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(float32(rng.NormFloat64())))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(rng.Uint64()) >> (64 - v.Type().Bits()))
	default:
		v.SetUint(rng.Uint64() >> (64 - v.Type().Bits()))
	}
}
