package multibody_test

import (
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// push commands the wrench on a link.
func push(t testing.TB, m sim.Model, in *sim.Inputs, link string, v ...float64) {
	t.Helper()
	if s := in.Set(portOf(t, m, link+"/external_wrench", sim.In), v); !s.OK() {
		t.Fatal(s)
	}
}

const floating = `
bodies: [{name: ball, mass_kg: 2, inertia_kg_m2: [0.1, 0.1, 0.1], position_m: [0, 0, 0], orientation_xyzw: [0, 0, 0.70710678118654757, 0.70710678118654757]}]
gravity_m_per_s2: [0, 0, 0]
solver: {step_s: 0.001}
`

// TestPushMovesBody: a force moves a body by F t²/2m along the axes that it is given in, a moment turns it, and both end with the command.
func TestPushMovesBody(t *testing.T) {
	for frame, want := range map[float64]spatial.Vec{0: {X: 0.25}, 1: {Y: 0.25}} {
		m := mustModel(t, parse(t, "floating", floating))
		in := sim.NewInputs(m)
		push(t, m, in, "ball", 4, 0, 0, 0, 0, 0, frame)
		march(t, m, in, 1e-3, 500)
		p := spatial.VecAt(value(t, m, "ball/measured_cp"))
		if d := p.Sub(want).Norm(); d > 1e-9 {
			t.Errorf("frame %g: the ball is at %v, want %v", frame, p, want)
		}
		in.Release("ball/external_wrench")
		march(t, m, in, 1e-3, 500)
		p = spatial.VecAt(value(t, m, "ball/measured_cp"))
		if d := p.Sub(want.Scale(3)).Norm(); d > 1e-3 { // at the velocity of the end of the push, but for half a step
			t.Errorf("frame %g: after the push the ball is at %v, want %v", frame, p, want.Scale(3))
		}
	}
	m := mustModel(t, parse(t, "floating", floating))
	in := sim.NewInputs(m)
	push(t, m, in, "ball", 0, 0, 0, 0, 0, 0.2, 0)
	march(t, m, in, 1e-3, 500)
	q := spatial.QuatAt(value(t, m, "ball/measured_cp")[3:])
	if turn := 2*math.Atan2(q.Z, q.W) - math.Pi/2; math.Abs(turn-0.25) > 1e-9 {
		t.Errorf("a moment turns it by %g rad, want 0.25", turn)
	}
}

const beam = `
rods: [{name: wire, length_m: 0.2, radius_m: 0.001, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, elements: 10, damping: {kelvin_voigt_s: 0.02}}]
joints: [{name: clamp, type: fixed, parent: {world: true}, child: {rod: wire, at_m: 0}}]
gravity_m_per_s2: [0, 0, 0]
solver: {step_s: 0.001}
`

// TestPushBendsRod: the end of a rod goes where small deflection theory says, whichever axes the force is in, and a saved state has it.
func TestPushBendsRod(t *testing.T) {
	const force, length, radius, modulus = 0.01, 0.2, 0.001, 60e9
	want := force * length * length * length / (3 * modulus * math.Pi / 4 * radius * radius * radius * radius)
	for _, frame := range []float64{0, 1} {
		m := mustModel(t, parse(t, "beam", beam))
		in := sim.NewInputs(m)
		push(t, m, in, "wire", force, 0, 0, 0, 0, 0, frame)
		in.Advance(1e-3)
		saved := make([]float64, m.StateLen())
		m.Save(saved)
		other := mustModel(t, parse(t, "beam", beam))
		if err := other.Restore(saved); err != nil {
			t.Fatal(err)
		}
		for _, o := range []sim.Model{m, other} {
			march(t, o, nil, 1e-3, 2000)
			if x := value(t, o, "wire/measured_cp")[0]; math.Abs(x-want) > 3e-3*want {
				t.Errorf("frame %g: the end is at %g m, want %g m", frame, x, want)
			}
		}
		now := make([]float64, 7)
		m.Setpoint(portOf(t, m, "wire/external_wrench", sim.In), now)
		if now[0] != force || now[6] != frame {
			t.Errorf("its setpoint is %v", now)
		}
		scene := new(sim.Scene)
		if m.Draw(scene); math.Abs(scene.Arrows[0].To.Sub(scene.Arrows[0].From).Norm()-want) > 1e-9 {
			t.Errorf("its arrow goes from %v to %v, want a length of %g m", scene.Arrows[0].From, scene.Arrows[0].To, want)
		}
	}
}

// TestPushBeyondTheModel: what no step can follow is an error, and the state stays.
func TestPushBeyondTheModel(t *testing.T) {
	for _, x := range []float64{1e3, 1e300} {
		m := mustModel(t, parse(t, "beam", beam))
		in := sim.NewInputs(m)
		push(t, m, in, "wire", x, x, x, 0, 0, 0, 0)
		in.Advance(1e-3)
		for range 100 {
			if m.Step(1e-3) != nil {
				break
			}
		}
		for _, y := range value(t, m, "wire/measured_cp") {
			if !spatial.IsFinite(y) {
				t.Fatalf("%g N: the end is at %v", x, value(t, m, "wire/measured_cp"))
			}
		}
	}
}

// TestWhatCannotBePushed: bodies that are fixed or commanded have no input of a wrench.
func TestWhatCannotBePushed(t *testing.T) {
	for _, p := range mustModel(t, read(t, "tendon_hand")).Ports() {
		if p.Name == "palm/external_wrench" {
			t.Error("the palm, which is commanded, takes a wrench")
		}
	}
}
