package microrobot_test

import (
	"slices"
	"testing"

	"sinew/pkg/sim/microrobot"
)

// A saved state continues bit for bit where walls have ended a motion: the steppers that
// remember the last step begin afresh then, and the saved state has to say so.
func TestRestoreAtWallsIsBitIdentical(t *testing.T) {
	for _, method := range []string{"generalized-alpha", "trapezoidal", "splitting", "rkmk4"} {
		m := microrobot.NewModel(t, `
dynamics: inertial
body: {shape: {sphere_m: 1e-3}, mass_kg: 1e-5, position_m: [0, 0, 1.2e-3], velocity_m_per_s: [0.01, 0, 0]}
gravity_m_per_s2: [0, 0, -9.81]
walls: [{plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]
solver: {method: `+method+`, step_s: 1e-3}
`)
		state := func() []float64 {
			s := make([]float64, m.StateLen())
			m.Save(s)
			return s
		}
		run := func(steps int) {
			for range steps {
				if err := m.Step(1e-3); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 60 { // before, at and after the first contact
			run(1)
			saved := state()
			run(3)
			want := state()
			if err := m.Restore(saved); err != nil {
				t.Fatal(err)
			}
			if run(3); !slices.Equal(state(), want) {
				t.Errorf("%s: the steps after Restore differ", method)
				break
			}
			if err := m.Restore(saved); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A body that a wrench spins up in vacuum turns by more than a radian per step: explicit
// methods follow it in parts. One part grew its speed a hundredfold.
func TestSpinIsFollowed(t *testing.T) {
	for _, method := range []string{"cg4", "rkmk4"} {
		m := microrobot.NewModel(t, `
dynamics: inertial
body: {mass_kg: 1e-6, inertia_kg_m2: [1e-13, 2e-13, 3e-13, 0, 0, 0], angular_velocity_rad_per_s: [100, 2700, 50], velocity_m_per_s: [0.18, 0, 0]}
gravity_m_per_s2: [0, 0, 0]
solver: {method: `+method+`, step_s: 5e-4}
`)
		gauges := make([]float64, len(m.Gauges()))
		energy := func() float64 {
			m.Measure(gauges)
			for i, g := range m.Gauges() {
				if g.Key == "kinetic_energy" {
					return gauges[i]
				}
			}
			t.Fatal("no kinetic energy")
			return 0
		}
		before := energy()
		for range 2000 {
			if err := m.Step(5e-4); err != nil {
				t.Fatal(err)
			}
		}
		const drift = 0.1 // of a method of order 4, at half a radian per part, in 430 turns
		if e := energy(); !(e < (1+drift)*before && e > (1-drift)*before) {
			t.Errorf("%s: energy %g J after %g J of a body that nothing acts on", method, e, before)
		}
	}
}
