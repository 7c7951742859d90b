package multibody_test

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// level are poses and velocities of moving nodes, and frames of outputs.
type level struct {
	poses  []spatial.Pose
	twists []spatial.Twist // of a body that of its centre of mass; angular ones in body axes
}

func levelOf(m *multibody.Model, f *robotfile.Mechanism) (l level) {
	w := m.World()
	for i := range f.Rods {
		for k, g := range w.NodePoses(i) {
			v := w.NodeTwist(i, k)
			v.Angular = g.R.ApplyT(v.Angular)
			l.poses, l.twists = append(l.poses, g), append(l.twists, v)
		}
	}
	for i := range f.Bodies {
		if b := &f.Bodies[i]; b.Motion == robotfile.FreeBody {
			g, v := w.BodyPose(i), w.BodyVelocity(i)
			v.Linear = v.Linear.Add(g.R.Apply(v.Angular.Cross(b.CenterOfMass)))
			l.poses, l.twists = append(l.poses, g), append(l.twists, v)
		}
	}
	return l
}

// from returns poses and velocities against those of another level, as in a state.
func (l *level) from(o *level) (x []float64) {
	put := func(v, w spatial.Vec) { x = append(x, v.X, v.Y, v.Z, w.X, w.Y, w.Z) }
	for i := range l.poses {
		d := o.poses[i].Inv().Mul(l.poses[i])
		put(d.P, d.R.Log())
	}
	for i, v := range l.twists {
		put(v.Linear.Sub(o.twists[i].Linear), v.Angular.Sub(o.twists[i].Angular))
	}
	return x
}

// linearised are robots in motion whose steps are linearised.
var linearised = []struct {
	name  string
	edit  []string // of the file: old and new text
	text  string   // in place of a file
	steps int
	input map[string]float64
	small float64 // differences, in parts of the usual ones; 0: 1
}{
	{name: "double_pendulum", steps: 40},
	{name: "six_leg_robot", edit: []string{"elements: 10", "elements: 3, element_order: 2"}, steps: 8, input: map[string]float64{"platform/external_wrench": 2}, small: 0.1},
	{name: "y_tree", edit: []string{"elements: 10", "elements: 4, element_order: 2"}, steps: 20},
	{name: "y_tree", edit: []string{"elements: 10", "elements: 3", ", damping: {kelvin_voigt_s: 0.0005}", "", "initial_state: equilibrium", ""}, steps: 20},
	{name: "arm_with_rod", edit: []string{"elements: 20", "elements: 10, element_order: 2"}, steps: 30, input: map[string]float64{"servo_jp": 0.4, "servo_jf": 2}},
	{name: "hand", text: handFile, steps: 20, input: map[string]float64{"hand/pose": 0.001}},
	{name: "rubbing", text: rubbingFile, steps: 30},
	{name: "four_bar", text: fourBarFile, steps: 30},
	{name: "lying", text: lyingFile, steps: 60, small: 1e-2},
	{name: "rolling", text: rollingFile, steps: 60, small: 1e-2},
}

// rubbingFile has joints with springs, dampers and friction, of which one sticks, and spins fast. fourBarFile is a loop that closes in a
// plane, with a motor and a length of tendon under control. In lyingFile a rod falls onto a table, on which the bodies of rollingFile lie.
const (
	rubbingFile = `
bodies:
  - {name: rotor, mass_kg: 0.3, inertia_kg_m2: [1e-3, 2e-3, 2.5e-3], center_of_mass_m: [0.02, 0.01, 0.1], velocity_m_per_s: [0, 0, 0], angular_velocity_rad_per_s: [3, 1, 20]}
  - {name: arm, mass_kg: 0.2, inertia_kg_m2: [1e-3, 2e-3, 1.5e-3], center_of_mass_m: [0, 0.02, -0.1]}
  - {name: slide, mass_kg: 0.1, inertia_kg_m2: [1e-4, 2e-4, 3e-4]}
joints:
  - {name: ball, type: spherical, parent: {world: true}, child: {body: rotor}, stiffness: 0.5, damping: 0.01}
  - {name: hinge, type: revolute, axis: [0, 1, 0], parent: {body: rotor, position_m: [0, 0, 0.2]}, child: {body: arm}, friction: 50}
  - {name: rail, type: prismatic, axis: [0.6, 0, 0.8], parent: {body: arm, position_m: [0, 0, -0.2]}, child: {body: slide}, friction: 0.05, damping: 0.2, stiffness: 3}
solver: {step_s: 0.002}
`
	fourBarFile = `
bodies:
  - {name: crank, mass_kg: 0.1, inertia_kg_m2: [1e-5, 1e-4, 1e-4], center_of_mass_m: [0.05, 0, 0]}
  - {name: coupler, mass_kg: 0.2, inertia_kg_m2: [2e-5, 4e-4, 4e-4], center_of_mass_m: [0.1, 0.01, 0]}
  - {name: rocker, mass_kg: 0.1, inertia_kg_m2: [1e-5, 2e-4, 2e-4], center_of_mass_m: [0.07, 0, 0]}
joints:
  - {name: a, type: revolute, axis: [0, 1, 0], parent: {world: true}, child: {body: crank}, position: -1.2, motor: {position: {stiffness: 2, damping: 0.01, max_effort: 5}}}
  - {name: b, type: revolute, axis: [0, 1, 0], parent: {body: crank, position_m: [0.1, 0, 0]}, child: {body: coupler}}
  - {name: c, type: revolute, axis: [0, 1, 0], parent: {world: true, position_m: [0.2, 0, 0]}, child: {body: rocker}}
  - {name: d, type: revolute, axis: [0, 1, 0], parent: {body: rocker, position_m: [0.14, 0, 0]}, child: {body: coupler, position_m: [0.2, 0, 0]}, damping: 0.01}
tendons:
  - {name: cord, route: [{world: true, position_m: [0.1, 0, -0.1]}, {body: coupler, position_m: [0.1, 0, 0.01]}, {body: rocker, position_m: [0.1, 0, 0]}], stiffness_n_per_m: 200, pull_m: 0.01}
solver: {step_s: 0.001}
`
	lyingFile = `
rods: [{name: rod, length_m: 0.2, radius_m: 0.002, youngs_modulus_pa: 1e7, shear_modulus_pa: 4e6, density_kg_per_m3: 1100, elements: 5, element_order: 2, damping: {kelvin_voigt_s: 0.002}}]
joints: [{name: clamp, type: fixed, parent: {world: true, position_m: [0, 0, 0.004], orientation_xyzw: [0, 0.70710678118654757, 0, 0.70710678118654757]}, child: {rod: rod, at_m: 0}}]
environment: {shapes: [{name: floor, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}
solver: {step_s: 0.001}
`
	rollingFile = `
bodies:
  - {name: ball, mass_kg: 0.1, inertia_kg_m2: [1e-5, 1e-5, 1e-5], position_m: [0, 0, 0.02], shapes: [{sphere: {center_m: [0, 0, 0], radius_m: 0.02}}]}
  - {name: crate, mass_kg: 0.2, inertia_kg_m2: [1e-4, 1e-4, 1e-4], position_m: [0.1, 0, 0.02], shapes: [{capsule: {from_m: [-0.03, 0, 0], to_m: [0.03, 0, 0], radius_m: 0.02}}]}
environment: {shapes: [{name: floor, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}
solver: {step_s: 0.001}
`
)

// TestLinearisationAgainstDifferences compares the linearised steps of robots in motion with differences of steps.
func TestLinearisationAgainstDifferences(t *testing.T) {
	for _, o := range linearised {
		t.Run(o.name, func(t *testing.T) {
			f := linearisedFile(t, o.name, o.text, o.edit)
			m := mustModel(t, f)
			dt, small := f.Solver.Step, cmp.Or(o.small, 1)
			for i, p := range m.Ports() {
				if more, ok := o.input[p.Name]; ok && p.Direction == sim.In {
					v := make([]float64, p.Width())
					m.Setpoint(i, v)
					for k := range v {
						if k < 3 {
							v[k] += more * float64(k+1) / 3
						}
					}
					m.Command(i, v)
				}
			}
			for range o.steps {
				if err := m.Step(dt); err != nil {
					t.Fatal(err)
				}
			}
			start := make([]float64, m.StateLen())
			m.Save(start)
			l, err := m.Linearise(dt)
			if err != nil {
				t.Fatal(err)
			}
			after := make([]float64, m.StateLen())
			if m.Save(after); !slices.Equal(after, start) {
				t.Error("the linearisation has changed the state")
			}
			end := func(column int, h float64) level {
				if err := m.Restore(start); err != nil {
					t.Fatal(err)
				}
				changeState(m, l, column, h)
				if err := m.Step(dt); err != nil {
					t.Fatal(err)
				}
				return levelOf(m, f)
			}
			at := end(0, 0)
			if want := 2 * len(at.from(&at)); len(l.States) != want {
				t.Fatalf("%d states, want %d", len(l.States), want)
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range testsize.Of(20, 60, 400) {
				k := r.IntN(len(l.States))
				x := differences(func(h float64) level { return end(k, h) }, &at, small*steps[l.StateUnits[k]])
				compareStep(t, l.States[k], l.StateUnits[k], dt, x, column(l.A, k))
			}
			for k, name := range l.Inputs {
				x := differences(func(h float64) level {
					if err := m.Restore(start); err != nil {
						t.Fatal(err)
					}
					if err := m.StepWith(dt, k, h); err != nil {
						t.Fatal(err)
					}
					return levelOf(m, f)
				}, &at, small*steps[l.InputUnits[k]])
				compareStep(t, name, l.InputUnits[k], dt, x, column(l.B, k))
			}
		})
	}
}

// steps are differences of numbers of the state and of inputs, by unit.
var steps = map[string]float64{"m": 1e-5, "rad": 1e-4, "m/s": 1e-1, "rad/s": 1e-1, "N": 1e-1, "N m": 1e-3}

func column(of [][]float64, k int) (x []float64) {
	for _, row := range of {
		x = append(x, row[k])
	}
	return x
}

// differences are derivatives of order 4 of the end of a step.
func differences(end func(h float64) level, at *level, h float64) (x []float64) {
	for _, side := range [...][2]float64{{1, 8. / 12}, {-1, -8. / 12}, {2, -1. / 12}, {-2, 1. / 12}} {
		e := end(side[0] * h)
		d := e.from(at)
		if x == nil {
			x = make([]float64, len(d))
		}
		for i := range d {
			x[i] += side[1] * d[i] / h
		}
	}
	return x
}

// compareStep compares derivatives of poses and velocities. What joints hold has the round-off of what nothing
// holds would move by, with a mass of 1 kg and a moment of inertia of 0.01 kg m² for wrenches.
func compareStep(t *testing.T, name, unit string, dt float64, want, got []float64) {
	t.Helper()
	free := map[string]float64{"m": 1, "rad": 1, "m/s": dt, "rad/s": dt, "N": dt * dt, "N m": 100 * dt * dt}[unit]
	for part := range 2 {
		n := len(want) / 2
		a, b := want[part*n:(part+1)*n], got[part*n:(part+1)*n]
		most, worst, at := free, 0.0, 0
		for i := range a {
			most = max(most, math.Abs(a[i]))
			if d := math.Abs(a[i] - b[i]); d > worst {
				worst, at = d, i
			}
		}
		if worst > 1e-6*most {
			t.Errorf("d %s %d / d %s: %.9g, want %.9g (%.2g of the largest %.3g)", [...]string{"pose", "velocity"}[part], at, name, b[at], a[at], worst/most, most)
		}
		free /= dt
	}
}

func linearisedFile(t *testing.T, name, text string, edit []string) *robotfile.Mechanism {
	t.Helper()
	if text != "" {
		return parse(t, name, text)
	}
	text = textOf(t, name)
	for i := 0; i < len(edit); i += 2 {
		text = strings.ReplaceAll(text, edit[i], edit[i+1])
	}
	return parse(t, name, text)
}

// changeState changes one number of the state by h.
func changeState(m *multibody.Model, l *sim.Linearisation, column int, h float64) {
	n := len(l.States) / (6 * sim.StateParts)
	var of [sim.StateParts][]spatial.Vec6
	for p := range of {
		of[p] = make([]spatial.Vec6, n)
	}
	of[column/(6*n)][column/6%n][column%6] = h
	m.World().AddLevelIncrements(&strain.LevelIncrement{Pose: of[0], Velocity: of[1]}, &strain.LevelIncrement{Pose: of[2], Velocity: of[3]})
}

// TestLinearisedStepsFollowOneAnother predicts many steps of a loop by the product of their linearisations.
func TestLinearisedStepsFollowOneAnother(t *testing.T) {
	f := parse(t, "four_bar", fourBarFile)
	m := mustModel(t, f)
	for range 10 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	start := make([]float64, m.StateLen())
	m.Save(start)
	const steps, torque = 30, 1e-4
	var x []float64 // the state by the torque
	run := func(more float64, linearise bool) level {
		if err := m.Restore(start); err != nil {
			t.Fatal(err)
		}
		m.World().SetBodyWrench(2, spatial.Wrench{Moment: spatial.Vec{Y: more}}, false)
		for range steps {
			if linearise {
				l, err := m.Linearise(1e-3)
				if err != nil {
					t.Fatal(err)
				}
				in := slices.Index(l.Inputs, "rocker.moment_y")
				next := column(l.B, in)
				for i := range next {
					for k := range x {
						next[i] += l.A[i][k] * x[k]
					}
				}
				x = next
			}
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
		return levelOf(m, f)
	}
	run(0, true)
	upper, lower := run(torque, false), run(-torque, false)
	want := upper.from(&lower)
	most, worst := [2]float64{}, [2]float64{}
	for i := range want {
		part := i / (len(want) / 2)
		want[i] /= 2 * torque
		most[part], worst[part] = max(most[part], math.Abs(want[i])), max(worst[part], math.Abs(want[i]-x[i]))
	}
	for part := range most {
		if worst[part] > 1e-5*most[part] {
			t.Errorf("part %d: off by %.3g of %.3g", part, worst[part], most[part])
		}
	}
}

// TestStepsThatAreNotLinearised names what has more state than poses and velocities.
func TestStepsThatAreNotLinearised(t *testing.T) {
	contact := strings.Replace(rollingFile, "environment: {", "environment: {friction_coefficient: 0.3, ", 1)
	frictional := strings.Replace(handFile, "tension_n: 1", "tension_n: 1, friction_coefficient: 0.1", 1)
	damped := strings.Replace(handFile, "elements: 8}", "elements: 8, damping: {kelvin_voigt_s: 0.001}}", 1)
	falling := strings.Replace(rollingFile, "position_m: [0, 0, 0.02]", "position_m: [0, 0, 0.0202]", 1)
	for _, o := range []struct{ text, want string }{
		{contact, `"ball" and "floor" touch with friction`}, {frictional, `tendon "flexor" has friction`},
		{damped, `rod "finger" has damped elements of order 4`}, {falling, "hits a stop or a surface"},
	} {
		m := mustModel(t, parse(t, "robot", o.text))
		var err error
		for range 20 {
			if _, err = m.Linearise(1e-3); err != nil || m.Step(1e-3) != nil {
				break
			}
		}
		if !errors.Is(err, sim.ErrNoLinearisation) || !strings.Contains(err.Error(), o.want) {
			t.Errorf("error %v, want ErrNoLinearisation: %s", err, o.want)
		}
	}
}
