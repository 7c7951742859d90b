package continuum

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Inputs of a Jacobian are changed by so much either way where the change of the equations is
// taken by a difference: the pose of the base (m and rad), whose strains stay, so that nothing
// stiff enters, and the tension (N) of tendons with friction, in proportion to 1 N + the tension.
const jacobianStep = 1e-5

// input is one input of a Jacobian: how the equations change with it, at the poses of an equilibrium.
type input struct {
	name, unit string
	wrench     []spatial.Vec6 // on the nodes 1 … n, body axes
	gap        []float64      // by tendon under length control, of stretch, m
	limit      []float64      // by tendon, of the tension at which it yields, N
	rigid      spatial.Twist  // of the whole robot, about the base, world axes
}

// changes are how the equations of an equilibrium or a step change with its inputs.
type changes struct {
	at       *iterate
	assemble func()  // the equations at the measured shape
	baseStep float64 // by which the base moves either way, in rad or lengths of the rod
}

// equations adds scale times what is left of the equations at the present shape: wrenches on the nodes
// and, by tendon, what is missing to its constraint.
func (s *changes) equations(x *input, scale float64) {
	s.at.measure()
	s.assemble()
	s.at.linear.oppose()
	addScaled(x.wrench, scale, s.at.linear.x)
	t := s.at.tendons
	for k, d := range t.setpoints {
		if d.Mode == lengthControl {
			x.gap[k] += scale * (t.stretch(k, d) - t.tensions[k]/t.actuators[k].stiffness - t.lent(k))
		}
	}
}

// newInput makes an input without effect.
func (s *changes) newInput(name, unit string) input {
	n := len(s.at.tendons.actuators)
	return input{name: name, unit: unit, wrench: make([]spatial.Vec6, len(s.at.linear.x)), gap: make([]float64, n), limit: make([]float64, n)}
}

// listInputs lists how the equations of the equilibrium change with tensions or pulls, the pose of the
// base, force and moment on the tip, and the field at magnets.
func (s *changes) listInputs() (all []input) {
	for k := range s.at.tendons.setpoints {
		all = append(all, s.tendonInput(k))
	}
	return slices.Concat(all, s.baseInputs(), s.tipInputs(), s.fieldInputs())
}

// tendonInput is the tension or the pull of tendon k.
func (s *changes) tendonInput(k int) input {
	t := s.at.tendons
	d := &t.setpoints[k]
	if d.Mode == lengthControl {
		x := s.newInput("pull."+t.actuators[k].name, "m")
		x.gap[k] = 1
		return x
	}
	x, was := s.newInput("tension."+t.actuators[k].name, "N"), d.Tension
	h := jacobianStep * (1 + was)
	for _, side := range [...]float64{1, -1} {
		d.Tension = was + side*h
		s.equations(&x, side/(2*h))
	}
	d.Tension = was
	return x
}

// baseInputs are translations and rotations of the base about itself, world axes. All that is
// inside the robot goes along as it is; what acts from outside does not. What walls press is smooth over a
// thousandth of a radius only: its derivative is no difference.
func (s *changes) baseInputs() []input {
	q := s.at.linear
	c := q.contacts
	q.contacts = nil
	all := s.movedBase()
	if q.contacts = c; c == nil {
		return all
	}
	s.at.measure()
	for k := range all {
		clear(q.bare.Wrench)
		c.AddMoved(s.at.rod, all[k].rigid, q.bare.Wrench)
		q.oppose()
		addScaled(all[k].wrench, 1, q.x)
	}
	return all
}

// movedBase takes them by differences of the equations.
func (s *changes) movedBase() (all []input) {
	r := s.at.rod
	was := r.Base
	for i, name := range [...]string{"base.x", "base.y", "base.z", "base.rx", "base.ry", "base.rz"} {
		var v [6]float64
		v[i] = 1
		h := s.baseStep
		x := s.newInput(name, "m")
		x.rigid = spatial.Twist{Linear: spatial.VecAt(v[:]), Angular: spatial.VecAt(v[3:])}
		if i >= 3 {
			x.unit = "rad"
		} else {
			h *= s.at.linear.length
		}
		for _, side := range [...]float64{1, -1} {
			r.Base = spatial.Pose{R: spatial.ExpRot(x.rigid.Angular.Scale(side * h)).Mul(was.R), P: was.P.AddScaled(side*h, x.rigid.Linear)}
			r.Update()
			s.equations(&x, side/(2*h))
		}
		all = append(all, x)
	}
	r.Base = was
	r.Update()
	return all
}

// tipInputs are force and moment on the last node, world axes.
func (s *changes) tipInputs() (all []input) {
	n := len(s.at.linear.x)
	turn := &s.at.rod.Pose[n].R
	for i, name := range [...]string{"tip_force.x", "tip_force.y", "tip_force.z", "tip_moment.x", "tip_moment.y", "tip_moment.z"} {
		var v [6]float64
		v[i] = 1
		x := s.newInput(name, "N")
		if i >= 3 {
			x.unit = "N m"
		}
		x.wrench[n-1] = spatial.Vec6Of(turn.ApplyT(spatial.VecAt(v[:])), turn.ApplyT(spatial.VecAt(v[3:])))
		all = append(all, x)
	}
	return all
}

// respond returns how the last node moves with an input, m and rad in world axes, and then by
// tendon its tension, N, by the factored tangent. Tendons that are slack, or yield, remain so. left is as of follow.
func (s *statics) respond(x *input) (out []float64, left float64, err error) {
	q, c := s.at.linear, s.at.linear.cables
	if left, err = q.follow(x, s.turning); err != nil {
		return nil, 0, fmt.Errorf("by %s: %w", x.name, err)
	}
	out = make([]float64, 6+len(x.gap))
	for p := range c.list {
		k := &c.list[p]
		out[6+k.tendon] = k.change
	}
	n := len(q.x)
	end, base := &s.at.rod.Pose[n], s.at.rod.Base.P
	end.R.Apply(q.x[n-1].Linear()).Add(x.rigid.Linear).Add(x.rigid.Angular.Cross(end.P.Sub(base))).Put(out)
	end.R.Apply(q.x[n-1].Angular()).Add(x.rigid.Angular).Put(out[3:])
	return out, left, nil
}

// mostSkewed bounds the iterations by which the part of the tangent comes in that is not symmetric,
// skewRoundoff is where they end: each makes the error smaller by the unbalanced wrenches over the
// stiffness. Of slender rods round-off leaves more; then they end below mostInexact where the change hardly falls any more, to
// less than a share stagnant.
const (
	mostSkewed   = 300
	skewRoundoff = 1e-13
	stagnant     = 0.5
	mostInexact  = 1e-9
)

// errInexact: the iteration for what is out of balance does not end.
var errInexact = errors.New("what is out of balance is too much beside the stiffness")

// follow finds how the nodes move with an input, body axes, and the tensions of cables change. In an equilibrium the
// first solution is exact. Elsewhere the wrenches turn against the nodes, which the factors leave out but at the
// turning nodes, and which is put in by iteration. left is the relative change at its end, 0 for round-off.
func (q *linearSystem) follow(x *input, turning []int) (left float64, err error) {
	copy(q.x, x.wrench)
	ok, last := q.answer(x), math.Inf(1)
	for range mostSkewed {
		if !ok {
			return 0, integrate.ErrSingularTangent
		}
		copy(q.rough, q.x)
		q.nodes.SkewResidual(x.wrench, q.x)
		for _, i := range turning {
			q.x[i-1] = x.wrench[i-1]
		}
		ok = q.answer(x)
		size, change := 0.0, 0.0
		for i := range q.x {
			for j, v := range q.x[i] {
				size, change = max(size, math.Abs(v)), max(change, math.Abs(v-q.rough[i][j]))
			}
		}
		switch left = change / size; {
		case !ok:
			return 0, integrate.ErrSingularTangent
		case size == 0 || left <= skewRoundoff:
			return 0, nil
		case !(left < math.Inf(1)):
			return 0, integrate.ErrSingularTangent
		case left > stagnant*last && left <= mostInexact:
			return left, nil
		}
		last = left
	}
	return 0, fmt.Errorf("%w: after %d iterations %.2g of the derivative still changes, allowed: up to %g", errInexact, mostSkewed, last, mostInexact)
}

// answer replaces wrenches on the nodes by how these move and the tensions change, by the factors.
func (q *linearSystem) answer(x *input) (ok bool) {
	c := q.cables
	ok = q.border.solve(q.matrix, q.x)
	for p := range c.list {
		k := &c.list[p]
		k.excess = x.gap[k.tendon] + inner(k.a, q.x)
		switch {
		case k.tension <= 0:
			k.bound, k.tension = slack, 0
		case k.tension >= k.limit:
			k.bound, k.tension, k.rise = yield, k.limit, x.limit[k.tendon]
		default:
			k.bound = free
		}
	}
	ok = c.balance() && ok
	for p := range c.list {
		k := &c.list[p]
		addScaled(q.x, -k.change, k.y)
		k.rise = 0
	}
	return ok
}

// differentiate takes the Jacobian at the present shape, which is in equilibrium.
func (s *statics) differentiate() (*sim.Jacobian, error) {
	columns := changes{s.at, func() { s.Assemble(0) }, jacobianStep}
	all := columns.listInputs()
	for k := range s.by {
		x, err := columns.numberInput(&s.by[k])
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	s.at.measure()
	s.skipFriction = 0
	s.Assemble(0)
	if s.at.tendons.grips() && s.hasPotential() { // friction hides eigenvalues
		if s.Negative() > 0 {
			return nil, ErrUnstableEquilibrium
		}
		s.skipFriction = 0
		s.Assemble(0)
	}
	switch _, negative, ok := s.Increment(); {
	case !ok:
		return nil, integrate.ErrSingularTangent
	case negative > 0 && s.hasPotential() && !s.at.tendons.grips(): // as solve does
		return nil, ErrUnstableEquilibrium
	}
	j := &sim.Jacobian{
		Outputs:     []string{"tip.x", "tip.y", "tip.z", "tip.rx", "tip.ry", "tip.rz"},
		OutputUnits: []string{"m", "m", "m", "rad", "rad", "rad"},
	}
	for k := range s.at.tendons.actuators {
		j.Outputs, j.OutputUnits = append(j.Outputs, "tension."+s.at.tendons.actuators[k].name), append(j.OutputUnits, "N")
	}
	j.Values = make([][]float64, len(j.Outputs))
	for k := range all {
		x := &all[k]
		j.Inputs, j.InputUnits = append(j.Inputs, x.name), append(j.InputUnits, x.unit)
		answer, left, err := s.respond(x)
		if err != nil {
			return nil, err
		}
		j.Inexact = max(j.Inexact, left)
		for i, v := range answer {
			if x.name == j.Outputs[i] { // a commanded tension is as commanded
				v = 1
			}
			j.Values[i] = append(j.Values[i], v)
		}
	}
	return j, nil
}

// HasDerivatives implements sim.Differentiable: with method implicit.
func (m *Model) HasDerivatives() bool {
	_, ok := m.engine.(*implicit)
	return ok
}

// Jacobian implements sim.Differentiable: how pose of the tip and tensions answer the tension or the
// pull of each tendon, small motions of the base, and force and moment on the tip, all in world axes
// and rotations as rotation vectors; with magnets on the rod also a uniform field and small motions of the magnets around
// it. The tip's answer to force and moment is its compliance. It is the derivative of the
// equations of the equilibrium, by the implicit function theorem, and needs method implicit. Tendons
// that are slack or yield remain so; friction acts as in the equilibrium. Numbers of the robot count with the commands
// that their models have; those of robots with friction need models that have not moved, in their first equilibrium.
func (m *Model) Jacobian(by ...sim.Varied) (*sim.Jacobian, error) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return nil, ErrNoJacobian
	}
	before := m.beginEquilibrium()
	e.statics.derives, e.statics.by = true, by
	err := e.Equilibrate(&m.in)
	e.statics.derives, e.statics.by = false, nil
	_ = m.Restore(before) // which Save has written
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoEquilibrium, err)
	}
	return e.statics.jacobian, nil
}

// Tangent implements sim.Differentiable: the Jacobian of the equations without inertia and damping at
// the present strains, tensions and base. What is out of equilibrium counts as a dead load. Friction of
// tendons and in the rod is as in an equilibrium from there, that of walls is part of the dead load.
func (m *Model) Tangent() (*sim.Jacobian, error) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return nil, ErrNoJacobian
	}
	before := make([]float64, m.StateLen())
	m.Save(before)
	m.setLoads()
	m.in.Time, m.in.Start = m.time, m.time
	e.setField(0)
	e.statics.hold(&m.in)
	j, err := e.statics.differentiate()
	_ = m.Restore(before) // which Save has written
	if err != nil {
		return nil, fmt.Errorf("no derivative at the present shape: %w", err)
	}
	return j, nil
}
