package simtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// differences are the increments of central differences: rotations (rad), and translations relative to the mean length of an
// element. The best one counts: large ones have less round-off, small ones fewer kinks of friction and contact within them.
var differences = [...]float64{1e-6, 1e-7, 1e-8}

// Tolerances, relative to the stiffness: that of the gradient times strainScale. loadTolerance is relative to the largest wrench: loads in the
// middles of elements bend these, which turns the loads.
const (
	gradientTolerance = 1e-6
	tangentTolerance  = 1e-6
	strainScale       = 1e-2
	loadTolerance     = 1e-3
)

// inStep is the equations in the middle of a step of a robot in motion.
type inStep struct {
	*equations.System
	increment []spatial.Vec6 // scratch
}

// beginStep moves a model to the middle of its motion and begins a step.
func (c *contract) beginStep() (*inStep, error) {
	r, err := c.begin()
	if err != nil {
		return nil, err
	}
	if err := r.advanceTo(c.Steps / 2); err != nil {
		return nil, err
	}
	if err := r.command(); err != nil {
		return nil, err
	}
	r.in.Advance(r.Step)
	s := &inStep{System: c.Equations(r.model)}
	time := float64(r.step) * r.Step
	s.State.Target = s.State.Base // where the base turns during the step, the merit is exact to second order only
	step := equations.Step{Time: time, Dt: r.Step, Whole: time, Formula: integrate.NewBDF(2, r.Step, r.Step)}
	s.State.Begin(step.Formula, 1, s.BeginStep(step))
	s.UpdateKinematics()
	s.increment = make([]spatial.Vec6, len(s.X))
	return s, nil
}

// size is increment d of component j of a node, m or rad.
func (s *inStep) size(j int, d float64) float64 {
	if j%6 < 3 {
		return d * s.Rod.ElementLength
	}
	return d
}

// movedBy calls do where component j of the nodes, six of each, is moved by h.
func (s *inStep) movedBy(j int, h float64, do func()) {
	clear(s.increment)
	s.increment[j/6][j%6] = 1
	s.State.MoveNodes(s.increment, h)
	s.UpdateKinematics()
	do()
	s.State.Undo()
	s.UpdateKinematics()
}

// wrenches returns the assembled wrenches on the nodes from 1 on.
func (s *inStep) wrenches() []float64 {
	s.Assemble(0)
	all := make([]float64, 0, 6*len(s.X))
	for _, w := range s.Wrenches()[1:] {
		v := spatial.Vec6Of(w.Force, w.Moment)
		all = append(all, v[:]...)
	}
	return all
}

// moveAtRandom moves all nodes a little, so that no spring of friction is at its limit. Among obstacles it only translates them: where
// nodes turn during the step, the tangent of friction on the surface of the rod is exact to first order only.
func (s *inStep) moveAtRandom() {
	const far = 1e-4
	components := 6
	if len(s.Obstacles()) > 0 {
		components = 3
	}
	r := rand.New(rand.NewPCG(7, 8))
	for i := range s.increment {
		s.increment[i] = spatial.Vec6{}
		for j := range components {
			s.increment[i][j] = s.size(j, far) * r.NormFloat64()
		}
	}
	s.State.MoveNodes(s.increment, 1)
	s.UpdateKinematics()
}

// checkPotential compares the wrenches at the start of a step, where the merit is exact, with differences of the merit. Constraints
// pull along their columns with multipliers, of which the merit has another account: those parts are left out.
func (c *contract) checkPotential() error {
	s, err := c.beginStep()
	if err != nil {
		return err
	}
	want := s.wrenches()
	excess := make([]float64, len(want))
	scale := s.scale()
	for j := range want {
		excess[j] = math.Inf(1)
		for _, d := range differences {
			h := s.size(j, d)
			var merit [2]float64
			for side, sign := range [...]float64{1, -1} {
				s.movedBy(j, sign*h, func() { merit[side] = s.Merit() })
			}
			if x := -(merit[0]-merit[1])/(2*h) - want[j]; math.Abs(x) < math.Abs(excess[j]) {
				excess[j] = x
			}
		}
	}
	s.wrenches()
	s.removeConstraints(excess)
	for j, x := range excess {
		if limit := gradientTolerance * scale[j]; !(math.Abs(x) <= limit) {
			return fmt.Errorf("node %d, component %d: the wrench is %.9g, minus the gradient of the merit %.9g: they differ by %.2g, allowed: %.2g", j/6+1, j%6, want[j], want[j]+x, x, limit)
		}
	}
	return nil
}

// scale returns, by component of the nodes, the wrench by which wrenches are measured: that of the
// stiffness times strainScale.
func (s *inStep) scale() (all []float64) {
	k, n := s.FullTangent(equations.StepScope), 6*len(s.X)
	for j := range n {
		all = append(all, math.Abs(k[j*n+j])*s.size(j, strainScale))
	}
	return all
}

// removeConstraints makes x orthogonal to the columns of the constraints.
func (s *inStep) removeConstraints(x []float64) {
	s.Factor()
	s.AddColumns(equations.StepScope)
	var basis [][]float64
	for _, r := range s.Constraints.Rows() {
		b := make([]float64, 0, len(x))
		for _, v := range r.B {
			b = append(b, v[:]...)
		}
		for _, other := range basis {
			subtract(b, other)
		}
		if size := math.Sqrt(dot(b, b)); size > 0 {
			for i := range b {
				b[i] /= size
			}
			basis = append(basis, b)
		}
	}
	for _, b := range basis {
		subtract(x, b)
	}
}

// subtract takes the part along the unit vector u out of x.
func subtract(x, u []float64) {
	along := dot(x, u)
	for i := range x {
		x[i] -= along * u[i]
	}
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// checkLoading compares the wrenches on the stress-free rod under shares of the load: none without load, and half of them under half of
// it. Load stepping relies on that. Walls are no load: they are left out.
func (c *contract) checkLoading() error {
	s, err := c.beginStep()
	if err != nil || len(s.Obstacles()) > 0 {
		return err
	}
	s.State.Reset()
	s.Reset()
	s.State.BeginStatic()
	s.BeginEquilibrium()
	under := func(share float64) []float64 {
		s.SetLoadFactor(share)
		s.UpdateKinematics()
		return s.wrenches()
	}
	whole, half, none := under(1), under(0.5), under(0)
	scale := s.scale()
	var largest [2]float64 // force and moment
	for j, x := range whole {
		largest[j%6/3] = max(largest[j%6/3], math.Abs(x))
	}
	for j := range whole {
		limit := gradientTolerance * scale[j]
		if !(math.Abs(none[j]) <= limit) {
			return fmt.Errorf("node %d, component %d: the wrench on the stress-free rod without load is %.3g, allowed: %.2g", j/6+1, j%6, none[j], limit)
		}
		if want := whole[j] / 2; !(math.Abs(half[j]-want) <= limit+loadTolerance*largest[j%6/3]) {
			return fmt.Errorf("node %d, component %d: the wrench on the stress-free rod under half of the load is %.9g, want %.9g", j/6+1, j%6, half[j], want)
		}
	}
	return nil
}

// checkTangent compares the symmetric and the skew part of the tangent with differences of the wrenches at constant multipliers.
func (c *contract) checkTangent() error {
	s, err := c.beginStep()
	if err != nil {
		return err
	}
	s.moveAtRandom()
	k, n := s.FullTangent(equations.StepScope), 6*len(s.X)
	d := s.differentiate(k)
	for _, part := range [...]struct {
		name string
		sign float64
	}{{"symmetric", 1}, {"skew", -1}} {
		for i := range n {
			for j := range i + 1 {
				if part.sign < 0 && s.isApproximate(i, j) {
					continue
				}
				got, want := (k[i*n+j]+part.sign*k[j*n+i])/2, (d[i*n+j]+part.sign*d[j*n+i])/2
				if limit := tangentTolerance * math.Sqrt(math.Abs(k[i*n+i]*k[j*n+j])); !(math.Abs(got-want) <= limit) {
					return fmt.Errorf("%s part of the tangent of component %d of node %d by component %d of node %d: %.9g, differences of the wrenches %.9g: they differ by %.2g, allowed: %.2g",
						part.name, i%6, i/6+1, j%6, j/6+1, got, want, got-want, limit)
				}
			}
		}
	}
	return nil
}

// differentiate returns the negative derivative of the wrenches by central differences, of which the column nearest to that of k
// counts. Entries of k that are approximate are off by the same at every difference, and do not choose it.
func (s *inStep) differentiate(k []float64) []float64 {
	n := 6 * len(s.X)
	all, column := make([]float64, n*n), make([]float64, n)
	for j := range n {
		least := math.Inf(1)
		for _, d := range differences[:2] {
			h := s.size(j, d)
			var wrench [2][]float64
			for side, sign := range [...]float64{1, -1} {
				s.movedBy(j, sign*h, func() { wrench[side] = s.wrenches() })
			}
			worst := 0.0
			for i := range n {
				column[i] = -(wrench[0][i] - wrench[1][i]) / (2 * h)
				if !s.isApproximate(i, j) {
					worst = max(worst, math.Abs(column[i]-k[i*n+j])/math.Sqrt(math.Abs(k[i*n+i]*k[j*n+j])))
				}
			}
			if worst < least {
				least = worst
				for i, x := range column {
					all[i*n+j] = x
				}
			}
			if worst <= tangentTolerance {
				break
			}
		}
	}
	return all
}

// isApproximate reports whether the skew part of an entry of the tangent is approximate: friction on the surface of a rod turns
// with the wall and not with the node, and the tangent has half of the change of its moment.
func (s *inStep) isApproximate(i, j int) bool {
	return len(s.Obstacles()) > 0 && i/6 == j/6 && i%6 >= 3 && j%6 >= 3
}
