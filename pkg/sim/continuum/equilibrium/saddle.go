package equilibrium

import (
	"math"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// A robot does not stay at a saddle: an equilibrium whose energy decreases along a direction of negative curvature. The search
// escapes along that direction, to the side of lower energy (Moré and Sorensen 1979), and continues there.

var _ integrate.SaddleEscaper = (*Solver)(nil)

const (
	// shortestEscape is the rotation of an element (rad) by the mode below which differences of the energy are round-off.
	shortestEscape = 1e-6
	// neutralStiffness is the lowest eigenvalue, over that of the unloaded rod, below which a shape is neutral.
	neutralStiffness = 1e-8
)

// neutral is the shift below which a shape counts as neutral.
func (s *Solver) neutral() float64 { return s.system.NeutralShift(neutralStiffness) }

// EscapeSaddle implements integrate.SaddleEscaper. Without a potential there is no such direction, and a rod that buckles
// between two disks is refused.
func (s *Solver) EscapeSaddle(unstable int) bool {
	q := s.system
	if !q.HasPotential() || q.FollowsHistory() {
		return false
	}
	if ratio, _ := q.EulerLoadRatio(); ratio > buckled {
		return false // failure reports ErrBuckledBetweenDisks
	}
	if !s.findMode() {
		return false
	}
	merit, mode := q.Merit(), s.modeOf(Divergence)
	for size := integrate.MaxIncrement; size >= shortestEscape; size /= 2 {
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
			s.escaped = append(s.escaped, Saddle{unstable, mode, s.factor})
			s.escapePoint = q.Present()
			return true
		}
	}
	return false
}

// findMode makes the mode of the lowest eigenvalue at the present point the increment, with its largest component positive. It reports
// whether it has found one.
func (s *Solver) findMode() bool {
	q := s.system
	if !s.lowestMode() {
		return false
	}
	orient(q.X)
	q.Constraints.ClearIncrements()
	return q.TakeIncrement() > 0
}

// startMode is the first vector of the iteration for modes: a smooth function of the arc length, alike on any mesh, with components in all
// modes and without a plane of symmetry.
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
