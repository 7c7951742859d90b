package multibody_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/spatial"
)

// handFile is a commanded hand with a finger in a loop: a tendon, a motor, a prescribed slide, an effort against a spring.
const handFile = `
rods:
  - {name: finger, length_m: 0.2, radius_m: 0.0005, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, elements: 8}
  - {name: tie, length_m: 0.2, radius_m: 0.0004, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, elements: 8}
bodies:
  - {name: hand, motion: commanded}
  - {name: link, mass_kg: 0.1, inertia_kg_m2: [1e-5, 1e-4, 1e-4], center_of_mass_m: [0.05, 0, 0]}
  - {name: cap, mass_kg: 0.02, inertia_kg_m2: [1e-6, 1e-6, 1e-6]}
  - {name: slider, mass_kg: 0.2, inertia_kg_m2: [1e-5, 1e-5, 1e-5]}
  - {name: wheel, mass_kg: 0.2, inertia_kg_m2: [1e-5, 1e-5, 1e-5], center_of_mass_m: [0, 0, 0.01]}
joints:
  - {name: wrist, type: revolute, axis: [0, 1, 0], parent: {body: hand}, child: {body: link}, motor: {position: {stiffness: 20, damping: 0.5, max_effort: 2}}}
  - {name: mount, type: fixed, parent: {body: link, position_m: [0.1, 0, 0], orientation_xyzw: [0, 0.70710678118654757, 0, 0.70710678118654757]}, child: {rod: finger, at_m: 0}}
  - {name: end, type: fixed, parent: {rod: finger, at_m: 0.2}, child: {body: cap}}
  - {name: rail, type: prismatic, axis: [1, 0, 0], parent: {body: hand, position_m: [0.1, 0, 0.02]}, child: {body: slider}, motor: {prescribed: true}}
  - {name: root, type: fixed, parent: {body: slider, orientation_xyzw: [0, 0.70710678118654757, 0, 0.70710678118654757]}, child: {rod: tie, at_m: 0}}
  - {name: knuckle, type: revolute, axis: [0, 1, 0], parent: {rod: tie, at_m: 0.2}, child: {body: cap, position_m: [-0.02, 0, 0]}, friction: 0}
  - {name: axle, type: revolute, axis: [1, 0, 0], parent: {body: slider}, child: {body: wheel}, stiffness: 0.5, motor: {effort: {max_effort: 1}}}
tendons: [{name: flexor, rod: finger, offset_m: [0, 0.004], disks: {count: 5, first_m: 0.04, last_m: 0.2}, tension_n: 1}]
initial_state: equilibrium
`

// TestJacobian compares derivatives with differences of equilibria under commands that are a little less and more, also where loops
// are closed, motors yield and the base moves.
func TestJacobian(t *testing.T) {
	m := mustModel(t, parse(t, "hand.yaml", handFile))
	command := func(name string, value float64) {
		for i, p := range m.Ports() {
			if k := slices.Index(p.Labels, name); k >= 0 && p.Direction == sim.In {
				v := make([]float64, p.Width())
				m.Setpoint(i, v)
				v[k] = value
				m.Command(i, v)
			}
		}
	}
	base := map[string]float64{"flexor": 2, "wrist": 0.2, "rail": 0, "axle": 0.1}
	for name, value := range base {
		command(name, value)
	}
	if err := m.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	state := make([]float64, m.StateLen())
	m.Save(state)
	j, err := m.Jacobian()
	if err != nil {
		t.Fatal(err)
	}
	after := make([]float64, m.StateLen())
	if m.Save(after); !slices.Equal(after, state) {
		t.Error("the derivative has changed the state")
	}
	if want := "flexor wrist rail axle hand.x hand.y hand.z hand.rx hand.ry hand.rz"; strings.Join(j.Inputs, " ") != want || strings.Join(j.InputUnits, " ") != "N rad m N m m m m rad rad rad" {
		t.Fatalf("inputs %v in %v, want %s", j.Inputs, j.InputUnits, want)
	}
	outputs := func() (v []float64, frames []spatial.Pose) {
		for _, l := range m.Links() {
			frames = append(frames, l.Poses[len(l.Poses)-1])
		}
		for _, c := range m.Joints() {
			v = append(v, c.Coordinates...)
		}
		return v, frames
	}
	for k, name := range j.Inputs[:4] {
		if name == "rail" {
			continue // a prescribed motion is where steps take it
		}
		const h = 3e-4
		var q [2][]float64
		var g [2][]spatial.Pose
		for side, more := range [...]float64{-h, h} {
			if err := m.Restore(state); err != nil {
				t.Fatal(err)
			}
			command(name, base[name]+more)
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
			q[side], g[side] = outputs()
		}
		var want []float64
		for i := range g[0] {
			a, b := g[0][i], g[1][i]
			d, r := b.P.Sub(a.P).Scale(0.5/h), b.R.MulT(a.R).Log().Scale(0.5/h)
			want = append(want, d.X, d.Y, d.Z, r.X, r.Y, r.Z)
		}
		for i := range q[0] {
			want = append(want, (q[1][i]-q[0][i])/(2*h))
		}
		compareColumn(t, j, k, want, 1e-5)
	}
	// all move with the hand, since gravity is all that tells places apart, and turns about it change nothing either
	for k, direction := range map[int]spatial.Vec{4: {X: 1}, 5: {Y: 1}, 6: {Z: 1}} {
		var want []float64
		for range m.Links() {
			want = append(want, direction.X, direction.Y, direction.Z, 0, 0, 0)
		}
		compareColumn(t, j, k, append(want, 0, 0, 0, 0), 1e-6)
	}
	if err := m.Restore(state); err != nil {
		t.Fatal(err)
	}
	origin, _ := outputs()
	_, frames := outputs()
	var turn []float64
	for _, g := range frames {
		d := spatial.Vec{Z: 1}.Cross(g.P)
		turn = append(turn, d.X, d.Y, d.Z, 0, 0, 1)
	}
	compareColumn(t, j, 9, append(turn, make([]float64, len(origin))...), 1e-6)
	if i := slices.Index(j.Outputs, "rail"); math.Abs(j.Values[i][2]-1) > 1e-9 {
		t.Errorf("the rail moves by %g of what it is prescribed", j.Values[i][2])
	}
	if i := slices.Index(j.Outputs, "tie.tip_x"); !(j.Values[i][2] > 1e-3) {
		t.Errorf("the tie does not move with the rail: %g", j.Values[i][2])
	}
}

func compareColumn(t *testing.T, j *sim.Jacobian, k int, want []float64, tolerance float64) {
	t.Helper()
	if len(want) != len(j.Outputs) {
		t.Fatalf("%d outputs, want %d: %v", len(j.Outputs), len(want), j.Outputs)
	}
	const roundoff = 1e-7 // of differences of the equations
	most := map[string]float64{}
	for i, x := range want {
		most[j.OutputUnits[i]] = max(most[j.OutputUnits[i]], math.Abs(x))
	}
	for i, x := range want {
		if got := j.Values[i][k]; math.Abs(got-x) > tolerance*most[j.OutputUnits[i]]+roundoff {
			t.Errorf("d %s / d %s = %.9g, want %.9g", j.Outputs[i], j.Inputs[k], got, x)
		}
	}
}

// TestJacobianByNumbers compares derivatives by numbers of the robot file with differences of the equilibria of two files.
func TestJacobianByNumbers(t *testing.T) {
	numbers := []struct {
		name, unit, line string // line has %s in place of the number
		value            float64
	}{
		{"bodies.cap.mass_kg", "kg", "radius_m: 0.005}}], mass_kg: %s", 0.02},
		{"rods.tie.youngs_modulus_pa", "Pa", "{name: tie, length_m: 0.2, radius_m: 0.0004, youngs_modulus_pa: %s", 60e9},
		{"rods.tie.radius_m", "m", "{name: tie, length_m: 0.2, radius_m: %s", 0.0004},
		{"joints.wrist.position", "rad", "child: {body: link}, position: %s", 0},
		{"joints.rail.parent.position_m", "m", "{body: hand, position_m: [0.1, 0, %s]}", 0.02},
		{"joints.axle.stiffness", "N m/rad", "child: {body: wheel}, stiffness: %s", 0.5},
		{"tendons.flexor.tension_n", "N", "last_m: 0.2}, tension_n: %s", 1},
		{"tendons.flexor.offset_m", "m", "offset_m: [0, %s]", 0.004},
		{"floor.height", "m", "point_m: [0, 0, %s]", -0.066},
	}
	// the cap lies on a floor
	text := strings.Replace(handFile, "child: {body: link},", "child: {body: link}, position: 0,", 1) +
		"environment: {shapes: [{name: floor, plane: {point_m: [0, 0, -0.066], normal: [0, 0, 1]}}]}\n"
	text = strings.Replace(text, "{name: cap, mass_kg: 0.02,", "{name: cap, shapes: [{sphere: {center_m: [0, 0, 0], radius_m: 0.005}}], mass_kg: 0.02,", 1)
	with := func(line string, value float64) *multibody.Model {
		pattern := regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(line), "%s", "[-+.0-9e]+"))
		if n := len(pattern.FindAllString(text, -1)); n != 1 {
			t.Fatalf("%q is %d times in the file", line, n)
		}
		return mustModel(t, parse(t, "hand.yaml", pattern.ReplaceAllLiteralString(text, fmt.Sprintf(line, fmt.Sprintf("%.17g", value)))))
	}
	m := mustModel(t, parse(t, "hand.yaml", text))
	var by []sim.Varied
	for _, n := range numbers {
		h := 1e-5 * max(math.Abs(n.value), 0.01)
		by = append(by, sim.Varied{Name: n.name, Unit: n.unit, Lower: with(n.line, n.value-h/2), Upper: with(n.line, n.value+h/2), Difference: h})
	}
	state := make([]float64, m.StateLen())
	m.Save(state)
	j, err := m.Jacobian(by...)
	if err != nil {
		t.Fatal(err)
	}
	after := make([]float64, m.StateLen())
	if m.Save(after); !slices.Equal(after, state) {
		t.Error("the derivative has changed the state")
	}
	first := len(j.Inputs) - len(numbers)
	for k, n := range numbers {
		if j.Inputs[first+k] != n.name || j.InputUnits[first+k] != n.unit {
			t.Errorf("input %s in %s, want %s in %s", j.Inputs[first+k], j.InputUnits[first+k], n.name, n.unit)
		}
		h := 3e-4 * max(math.Abs(n.value), 0.01)
		lower, upper := with(n.line, n.value-h/2), with(n.line, n.value+h/2)
		var want []float64
		for i, a := range lower.Links() {
			f, g := a.Poses[len(a.Poses)-1], upper.Links()[i].Poses[len(a.Poses)-1]
			d, r := g.P.Sub(f.P).Scale(1/h), g.R.MulT(f.R).Log().Scale(1/h)
			want = append(want, d.X, d.Y, d.Z, r.X, r.Y, r.Z)
		}
		for i, a := range lower.Joints() {
			for c, q := range a.Coordinates {
				want = append(want, (upper.Joints()[i].Coordinates[c]-q)/h)
			}
		}
		compareColumn(t, j, first+k, want, 1e-4)
	}
}

// TestDerivativeByLength of a rod with a disk, a load and a joint at its end, which go along with it: that of equilibria of lengths apart.
func TestDerivativeByLength(t *testing.T) {
	const length = 0.1
	with := func(l, end float64) *multibody.Model {
		return mustModel(t, parse(t, "finger", fmt.Sprintf(`
rods: [{name: finger, length_m: %.17[1]g, radius_m: 0.001, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, elements: 400}]
bodies: [{name: cap, mass_kg: 0.01, inertia_kg_m2: [1e-6, 1e-6, 1e-6], center_of_mass_m: [0, 0, 0.01]}]
joints:
  - {name: clamp, type: fixed, parent: {world: true}, child: {rod: finger, at_m: 0}}
  - {name: mount, type: fixed, parent: {rod: finger, at_m: %.17[2]g}, child: {body: cap}}
tendons: [{name: flexor, rod: finger, offset_m: [0.005, 0], disks: {positions_m: [0.02, 0.06, %.17[2]g], mass_kg: 0.0002}, tension_n: 5}]
loads: [{rod: finger, at_m: %.17[2]g, force_n: [0, 0.1, 0]}]
initial_state: equilibrium
`, l, end)))
	}
	h := 1e-8 * length
	m := with(length, length)
	j, err := m.Jacobian(sim.Varied{Name: "length", Unit: "m", Lower: with(length-h/2, length), Upper: with(length+h/2, length), Difference: h})
	if err != nil {
		t.Fatal(err)
	}
	h = 1e-4 * length
	lower, upper := with(length-h/2, length-h/2), with(length+h/2, length+h/2)
	var want []float64
	for i, a := range lower.Links() {
		k := len(a.Poses) - 1
		f, g := a.Poses[k], upper.Links()[i].Poses[k]
		d, r := g.P.Sub(f.P).Scale(1/h), g.R.MulT(f.R).Log().Scale(1/h)
		want = append(want, d.X, d.Y, d.Z, r.X, r.Y, r.Z)
	}
	compareColumn(t, j, len(j.Inputs)-1, want, 1e-4)
}

// rubbingHand is handFile with friction of its tendon, which has the given motor, and of another one, the line, which leads from a hole in
// the world.
func rubbingHand(flexor string) string {
	return strings.Replace(handFile, "last_m: 0.2}, tension_n: 1}]", "last_m: 0.2}, friction_coefficient: 0.3, "+flexor+`},
  {name: line, tension_n: 2, friction_displacement_m: 1e-5, route: [{world: true, position_m: [-0.1, 0.05, 0]}, {body: hand, position_m: [0, 0.02, 0.01], friction_coefficient: 0.2}, {body: link, position_m: [0.1, 0, 0.02], friction_coefficient: 0.3}, {rod: finger, at_m: 0.1, position_m: [0.003, 0, 0]}]}]`, 1)
}

// TestJacobianWithFrictionOfTendons compares derivatives with differences of equilibria: of a first one, and of those that follow a change
// of the same input, in its direction, which is so small that holes stick or so large that
// they slide. Where a hole just turns back, as one of the flexor does after a pull that is less by a tenth, there is a kink.
func TestJacobianWithFrictionOfTendons(t *testing.T) {
	for name, flexor := range map[string]string{"tension": "tension_n: %.17g", "pull": "stiffness_n_per_m: 5e3, pull_m: %.17g"} {
		t.Run(name, func(t *testing.T) {
			base, step := 2.0, 1e-3
			if name == "pull" {
				base, step = 0.002, 1e-6
			}
			with := func(x float64) *multibody.Model {
				return mustModel(t, parse(t, "hand.yaml", rubbingHand(fmt.Sprintf(flexor, x))))
			}
			derivative := func(m *multibody.Model) *sim.Jacobian {
				t.Helper()
				j, err := m.Jacobian()
				if err != nil {
					t.Fatal(err)
				}
				return j
			}
			m := with(base)
			start := make([]float64, m.StateLen())
			m.Save(start)
			compareColumn(t, derivative(m), 0, outputsLess(with(base+step), with(base-step), 2*step), 1e-5)
			set := map[int]func(w *mechanism.World, x float64){
				0: func(w *mechanism.World, x float64) {
					if name == "pull" {
						w.SetPull(0, base+x)
					} else {
						w.SetTension(0, base+x)
					}
				},
				1: func(w *mechanism.World, x float64) { w.SetTension(1, 2+x) },
				5: func(w *mechanism.World, x float64) {
					w.PlaceBody(0, spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: x}})
				},
			}
			for _, o := range []struct {
				input      int
				more, step float64
			}{
				{0, 0.3 * base, step}, {0, -0.01 * base, -step}, {0, -0.12 * base, -step}, {0, -0.6 * base, -step},
				{1, 0.5, 1e-3}, {1, -0.02, -1e-3}, {1, -1, -1e-3}, {5, 0.003, 1e-6}, {5, -0.003, -1e-6}, {5, 1e-5, 1e-7},
			} {
				if err := m.Restore(start); err != nil {
					t.Fatal(err)
				}
				const parts = 8 // so that holes which slide at its end do so along the last of them
				for k := range parts {
					set[o.input](m.World(), o.more*float64(k+1)/parts)
					if err := m.Equilibrate(); err != nil {
						t.Fatal(err)
					}
				}
				moved := make([]float64, m.StateLen())
				m.Save(moved)
				var at [3]*multibody.Model
				for k := range at {
					at[k] = with(base)
					if err := at[k].Restore(moved); err != nil {
						t.Fatal(err)
					}
					set[o.input](at[k].World(), o.more+float64(k)*o.step)
					if err := at[k].Equilibrate(); err != nil {
						t.Fatal(err)
					}
				}
				want, b := outputsLess(at[1], at[0], o.step), outputsLess(at[2], at[0], o.step)
				for i := range want {
					want[i] = 2*want[i] - b[i]/2
				}
				j := derivative(m)
				compareColumn(t, j, o.input, want, 1e-4)
			}
		})
	}
}

// TestJacobianByCoefficientOfFriction compares the derivative of the first equilibrium by the friction coefficient with a difference.
func TestJacobianByCoefficientOfFriction(t *testing.T) {
	with := func(mu float64) *multibody.Model {
		text := strings.Replace(rubbingHand("tension_n: 2"), "friction_coefficient: 0.3, tension_n", fmt.Sprintf("friction_coefficient: %.17g, tension_n", mu), 1)
		return mustModel(t, parse(t, "hand.yaml", text))
	}
	const h = 1e-5
	j, err := with(0.3).Jacobian(sim.Varied{Name: "mu", Unit: "1", Lower: with(0.3 - h/2), Upper: with(0.3 + h/2), Difference: h})
	if err != nil {
		t.Fatal(err)
	}
	compareColumn(t, j, len(j.Inputs)-1, outputsLess(with(0.301), with(0.299), 0.002), 1e-4)
}

// outputsLess returns the difference of the outputs of Jacobian of two models over h.
func outputsLess(upper, lower *multibody.Model, h float64) (d []float64) {
	for i, a := range lower.Links() {
		f, g := a.Poses[len(a.Poses)-1], upper.Links()[i].Poses[len(a.Poses)-1]
		p, r := g.P.Sub(f.P).Scale(1/h), g.R.MulT(f.R).Log().Scale(1/h)
		d = append(d, p.X, p.Y, p.Z, r.X, r.Y, r.Z)
	}
	for i, a := range lower.Joints() {
		for c, q := range a.Coordinates {
			d = append(d, (upper.Joints()[i].Coordinates[c]-q)/h)
		}
	}
	return d
}
