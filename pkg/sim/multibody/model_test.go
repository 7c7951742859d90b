package multibody_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/spatial"
)

// march takes steps of h seconds under inputs.
func march(t testing.TB, m sim.Model, in *sim.Inputs, h float64, steps int) {
	t.Helper()
	for range steps {
		if in != nil {
			in.Advance(h)
		}
		if err := m.Step(h); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEquilibriumRests(t *testing.T) {
	for _, name := range []string{"six_leg_robot", "arm_with_rod"} {
		f := read(t, name)
		m := mustModel(t, f)
		links := m.Links()
		march(t, m, nil, f.Solver.Step, 100)
		for i, l := range m.Links() {
			for k, g := range l.Poses {
				if d := g.P.Sub(links[i].Poses[k].P).Norm(); d > 1e-9 {
					t.Fatalf("%s: %s has moved by %.3g m", name, l.Name, d)
				}
			}
		}
	}
}

// TestReactionsCarryTheRobot: in equilibrium the feet of the platform carry its weight and its load.
func TestReactionsCarryTheRobot(t *testing.T) {
	f := read(t, "six_leg_robot")
	m := mustModel(t, f)
	var sum spatial.Vec
	for i, j := range m.Joints() {
		if f.Joints[i].Parent.World {
			sum = sum.Add(j.Reaction.Force)
		}
	}
	mass := f.Bodies[0].Mass
	for i := range f.Rods {
		r := &f.Rods[i]
		mass += r.Density * math.Pi * r.Radius * r.Radius * r.Length
	}
	want := spatial.Vec{X: -3, Y: -1, Z: 2 + 9.80665*mass}
	if d := sum.Sub(want).Norm(); d > 1e-6 {
		t.Errorf("the feet carry %v N, want %v N", sum, want)
	}
}

// TestReactionAtTheStart: the shoulder of a double pendulum that is let go carries what the first step says, but for its length.
func TestReactionAtTheStart(t *testing.T) {
	f := read(t, "double_pendulum")
	m := mustModel(t, f)
	start := m.Joints()[0].Reaction.Force
	march(t, m, nil, 1e-5, 10)
	if d := m.Joints()[0].Reaction.Force.Sub(start).Norm(); !(start.Norm() > 1) || d > 1e-3 {
		t.Errorf("%v N at the start, %.3g N less after 0.1 ms", start, d)
	}
}

func TestServoMovesTheArm(t *testing.T) {
	f := read(t, "arm_with_rod")
	m := mustModel(t, f)
	in := sim.NewInputs(m)
	k := portOf(t, m, "servo_jp", sim.In)
	if s := in.Set(k, []float64{0.4, sim.Keep, sim.Keep}); !s.OK() {
		t.Fatal(s)
	}
	march(t, m, in, f.Solver.Step, 1500)
	js := value(t, m, "measured_js")
	if q := js[4]; math.Abs(q-0.4) > 0.01 {
		t.Errorf("the waist is at %.4g rad, want 0.4 rad", q)
	}
	n := len(js) / 3
	if rate := js[n+4]; math.Abs(rate) > 0.05 {
		t.Errorf("it still turns by %.3g rad/s", rate)
	}
}

func TestTensionPullsTheTendon(t *testing.T) {
	f := read(t, "arm_with_rod")
	m := mustModel(t, f)
	in := sim.NewInputs(m)
	before := value(t, m, "measured_js")
	if s := in.Set(portOf(t, m, "servo_jf", sim.In), []float64{4, 0, 0, 0}); !s.OK() {
		t.Fatal(s)
	}
	march(t, m, in, f.Solver.Step, 300)
	js := value(t, m, "measured_js")
	n := len(js) / 3
	if !(js[0] > before[0]+1e-4) || js[2*n] != 4 {
		t.Errorf("under %.4g N the tendon is pulled by %.4g m, under %.4g N by %.4g m", js[2*n], js[0], before[2*n], before[0])
	}
}

func TestBodyFollowsItsPose(t *testing.T) {
	f := read(t, "tendon_hand")
	m := mustModel(t, f)
	in := sim.NewInputs(m)
	if s := in.Set(portOf(t, m, "palm/pose", sim.In), []float64{0.02, 0, 0.1, 0, 0, 0, 1}); !s.OK() {
		t.Fatal(s)
	}
	march(t, m, in, f.Solver.Step, 400) // 0.2 s, at 2 m/s
	if p := value(t, m, "palm/measured_cp"); math.Abs(p[0]-0.02) > 1e-12 || math.Abs(p[2]-0.1) > 1e-12 {
		t.Errorf("the palm is at %v", p[:3])
	}
	if p := value(t, m, "ring_proximal/measured_cp"); p[2] < 0.05 {
		t.Errorf("a finger stays behind at %v", p[:3])
	}
}

// TestFrictionOfPairs: on a slope whose friction holds it a block slides where that of the pair is less.
func TestFrictionOfPairs(t *testing.T) {
	const slope = `
bodies: [{name: block, mass_kg: 1, inertia_kg_m2: [0.002, 0.002, 0.002], position_m: [0, 0, 0.05], friction_coefficient: 0.8, shapes: [{box: {size_m: [0.1, 0.1, 0.1]}}]}]
environment: {friction_coefficient: 0.8, shapes: [{name: floor, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]PAIRS}
gravity_m_per_s2: [4, 0, -9]
solver: {step_s: 0.001}
`
	const pairs = ", pairs: [{of: [block, floor], friction_coefficient: 0.2}]"
	for with, want := range map[string]float64{"": 0, pairs: (4 - 0.2*9) * 0.3 * 0.3 / 2} {
		m := mustModel(t, parse(t, "slope", strings.Replace(slope, "PAIRS", with, 1)))
		march(t, m, nil, 0.001, 300)
		if x := value(t, m, "block/measured_cp")[0]; math.Abs(x-want) > 0.01*want+1e-4 {
			t.Errorf("%q: the block has gone %.4g m, want %.4g m", with, x, want)
		}
	}
}

const rail = `
bodies: [{name: cart, mass_kg: 1, inertia_kg_m2: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, axis: [1, 0, 0], parent: {world: true}, child: {body: cart}, motor: {prescribed: true, max_rate: 2}}]
solver: {step_s: 0.001}
`

// TestPrescribedMovesEvenly sends commands of a straight motion at 50 Hz: the cart follows at its rate, one interval late.
func TestPrescribedMovesEvenly(t *testing.T) {
	m := mustModel(t, parse(t, "rail", rail))
	in := sim.NewInputs(m)
	k := portOf(t, m, "servo_jp", sim.In)
	const rate, interval = 0.5, 20
	last := 0.0
	for step := range 400 {
		if step%interval == 0 {
			if s := in.Set(k, []float64{rate * float64(step) * 1e-3}); !s.OK() {
				t.Fatal(s)
			}
		}
		march(t, m, in, 1e-3, 1)
		x := value(t, m, "cart/measured_cp")[0]
		if v := (x - last) / 1e-3; step > 2*interval && math.Abs(v-rate) > 1e-9 {
			t.Fatalf("step %d: %.6g m/s, want %g m/s", step, v, rate)
		}
		last = x
	}
	if want := rate * 0.380; math.Abs(last-want) > 1e-9 {
		t.Errorf("at %.6g m, want %.6g m", last, want)
	}
	if s := in.Set(k, []float64{5}); !s.OK() { // a jump is bounded by max_rate
		t.Fatal(s)
	}
	march(t, m, in, 1e-3, 100)
	if x := value(t, m, "cart/measured_cp")[0]; math.Abs(x-last-0.2) > 1e-9 {
		t.Errorf("in 0.1 s it moves by %.6g m, want 0.2 m", x-last)
	}
}

func TestLoadEnds(t *testing.T) {
	f := read(t, "y_tree")
	m := mustModel(t, f)
	tip := func() float64 { return value(t, m, "left/measured_cp")[1] }
	march(t, m, nil, f.Solver.Step, 599)
	before := tip()
	march(t, m, nil, f.Solver.Step, 60)
	if !(before > 0.002) || tip() > 0.8*before {
		t.Errorf("at %.4g m under its load, at %.4g m after its end", before, tip())
	}
}

func TestMarkersMoveWithTheirLinks(t *testing.T) {
	m := mustModel(t, parse(t, "markers", `
rods: [{name: wire, length_m: 0.2, start: {position_m: [0, 0, 1]}}]
bodies: [{name: ball, mass_kg: 1, inertia_kg_m2: [1, 1, 1], position_m: [1, 0, 0], orientation_xyzw: [0, 0, 1, 1]}]
markers: [{name: a, rod: wire}, {name: b, body: ball, position_m: [0.1, 0, 0]}]
`))
	v := value(t, m, "markers_measured")
	for i, want := range []spatial.Vec{{Z: 1.2}, {X: 1, Y: 0.1}} {
		if got := spatial.VecAt(v[7*i:]); got.Sub(want).Norm() > 1e-12 {
			t.Errorf("marker %d is at %v, want %v", i+1, got, want)
		}
	}
}

func TestIslandsBeginAtTheOrigin(t *testing.T) {
	m := mustModel(t, parse(t, "island", `
bodies:
  - {name: finger, mass_kg: 1, inertia_kg_m2: [1, 1, 1]}
  - {name: palm, motion: fixed}
joints: [{name: hinge, type: revolute, parent: {body: palm, position_m: [0.1, 0, 0]}, child: {body: finger}}]
`))
	if p := value(t, m, "palm/measured_cp"); spatial.VecAt(p) != (spatial.Vec{}) {
		t.Errorf("the palm is at %v", p[:3])
	}
	if p := value(t, m, "finger/measured_cp"); spatial.VecAt(p).Sub(spatial.Vec{X: 0.1}).Norm() > 1e-12 {
		t.Errorf("the finger is at %v", p[:3])
	}
}

func TestMistakesOfAssembly(t *testing.T) {
	loop := `
rods: [{name: wire, length_m: 0.2}]
joints:
  - {name: a, type: fixed, parent: {world: true}, child: {rod: wire, at_m: 0}}
  - {name: b, type: fixed, parent: {world: true, position_m: [0.05, 0, 0.19]}, child: {rod: wire, at_m: 0.2}}
`
	if _, err := newModel(parse(t, "open", loop)); !errors.Is(err, multibody.ErrOpen) {
		t.Errorf("an open loop: %v", err)
	}
	m := mustModel(t, parse(t, "closed", loop+"initial_state: equilibrium"))
	if p := value(t, m, "wire/measured_cp"); math.Abs(p[2]-0.19) > 1e-9 {
		t.Errorf("the closed loop ends at %v", p[:3])
	}
	var position *mechanism.PositionError
	_, err := newModel(parse(t, "contradiction", `
bodies: [{name: cart, mass_kg: 1, inertia_kg_m2: [1, 1, 1], position_m: [0.1, 0, 0]}]
joints: [{name: rail, type: prismatic, axis: [1, 0, 0], position: 0.2, parent: {world: true}, child: {body: cart}}]
`))
	if !errors.As(err, &position) || position.Joint != "rail" || math.Abs(position.Posed-0.1) > 1e-12 {
		t.Errorf("a position beside a pose: %v", err)
	}
}

// TestDiskMasses: the disks of a tendon weigh on what carries the rod.
func TestDiskMasses(t *testing.T) {
	weight := func(mass string) float64 {
		m := mustModel(t, parse(t, "disks", `
rods: [{name: wire, length_m: 0.2}]
joints: [{name: clamp, type: fixed, parent: {world: true}, child: {rod: wire, at_m: 0}}]
tendons:
  - {name: up, rod: wire, offset_m: [0.01, 0], disks: {positions_m: [0.1, 0.2], mass_kg: `+mass+`}}
  - {name: down, rod: wire, offset_m: [-0.01, 0], disks: {positions_m: [0.1, 0.2], mass_kg: `+mass+`}}
initial_state: equilibrium
`))
		return m.Joints()[0].Reaction.Force.Z
	}
	if d := weight("0.003") - weight("0"); math.Abs(d-2*0.003*9.80665) > 1e-9 {
		t.Errorf("two disks of 3 g that two tendons pass weigh %.6g N", d)
	}
}

// TestRobotsAreIndependent: models of one robot move alike.
func TestRobotsAreIndependent(t *testing.T) {
	f := read(t, "tendon_hand")
	r, err := multibody.NewRobot(f, multibody.Files{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := r.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	march(t, a, nil, f.Solver.Step, 20)
	march(t, b, nil, f.Solver.Step, 20)
	x, y := make([]float64, a.StateLen()), make([]float64, b.StateLen())
	a.Save(x)
	b.Save(y)
	for i := range x {
		if math.Float64bits(x[i]) != math.Float64bits(y[i]) {
			t.Fatalf("value %d of the states differs: %g and %g", i, x[i], y[i])
		}
	}
}

// TestBodyWithoutShapesIsDrawnToItsJoints: lines lead from the centre of mass of the platform to the ends of its six legs.
func TestBodyWithoutShapesIsDrawnToItsJoints(t *testing.T) {
	m := mustModel(t, read(t, "six_leg_robot"))
	var scene sim.Scene
	m.Draw(&scene)
	for i, l := range m.Links() {
		if !strings.HasPrefix(l.Name, "leg") {
			continue
		}
		end, nearest := l.Poses[len(l.Poses)-1].P, math.Inf(1)
		for _, line := range scene.Polylines {
			if line.Name == "platform" && line.Points[0] == scene.Spheres[0].Pose.P {
				nearest = math.Min(nearest, line.Points[1].Sub(end).Norm())
			}
		}
		if nearest > 1e-9 {
			t.Errorf("link %d, %s: the nearest line ends %.3g m from its end", i, l.Name, nearest)
		}
	}
}
