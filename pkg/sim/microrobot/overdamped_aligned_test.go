package microrobot

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// stiffBodies align within 1 to 2 µs, so that a step of 1 ms keeps them in balance and one
// of 0.2 ms is divided and integrated.
var stiffBodies = []struct {
	name, text string
	speed      float64 // of the reference point or, in rad/s, of rotation, at least
}{
	// a sphere that turned at 62.8 rad/s with its field reported 1e-10 rad/s
	{"sphere", `{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}}, gravity_m_per_s2: [0, 0, 0],
  field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.01, frequency_hz: 10}}}`, 62},
	// a helix that swam at 13.5 µm/s reported 1e-16 m/s
	{"helix", `{body: {shape: {helix: {length_m: 200e-6, radius_m: 20e-6, pitch_m: 80e-6, wire_radius_m: 4e-6}}, magnet: {moment_a_m2: [0, 6e-8, 0]}},
  gravity_m_per_s2: [0, 0, 0], field: {rotating: {axis: [1, 0, 0], amplitude_t: 0.005, frequency_hz: 8}}}`, 50},
	{"load of half of mB", `{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}, load: {moment_nm: [0, 0, 1e-11]}},
  gravity_m_per_s2: [0, 0, 0], field: {rotating: {axis: [0, 1, 0.3], amplitude_t: 0.01, frequency_hz: 5, offset_t: 0.002}}}`, 30},
	{"follower load", `{body: {shape: {ellipsoid_m: [2e-5, 1e-5, 1e-5]}, magnet: {moment_a_m2: [2e-9, 1e-9, 0]},
  load: {frame: body, force_n: [1e-10, 0, 0], moment_nm: [3e-12, 0, 5e-12]}}, field: {rotating: {axis: [1, 1, 0], amplitude_t: 0.02, frequency_hz: 5}}}`, 30},
	{"weight off the centre", `{body: {shape: {sphere_m: 1e-5}, density_kg_per_m3: 7500, center_of_mass_m: [0, 8e-6, 0], magnet: {moment_a_m2: [3e-9, 0, 0]}},
  gravity_m_per_s2: [0, 0, -1000], field: {rotating: {axis: [0, 1, 0], amplitude_t: 0.008, frequency_hz: 5}}}`, 30},
	{"rolling", `{body: {shape: {sphere_m: 1e-5}, density_kg_per_m3: 1100, position_m: [0, 0, 1.05e-5], magnet: {moment_a_m2: [3e-9, 0, 0]}},
  walls: [{plane: {}}], field: {rotating: {axis: [0, 1, 0], amplitude_t: 0.008, frequency_hz: 8}}}`, 50},
	{"in shear", `{body: {shape: {ellipsoid_m: [2e-5, 1e-5, 1e-5]}, magnet: {moment_a_m2: [3e-9, 0, 0]}}, fluid: {flow: {gradient_per_s: [0, 40, 0, 0, 0, 0, 0, 0, 0]}},
  field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.02, frequency_hz: 3}}}`, 18},
	{"soft-magnetic", `{body: {shape: {ellipsoid_m: [1e-5, 5e-6, 5e-6]}, soft: {volume_m3: 1e-16, susceptibility: 100, saturation_a_per_m: 2e5}, load: {moment_nm: [1e-14, 2e-14, 3e-14]}},
  field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.5, frequency_hz: 5, offset_t: 0.1}}}`, 30},
	{"saturated", `{body: {shape: {ellipsoid_m: [1e-5, 5e-6, 5e-6]}, soft: {volume_m3: 8e-17, susceptibility: 1e4, saturation_a_per_m: 2e5}, load: {moment_nm: [0, 0, 1e-13]}},
  field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.8, frequency_hz: 5}}}`, 30},
}

// A body that stays in balance is where the stiff equation of motion takes it, and reports
// the velocity of that motion.
func TestBalanceIsTheStiffMotion(t *testing.T) {
	for _, k := range stiffBodies {
		t.Run(k.name, func(t *testing.T) {
			balanced, stiff := newModel(t, k.text), newModel(t, k.text)
			for range 3 {
				steps(t, balanced, 10, 1e-3)
				steps(t, stiff, 50, 2e-4)
				if gauge(t, balanced, "follows_field") != 1 || gauge(t, stiff, "follows_field") != 0 {
					t.Fatalf("τ = %g s", gauge(t, stiff, "alignment_time"))
				}
				v, w := balanced.engine.Velocity()
				v1, w1 := stiff.engine.Velocity()
				size := balanced.robot.size
				scale := math.Max(w1.Norm(), v1.Norm()/size)
				if d := angle(balanced.placement().Q, stiff.placement().Q); d > 2e-4 { // some turn about their moments a thousand times
					t.Errorf("attitudes differ by %.3g rad", d)
				}
				nearVec(t, "place", balanced.placement().P, stiff.placement().P, 1e-3*stiff.placement().P.Norm())
				nearVec(t, "w", w, w1, 1e-3*scale)
				nearVec(t, "v", v, v1, 1e-3*scale*size)
				if w1.Norm() < k.speed {
					t.Errorf("it turns at %g rad/s only", w1.Norm())
				}
			}
		})
	}
}

// A load across the field of half of mB tilts the moment by 30°.
func TestLoadTiltsTheMoment(t *testing.T) {
	for _, share := range []float64{0, 0.1, 0.5, 0.9, 0.99} {
		m := newModel(t, fmt.Sprintf(`{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}, load: {moment_nm: [0, 0, %g]}},
  gravity_m_per_s2: [0, 0, 0], field: {uniform_t: [0.01, 0, 0]}}`, share*2e-11))
		steps(t, m, 20, 1e-3)
		near(t, fmt.Sprintf("tilt under %g mB", share), gauge(t, m, "lag_angle"), math.Asin(share), 1e-7)
		if w := spatial.VecAt(value(t, m, "measured_cv")[3:]); w.Norm() > 1e-3 {
			t.Errorf("at rest it reports %v rad/s", w)
		}
	}
}

// A load of more than mB makes the moment slip: it turns at the mean rate
// M √(T² − (mB)²), in a motion that is resolved.
func TestMomentSlips(t *testing.T) {
	for _, share := range []float64{1.02, 2, 5} {
		m := newModel(t, fmt.Sprintf(`{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}, load: {moment_nm: [0, 0, %g]}},
  gravity_m_per_s2: [0, 0, 0], field: {uniform_t: [0.01, 0, 0]}}`, share*2e-11))
		tau := gauge(t, m, "alignment_time")
		// the phase ψ of the mean rotation, in which the motion is even:
		// tan(θ/2) = 1/s + √(1−1/s²) tan(ψ/2)
		phase := func() float64 {
			q := m.placement().Q
			return 2 * math.Atan2(q.Z-q.W/share, q.W*math.Sqrt(1-1/(share*share)))
		}
		rate := math.Sqrt(share*share-1) / tau
		before := phase()
		steps(t, m, 1, 1.2e-3)
		if gauge(t, m, "follows_field") != 1 {
			t.Fatal("it is integrated as any other")
		}
		turns := math.Remainder(phase()-before-rate*1.2e-3, 2*math.Pi)
		near(t, fmt.Sprintf("turn under %g mB beyond %.1f rad", share, rate*1.2e-3), turns, 0, 2e-4*rate*1.2e-3)
		_, w := m.engine.Velocity()
		q := m.placement().Q
		near(t, "rate of the moment", w.Z, (share-2*q.Z*q.W)/tau, 1e-9/tau)
	}
}

// A moment that slips too fast to be followed is an error that says which step can, and
// leaves the state alone; a swarm says the same.
func TestSlipError(t *testing.T) {
	const text = `{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}, load: {moment_nm: [0, 0, 4e-11]}},
  gravity_m_per_s2: [0, 0, 0], field: {uniform_t: [0.01, 0, 0]}%s}`
	for _, swarm := range []string{"", ", swarm: {count: 3, spacing_m: 1e-3, interaction: none}"} {
		m := newModel(t, fmt.Sprintf(text, swarm))
		before := *m.placement()
		err := m.Step(0.5)
		var slip *SlipError
		if !errors.As(err, &slip) || *m.placement() != before {
			t.Fatalf("%v", err)
		}
		if slip.Step > 0.05 || slip.Step < 1e-3 {
			t.Errorf("steps up to %g s", slip.Step)
		}
		if err := m.Step(slip.Step / 4); err != nil {
			t.Errorf("a quarter of the step that it says: %v", err)
		}
	}
}

// The way to the field is that of the closed form tan(θ/2) = tan(θ0/2) exp(−h/τ), also
// from all but opposition; a body that was turned about its moment keeps that turn.
func TestRelaxationWithinAStep(t *testing.T) {
	for _, theta := range []float64{1e-7, 0.1, 1.5, 3, math.Pi - 1e-6} {
		m := newModel(t, fmt.Sprintf(`{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}, orientation_xyzw: [0, 0, %.17g, %.17g]},
  gravity_m_per_s2: [0, 0, 0], field: {uniform_t: [0.01, 0, 0]}}`, math.Sin(theta/2), math.Cos(theta/2)))
		tau := gauge(t, m, "alignment_time")
		steps(t, m, 1, 600*tau)
		near(t, fmt.Sprintf("angle left of %g", theta), 2*math.Atan2(m.placement().Q.Z, m.placement().Q.W), 0, 1e-9)
		if q := m.placement().Q; math.Abs(q.X)+math.Abs(q.Y) > 1e-12 {
			t.Errorf("it turned about other axes: %v", q)
		}
	}
}
