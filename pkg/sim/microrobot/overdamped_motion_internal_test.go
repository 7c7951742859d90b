package microrobot

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
	"sinew/test/testsize"
)

// Tests of what has no exported name.

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
		m := NewModel(t, text)
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
			NearVec(t, "velocity", v, wantV, roundoff*wantV.Norm())
			NearVec(t, "angular velocity", w, wantW, roundoff*wantW.Norm())
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
		fmt.Sprintf(Helix, 5.),
	} {
		if NewModel(t, text).engine.(*overdamped).motion.uniform {
			t.Errorf("taken for %s", text)
		}
	}
}

// Brownian motion: mean square displacement 6 D t and rotational decorrelation
// exp(−2 Dr t), within 3 standard errors (a false alarm in 370 changes of the seed).
func TestBrownianMotion(t *testing.T) {
	testsize.SkipInShort(t)
	const (
		robots, n, h = 20000, 20, 0.01
		dt, dr       = 5.345213e-13, 1.603564 // of 0.5 µm, reference/microrobot.md
	)
	var square, square2, cosine, cosine2 float64
	robot := *NewModel(t, "{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, gravity_m_per_s2: [0, 0, 0]}").robot
	for i := range robots {
		robot.file.Seed = i
		m := robot.NewModel()
		StepsInTest(t, m, n, h)
		s, c := m.Placement().P.Norm2(), m.Placement().Q.Apply(spatial.Vec{Z: 1}).Z
		square, square2, cosine, cosine2 = square+s, square2+s*s, cosine+c, cosine2+c*c
	}
	within := func(what string, sum, sum2, want float64) {
		mean := sum / robots
		se := math.Sqrt((sum2/robots - mean*mean) / robots)
		t.Logf("%s %.4g ± %.2g, theory %.4g", what, mean, se, want)
		if !(math.Abs(mean-want) <= 3*se && se < 0.05*want) {
			t.Errorf("%s: %.5g ± %.2g, theory %.5g", what, mean, se, want)
		}
	}
	within("mean square displacement", square, square2, 6*dt*n*h)
	within("mean cosine", cosine, cosine2, math.Exp(-2*dr*n*h))
}

// A robot that meets a source of the field fails with a named error and stays where
// it was.
func TestUnstable(t *testing.T) {
	m := NewModel(t, `{body: {shape: {sphere_m: 1e-4}, magnet: {}}, field: {dipoles: [{position_m: [0, 0, 0.1], moment_a_m2: [0, 0, 1]}]}}`)
	m.Placement().P = spatial.Vec{Z: 0.1}
	before := *m.Placement()
	err := m.Step(1e-3)
	var unstable *UnstableError
	if !errors.As(err, &unstable) || *m.Placement() != before || m.time != 0 {
		t.Errorf("error %v, placement %v", err, *m.Placement())
	}
}

// A change of frequency does not make the phase jump, nor does a pause of the rotation.
func TestPhaseGoesOn(t *testing.T) {
	m := NewModel(t, Magnet)
	Command(t, m, "rotating_field", 0, 0, 1, 0.01, 5, 0)
	StepsInTest(t, m, 30, 1e-3)
	before := m.in.Uniform()
	Command(t, m, "rotating_field", 0, 0, 1, 0.01, 9, 0)
	NearVec(t, "at the change", m.in.Uniform(), before, 0)
	Command(t, m, "field", 0, 0, 0)
	Command(t, m, "rotating_field", 0, 0, 1, 0.01, 5, 0)
	NearVec(t, "after a pause", m.in.Uniform(), before, 1e-17)
	s, c := math.Sincos(2 * math.Pi * 5 * 0.03)
	NearVec(t, "after 30 ms at 5 Hz", before, spatial.Vec{X: 0.01 * c, Y: 0.01 * s}, 1e-15)
}

// The loop's view: commands supersede one another without a jump, single values may be
// kept, and a time-out takes field and gradient to 0.
func TestFieldGroup(t *testing.T) {
	m := NewModel(t, Magnet)
	in := sim.NewInputs(m)
	fg := Port(t, m, "field_gradient")
	keep := sim.Keep
	if v := in.Set(fg, []float64{keep, 0.001, keep, keep, keep, keep, keep, keep}); v != sim.Accepted {
		t.Fatal(v)
	}
	in.Advance(1e-3)
	NearVec(t, "one value", m.in.Constant, spatial.Vec{X: 0.01, Y: 0.001, Z: 0.002}, 1e-17)
	if m.in.Rotating.Amplitude != 0 || m.in.Gradient.XX != 0.1 {
		t.Error("a field command must end the rotation and leave the gradient")
	}
	if v := in.Set(Port(t, m, "rotating_field"), []float64{0, 0, 1, 0.01, 5, 0}); v != sim.Accepted {
		t.Fatal(v)
	}
	in.Advance(1e-3)
	in.Release("field")
	in.Advance(1e-3)
	if b := Value(t, m, "field_at_robot"); spatial.VecAt(b) != (spatial.Vec{}) {
		t.Errorf("after a time-out the field is %v T", b)
	}
	for name, v := range map[string][]float64{
		"field":          {5, 0, 0},
		"field_gradient": {5, 0, 0, 0, 0, 0, 0, 0},
		"rotating_field": {0, 0, 1, 5, 10, 0},
	} {
		if got := in.Set(Port(t, m, name), v); got != sim.OutOfRange {
			t.Errorf("5 mT given as 5 on %s: %v", name, got)
		}
		if p := m.Ports()[Port(t, m, name)]; !strings.Contains(p.Hint, "tesla") {
			t.Errorf("%s does not say that its unit is tesla", name)
		}
	}
	if got := in.Set(Port(t, m, "field"), []float64{math.NaN(), 0, 0}); got != sim.NotFinite {
		t.Errorf("NaN: %v", got)
	}
}

// Commands every 10 ms, interpolated: the field reaches each command when the next one
// comes, on a straight line, also inside a step.
func TestFirstOrderHold(t *testing.T) {
	const text = `{body: {shape: {sphere_m: 1e-4}}, gravity_m_per_s2: [0, 0, 0], field: {interpolation: linear}}`
	m := NewModel(t, text)
	Command(t, m, "field", 0.001, 0, 0) // the first one at once
	NearVec(t, "first command", spatial.VecAt(Value(t, m, "field_at_robot")), spatial.Vec{X: 0.001}, 0)
	StepsInTest(t, m, 10, 1e-3)
	Command(t, m, "field_gradient", 0.003, 0, 0, 0, 0, 0, 0, 1)
	Near(t, "at the command", Value(t, m, "field_at_robot")[0], 0.001, 0)
	setpoint := make([]float64, 8)
	m.Setpoint(Port(t, m, "field_gradient"), setpoint)
	if setpoint[0] != 0.003 || setpoint[7] != 1 {
		t.Errorf("setpoint %v", setpoint)
	}
	StepsInTest(t, m, 4, 1e-3)
	Near(t, "after 4 of 10 ms", Value(t, m, "field_at_robot")[0], 0.0018, 1e-17)
	Near(t, "gradient", m.in.Gradient.YZ, 0.4, 1e-15)
	m.prepare()
	b, _ := m.env.At(2.5e-3, m.Placement().P)
	Near(t, "2.5 ms into a step", b.X, 0.0018+0.0005, 1e-17)
	StepsInTest(t, m, 20, 1e-3)
	Near(t, "there", Value(t, m, "field_at_robot")[0], 0.003, 0)
	held := NewModel(t, strings.Replace(text, "linear", "hold", 1))
	StepsInTest(t, held, 1, 1e-3)
	Command(t, held, "field", 0.001, 0, 0)
	StepsInTest(t, held, 1, 1e-3)
	Command(t, held, "field", 0.003, 0, 0)
	Near(t, "held", Value(t, held, "field_at_robot")[0], 0.003, 0)
}

// Currents are limited, and follow their commands with the coils' lag.
func TestCoils(t *testing.T) {
	coils, err := magnetics.ParseMPEM("test", []byte(`
Coil_List: [A, B]
A: {Source_List: [S], S: {B_Coeff: [1e-5], Source_Direction: [1, 0, 0], Source_Position: [-0.1, 0, 0]}}
B: {Source_List: [S], S: {B_Coeff: [1e-5], Source_Direction: [0, 1, 0], Source_Position: [0, 0.1, 0]}}
Workspace_Dimensions: [[-0.01, 0.01], [-0.01, 0.01], [-0.01, 0.01]]
`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(Parse(t, `{body: {shape: {sphere_m: 1e-4}, magnet: {}}, gravity_m_per_s2: [0, 0, 0],
  field: {coils: test, coil_max_current_a: 2, coil_time_constant_s: 0.01}}`), coils)
	if err != nil {
		t.Fatal(err)
	}
	in := sim.NewInputs(m)
	if v := in.Set(Port(t, m, "coil_currents"), []float64{3, sim.Keep}); v != sim.Clamped {
		t.Fatal(v)
	}
	in.Advance(1e-3)
	StepsInTest(t, m, 10, 1e-3)
	want := 2 * (1 - math.Exp(-1)) * 2 * 1e-5 / 1e-3 // I · 2 B_1/r³
	Near(t, "field after the time constant", Value(t, m, "field_at_robot")[0], want, 1e-3*want)
	Near(t, "current", m.in.Currents[0], 2*(1-math.Exp(-1)), 1e-12)
	if Gauge(t, m, "outside_workspace") != 0 {
		t.Error("the robot is in the workspace")
	}
	if _, err := New(Parse(t, "{body: {shape: {sphere_m: 1e-4}}, field: {coils: x.yaml}}"), nil); err == nil {
		t.Error("a file that names coils was taken without them")
	}
}

// attitudeAbove draws an attitude of a body in thermal equilibrium above a floor: those that
// lift it by the given length are rarer by e.
func attitudeAbove(r *Robot, seed int, length float64) (rot spatial.Mat3, hull stokes.Hull) {
	noise := stokes.NewNoise(uint64(seed), 1)
	e := r.body.Shape.Hull.Ellipsoid
	least := math.Sqrt(min(e.XX, e.YY, e.ZZ))
	for {
		v, w := noise.Vec(), noise.Vec()
		rot = spatial.Quat{X: v.X, Y: v.Y, Z: v.Z, W: w.Z}.Normalized().Rot()
		hull = r.hull(&rot)
		if (w.X*w.X+w.Y*w.Y)/2 > (hull.HalfWidth(spatial.Vec{Z: 1})-least)/length { // exponentially distributed
			return rot, hull
		}
	}
}

// Bodies that sink through a thermal fluid lie above the floor as the air does above the
// ground: below a tenth of the length kT/weight are 1 − e^−0.1 = 9.5 % of them, whatever the
// step. With bodies moved out of the floor it was 20 % at 50 ms.
func TestThermalDensityAtAFloor(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	const (
		length = 5e-7 // m
		text   = `{body: {shape: {%s}, density_kg_per_m3: 1002, load: {force_n: [0, 0, %g]}},
  fluid: {brownian: true}, gravity_m_per_s2: [0, 0, 0], walls: [{plane: {}}]}`
	)
	kT := 1.380649e-23 * 310.15
	want, bodies := 1-math.Exp(-0.1), testsize.Of(500, 1500, 4000)
	n := float64(bodies)
	for _, k := range []struct {
		shape      string
		lubricated bool
	}{
		{"sphere_m: 1e-6", false}, {"ellipsoid_m: [1.5e-6, 0.7e-6, 0.7e-6]", false},
	} {
		file := Parse(t, fmt.Sprintf(text, k.shape, -kT/length))
		file.Body.Position.Z = 1e-5
		robot, err := NewRobot(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		robot.lubricated = k.lubricated
		for _, c := range []struct{ step, time float64 }{{0.05, 1}, {0.005, 0.5}, {0.0005, 0.1}} {
			below := 0.0
			for i := range bodies {
				robot.file.Seed = i
				m := robot.NewModel()
				x := m.Placement()
				rot, hull := attitudeAbove(robot, i, length)
				x.Q = rot.Quat()
				x.P.Z = hull.HalfWidth(spatial.Vec{Z: 1}) - length*math.Log((float64(i)+0.5)/n)
				StepsInTest(t, m, int(math.Round(c.time/c.step)), c.step)
				rot = m.Placement().Q.Rot()
				hull = robot.hull(&rot)
				if g := robot.walls.Gap(m.Placement().P, &hull); g < 0.1*length {
					below++
				}
			}
			share := below / n
			t.Logf("%s, steps of %g ms: %.2f %%", k.shape, 1e3*c.step, 100*share)
			Near(t, fmt.Sprintf("%s, steps of %g s: share below a tenth", k.shape, c.step), share, want, 3*math.Sqrt(want*(1-want)/n))
		}
	}
}
