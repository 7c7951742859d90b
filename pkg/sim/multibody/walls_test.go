package multibody_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// TestFloorLiftsTheBall: the floor carries the ball up as it is commanded, tells what it carries, and is drawn where it is.
func TestFloorLiftsTheBall(t *testing.T) {
	f := read(t, "gripper_with_ball")
	m := mustModel(t, f)
	in := sim.NewInputs(m)
	for i := range 10 { // at 0.05 m/s
		if s := in.Set(portOf(t, m, "floor/pose", sim.In), []float64{0, 0, 0.001 * float64(i+1), 0, 0, 0, 1}); !s.OK() {
			t.Fatal(s)
		}
		march(t, m, in, f.Solver.Step, 40)
	}
	march(t, m, in, f.Solver.Step, 1000)
	if z := value(t, m, "ball/measured_cp")[2]; math.Abs(z-0.03) > 1e-4 {
		t.Errorf("the ball is at %g m, want 0.03 m", z)
	}
	if w := value(t, m, "floor/wrench"); math.Abs(w[2]+0.03*9.80665) > 1e-3 {
		t.Errorf("the floor carries %v", w)
	}
	if p := value(t, m, "shapes/floor"); p[2] != 0.01 {
		t.Errorf("the frame of the floor is at %v", p)
	}
	scene := new(sim.Scene)
	m.Draw(scene)
	i := slices.IndexFunc(scene.Meshes, func(o sim.Mesh) bool { return o.Name == "floor" })
	if scene.Meshes[i].Pose.P.Z != 0.01 {
		t.Errorf("the floor is drawn at %v", scene.Meshes[i].Pose.P)
	}
}

// TestFloorTurns: a floor that turns beyond the angle of friction lets a block slide, which a saved state has, too; contacts that stick move with
// the floor.
func TestFloorTurns(t *testing.T) {
	const slope = `
bodies: [{name: block, mass_kg: 1, inertia_kg_m2: [0.002, 0.002, 0.002], position_m: [0, 0, 0.02], shapes: [{box: {size_m: [0.1, 0.1, 0.04]}}]}]
environment: {friction_coefficient: 0.3, shapes: [{name: floor, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}
solver: {step_s: 0.001}
`
	for angle, slides := range map[float64]bool{0.2: false, 0.5: true} {
		m := mustModel(t, parse(t, "slope", slope))
		in := sim.NewInputs(m)
		turn := spatial.ExpRot(spatial.Vec{Y: angle})
		command := make([]float64, 7)
		turn.Quat().Put(command[3:])
		if s := in.Set(portOf(t, m, "floor/pose", sim.In), command); !s.OK() {
			t.Fatal(s)
		}
		march(t, m, in, 1e-3, 10) // on its way
		saved := make([]float64, m.StateLen())
		m.Save(saved)
		march(t, m, in, 1e-3, 490)
		p := spatial.VecAt(value(t, m, "block/measured_cp"))
		other := mustModel(t, parse(t, "slope", slope))
		if err := other.Restore(saved); err != nil {
			t.Fatal(err)
		}
		march(t, other, nil, 1e-3, 490)
		if q := spatial.VecAt(value(t, other, "block/measured_cp")); q != p {
			t.Errorf("%g rad: restored on its way the block ends at %v, not at %v", angle, q, p)
		}
		if along := turn.ApplyT(p); slides != (along.X > 0.05) || math.Abs(along.Z-0.02) > 1e-3 {
			t.Errorf("%g rad: the block is at %v in the axes of the floor", angle, along)
		}
	}
}

// TestPostBendsRod: a post that moves sideways takes the end of a rod along, and a command that is too fast for it shows.
func TestPostBendsRod(t *testing.T) {
	const post = beam + `
environment: {shapes: [{name: post, capsule: {from_m: [0.02, -0.05, 0.15], to_m: [0.02, 0.05, 0.15], radius_m: 0.005}}]}
`
	m := mustModel(t, parse(t, "post", post))
	in := sim.NewInputs(m)
	limited := func() float64 {
		g := m.Gauges()
		v := make([]float64, len(g))
		m.Measure(v)
		return v[slices.IndexFunc(g, func(o sim.Gauge) bool { return o.Key == "shape_speed_limited" })]
	}
	for i := range 10 { // 30 mm in 0.1 s
		if s := in.Set(portOf(t, m, "post/pose", sim.In), []float64{-0.003 * float64(i+1), 0, 0, 0, 0, 0, 1}); !s.OK() {
			t.Fatal(s)
		}
		march(t, m, in, 1e-3, 10)
	}
	if limited() != 0 {
		t.Error("0.3 m/s is too fast")
	}
	march(t, m, in, 1e-3, 400)
	mid := value(t, m, "wire/backbone")
	x := 0.0
	for k := 0; k < len(mid); k += 7 {
		if math.Abs(mid[k+2]-0.15) < 0.012 {
			x = mid[k]
		}
	}
	if math.Abs(x-(0.02-0.03-0.005-0.001)) > 2e-3 {
		t.Errorf("beside the post the rod is at %g m, want %g m", x, 0.02-0.03-0.005-0.001)
	}
	in.Set(portOf(t, m, "post/pose", sim.In), []float64{0.9, 0, 0, 0, 0, 0, 1})
	march(t, m, in, 1e-3, 2)
	if limited() != 1 {
		t.Error("0.9 m in a control period is not told of")
	}
}
