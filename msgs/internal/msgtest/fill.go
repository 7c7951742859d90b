// Package msgtest fills messages for the tests of the message packages.
package msgtest

import (
	"math/rand/v2"
	"reflect"

	"sinew/msgs"
)

// OnlyIn returns the ROS version that alone has a field of a message, "1" or "2", empty if both have it.
func OnlyIn(f reflect.StructField) string { return f.Tag.Get("ros") }

// mostElements are the bounds of arrays that have one, by their Go names.
var mostElements = map[string]int{"FloatingPointRange": 1, "IntegerRange": 1}

// FillROS1 gives every field of m that ROS 1 has a random value that ROS 1 can
// carry. Arrays get up to three elements, and none with probability 1/4.
// Durations are not negative, because goroslib writes negative ones in another
// form than other libraries.
func FillROS1(m msgs.Message, rng *rand.Rand) {
	const seconds = int64(1e9)
	walk(reflect.ValueOf(m).Elem(), "2", func(v reflect.Value) {
		switch v.Interface().(type) {
		case msgs.Time:
			v.SetInt(rng.Int64N(1 << 32 * seconds))
		case msgs.Duration:
			v.SetInt(rng.Int64N(1 << 31 * seconds))
		default:
			fillValue(v, rng)
		}
	})
}

// FillROS2 is FillROS1 for the fields that ROS 2 has. Times and durations may be
// negative.
func FillROS2(m msgs.Message, rng *rand.Rand) {
	const seconds = int64(1e9)
	walk(reflect.ValueOf(m).Elem(), "1", func(v reflect.Value) {
		switch v.Interface().(type) {
		case msgs.Time, msgs.Duration:
			v.SetInt(rng.Int64N(1<<32*seconds) - 1<<31*seconds)
		default:
			fillValue(v, rng)
		}
	})
}

// walk visits all leaves below v, and each slice before its elements. It leaves
// out the fields that only version other has.
func walk(v reflect.Value, other string, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if OnlyIn(v.Type().Field(i)) != other {
				walk(v.Field(i), other, visit)
			}
			if most := mostElements[name]; most > 0 {
				v.Field(i).SetLen(min(v.Field(i).Len(), most))
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			visit(v)
		}
		for i := range v.Len() {
			walk(v.Index(i), other, visit)
		}
	default:
		visit(v)
	}
}

func fillValue(v reflect.Value, rng *rand.Rand) {
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
		v.SetFloat(rng.NormFloat64())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(rng.Uint64()) >> (64 - v.Type().Bits()))
	default:
		v.SetUint(rng.Uint64() >> (64 - v.Type().Bits()))
	}
}
