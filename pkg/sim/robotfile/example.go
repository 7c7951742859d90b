package robotfile

import "reflect"

// Example returns a small robot in which all that can be is left at its default.
func Example[T Robot]() *T {
	_, text := any(new(T)).(robot).about()
	r, err := Parse[T]("example", []byte(text))
	if err != nil {
		panic("robotfile: " + reflect.TypeFor[T]().Name() + ": " + err.Error())
	}
	return r
}
