package hil

import (
	"sort"

	"sinew/pkg/sim/spatial"
)

// place tells where an instant lies in a series.
type place uint8

const (
	inside place = iota // at a sample or between two
	before              // before the first sample
	after               // after the last sample
	inGap               // between two samples too far apart
)

// locate finds t among n ascending stamps. If it is inside, stamp(i) <= t <
// stamp(i+1), or t is the last stamp. Samples farther apart than maxGap (s) are
// not interpolated.
func locate(n int, stamp func(int) float64, t, maxGap float64) (i int, where place) {
	i = sort.Search(n, func(i int) bool { return stamp(i) > t }) - 1
	switch {
	case i < 0:
		return 0, before
	case stamp(i) == t:
		return i, inside
	case i == n-1:
		return i, after
	case tooFar(stamp(i), stamp(i+1), maxGap):
		return i, inGap
	}
	return i, inside
}

// tooFar reports whether two stamps are farther apart than maxGap, apart from the
// rounding of stamps.
func tooFar(a, b, maxGap float64) bool {
	const rounding = 1e-6 // in units of maxGap
	return b-a > maxGap*(1+rounding)
}

// between returns the pose at t between a at ta and b at tb: the position on the
// straight line, the rotation on the geodesic.
func between(ta float64, a *spatial.Pose, tb float64, b *spatial.Pose, t float64, rotation bool) spatial.Pose {
	u := (t - ta) / (tb - ta)
	p := spatial.Pose{R: a.R, P: a.P.AddScaled(u, b.P.Sub(a.P))}
	if rotation {
		p.R = a.R.Mul(spatial.ExpRot(a.R.TMul(b.R).Log().Scale(u)))
	}
	return p
}

// at returns the pose at t (s), interpolated.
func (s *Series) at(t, maxGap float64) (spatial.Pose, place) {
	i, where := locate(len(s.T), func(i int) float64 { return s.T[i] }, t, maxGap)
	if where != inside {
		return spatial.Pose{}, where
	}
	if s.T[i] == t {
		return s.Pose[i], inside
	}
	return between(s.T[i], &s.Pose[i], s.T[i+1], &s.Pose[i+1], t, s.Rotations), inside
}

// difference returns the error of one sample, simulation minus hardware: the
// vector between the positions (m) and the angle between the rotations (rad, 0
// without rotations).
func difference(sim, hw *spatial.Pose, rotations bool) (position spatial.Vec, angle float64) {
	position = sim.P.Sub(hw.P)
	if rotations {
		angle = sim.R.MulT(hw.R).Log().Norm()
	}
	return position, angle
}

// DefaultMaxGap is the default value of the longest time (s) between two simulated
// samples over which the simulation is interpolated.
const DefaultMaxGap = 0.05
