package app

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
)

// fieldPorts are those of a robot in a field.
func fieldPorts() []sim.Port {
	one, all := []float64{1, 1, 1, 1e4, 1e4, 1e4, 1e4, 1e4}, []float64{-1, -1, -1, -1e4, -1e4, -1e4, -1e4, -1e4}
	return []sim.Port{
		{Name: "field_gradient", Kind: sim.FieldGradient, Direction: sim.In, Unit: "T, T/m", Group: "field",
			Min: all, Max: one, Strict: true, Hint: "the unit is tesla"},
		{Name: "rotating_field", Kind: sim.RotatingField, Direction: sim.In, Group: "field"},
	}
}

// Fields in millitesla are a mistake in the table, at its line.
func TestStrictColumns(t *testing.T) {
	table, err := readCommands("c.csv", strings.NewReader("t,bx,by,bz\n0,0.01,0,0\n1,0,-0.02,0\n"), fieldPorts())
	if err != nil {
		t.Fatal(err)
	}
	if v := table.targets[1][0]; v[1] != -0.02 || !sim.IsKeep(v[3]) {
		t.Errorf("row 2 commands %v", v)
	}
	_, err = readCommands("c.csv", strings.NewReader("t,bx,by,bz\n0,0.01,0,0\n1,0,-20,0\n"), fieldPorts())
	if err == nil {
		t.Fatal("-20 T were accepted")
	}
	for _, w := range []string{"c.csv:3", "by = -20 T", "[-1, 1]", "the unit is tesla"} {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not mention %q", err, w)
		}
	}
}

// The demo of a robot in a field turns the axis of a rotating field, whose amplitude
// and frequency stay.
func TestDemoSteers(t *testing.T) {
	d := newDemo(fieldPorts())
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
