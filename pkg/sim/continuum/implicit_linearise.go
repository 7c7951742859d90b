package continuum

import (
	"errors"
	"fmt"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// ErrNoLinearisation: a step is not linearised of everything that method implicit knows.
var ErrNoLinearisation = errors.New("a step of this robot is not linearised")

// unlinear says what of a robot is not linearised; empty: nothing. It either has a kink, or a state besides poses and velocities.
func (e *implicit) unlinear() string {
	switch {
	case e.robot.file.Environment.SelfContact:
		return "it may touch itself"
	case slices.ContainsFunc(e.robot.walls, func(w contact.Wall) bool { return w.Friction != 0 }):
		return "its walls have friction"
	case e.tendons.frictional():
		return "its tendons have friction"
	case e.tendons.transverse:
		return "disk_force is transverse"
	case !e.rod.IsOfTwoLevels():
		return "its rod has viscoelasticity, bending_friction, a payload off its centreline, or damped elements of order 4; element_order: 2 has none of these"
	}
	return ""
}

// Linearise implements sim.Linearisable. What decides the next step of BDF2, and so is the state, are poses and velocities of
// the nodes from 1 on, now and one step before, in four parts of six numbers a node: pose and pose_before are body increments, to
// the right of the pose, m and rad; velocity and velocity_before are m/s in world axes and rad/s in body axes. Inputs are those of
// Jacobian, held during the step; base and magnets around the robot are their poses at the end, those of before stay. Outputs are the tip at the end, in world axes.
// Tendons that are slack or yield remain so. Walls without friction press by how deep the rod is in them at both ends of the step; where they
// go is given. What motors of drives do is no part of the state: inputs are the pulls and tensions that they
// have at the end of the step, and their lag comes before. The derivative is by the implicit function theorem, with the factored tangent of the
// solved step; how its equations change with the state is taken by differences of them, of every third node at once.
// The error is ErrNoLinearisation where a robot has more state than that, or kinks, ErrNoJacobian with other methods, and that
// of Step where the step is not solved as a whole.
func (m *Model) Linearise(dt float64) (*sim.Linearisation, error) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return nil, ErrNoJacobian
	}
	if why := e.unlinear(); why != "" {
		return nil, fmt.Errorf("%w: %s", ErrNoLinearisation, why)
	}
	before := make([]float64, m.StateLen())
	m.Save(before)
	m.setLoads()
	m.in.Time, m.in.Start = m.time, m.time
	m.moveBase(dt)
	m.moveShapes(dt)
	m.joints.advance(dt, &m.in)
	l, err := e.linearise(dt, &m.in)
	_ = m.Restore(before) // which Save has written
	return l, err
}

// linearised is a step that is linearised at its end.
type linearised struct {
	*implicit
	in       *inputs
	plan     plan
	start    []float64 // state of the engine
	strains  []spatial.Twist
	tensions []float64
	walls    []spatial.Pose // at the end
	columns  changes
}

// move changes the state at the start of the step: what is pressed there, too.
func (s *linearised) move(now, before *strain.Level) {
	s.rod.MoveLevels(now, before)
	if c := s.at.contacts; c != nil {
		c.Rest(s.rod)
		for w := range s.walls {
			c.MoveWall(w, s.walls[w])
		}
	}
}

// polish is how many iterations, of increments that are refined so often, make the solution of a step exact to round-off.
const polish, polishRefinements = 3, 12

// linearise takes the derivatives of the next step.
func (e *implicit) linearise(dt float64, in *inputs) (*sim.Linearisation, error) {
	s := linearised{implicit: e, in: in, plan: e.history.plan(dt), start: make([]float64, e.StateLen())}
	e.Save(s.start)
	if c := e.at.contacts; c != nil {
		for w := range c.Walls {
			s.walls = append(s.walls, c.WallTarget(w))
		}
	}
	s.columns = changes{e.at, s.assemble, baseStepInMotion}
	if err := s.solve(); err != nil {
		return nil, err
	}
	inputs := s.listInputs()
	s.at.measure()
	if !s.factor() {
		return nil, integrate.ErrSingularTangent
	}
	l := s.describe(inputs)
	for part := range stateParts {
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

// solve finds the end of the step.
func (s *linearised) solve() error {
	s.begin(&s.plan, s.in)
	s.predict(&s.plan)
	s.report = report{Report: s.options.newton.Solve(&s.motion), order: s.plan.order}
	if err := s.check(&s.plan, s.in); err != nil {
		return err
	}
	was := s.options.refinements
	s.at.byNodes, s.options.refinements = true, polishRefinements
	defer func() { s.at.byNodes, s.options.refinements = false, was }()
	for range polish {
		s.motion.Assemble(0)
		if _, _, ok := s.motion.Increment(); !ok {
			return integrate.ErrSingularTangent
		}
		s.motion.Move(1)
	}
	s.strains, s.tensions = slices.Clone(s.rod.Strain), slices.Clone(s.tendons.tensions)
	return nil
}

// listInputs lists the inputs.
func (s *linearised) listInputs() []input {
	if s.at.contacts != nil {
		s.columns.baseStep = baseStepBesideWalls
	}
	return s.columns.listInputs()
}

// factor factors the tangent at the end of the step.
func (s *linearised) factor() bool {
	s.motion.Assemble(0)
	if _, ok := s.at.linear.factor(); !ok {
		return false
	}
	s.motion.fillBorder()
	return s.at.linear.border.ok
}

// assemble assembles the equations of the step and leaves the factors of their tangent.
func (s *linearised) assemble() {
	s.tendons.setTensions()
	s.at.linear.assembleResidual(s.rod, s.tendons)
}

// place begins the step from the state at its start, changed so, and puts it where it ended.
func (s *linearised) place(now, before *strain.Level) {
	s.Restore(s.start)
	s.move(now, before)
	s.begin(&s.plan, s.in)
	copy(s.rod.Strain, s.strains)
	copy(s.tendons.tensions, s.tensions)
	s.rod.Update()
	s.at.measure()
}

// A state has four parts of six coordinates for each node: poses and velocities, now and one step before.
const stateParts = 4

// Increments of the state are so large either way. Of velocities the equations are a polynomial of order 2, of which
// differences are exact. Poses change velocities by as much as steps are short, and quadratic drag has a kink at rest.
const levelStep, velocityStep = 1e-6, 1e-2

// baseStepInMotion is jacobianStep for the base in a step, for the same reason, and baseStepBesideWalls there, where more of a rod
// is at rest.
const baseStepInMotion, baseStepBesideWalls = 1e-7, 3e-8

// stride is how far nodes are apart whose past does not meet in the equations of any node.
const stride = 3

// level returns the increments of a part of the state, of all nodes i, i + stride, … in coordinate c by h.
func (s *linearised) level(part, i, c int, h float64) (now, before strain.Level) {
	n := len(s.at.linear.x)
	var of [stateParts][]spatial.Vec6
	for p := range of {
		of[p] = make([]spatial.Vec6, n)
	}
	for ; i < n; i += stride {
		of[part][i][c] = h
	}
	return strain.Level{Pose: of[0], Velocity: of[1]}, strain.Level{Pose: of[2], Velocity: of[3]}
}

// stateColumns fills in the columns of a part of the state. What the past of one node does to the equations is taken
// together with that of others that are far enough.
func (s *linearised) stateColumns(l *sim.Linearisation, part int) error {
	n := len(s.at.linear.x)
	zero := make([]spatial.Vec6, n)
	still := strain.Level{Pose: zero, Velocity: zero}
	for c := range 6 {
		h := velocityStep
		if part%2 == 0 {
			if h = levelStep; c < 3 {
				h *= s.at.linear.elementLength
			}
		}
		for first := range min(stride, n) {
			all := s.columns.newInput("", "")
			for _, side := range [...]float64{1, -1} {
				now, before := s.level(part, first, c, side*h)
				s.place(&now, &before)
				s.columns.equations(&all, side/(2*h))
			}
			clear(all.gap) // of which the past is no part
			s.place(&still, &still)
			for i := first; i < n; i += stride {
				x := s.columns.newInput("", "")
				for j := max(0, i-1); j < min(n, i+2); j++ {
					x.wrench[j] = all.wrench[j]
				}
				left, err := s.at.linear.follow(&x, nil)
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
				column := (part*n+i)*6 + c
				s.put(l.A, column, now, before)
				if part < 2 {
					l.A[column+2*6*n][column] = 1
				}
			}
		}
	}
	return nil
}

// put writes a column of poses and velocities at the end of the step, of which the increments of the nodes are in x.
func (s *linearised) put(to [][]float64, column int, now, before []spatial.Vec6) {
	x := s.at.linear.x
	for i := range x {
		v := s.rod.VelocityChange(&s.plan.formula, i+1, &x[i], &now[i], &before[i])
		for c := range 6 {
			to[6*i+c][column], to[6*(len(x)+i)+c][column] = x[i][c], v[c]
		}
	}
}

// inputColumn fills in the column of an input.
func (s *linearised) inputColumn(l *sim.Linearisation, k int, in *input) error {
	left, err := s.at.linear.follow(in, nil)
	if err != nil {
		return fmt.Errorf("by %s: %w", in.name, err)
	}
	l.Inexact = max(l.Inexact, left)
	x := s.at.linear.x
	for i := range x {
		g := &s.rod.Pose[i+1]
		v, w := in.rigid.Linear.Add(in.rigid.Angular.Cross(g.P.Sub(s.rod.Base.P))), in.rigid.Angular
		rigid := spatial.Vec6Of(g.R.ApplyT(v), g.R.ApplyT(w))
		addScaled(x[i:i+1], 1, []spatial.Vec6{rigid})
	}
	zero := make([]spatial.Vec6, len(x))
	s.put(l.B, k, zero, zero)
	return nil
}

// describe makes a linearisation without values but those of C.
func (s *linearised) describe(inputs []input) *sim.Linearisation {
	n := len(s.at.linear.x)
	l := &sim.Linearisation{
		Outputs:     []string{"tip.x", "tip.y", "tip.z", "tip.rx", "tip.ry", "tip.rz"},
		OutputUnits: []string{"m", "m", "m", "rad", "rad", "rad"},
	}
	for p, kind := range [stateParts]string{"pose", "velocity", "pose_before", "velocity_before"} {
		for i := range n {
			for c, axis := range [...]string{"x", "y", "z", "rx", "ry", "rz"} {
				unit := [...]string{"m", "rad"}[c/3]
				if p%2 == 1 {
					unit += "/s"
				}
				l.States, l.StateUnits = append(l.States, fmt.Sprintf("%s.%d.%s", kind, i+1, axis)), append(l.StateUnits, unit)
			}
		}
	}
	for k := range inputs {
		l.Inputs, l.InputUnits = append(l.Inputs, inputs[k].name), append(l.InputUnits, inputs[k].unit)
	}
	matrix := func(rows, columns int) (m [][]float64) {
		for range rows {
			m = append(m, make([]float64, columns))
		}
		return m
	}
	l.A, l.B, l.C = matrix(len(l.States), len(l.States)), matrix(len(l.States), len(inputs)), matrix(6, len(l.States))
	r := &s.rod.Pose[n].R
	for c := range 3 {
		var v [3]float64
		v[c] = 1
		for row, x := range numbersOf(r.Apply(spatial.VecAt(v[:]))) {
			l.C[row][6*(n-1)+c], l.C[3+row][6*(n-1)+3+c] = x, x
		}
	}
	return l
}

func numbersOf(v spatial.Vec) [3]float64 { return [...]float64{v.X, v.Y, v.Z} }
