package microrobot

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Tests of what has no exported name.

// What cannot be integrated is refused with the way out, when the robot is made or at the
// step, and leaves the state as it was.
func TestInertialRefusals(t *testing.T) {
	// a sphere of 10 µm in water forgets its velocity within 24 µs
	_, err := New(Parse(t, `{dynamics: inertial, solver: {method: rkmk4, step_s: 0.1}, body: {shape: {sphere_m: 1e-5}}}`), nil)
	if err == nil || !strings.Contains(err.Error(), "solver.method: rkmk4 is explicit") || !strings.Contains(err.Error(), "generalized-alpha") {
		t.Errorf("stiff drag: %v", err)
	}
	_, err = New(Parse(t, `{dynamics: inertial, solver: {method: trapezoidal, parametrization: tait-bryan-xyz},
		body: {shape: {sphere_m: 1e-3}, orientation_xyzw: [0, 0.7071067811865476, 0, 0.7071067811865476]}}`), nil)
	if err == nil || !strings.Contains(err.Error(), "tait-bryan-xyz is singular") {
		t.Errorf("singular angles: %v", err)
	}
	for _, solver := range []string{ // methods and coordinates for which this attitude is like any other
		"method: trapezoidal, parametrization: quaternion", "method: generalized-alpha, parametrization: rotation-vector", "method: splitting",
	} {
		if _, err := New(Parse(t, `{dynamics: inertial, solver: {`+solver+`},
			body: {shape: {sphere_m: 1e-3}, orientation_xyzw: [0, 0.7071067811865476, 0, 0.7071067811865476]}}`), nil); err != nil {
			t.Errorf("%s: %v", solver, err)
		}
	}
	_, err = New(Parse(t, `{dynamics: inertial, body: {mass_kg: 1, inertia_kg_m2: [1, 1, 3, 0, 0, 0]}}`), nil)
	if err == nil || !strings.Contains(err.Error(), "body.inertia_kg_m2") || !strings.Contains(err.Error(), "exceed the sum") {
		t.Errorf("impossible inertia: %v", err)
	}

	// 1 T turns a strong and small magnet faster than 1000 parts of 1 s can follow
	m := NewModel(t, `{dynamics: inertial, solver: {step_s: 1}, body: {shape: {sphere_m: 1e-3}, magnet: {moment_a_m2: [1e-2, 0, 0]}}, fluid: {viscosity_pa_s: 0}}`)
	Command(t, m, "field", 0, 1, 0)
	before := make([]float64, m.StateLen())
	m.Save(before)
	var stiff *StiffError
	if err := m.Step(1); !errors.As(err, &stiff) || stiff.Step > 0.1 {
		t.Errorf("stiff field: %v", err)
	}
	after := make([]float64, m.StateLen())
	m.Save(after)
	for i := range before {
		if before[i] != after[i] {
			t.Errorf("a refused step changed value %d of the state", i)
		}
	}

	// a robot that meets a source of the field
	m = NewModel(t, `{dynamics: inertial, body: {shape: {sphere_m: 1e-4}, magnet: {}}, field: {dipoles: [{position_m: [0, 0, 0.1], moment_a_m2: [0, 0, 1]}]}}`)
	m.Placement().P = spatial.Vec{Z: 0.1}
	var unstable *UnstableError
	if err := m.Step(1e-3); !errors.As(err, &unstable) || m.time != 0 {
		t.Errorf("at a source of the field: %v", err)
	}

	// the body turns into the singularity of its angles
	m = NewModel(t, `{dynamics: inertial, solver: {method: trapezoidal, parametrization: tait-bryan-xyz, step_s: 0.01},
		body: {mass_kg: 1, inertia_kg_m2: [1, 1, 1, 0, 0, 0], angular_velocity_rad_per_s: [0, 1.5707963267948966, 0]}, gravity_m_per_s2: [0, 0, 0]}`)
	var singular *rigid.SingularityError
	for err = nil; err == nil && m.time < 2; {
		err = m.Step(0.01)
	}
	var failed *InertialError
	if !errors.As(err, &singular) || !errors.As(err, &failed) || math.Abs(m.time-1) > 0.02 {
		t.Errorf("angles at a quarter turn, t = %g s: %v", m.time, err)
	}
}

// Small bodies in strong fields, where the iteration of implicit steps converges slowly or
// meets the round-off of its loads, are stepped nevertheless.
func TestImplicitStepsGetThere(t *testing.T) {
	testsize.SkipInShort(t)
	for _, text := range []string{
		`{dynamics: inertial, solver: {method: generalized-alpha, parametrization: rotation-vector, step_s: 3.7145434928543777e-4}, fluid: {viscosity_pa_s: 1.009e-4, density_kg_per_m3: 182.4},
			body: {shape: {sphere_m: 3.271061988689053e-4}, pivot_m: [0, 0, 3.271061988689053e-4], density_kg_per_m3: 5990, magnet: {moment_a_m2: [1.2153e-05, 0, 4.9372e-07]}, position_m: [0, 0, 8.54e-4]},
			field: {uniform_t: [3.055e-05, 0, 0.07182], rotating: {axis: [0, 1, 0], amplitude_t: 0.0035433, frequency_hz: 9.4914}, gradient_t_per_m: [0.00259, 0, 0, 0, 0.00503]}}`,
		`{dynamics: inertial, solver: {method: trapezoidal, parametrization: quaternion, step_s: 6.8175252762e-3}, walls: [{plane: {}}], fluid: {viscosity_pa_s: 0.02036, density_kg_per_m3: 83.6},
			body: {shape: {sphere_m: 1.48477e-06}, density_kg_per_m3: 1473.7, magnet: {moment_a_m2: [2.387e-12, 0, 9.093e-14]}, position_m: [0, 0, 1.606e-06]},
			field: {uniform_t: [1.22636e-4, 0, 0.0108186], rotating: {axis: [0, 1, 0], amplitude_t: 0.0122785, frequency_hz: 21.605}, gradient_t_per_m: [0.9443, 0, 0, 0, 0.00135]}}`,
	} {
		m := NewModel(t, text)
		StepsInTest(t, m, 100, m.robot.file.Solver.Step)
	}
}

// A shape that moves takes a body along, as far as it goes and no further, and is slowed where
// it would jump over it.
func TestMovedShapesShoveBodies(t *testing.T) {
	for _, more := range []string{"", "swarm: {count: 8, spacing_m: 5e-3, interaction: none}\n"} {
		m := shovedAt(t, "shape: {sphere_m: 5e-4}", map[bool]string{true: "0.001", false: "0.0035"}[more == ""], more)
		before := slices.Clone(m.engine.Placements())
		Send(t, m, "my_ball/pose", Lifted(0.003))
		limited := false
		for i := range 400 {
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			limited = limited || Gauge(t, m, "shape_speed_limited") == 1
			for k := range m.engine.Placements() {
				x := &m.engine.Placements()[k]
				rot := x.Q.Rot()
				hull := m.robot.hull(&rot)
				if gap := m.robot.walls.Gap(x.P, &hull); gap < -1e-3*5e-4 {
					t.Fatalf("robot %d is %g m in the ball after step %d", k, -gap, i)
				}
			}
		}
		if !limited || Gauge(t, m, "shape_speed_limited") != 0 {
			t.Errorf("a jump over the body is not told, or told where the ball has arrived")
		}
		moved := 0
		for k, x := range m.engine.Placements() {
			if x != before[k] {
				moved++
			}
		}
		if moved == 0 || more != "" && moved == len(before) {
			t.Errorf("the ball moves %d of %d robots", moved, len(before))
		}
		if more == "" {
			if z := m.Placement().P.Z; math.Abs(z-(0.003+5e-4)) > 1e-6 {
				t.Errorf("the ball ends at 0.003 m, the body at %g", z)
			}
		}
		var s sim.Scene
		m.Draw(&s)
		if d := s.Meshes[1].Place().P.Z - 0.003*m.robot.drawingScale; math.Abs(d) > 1e-9 {
			t.Errorf("the ball is drawn %g m off", d)
		}
	}
}

// A shape that presses a body against another wall stops there, and says so: it neither goes
// through the body nor takes it into the wall, nor throws it off.
func TestShapesStopAtBodiesAgainstWalls(t *testing.T) {
	for _, ceiling := range []string{"[0, 0, -1]", "[0.02, 0, -1]"} {
		m := NewModel(t, `body: {shape: {sphere_m: 5e-4}, density_kg_per_m3: 1000, position_m: [0, 0, 0.001]}
fluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}
gravity_m_per_s2: [0, 0, 0]
environment: {shapes: [{name: ceiling, plane: {point_m: [0, 0, 0.002], normal: `+ceiling+`}}, {name: other, sphere: {center_m: [0, 0.1, 0], radius_m: 0.001}},
  {name: press, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}`)
		Send(t, m, "press/pose", Lifted(0.003))
		Send(t, m, "other/pose", Lifted(0.001))
		for i := range 100 {
			before := m.Placement().P
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			if gap := m.robot.gap(m.Placement()); gap < -0.01*5e-4 {
				t.Fatalf("normal %s: the body is %.3g m in a wall after step %d", ceiling, -gap, i)
			}
			if d := m.Placement().P.Sub(before).Norm(); d > 5e-4 {
				t.Fatalf("normal %s: the body goes %.3g m in step %d", ceiling, d, i)
			}
		}
		if at := m.shapes.walls.SurfacePose(2).P.Z; ceiling == "[0, 0, -1]" && (at < 0.001-5e-4/16 || at > 0.001+0.01*5e-4) {
			t.Errorf("the press ends at %g m, want 0.001", at)
		}
		if at := m.shapes.walls.SurfacePose(1).P.Z; at != 0.001 {
			t.Errorf("another shape stops at %g m", at)
		}
		if Gauge(t, m, "shape_speed_limited") != 1 {
			t.Error("a shape that stops is not told")
		}
	}
}

// Saved states hold where shapes are and where they go; models of one robot move their own.
func TestMovedShapesOfMicrorobotsContinueFromASave(t *testing.T) {
	m := Shoved(t, "shape: {ellipsoid_m: [1e-3, 2e-4, 2e-4]}", "")
	other := m.Robot().NewModel()
	Send(t, m, "my_ball/pose", Lifted(0.002))
	for range 3 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	if other.robot.walls.SurfacePose(1) != spatial.IdentityPose() {
		t.Fatal("the shape of another model moves")
	}
	state := make([]float64, m.StateLen())
	m.Save(state)
	if err := other.Restore(state); err != nil {
		t.Fatal(err)
	}
	again := make([]float64, m.StateLen())
	if other.Save(again); !slices.Equal(state, again) {
		t.Error("not the same bits where it begins")
	}
	for range 20 {
		if m.Step(1e-3) != nil || other.Step(1e-3) != nil {
			t.Fatal("a step fails")
		}
	}
	m.Save(state)
	other.Save(again)
	if !slices.Equal(state, again) {
		t.Error("not the same bits")
	}
	Send(t, m, "my_ball/pose", Lifted(0.02))
	m.Save(state)
	m.moveShapes(1e-3)
	m.Save(again)
	if slices.Equal(state, again) {
		t.Fatal("no shape moves")
	}
	m.holdShapes() // as where a step fails
	if m.Save(again); !slices.Equal(state, again) {
		t.Error("a step that fails leaves shapes or bodies elsewhere")
	}
	if fresh := m.Robot().NewModel(); fresh.robot.walls.SurfacePose(1) != spatial.IdentityPose() {
		t.Error("a new model begins with its shape where another has moved it")
	}
	if n := testing.AllocsPerRun(20, func() { _ = m.Step(1e-3) }); n != 0 {
		t.Errorf("%g allocations per step", n)
	}
}

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
	testsize.SkipInShort(t)
	for _, k := range stiffBodies {
		t.Run(k.name, func(t *testing.T) {
			balanced, stiff := NewModel(t, k.text), NewModel(t, k.text)
			for range 3 {
				StepsInTest(t, balanced, 10, 1e-3)
				StepsInTest(t, stiff, 50, 2e-4)
				if Gauge(t, balanced, "follows_field") != 1 || Gauge(t, stiff, "follows_field") != 0 {
					t.Fatalf("τ = %g s", Gauge(t, stiff, "alignment_time"))
				}
				v, w := balanced.engine.Velocity()
				v1, w1 := stiff.engine.Velocity()
				size := balanced.robot.size
				scale := math.Max(w1.Norm(), v1.Norm()/size)
				if d := Angle(balanced.Placement().Q, stiff.Placement().Q); d > 2e-4 { // some turn about their moments a thousand times
					t.Errorf("attitudes differ by %.3g rad", d)
				}
				NearVec(t, "place", balanced.Placement().P, stiff.Placement().P, 1e-3*stiff.Placement().P.Norm())
				NearVec(t, "w", w, w1, 1e-3*scale)
				NearVec(t, "v", v, v1, 1e-3*scale*size)
				if w1.Norm() < k.speed {
					t.Errorf("it turns at %g rad/s only", w1.Norm())
				}
			}
		})
	}
}

// A load of more than mB makes the moment slip: it turns at the mean rate
// M √(T² − (mB)²), in a motion that is resolved.
func TestMomentSlips(t *testing.T) {
	for _, share := range []float64{1.02, 2, 5} {
		m := NewModel(t, fmt.Sprintf(`{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}, load: {moment_nm: [0, 0, %g]}},
  gravity_m_per_s2: [0, 0, 0], field: {uniform_t: [0.01, 0, 0]}}`, share*2e-11))
		tau := Gauge(t, m, "alignment_time")
		// the phase ψ of the mean rotation, in which the motion is even:
		// tan(θ/2) = 1/s + √(1−1/s²) tan(ψ/2)
		phase := func() float64 {
			q := m.Placement().Q
			return 2 * math.Atan2(q.Z-q.W/share, q.W*math.Sqrt(1-1/(share*share)))
		}
		rate := math.Sqrt(share*share-1) / tau
		before := phase()
		StepsInTest(t, m, 1, 1.2e-3)
		if Gauge(t, m, "follows_field") != 1 {
			t.Fatal("it is integrated as any other")
		}
		turns := math.Remainder(phase()-before-rate*1.2e-3, 2*math.Pi)
		Near(t, fmt.Sprintf("turn under %g mB beyond %.1f rad", share, rate*1.2e-3), turns, 0, 2e-4*rate*1.2e-3)
		_, w := m.engine.Velocity()
		q := m.Placement().Q
		Near(t, "rate of the moment", w.Z, (share-2*q.Z*q.W)/tau, 1e-9/tau)
	}
}
