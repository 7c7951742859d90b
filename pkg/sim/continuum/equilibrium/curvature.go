package equilibrium

import (
	"math"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// A stationary point of the energy with a direction of negative curvature is no equilibrium that a robot stays in. The search
// leaves it along that direction, to the lower of both sides (Moré and Sorensen 1979), and continues.

var _ integrate.CurvatureDescender = (*Solver)(nil)

const (
	// The lowest mode is found by inverse iteration, from a shift at which the tangent is positive: the first one, and growing by
	// shiftGrowth. Any direction of negative curvature will do, so it ends once the Rayleigh quotient is below 0 and changes by no
	// more than a share quotientChange.
	firstShift, shiftGrowth, largestShift = 1e-9, 4, 1e12
	maxInverseIterations                  = 60
	quotientChange                        = 0.05
	// The first move along the mode turns an element by firstDescent (rad), and is divided by descentDivisor until the merit falls, down to
	// lastDescent.
	firstDescent, lastDescent, descentDivisor = 0.3, 1e-6, 3
	// neutralCurvature is a curvature, over that of the rod itself, below which a shape is neutral.
	neutralCurvature = 1e-8
)

// neutral is the shift below which a shape counts as neutral.
func (s *Solver) neutral() float64 { return s.system.NeutralShift(neutralCurvature) }

// DescendCurvature implements integrate.CurvatureDescender. Without a potential there is no such direction, and a rod that buckles
// between two disks is refused.
func (s *Solver) DescendCurvature(unstable int) bool {
	q := s.system
	if !q.HasPotential() || q.FollowsHistory() {
		return false
	}
	if ratio, _ := q.EulerLoadRatio(); ratio > buckled {
		return false // the rod has buckled between disks, which is no shape that anybody wants
	}
	if !s.findMode() {
		return false
	}
	merit, mode := q.Merit(), s.modeOf(Divergence)
	for size := firstDescent; size >= lastDescent; size /= descentDivisor {
		best, lowest := 0., merit
		for _, side := range [...]float64{size, -size} {
			q.Move(side / q.Size)
			if m := q.Merit(); m < lowest {
				best, lowest = side, m
			}
			q.Undo()
		}
		if best != 0 {
			q.Move(best / q.Size)
			s.left = append(s.left, Saddle{unstable, mode, s.factor})
			s.departure = q.Present()
			return true
		}
	}
	return false
}

// findMode makes a direction of negative curvature at the present point the increment, with its largest component positive. It
// reports whether there is one.
func (s *Solver) findMode() bool {
	q := s.system
	shift := firstShift
	for {
		q.Assemble(shift)
		if _, negative, ok := s.Increment(); ok && negative == 0 {
			break
		}
		if shift *= shiftGrowth; shift > largestShift {
			return false
		}
	}
	x, none := startMode(len(q.X)), q.NoInput()
	last := math.Inf(1)
	for range maxInverseIterations {
		quotient, ok := q.InverseIterate(x, shift, none)
		if !ok {
			return false
		}
		if quotient < 0 && math.Abs(quotient-last) <= quotientChange*math.Abs(quotient) {
			last = quotient
			break
		}
		last = quotient
	}
	if !(last < -s.neutral()) {
		return false
	}
	orient(x)
	copy(q.X, x)
	q.Constraints.ClearIncrements()
	return q.TakeIncrement() > 0
}

// startMode is where inverse iterations begin, on any mesh alike: all modes have a part in it, on no side of a plane of symmetry.
func startMode(nodes int) []spatial.Vec6 {
	x := make([]spatial.Vec6, nodes)
	for i := range x {
		along := float64(i+1) / float64(nodes)
		for j := range x[i] {
			x[i][j] = along * (1 + 0.5*math.Sin(float64(3*j+1)+2*along)) // any smooth function
		}
	}
	return x
}

// orient makes the largest rotation of x positive: an eigenvector has no sign of its own.
func orient(x []spatial.Vec6) {
	largest := 0.0
	for i := range x {
		for _, v := range x[i][3:] {
			if math.Abs(v) > math.Abs(largest)*(1+1e-9) {
				largest = v
			}
		}
	}
	if largest < 0 {
		equations.AddScaled(x, -2, append([]spatial.Vec6(nil), x...))
	}
}
