package continuum

import (
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// wholeWorld is a rod with tendon and magnets that act on one another, in a field with a gradient
// and beside a permanent magnet, among walls of all kinds but meshes, with friction; it is
// pushed along and falls.
const wholeWorld = `
rod: {length_m: 0.08, radius_m: 0.0007, density_kg_per_m3: 1500, youngs_modulus_pa: 5e6, shear_modulus_pa: 1.7e6, elements: 16, damping: {kelvin_voigt_s: 0.002, drag_per_s: 2}}
base: {position_m: [0, 0, 0.004], velocity_m_per_s: [0.02, 0, 0], until_s: 0.3}
tendons: [{name: pull, offset_m: [0.002, 0.001], disks: {count: 3, first_m: 0.02, last_m: 0.06}, tension_n: 0.02}]
tip: {mass_kg: 2e-5}
magnets:
  - {name: skin, from_m: 0.02, to_m: 0.04, magnetization_a_per_m: [0, 0, 2e4]}
  - {name: tip, at_m: 0.08, moment_a_m2: [0.0002, 0, 0.003]}
magnets_interact: true
field:
  uniform_t: [0, 0.002, 0.001]
  gradient_t_per_m: [0.02, 0, 0.01, 0, 0.03]
  gradient_center_m: [0.01, 0, 0]
  dipoles: [{name: arm, position_m: [0.06, 0.02, 0.15], moment_a_m2: [0, 0, 15]}]
environment:
  friction_coefficient: 0.3
  shapes:
    - {name: table, plane: {point_m: [0, 0, -0.001], normal: [0, 0, 1]}}
    - {name: ball, sphere: {center_m: [0.07, 0.003, -0.001], radius_m: 0.003}}
    - {name: bar, capsule: {from_m: [0.05, -0.02, 0], to_m: [0.05, 0.02, 0], radius_m: 0.001}}
    - {name: lumen, tube: {points_m: [[-0.02, 0, 0.004], [0.005, 0, 0.004], [0.02, 0.001, 0.0045]], radius_m: 0.0012}}
solver: {step_s: 0.001}
`

// turnedWorld is the file with everything in it turned and shifted.
func turnedWorld(f *robotfile.Continuum, turn spatial.Mat3, shift spatial.Vec) *robotfile.Continuum {
	place := func(p spatial.Vec) spatial.Vec { return turn.Apply(p).Add(shift) }
	t := *f
	b := &t.Base
	b.Position, b.Direction, b.Normal, b.Velocity = place(b.Position), turn.Apply(b.Direction), turn.Apply(b.Normal), turn.Apply(b.Velocity)
	t.Gravity, t.Field.Uniform = turn.Apply(f.Gravity), turn.Apply(f.Field.Uniform)
	g := f.Field.Gradient
	m := turn.Mul(spatial.Mat3{XX: g[0], XY: g[1], XZ: g[2], YX: g[1], YY: g[3], YZ: g[4], ZX: g[2], ZY: g[4], ZZ: -g[0] - g[3]}).MulT(turn)
	t.Field.Gradient, t.Field.GradientCenter = [5]float64{m.XX, m.XY, m.XZ, m.YY, m.YZ}, place(f.Field.GradientCenter)
	t.Field.Dipoles = append([]robotfile.Dipole(nil), f.Field.Dipoles...)
	for i := range t.Field.Dipoles {
		d := &t.Field.Dipoles[i]
		d.Position, d.Moment = place(d.Position), turn.Apply(d.Moment)
	}
	t.Environment.Shapes = nil
	for _, s := range f.Environment.Shapes {
		switch {
		case s.Plane != nil:
			s.Plane = &robotfile.HalfSpace{Point: place(s.Plane.Point), Normal: turn.Apply(s.Plane.Normal)}
		case s.Sphere != nil:
			s.Sphere = &robotfile.Sphere{Center: place(s.Sphere.Center), Radius: s.Sphere.Radius}
		case s.Capsule != nil:
			s.Capsule = &robotfile.Capsule{From: place(s.Capsule.From), To: place(s.Capsule.To), Radius: s.Capsule.Radius}
		case s.Tube != nil:
			lumen := robotfile.Tube{Radius: s.Tube.Radius}
			for _, p := range s.Tube.Points {
				lumen.Points = append(lumen.Points, place(p))
			}
			s.Tube = &lumen
		}
		t.Environment.Shapes = append(t.Environment.Shapes, s)
	}
	return &t
}

// Robot, field, shapes and gravity turned together deform in the same way, at rest and in motion
// that sticks and slips on every wall.
func TestWholeWorldIsFrameIndifferent(t *testing.T) {
	turn, shift := spatial.ExpRot(spatial.Vec{X: 0.7, Y: -1.1, Z: 0.4}), spatial.Vec{X: 0.3, Y: -0.2, Z: 0.1}
	for _, order := range []int{2, 4} {
		plain := parse(t, wholeWorld)
		plain.Rod.Order = order
		a, b := newModel(t, plain), newModel(t, turnedWorld(plain, turn, shift))
		want := func(what string) {
			t.Helper()
			x, y := a.engine.(*implicit).system.Rod.Strain, b.engine.(*implicit).system.Rod.Strain
			worst := 0.0
			for e := range x {
				worst = max(worst, x[e].Angular.Sub(y[e].Angular).Norm(), x[e].Linear.Sub(y[e].Linear).Norm()/plain.Rod.Length)
			}
			if !(worst < 1e-9) {
				t.Errorf("order %d, %s: strains differ by %.3g", order, what, worst)
			}
		}
		for _, m := range []*Model{a, b} { // where round-off decides in which way a step is solved, the tolerance tells
			m.engine.(*implicit).stepper.Refine(1e-7, 1)
		}
		touched := map[int]bool{}
		for i := range 320 {
			run(t, a, 1e-3)
			run(t, b, 1e-3)
			for _, c := range a.engine.(*implicit).contact.ListContacts(nil, 100) {
				touched[c.Wall] = true
			}
			if i%80 == 79 {
				want("in motion")
			}
		}
		if len(touched) != len(plain.Environment.Shapes) {
			t.Errorf("order %d: the rod touches the walls %v only", order, touched)
		}
		for _, m := range []*Model{a, b} {
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
		}
		want("at rest")
	}
}
