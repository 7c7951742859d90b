package observer_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

const nitinolRobot = `
rod: {length_m: 0.2, radius_m: 0.0005, elements: 10, element_order: 4, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, damping: {kelvin_voigt_s: 0.002}}
tendons:
  - {name: tendon_1, offset_m: [ 0.008, 0], disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0.0005}, tension_n: 2.0}
  - {name: tendon_2, offset_m: [0,  0.008], disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0}, tension_n: 1.0}
  - {name: tendon_3, offset_m: [-0.008, 0], disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0}}
  - {name: tendon_4, offset_m: [0, -0.008], disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0}}
solver: {step_s: 0.001}
initial_state: equilibrium
sensors:
%s
observer:
  force: {walk_n: 0.3%s}
seed: %d
`

// Sensors: a tracker at the tip and a load cell at the base, and a fibre besides.
const (
	tipAndBase = `  - {name: tracker, rate_hz: 100, latency_s: 0.02, pose: {position_error: {noise: 0.0003}, rotation_error: {noise: 0.003}}}
  - {name: base, rate_hz: 500, load_cell: {base: true, force_error: {noise: 0.002}, torque_error: {noise: 0.0001}}}`
	withFibre = tipAndBase + `
  - {name: fibre, rate_hz: 100, latency_s: 0.01, strain: {stations_m: [0.01, 0.03, 0.05, 0.07, 0.09, 0.11, 0.13, 0.15, 0.17, 0.19], error: {noise: 0.02}}}`
)

// An unknown force pushes the robot for a while. The observer finds it within 20 ms, with its size and place, and finds within 20 ms that it is over.
func TestForce(t *testing.T) {
	for _, c := range []struct {
		name, sensors string
		force, place  float64 // allowed error: of the force, and of the length
	}{
		{"tip and base", tipAndBase, 0.05, 0.02},
		{"strain", withFibre, 0.02, 0.01},
	} {
		for i, at := range []float64{0.2, 0.15, 0.11, 0.07} {
			for k, force := range []spatial.Vec{{Y: 0.08, Z: -0.06}, {X: 0.02, Y: -0.1}} {
				t.Run(fmt.Sprintf("%s/%g m/%d", c.name, at, k), func(t *testing.T) {
					t.Parallel()
					f, robot, o, err := observe(fmt.Appendf(nil, nitinolRobot, c.sensors, ", anywhere: true", 2*i+k+1))
					if err != nil {
						t.Fatal(err)
					}
					const on, off, end = 200, 700, 900
					found, over := 0, 0
					for step := range end {
						load := sim.PointForce{ArcLength: at}
						if on <= step && step < off {
							load.Force = force
						}
						robot.Disturb([]sim.PointForce{load})
						if err := o.Step(0.001); err != nil {
							t.Fatal(err)
						}
						m, d := o.Force()
						size, deviation := math.Hypot(m[0], math.Hypot(m[1], m[2])), math.Hypot(d[0], math.Hypot(d[1], d[2]))
						switch acts := o.Probability() > 0.9; {
						case step < on && step > 50 && acts:
							t.Errorf("a force of %.3g ± %.3g N at %d ms, where there is none", size, deviation, step)
						case step >= on && found == 0 && acts:
							found = step + 1 - on
						case step >= off && over == 0 && size < 0.5*force.Norm():
							over = step + 1 - off
						}
						if step == off-1 {
							errForce, errPlace := spatial.VecAt(m[:]).Sub(force).Norm()/force.Norm(), math.Abs(m[3]-at)/f.Rod.Length
							t.Logf("found after %d ms; force %.1f ± %.1f %%, place %.2f ± %.2f %%", found, 100*errForce, 100*deviation/force.Norm(), 100*errPlace, 100*d[3]/f.Rod.Length)
							if errForce > c.force || errPlace > c.place {
								t.Errorf("force %.4f ± %.4f for %.4f at %g m", m, d, force, at)
							}
						}
					}
					if found == 0 || found > 20 || over == 0 || over > 20 {
						t.Errorf("found after %d ms, over after %d ms, want at most 20", found, over)
					}
				})
			}
		}
	}
}

// A large force acts at the tip and is over. That there is none takes no share of the estimate while it acts, and is possible again afterwards.
func TestForceAtTip(t *testing.T) {
	o, err := newObserver(strings.Replace(small, "force_error: {noise: 0.002}", "force_error: {noise: 0.02}", 1) + `{force: {walk_n: 0.3}}`)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(o.Ports(), func(p sim.Port) bool { return p.Name == "external_wrench" })
	const on, off, end = 100, 900, 1400
	for step := range end {
		switch step {
		case on:
			o.Command(i, []float64{0, 0.2, 0, 0, 0, 0, 0})
		case off:
			m, d := o.Force()
			_, tip := o.Tip()
			t.Logf("%.4f ± %.4f N, tip ± %.2g m", m[1], d[1], math.Sqrt(tip[1][1]))
			if math.Abs(m[1]-0.2) > 0.004 || d[1] > 0.006 {
				t.Errorf("force %.4f ± %.4f N, want 0.2", m[1], d[1])
			}
			if s := math.Sqrt(tip[1][1]); s > 0.0006 {
				t.Errorf("the tip is within ± %.2g m", s)
			}
			o.Command(i, make([]float64, 7))
		}
		if err := o.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	m, d := o.Force()
	t.Logf("%.4f ± %.4f N", m[1], d[1])
	if math.Abs(m[1]) > 4*d[1] || math.Abs(m[1]) > 0.01 || o.Restarts() > 0 {
		t.Errorf("force %.4f ± %.4f N, where there is none; %d restarts", m[1], d[1], o.Restarts())
	}
}

// An update changes the velocities of members. What an inertial measurement unit, which takes differences of them, measures just after it is no outlier.
func TestAccelerationsAfterAnUpdate(t *testing.T) {
	const imu = "  - {name: tip, rate_hz: 1000, imu: {at_m: 0.2, angular_velocity_error: {noise: 0.01}, linear_acceleration_error: {noise: 0.1}}}\nobserver: "
	o, err := newObserver(strings.Replace(small, "observer: ", imu, 1) + `{force: {walk_n: 0.3}}`)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(o.Ports(), func(p sim.Port) bool { return p.Name == "external_wrench" })
	for step := range 500 {
		o.Command(i, []float64{0, 0.02 * min(1, float64(step)/300), 0, 0, 0, 0, 0})
		if err := o.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	_, refused, _ := o.Innovations()
	m, d := o.Force()
	t.Logf("%d outliers, %d restarts, force %.4f ± %.4f N", refused, o.Restarts(), m, d)
	if refused[2] > 20 || o.Restarts() > 0 || math.Abs(m[1]-0.02) > 4*d[1] {
		t.Errorf("%d of 500 measurements are outliers, %d restarts, force %.4f ± %.4f N", refused[2], o.Restarts(), m[1], d[1])
	}
}
