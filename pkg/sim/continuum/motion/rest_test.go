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

// TestUnstableRestUnderItsLoads counts where the loads of the present step have a potential, in axes that move with the base: Beck's column is
// stable below 20.05 EI/L² and no symmetric part of a stiffness says so; a moment that has ended says nothing about what acts after it.
func TestUnstableRestUnderItsLoads(t *testing.T) {
	const wire = `rod: {length_m: 0.3, radius_m: 0.0004, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, elements: 20, damping: {kelvin_voigt_s: 0.001, drag_per_s: 3}}
solver: {step_s: 0.001}
`
	for _, c := range []struct {
		name, rest, base string
		warns            bool
	}{
		{name: "10 EI/L² along the tip", rest: "gravity_m_per_s2: [0, 0, 0]\nloads: [{at_m: 0.3, force_n: [0, 0, -0.134], frame: body}]"},
		{name: "a moment that acts", rest: "tip: {mass_kg: 0.02}\nloads: [{at_m: 0.3, moment_nm: [0, 0, 1e-6]}]"},
		{name: "a moment that has ended", rest: "tip: {mass_kg: 0.02}\nloads: [{at_m: 0.3, force_n: [0, 0, 0.5], until_s: 0.5}, {at_m: 0.3, moment_nm: [0, 0, 1e-6], until_s: 0.1}]\ninitial_state: equilibrium", warns: true},
		{name: "a base that moves", rest: "tip: {mass_kg: 0.02}", base: ", velocity_m_per_s: [0, 0, 0.01]", warns: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := continuumtest.New(t, continuumtest.Parse(t, wire+"base: {direction: [0, 0, 1], normal: [1, 0, 0]"+c.base+"}\n"+c.rest))
			for range 2500 {
				if err := r.Model.Step(1e-3); err != nil {
					t.Fatal(err)
				}
			}
			gauges := r.Gauges()
			values := make([]float64, len(gauges))
			r.Measure(values)
			i := slices.IndexFunc(gauges, func(g sim.Gauge) bool { return g.Key == "unstable_at_rest" })
			if warning := gauges[i].Warning(values[i]); (warning != "") != c.warns {
				t.Errorf("%s = %g gives the warning %q", gauges[i].Key, values[i], warning)
			}
		})
	}
}
