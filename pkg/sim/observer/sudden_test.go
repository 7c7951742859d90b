package observer_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

const suddenRobot = `
rod: {length_m: 0.2, radius_m: 0.0005, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, elements: 8, damping: {kelvin_voigt_s: 0.002}}
tendons:
  - {name: up, offset_m: [0.008, 0], disks: {count: 8, first_m: 0.025, last_m: 0.2}}
  - {name: down, offset_m: [-0.008, 0], disks: {count: 8, first_m: 0.025, last_m: 0.2}}
sensors:
  - {name: tracker, rate_hz: 100, latency_s: 0.02, pose: {position_error: {noise: 3e-4}, rotation_error: {noise: 3e-3}}}
  - {name: base, rate_hz: 500, load_cell: {base: true, force_error: {noise: 0.002}, torque_error: {noise: 1e-4}}}
observer: {force: {walk_n: 0.3%s}}
solver: {step_s: 0.001}
seed: %d
`

// A force that bends the wire by up to half of its length acts at once. The load cell is exact enough that what the motion has of it is not linear in
// what is unknown: the observer does not lose track of it.
func TestSuddenForce(t *testing.T) {
	for _, c := range []struct {
		where string
		size  float64
	}{{"", 0.05}, {"", 0.1}, {"", 0.2}, {", anywhere: true", 0.05}, {", anywhere: true", 0.1}} {
		for seed := range 2 {
			t.Run(fmt.Sprintf("%g N%s/%d", c.size, c.where, seed), func(t *testing.T) {
				t.Parallel()
				_, robot, o, err := observe(fmt.Appendf(nil, suddenRobot, c.where, seed+1))
				if err != nil {
					t.Fatal(err)
				}
				for step := range 1000 {
					if step >= 200 {
						robot.Disturb([]sim.PointForce{{ArcLength: 0.2, Force: spatial.Vec{Y: c.size}}})
					}
					if err := o.Step(0.001); err != nil {
						t.Fatal(err)
					}
				}
				m, d := o.Force()
				if o.Restarts() > 0 || math.Abs(m[1]-c.size) > 0.05*c.size {
					t.Errorf("force %.4f ± %.4f, after %d restarts", m, d, o.Restarts())
				}
			})
		}
	}
}
