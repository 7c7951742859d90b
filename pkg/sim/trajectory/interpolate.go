package trajectory

import (
	"sort"

	"sinew/pkg/sim/spatial"
)

// Place is where an instant lies among samples.
type Place uint8

// The places.
const (
	Inside Place = iota // at a sample or between two
	Before              // before the first sample
	After               // after the last sample
	InGap               // between two samples too far apart
)

// Locate finds t among n ascending stamps. If it is Inside, stamp(i) <= t <
// stamp(i+1), or t is the last stamp. Samples farther apart than maxGap (s) are
// not interpolated.
func Locate(n int, stamp func(int) float64, t, maxGap float64) (i int, where Place) {
	i = sort.Search(n, func(i int) bool { return stamp(i) > t }) - 1
	switch {
	case i < 0:
		return 0, Before
	case stamp(i) == t:
		return i, Inside
	case i == n-1:
		return i, After
	case tooFar(stamp(i), stamp(i+1), maxGap):
		return i, InGap
	}
	return i, Inside
}

// tooFar reports whether two stamps are farther apart than maxGap, apart from the
// rounding of stamps.
func tooFar(a, b, maxGap float64) bool {
	const rounding = 1e-6 // in units of maxGap
	return b-a > maxGap*(1+rounding)
}

// Interpolate returns the pose at t between a at ta and b at tb: the position on the
// straight line, the rotation on the geodesic.
func Interpolate(ta float64, a *spatial.Pose, tb float64, b *spatial.Pose, t float64, rotation bool) spatial.Pose {
	u := (t - ta) / (tb - ta)
	p := spatial.Pose{R: a.R, P: a.P.AddScaled(u, b.P.Sub(a.P))}
	if rotation {
		p.R = a.R.Mul(spatial.ExpRot(a.R.TMul(b.R).Log().Scale(u)))
	}
	return p
}

// At returns the pose at t (s), interpolated between samples that are no farther apart than maxGap (s). It is valid
// only Inside.
func (s *Poses) At(t, maxGap float64) (spatial.Pose, Place) {
	i, where := Locate(len(s.T), func(i int) float64 { return s.T[i] }, t, maxGap)
	if where != Inside {
		return spatial.Pose{}, where
	}
	if s.T[i] == t {
		return s.Pose[i], Inside
	}
	return Interpolate(s.T[i], &s.Pose[i], s.T[i+1], &s.Pose[i+1], t, s.Rotations), Inside
}
