package microrobot

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// The short way to the motion of a magnet in a uniform field is the long way to
// round-off, for whatever it applies to, and is not taken for anything else.
func TestFreeMotion(t *testing.T) {
	const (
		ellipsoid = "body: {shape: {ellipsoid_m: [1.5e-4, 1e-4, 5e-5]}, magnet: {moment_a_m2: [1e-10, -2e-10, 3e-10]}"
		sphere    = "body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [1e-11, 2e-11, 0]}"
		rotating  = "rotating: {axis: [1, 2, 3], amplitude_t: 0.004, frequency_hz: 7}"
		gradient  = "gradient_t_per_m: [0.3, 0.1, -0.2, 0.4, 0.5], gradient_center_m: [1e-3, 0, 2e-3]"
		follower  = "load: {force_n: [1e-10, 2e-10, 0], moment_nm: [0, 1e-14, 2e-14], frame: body}"
	)
	r := rand.New(rand.NewPCG(5, 6))
	random := func(s float64) spatial.Vec {
		return spatial.Vec{X: s * r.NormFloat64(), Y: s * r.NormFloat64(), Z: s * r.NormFloat64()}
	}
	for _, text := range []string{
		ellipsoid + "}\nfield: {" + rotating + "}",
		ellipsoid + ", " + follower + "}\nfield: {" + rotating + ", " + gradient + "}",
		sphere + "}\nfield: {" + rotating + ", " + gradient + "}",
		sphere + ", " + follower + "}\nfield: {uniform_t: [0.001, 0, 0]}",
	} {
		m := newModel(t, text)
		d := &m.engine.(*overdamped).motion
		if !d.uniform {
			t.Fatalf("not taken for %s", text)
		}
		for range 20 {
			x := integrate.Placement{Q: spatial.ExpQuat(random(2)), P: random(1e-3)}
			at := 1e-3 * r.Float64()
			v, w := d.Velocity(at, x)
			d.uniform = false
			wantV, wantW := d.Velocity(at, x)
			d.uniform = true
			const roundoff = 1e-14
			nearVec(t, "velocity", v, wantV, roundoff*wantV.Norm())
			nearVec(t, "angular velocity", w, wantW, roundoff*wantW.Norm())
		}
	}
	for _, text := range []string{
		sphere + ", center_of_mass_m: [0, 0, 1e-6]}",
		sphere + ", load: {moment_nm: [0, 0, 1e-15]}}",
		sphere + "}\nfluid: {brownian: true}",
		sphere + "}\nfluid: {flow: {uniform_m_per_s: [1e-3, 0, 0]}}",
		sphere + ", position_m: [0, 0, 1e-3]}\nwalls: [{plane: {}}]",
		sphere + "}\nfield: {dipoles: [{position_m: [0, 0, 0.15], moment_a_m2: [0, 0, 20]}]}",
		"body: {shape: {sphere_m: 5e-5}, soft: {volume_m3: 1e-13, susceptibility: 10}}",
		fmt.Sprintf(helix, 5.),
	} {
		if newModel(t, text).engine.(*overdamped).motion.uniform {
			t.Errorf("taken for %s", text)
		}
	}
}
