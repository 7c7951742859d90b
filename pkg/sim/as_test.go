package sim_test

import (
	"testing"

	"sinew/pkg/sim"
)

// held is a model that can be held.
type held struct{ sim.Model }

func (held) Hold(float64) {}

// wrapped is a model around another one.
type wrapped struct{ sim.Model }

func (w wrapped) Unwrap() sim.Model { return w.Model }

func TestAsFindsTheModelInside(t *testing.T) {
	inside := held{new(sim.FakeModel)}
	for _, c := range []struct {
		name string
		m    sim.Model
		want bool
	}{
		{"itself", inside, true},
		{"inside of one", wrapped{inside}, true},
		{"inside of two", wrapped{wrapped{inside}}, true},
		{"nowhere", wrapped{struct{ sim.Model }{inside}}, false},
		{"of none", nil, false},
	} {
		h, ok := sim.As[sim.Holder](c.m)
		if ok != c.want || ok && h != sim.Holder(inside) {
			t.Errorf("%s: %v %v, want %v", c.name, h, ok, c.want)
		}
	}
	outer := held{wrapped{inside}}
	if h, _ := sim.As[sim.Holder](outer); h != sim.Holder(outer) {
		t.Errorf("%v, want the outermost", h)
	}
}
