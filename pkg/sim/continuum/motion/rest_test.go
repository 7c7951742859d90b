package motion_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/spatial"
)

// A column of weight q per length buckles at q L³/EI = 7.837 (Greenhill 1881), this one above 0.775 m. Upright and undisturbed it stays, and
// the gauge warns after a second. It does not warn of a shorter one, and not of one that a small force lets lean over.
func TestUnstableRestWarns(t *testing.T) {
	for _, c := range []struct {
		name          string
		length, force float64 // m, N
		seconds       float64
		warns         bool
	}{
		{name: "below the buckling load", length: 0.75, seconds: 2},
		{name: "above the buckling load", length: 0.80, seconds: 2, warns: true},
		{name: "above the buckling load, for less than a second", length: 0.80, seconds: 0.9},
		{name: "disturbed", length: 0.80, force: 1e-4, seconds: 2},
	} {
		f := continuumtest.Wire(20, 0, spatial.Vec{Z: -9.80665})
		f.Rod.Length, f.Rod.Damping.KelvinVoigt = c.length, 1e-3
		e, in := continuumtest.New(t, f), continuumtest.Pulling()
		in.Tip.Force.X = c.force
		for k := range int(c.seconds * 1000) {
			if err := e.Step(1e-3, in); err != nil {
				t.Fatalf("%s: step %d: %v", c.name, k, err)
			}
		}
		gauges := e.Gauges()
		values := make([]float64, len(gauges))
		e.Measure(values)
		i := slices.IndexFunc(gauges, func(g sim.Gauge) bool { return g.Key == "unstable_at_rest" })
		if warning := gauges[i].Warning(values[i]); (warning != "") != c.warns {
			t.Errorf("%s: %s = %g gives the warning %q", c.name, gauges[i].Key, values[i], warning)
		}
	}
}

// A round column above its buckling load that has leaned over is stable but for its turning about the vertical axis, which takes no
// force. The gauge does not warn of it, wherever it leans.
func TestNeutralRestDoesNotWarn(t *testing.T) {
	for k := range 6 {
		f := continuumtest.Wire(10, 0, spatial.Vec{Z: -9.80665})
		f.Rod.Length, f.Rod.Damping.KelvinVoigt, f.Rod.Damping.Drag = 0.80+0.05*float64(k), 0.05, 10
		e, in := continuumtest.New(t, f), continuumtest.Pulling()
		in.Tip.Force.Y, in.Tip.Force.X = math.Sincos(float64(k))
		in.Tip.Force = in.Tip.Force.Scale(0.02)
		gauges := e.Gauges()
		i := slices.IndexFunc(gauges, func(g sim.Gauge) bool { return g.Key == "unstable_at_rest" })
		values := make([]float64, len(gauges))
		for step := range 6000 {
			if step == 500 {
				in.Tip.Force = spatial.Vec{}
			}
			if err := e.Step(5e-3, in); err != nil {
				t.Fatalf("%g m: step %d: %v", f.Rod.Length, step, err)
			}
			if e.Measure(values); gauges[i].Warning(values[i]) != "" {
				t.Errorf("%g m: warning of the neutral shape after %.3f s", f.Rod.Length, 5e-3*float64(step))
				break
			}
		}
	}
}
