package motion

import (
	"fmt"
	"strconv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// linearised is a step that is linearised at its end.
type linearised struct {
	*Stepper
	step    equations.Step
	plan    plan
	start   []float64 // the state at the start
	end     equations.Point
	columns equations.Derivatives
}

// move changes the state at the start of the step, with what presses there.
func (s *linearised) move(now, before *strain.LevelIncrement) {
	s.system.State.AddLevelIncrements(now, before)
	s.system.CommitAtRest()
	for _, e := range s.system.Prescribed() {
		e.SetTargets()
	}
}

// polish is how many iterations, of increments that are refined so often, make the solution of a step exact to round-off.
const polish, polishRefinements = 3, 12

// Linearise takes the derivatives of the next step of dt seconds by its state and its inputs, see
// sim.Linearisable. The error is sim.ErrNoLinearisation where the robot has more state than poses and velocities, or kinks,
// and that of Step where the step is not solved as a whole. The state stays what it was only if the caller restores it.
func (m *Stepper) Linearise(time, dt float64) (*sim.Linearisation, error) {
	if why := m.nonlinearisable(); why != "" {
		return nil, fmt.Errorf("%w: %s", sim.ErrNoLinearisation, why)
	}
	s := linearised{
		Stepper: m, step: equations.Step{Time: time, Dt: dt, Whole: time}, plan: m.history.plan(dt), start: make([]float64, m.StateLen()),
	}
	m.Save(s.start)
	for _, e := range m.system.Prescribed() {
		e.BeginDivision()
	}
	s.columns = equations.Derivatives{System: m.system, Assemble: m.system.AssembleWrenches, BaseStep: baseStep}
	if len(m.system.Obstacles()) > 0 {
		s.columns.BaseStep = baseStepBesideWalls
	}
	if err := s.solve(); err != nil {
		return nil, err
	}
	inputs := s.columns.Inputs()
	m.system.UpdateKinematics()
	if !s.factor() {
		return nil, integrate.ErrSingularTangent
	}
	l := s.describe(inputs)
	for part := range sim.StateParts {
		if err := s.stateColumns(l, part); err != nil {
			return nil, err
		}
	}
	for k := range inputs {
		if err := s.inputColumn(l, k, &inputs[k]); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// nonlinearisable says why steps of the robot have no linearisation; empty: they have one.
func (m *Stepper) nonlinearisable() string {
	if why := m.system.Nonlinearisable(); why != "" {
		return why
	}
	if !m.system.State.HasTwoLevelState() {
		return "its rod has viscoelasticity, bending_friction, a payload off its centreline, or damped elements of order 4; element_order: 2 has none of these"
	}
	return ""
}

// solve finds the end of the step.
func (s *linearised) solve() error {
	s.begin(s.step, &s.plan)
	s.predict(&s.plan)
	i := &s.iteration
	s.report = Report{Report: i.newton.Solve(i), Order: s.plan.order}
	if err := s.check(s.step, true); err != nil {
		return err
	}
	was := i.refinements
	s.system.ByNodes, i.refinements = true, polishRefinements
	defer func() { s.system.ByNodes, i.refinements = false, was }()
	for range polish {
		i.Assemble(0)
		if _, _, ok := i.Increment(); !ok {
			return integrate.ErrSingularTangent
		}
		i.Move(1)
	}
	s.end = s.system.Present()
	return nil
}

// StepExactly is Step but for that the step is solved to round-off, as differences of steps need, and is not divided.
func (m *Stepper) StepExactly(time, dt float64) error {
	s := linearised{Stepper: m, step: equations.Step{Time: time, Dt: dt, Whole: time}, plan: m.history.plan(dt)}
	if err := s.solve(); err != nil {
		m.revert()
		return err
	}
	m.commit(&s.plan)
	return nil
}

// factor factors the tangent at the end of the step.
func (s *linearised) factor() bool {
	s.system.Assemble(0)
	if _, ok := s.system.Factor(); !ok {
		return false
	}
	s.system.AddColumns(equations.StepScope)
	return s.system.Columns.IsRegular()
}

// place begins the step from the state at its start, changed so, and moves it to where it ended.
func (s *linearised) place(now, before *strain.LevelIncrement) {
	s.Restore(s.start)
	s.move(now, before)
	s.begin(s.step, &s.plan)
	s.system.MoveTo(s.end)
}

// Increments of the state are so large either way. Of velocities the equations are a polynomial of order 2, of which
// differences are exact. Poses change velocities by as much as steps are short, and quadratic drag has a kink at rest.
const levelStep, velocityStep = 1e-6, 1e-2

// The base moves by so much either way, rad or lengths of the rod: its strains stay, so that nothing stiff enters. Beside walls, where
// more of a rod is at rest, it moves less.
const baseStep, baseStepBesideWalls = 1e-7, 3e-8

// stride is how far nodes are apart whose past does not meet in the equations of any node.
const stride = 3

// level returns the increments of a part of the state, of all nodes i, i + stride, … in coordinate c by h.
func (s *linearised) level(part, i, c int, h float64) (now, before strain.LevelIncrement) {
	n := len(s.system.X)
	var of [sim.StateParts][]spatial.Vec6
	for p := range of {
		of[p] = make([]spatial.Vec6, n)
	}
	for ; i < n; i += stride {
		of[part][i][c] = h
	}
	return strain.LevelIncrement{Pose: of[0], Velocity: of[1]}, strain.LevelIncrement{Pose: of[2], Velocity: of[3]}
}

// stateColumns fills in the columns of a part of the state. What the past of one node does to the equations is taken
// together with that of others that are far enough.
func (s *linearised) stateColumns(l *sim.Linearisation, part int) error {
	n := len(s.system.X)
	zero := make([]spatial.Vec6, n)
	still := strain.LevelIncrement{Pose: zero, Velocity: zero}
	for c := range 6 {
		h := velocityStep
		if part%2 == 0 {
			if h = levelStep; c < 3 {
				h *= s.system.Rod.ElementLength
			}
		}
		for first := range min(stride, n) {
			all := s.columns.NewInput(equations.NumberInput, "", "")
			for _, side := range [...]float64{1, -1} {
				now, before := s.level(part, first, c, side*h)
				s.place(&now, &before)
				s.columns.AddEquations(&all, side/(2*h))
			}
			clear(all.Gap) // of which the past is no part
			s.place(&still, &still)
			for i := first; i < n; i += stride {
				x := s.columns.NewInput(equations.NumberInput, "", "")
				for j := max(0, i-1); j < min(n, i+2); j++ {
					x.Wrench[j] = all.Wrench[j]
				}
				left, err := s.system.Respond(&x)
				if err != nil {
					return err
				}
				l.Inexact = max(l.Inexact, left)
				unit := make([]spatial.Vec6, n)
				unit[i][c] = 1
				now, before := zero, zero
				if part == 0 {
					now = unit
				} else if part == 2 {
					before = unit
				}
				s.put(l.A, (part*n+i)*6+c, now, before)
			}
		}
	}
	return nil
}

// put writes a column of poses and velocities at the end of the step, of which the increments of the nodes are in x.
func (s *linearised) put(to [][]float64, column int, now, before []spatial.Vec6) {
	x := s.system.X
	velocity := make([]spatial.Vec6, len(x))
	for i := range x {
		velocity[i] = s.system.State.VelocityIncrement(&s.plan.formula, i+1, &x[i], &now[i], &before[i])
	}
	sim.SetColumn(to, column, x, velocity)
}

// inputColumn fills in the column of an input.
func (s *linearised) inputColumn(l *sim.Linearisation, k int, in *equations.Input) error {
	left, err := s.system.Respond(in)
	if err != nil {
		return fmt.Errorf("by %s: %w", in.Name, err)
	}
	l.Inexact = max(l.Inexact, left)
	x := s.system.X
	for i := range x {
		g := &s.system.State.Pose[i+1]
		v, w := in.Rigid.Linear.Add(in.Rigid.Angular.Cross(g.P.Sub(s.system.State.Base.P))), in.Rigid.Angular
		rigid := spatial.Vec6Of(g.R.ApplyT(v), g.R.ApplyT(w))
		equations.AddScaled(x[i:i+1], 1, []spatial.Vec6{rigid})
	}
	zero := make([]spatial.Vec6, len(x))
	s.put(l.B, k, zero, zero)
	return nil
}

// describe makes a linearisation without values but those of C.
func (s *linearised) describe(inputs []equations.Input) *sim.Linearisation {
	n := len(s.system.X)
	var nodes, names, units []string
	for i := range n {
		nodes = append(nodes, strconv.Itoa(i+1))
	}
	for k := range inputs {
		names, units = append(names, inputs[k].Name), append(units, inputs[k].Unit)
	}
	l := sim.NewTwoLevelLinearisation(nodes, names, units)
	l.AddPoseOutputs("tip.", n-1, &s.system.State.Pose[n].R)
	return l
}
