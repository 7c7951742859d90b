package continuum_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
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

// A field that turns by more than a tenth of a radian in a step is reported: by its file, by a command,
// and one that turns once a step and stands still for the rod.
func TestFieldThatStepsDoNotResolve(t *testing.T) {
	const text = rubberWire + "magnets: [{name: m, at_m: 0.1, moment_a_m2: [0, 0, 0.01]}]\nfield: {rotating: {axis: [1, 0, 0], amplitude_t: 0.01, frequency_hz: %g}}\n%s"
	for _, k := range []struct {
		frequency float64
		more      string
		warns     bool
	}{{1000, "", true}, {-1000, "", true}, {16, "", true}, {15.9, "", false}, {1000, "accept: [rotation_per_step]", false}} {
		m := mustModelOf(t, fmt.Sprintf(text, 1e-3, k.frequency, k.more))
		for range 2 { // before the first step, and after it
			value, warning := warningOf(m, "prescribed_rotation_per_step")
			if want := 2 * math.Pi * math.Abs(k.frequency) * 1e-3; math.Abs(value-want) > 1e-12 || (warning != "") != k.warns {
				t.Errorf("%g Hz, %q: %g rad, want %g; warning %q", k.frequency, k.more, value, want, warning)
			}
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
	}
	m := mustModelOf(t, fmt.Sprintf(text, 1e-3, 1., ""))
	command(t, m, "rotating_field", 1, 0, 0, 0.01, 1000, 0)
	if value, warning := warningOf(m, "prescribed_rotation_per_step"); warning == "" {
		t.Errorf("commanded: %g rad, no warning", value)
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
