package run

import (
	"math"
	"testing"

	"sinew/pkg/sim"
)

// TendonPorts are those of a robot with tendons.
func TendonPorts() []sim.Port {
	return []sim.Port{{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: []string{"a", "b", "c"}, Group: "tendons", Max: []float64{10, 10, 10}}}
}

// FieldPorts are those of a robot in a field.
func FieldPorts() []sim.Port {
	return []sim.Port{
		{Name: "field_gradient", Kind: sim.FieldGradient, Direction: sim.In, Group: "field"},
		{Name: "rotating_field", Kind: sim.RotatingField, Direction: sim.In, Group: "field"},
	}
}

func TestDemoStaysWithinLimits(t *testing.T) {
	d := newDemo(TendonPorts())
	moved := 0.0
	for i := range 1000 {
		d.wave(float64(i)*0.02, d.values)
		for _, v := range d.values {
			if v < 0 || v > 10 {
				t.Fatalf("tension %g N", v)
			}
			moved = math.Max(moved, v)
		}
	}
	if moved < 3.9 {
		t.Errorf("the demo pulls with %g N at most", moved)
	}
	if newDemo(nil) != nil {
		t.Error("a demo without tendons")
	}
}

// The demo of a robot in a field turns the axis of a rotating field, whose amplitude
// and frequency stay.
func TestDemoSteers(t *testing.T) {
	d := newDemo(FieldPorts())
	if d == nil || d.port != 1 {
		t.Fatalf("demo %+v", d)
	}
	d.wave(0, d.values)
	first := append([]float64(nil), d.values...)
	d.wave(5, d.values) // a quarter of the cycle
	if d.values[3] != first[3] || d.values[4] != first[4] || d.values[3] <= 0 {
		t.Errorf("amplitude and frequency %v, then %v", first[3:5], d.values[3:5])
	}
	if dot := d.values[0]*first[0] + d.values[1]*first[1]; math.Abs(dot) > 1e-12 {
		t.Errorf("axis %v, a quarter cycle later %v", first[:3], d.values[:3])
	}
}
