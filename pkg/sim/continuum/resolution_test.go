package continuum_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
)

// warningOf returns the value of a gauge and its warning.
func warningOf(m *continuum.Model, key string) (value float64, warning string) {
	value = gaugeOf(m, key)
	for _, g := range m.Gauges() {
		if g.Key == key {
			warning = g.Warning(value)
		}
	}
	return value, warning
}

const rubberWire = "rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 2.0e6, shear_modulus_pa: 7.0e5, elements: 10, damping: {kelvin_voigt_s: 0.01}}\n" +
	"base: {direction: [1, 0, 0], normal: [0, 0, 1]}\ngravity_m_per_s2: [0, 0, 0]\nsolver: {step_s: %g}\n"

const fieldOnRubberWire = rubberWire + "magnets: [{name: m, at_m: 0.1, moment_a_m2: [0, 0, 0.01]}]\nfield: {rotating: {axis: [1, 0, 0], amplitude_t: 0.01, frequency_hz: %g}}\n%s"

// A field that turns by more than a tenth of a radian in a 64th of a step is reported: by its file, by a command,
// and one that turns once in that and stands still for the rod.
func TestFieldThatStepsDoNotResolve(t *testing.T) {
	for _, k := range []struct {
		frequency float64
		more      string
		warns     bool
	}{{64000, "", true}, {-64000, "", true}, {1019, "", true}, {1018, "", false}, {64000, "accept: [rotation_per_step]", false}} {
		m := mustModelOf(t, fmt.Sprintf(fieldOnRubberWire, 1e-3, k.frequency, k.more))
		for range 2 { // before the first step, and after it
			value, warning := warningOf(m, "prescribed_rotation_per_step")
			if want := 2 * math.Pi * math.Abs(k.frequency) * 1e-3 / robotfile.MaxStepParts; math.Abs(value-want) > 1e-12 || (warning != "") != k.warns {
				t.Errorf("%g Hz, %q: %g rad, want %g; warning %q", k.frequency, k.more, value, want, warning)
			}
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
	}
	m := mustModelOf(t, fmt.Sprintf(fieldOnRubberWire, 1e-3, 1., ""))
	command(t, m, "rotating_field", 1, 0, 0, 0.01, 64000, 0)
	if value, warning := warningOf(m, "prescribed_rotation_per_step"); warning == "" {
		t.Errorf("commanded: %g rad, no warning", value)
	}
}

// A step is divided as far as the field turns by more than a tenth of a radian in it, and no further. A field that turns once a step
// moves the rod as in steps of a fiftieth; it stood still, and the tip was 77 mm aside.
func TestFieldThatPartsOfStepsResolve(t *testing.T) {
	for _, k := range []struct{ frequency, parts float64 }{{15.9, 1}, {16, 2}, {-16, 2}, {60, 4}, {1000, 64}} {
		m := mustModelOf(t, fmt.Sprintf(fieldOnRubberWire, 1e-3, k.frequency, ""))
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		parts, _ := m.Parts()
		if got := 1e-3 / parts.Stepper.LastStep(); math.Abs(got-k.parts) > 1e-9 {
			t.Errorf("%g Hz: %g parts, want %g", k.frequency, got, k.parts)
		}
		if c := parts.Stepper.Counters(); c.Divided != 0 || c.Steps != 1 {
			t.Errorf("%g Hz: %+v, want one step that converged", k.frequency, c)
		}
	}
	const tolerance = 1e-4 // m, a thousandth of the length
	var tips [2][3]float64
	for i, steps := range [...]int{40, 2000} {
		m := mustModelOf(t, fmt.Sprintf(fieldOnRubberWire, 0.04/float64(steps), 1000., ""))
		for range steps {
			if err := m.Step(0.2 / float64(steps)); err != nil {
				t.Fatal(err)
			}
		}
		tips[i] = tipOf(t, m)
	}
	for j := range tips[0] {
		if math.Abs(tips[0][j]-tips[1][j]) > tolerance {
			t.Errorf("tip at %v m, in short steps at %v m", tips[0], tips[1])
		}
	}
	t.Logf("tip at %v m, in short steps at %v m", tips[0], tips[1])
}

// A base that turns by more than a tenth of a radian in a step moves the rod as in short steps.
func TestTurningBaseIsResolved(t *testing.T) {
	const text = rubberWire + "rates: {control_hz: 20}\nloads: [{force_n: [0, 0, 0.002]}]"
	tipAfter := func(step float64, steps int) (tip [3]float64, parts float64) {
		m := mustModelOf(t, fmt.Sprintf(text, step))
		for k := range steps {
			if k%(steps/4) == 0 {
				half := 0.25 * float64(1+k/(steps/4))
				command(t, m, "base_pose", 0, 0, 0, math.Sin(half), 0, 0, math.Cos(half))
			}
			if err := m.Step(step); err != nil {
				t.Fatal(err)
			}
		}
		p, _ := m.Parts()
		return tipOf(t, m), step / p.Stepper.LastStep()
	}
	const tolerance = 2e-3 // m; undivided steps leave 31 mm
	long, parts := tipAfter(0.05, 4)
	short, _ := tipAfter(0.05/64, 256)
	off := math.Hypot(math.Hypot(long[0]-short[0], long[1]-short[1]), long[2]-short[2])
	if math.Abs(parts-8) > 1e-9 || off > tolerance {
		t.Errorf("in %g parts the tip is at %v m, in short steps at %v m", parts, long, short)
	}
}

// The gauge of rotation is the angle by which the fastest node turns in a step, and warns above a tenth of a
// radian.
func TestRotationPerStep(t *testing.T) {
	m := mustModelOf(t, fmt.Sprintf(rubberWire, 2e-3)+"loads: [{moment_nm: [2.0e-5, 0, 0], at_m: 0.1}]")
	warned, seen := false, 0.0
	for range 50 {
		before := tipPose(m)
		if err := m.Step(2e-3); err != nil {
			t.Fatal(err)
		}
		turned := before.R.TMul(tipPose(m).R).Log().Norm()
		value, warning := warningOf(m, "rotation_per_step")
		if value < 0.5*turned || value > 2*turned+1e-3 {
			t.Errorf("%g rad, the tip turned by %g", value, turned)
		}
		if (warning != "") != (value > 0.1) {
			t.Errorf("%g rad: warning %q", value, warning)
		}
		warned, seen = warned || warning != "", max(seen, value)
	}
	if !warned {
		t.Errorf("no warning up to %g rad", seen)
	}
}
