package catalog_test

import (
	"math/rand/v2"
	"testing"

	"sinew/msgs"
	"sinew/msgs/catalog"
	"sinew/msgs/internal/msgtest"
)

// fillings is how many random messages of each type a test makes.
const fillings = 20

// form is one serialisation, with the types that have it.
type form struct {
	name      string
	has       func(*msgs.Type) bool
	errorName func(*msgs.Type) string // the type's name in parse errors
	fill      func(msgs.Message, *rand.Rand)
	append    func(m msgs.Message, dst []byte) []byte
	parse     func(m msgs.Message, src []byte) error
}

var (
	ros1 = form{
		"ROS1",
		func(t *msgs.Type) bool { return t.MD5 != "" },
		func(t *msgs.Type) string { return t.Name },
		msgtest.FillROS1, msgs.Message.AppendROS1, msgs.Message.ParseROS1,
	}
	cdr = form{
		"CDR",
		func(t *msgs.Type) bool { return t.Hash != "" },
		func(t *msgs.Type) string { return t.ROS2Name },
		msgtest.FillROS2, msgs.Message.AppendCDR, msgs.Message.ParseCDR,
	}
	forms = []form{ros1, cdr}
)

// types lists the types that have the form.
func (f form) types() []*msgs.Type {
	var list []*msgs.Type
	for _, t := range catalog.Types() {
		if f.has(t) {
			list = append(list, t)
		}
	}
	return list
}

// random is a message of type t with random content.
func (f form) random(t *msgs.Type, rng *rand.Rand) msgs.Message {
	m := t.New()
	f.fill(m, rng)
	return m
}

// each calls test with random messages of every type of the form.
func (f form) each(t *testing.T, test func(t *testing.T, m msgs.Message)) {
	for i, typ := range f.types() {
		t.Run(f.name+"/"+typ.Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			for range fillings {
				test(t, f.random(typ, rng))
			}
		})
	}
}

// eachForm calls test with random messages of every type in every form.
func eachForm(t *testing.T, test func(t *testing.T, f form, m msgs.Message)) {
	for _, f := range forms {
		f.each(t, func(t *testing.T, m msgs.Message) { test(t, f, m) })
	}
}
