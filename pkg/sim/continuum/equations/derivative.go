package equations

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// InputKind orders the inputs of a Jacobian.
type InputKind uint8

// The kinds of inputs, in the order of the columns of a Jacobian.
const (
	ActuationInput InputKind = iota
	BaseInput
	LoadInput
	FieldInput
	NumberInput
)

// Input is one input of a derivative: how the equations change with it at the poses of an iterate.
type Input struct {
	Name, Unit string
	Kind       InputKind
	Wrench     []spatial.Vec6 // on the nodes 1 … n, body axes
	Gap        []float64      // of each constraint, in its own unit of s
	Min, Max   []float64      // of the bounds of each multiplier, N
	Rigid      spatial.Twist  // of the whole robot, about the base, world axes
}

// Derivatives takes derivatives of the equations at an iterate by their inputs.
type Derivatives struct {
	System *System
	// Assemble assembles the equations at the measured iterate.
	Assemble func()
	// BaseStep is by how much the base moves either way, in rad or lengths of the rod.
	BaseStep float64
}

// NewInput makes an input without effect.
func (d *Derivatives) NewInput(kind InputKind, name, unit string) Input {
	x := d.System.NoInput()
	x.Kind, x.Name, x.Unit, x.Wrench = kind, name, unit, make([]spatial.Vec6, len(d.System.X))
	return *x
}

// FirstConstraint is the number of the first constraint of e among those of all elements, by which Gap, Min and Max count.
func (d *Derivatives) FirstConstraint(e Constrained) (first int) {
	for _, other := range d.System.by.constrained {
		if other == e {
			break
		}
		first += other.MaxRows()
	}
	return first
}

// constraintCount is the number of constraints that elements can have, each with an ID of its own.
func (s *System) constraintCount() (n int) {
	for _, e := range s.by.constrained {
		n += e.MaxRows()
	}
	return n
}

// AddEquations adds scale times what is left of the equations at the present iterate: wrenches on the
// nodes and, by constraint, its gap.
func (d *Derivatives) AddEquations(x *Input, scale float64) {
	s := d.System
	s.UpdateKinematics()
	d.Assemble()
	s.SetRightHandSide()
	addScaled(x.Wrench, scale, s.X)
	first := 0
	for _, e := range s.by.constrained {
		e.AddGaps(x.Gap[first:], scale)
		first += e.MaxRows()
	}
}

// Inputs lists how the equations change with the inputs of all elements and with the pose of the base.
func (d *Derivatives) Inputs() (all []Input) {
	for _, e := range d.System.by.differentiable {
		all = append(all, e.Inputs(d)...)
	}
	all = append(all, d.baseInputs()...)
	slices.SortStableFunc(all, func(a, b Input) int { return int(a.Kind) - int(b.Kind) })
	return all
}

// baseInputs are translations and rotations of the base about itself, world axes. All that is inside the
// robot moves along; what acts from outside does not. The force of walls is smooth over a thousandth of a
// radius only, so its derivative is no difference.
func (d *Derivatives) baseInputs() []Input {
	s := d.System
	if len(s.by.obstacles) == 0 {
		return d.movedBase()
	}
	elements := s.Elements
	s.Elements = slices.DeleteFunc(slices.Clone(elements), func(e Element) bool { _, is := e.(Obstacle); return is })
	all := d.movedBase()
	s.Elements = elements
	s.UpdateKinematics()
	for k := range all {
		clear(s.bare.Wrench)
		for _, e := range s.by.obstacles {
			e.AddRigidMotionChange(s.State, all[k].Rigid, s.bare.Wrench)
		}
		s.SetRightHandSide()
		addScaled(all[k].Wrench, 1, s.X)
	}
	return all
}

// movedBase takes them by differences of the equations.
func (d *Derivatives) movedBase() (all []Input) {
	r := d.System.State
	was := r.Base
	for i, name := range [...]string{"base.x", "base.y", "base.z", "base.rx", "base.ry", "base.rz"} {
		var v [6]float64
		v[i] = 1
		h := d.BaseStep
		x := d.NewInput(BaseInput, name, "m")
		x.Rigid = spatial.Twist{Linear: spatial.VecAt(v[:]), Angular: spatial.VecAt(v[3:])}
		if i >= 3 {
			x.Unit = "rad"
		} else {
			h *= d.System.Rod.Length
		}
		for _, side := range [...]float64{1, -1} {
			r.Base = spatial.Pose{R: spatial.ExpRot(x.Rigid.Angular.Scale(side * h)).Mul(was.R), P: was.P.AddScaled(side*h, x.Rigid.Linear)}
			r.UpdateKinematics()
			d.AddEquations(&x, side/(2*h))
		}
		all = append(all, x)
	}
	r.Base = was
	r.UpdateKinematics()
	return all
}

// The iteration for the part of the tangent that is not symmetric takes at most maxSkewIterations and
// ends at SkewRoundoff: each makes the error smaller by the unbalanced wrenches over the stiffness. Of
// slender rods round-off leaves more; then it ends below MaxInexactness where the change falls to no less
// than a share stagnation.
const (
	maxSkewIterations = 300
	SkewRoundoff      = 1e-13
	stagnation        = 0.5
	MaxInexactness    = 1e-9
)

// ErrUnbalanced is the error of an iteration for the skew part of the tangent that does not end.
var ErrUnbalanced = errors.New("the wrenches out of balance are too large beside the stiffness")

// Respond finds how the nodes move with an input, body axes, in X, and how multipliers change. In an
// equilibrium the first solution is exact. Elsewhere the wrenches rotate against the nodes, which the
// factors leave out but in the rows of Columns.Row, and which is put in by iteration. left is the relative
// change at its end, 0 for round-off. Multipliers at a bound stay there.
func (s *System) Respond(x *Input) (left float64, err error) {
	copy(s.X, x.Wrench)
	ok, last := s.SolveHeld(x), math.Inf(1)
	for range maxSkewIterations {
		if !ok {
			return 0, integrate.ErrSingularTangent
		}
		copy(s.unrefined, s.X)
		s.assembled.SkewResidual(x.Wrench, s.X)
		for i := range s.X {
			if s.Columns.first[i+1] > 0 {
				s.X[i] = x.Wrench[i]
			}
		}
		ok = s.SolveHeld(x)
		size, change := 0.0, 0.0
		for i := range s.X {
			for j, v := range s.X[i] {
				size, change = max(size, math.Abs(v)), max(change, math.Abs(v-s.unrefined[i][j]))
			}
		}
		switch left = change / size; {
		case !ok:
			return 0, integrate.ErrSingularTangent
		case size == 0 || left <= SkewRoundoff:
			return 0, nil
		case !(left < math.Inf(1)):
			return 0, integrate.ErrSingularTangent
		case left > stagnation*last && left <= MaxInexactness:
			return left, nil
		}
		last = left
	}
	return 0, fmt.Errorf("%w: after %d iterations %.2g of the derivative still changes, allowed: up to %g", ErrUnbalanced, maxSkewIterations, last, MaxInexactness)
}

// SolveHeld replaces wrenches X on the nodes by how these move, with multipliers that change by the gaps
// and bounds of x and stay at their bounds.
func (s *System) SolveHeld(x *Input) (ok bool) {
	c := &s.Constraints
	ok = s.Columns.solve(s.matrix, s.X)
	for p := range c.rows {
		r := &c.rows[p]
		r.residual = x.Gap[r.number] + inner(r.A, s.X)
		switch {
		case r.Multiplier <= r.Min:
			r.bound, r.Multiplier, r.rise = atLower, r.Min, x.Min[r.number]
		case r.Multiplier >= r.Max:
			r.bound, r.Multiplier, r.rise = atUpper, r.Max, x.Max[r.number]
		default:
			r.bound = free
		}
	}
	ok = c.solveFree() && ok
	for p := range c.rows {
		r := &c.rows[p]
		addScaled(s.X, -r.Increment, r.y)
		r.rise = 0
	}
	return ok
}

// NoInput is an input without effect, for SolveHeld.
func (s *System) NoInput() *Input {
	n := s.constraintCount()
	return &Input{Gap: make([]float64, n), Min: make([]float64, n), Max: make([]float64, n)}
}

// IsSimilarTo reports whether the equations of both robots have the same unknowns and are solved by the
// tangent alone: no rod can touch anything, and nodes lie between the same disks.
func (s *System) IsSimilarTo(o *System) bool {
	if len(s.X) != len(o.X) || s.constraintCount() != o.constraintCount() || len(s.by.obstacles)+len(o.by.obstacles) > 0 {
		return false
	}
	for i, at := range s.Rod.ArcLengths {
		if math.Abs(at/s.Rod.Length-o.Rod.ArcLengths[i]/o.Rod.Length)*s.Rod.Length > maxNodeShift*s.Rod.ElementLength {
			return false
		}
	}
	return true
}

// maxNodeShift is the share of an element by which a node may be elsewhere, beside the length of the rod,
// in a robot with the same mesh. One in which another gap between disks has an element more has nodes
// that are off by half of one. Where gaps are equally long, any small change decides which has one more.
const maxNodeShift = 0.1

// AddBounds adds scale times the bounds of the multipliers to x.
func (d *Derivatives) AddBounds(x *Input, scale float64) {
	first := 0
	for _, e := range d.System.by.constrained {
		e.AddBounds(x.Min[first:], x.Max[first:], scale)
		first += e.MaxRows()
	}
}

// Nonlinearisable says why a step has no linearisation; "" where it has one.
func (s *System) Nonlinearisable() string {
	for _, e := range s.by.differentiable {
		if why := e.Nonlinearisable(); why != "" {
			return why
		}
	}
	return ""
}
