package robotfile

import (
	"embed"
	"reflect"
)

//go:embed builtin/*.yaml
var builtins embed.FS

// builtin is the embedded robot file of a program.
func builtin(program string) []byte {
	text, err := builtins.ReadFile("builtin/" + program + ".yaml")
	if err != nil {
		panic("robotfile: " + err.Error())
	}
	return text
}

// MergeBuiltin lays the built-in robot over what the draft holds; a program does so
// when it is given no file.
func (d *Draft[T]) MergeBuiltin() {
	program := any(new(T)).(robot).program()
	d.Merge("built-in "+program+".yaml", builtin(program))
}

// Builtin returns the built-in robot.
func Builtin[T Robot]() *T {
	var d Draft[T]
	d.MergeBuiltin()
	return must(d.Robot())
}

// Example returns a small robot in which all that can be is left at its default.
func Example[T Robot]() *T {
	_, text := any(new(T)).(robot).about()
	return must(Parse[T]("example", []byte(text)))
}

// must is for files that come with the program.
func must[T Robot](r *T, err error) *T {
	if err != nil {
		panic("robotfile: " + reflect.TypeFor[T]().Name() + ": " + err.Error())
	}
	return r
}
