package hil

import (
	"fmt"
	"slices"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// minExtent is the extent (m) below which a series counts as one at rest.
const minExtent = 1e-6

// minSamples is the smallest number of samples that describes a motion.
const minSamples = trajectory.MinSamples

// extent returns the diagonal of the box that holds all positions (m).
func extent(s *trajectory.Poses) float64 {
	lo, hi := s.Pose[0].P, s.Pose[0].P
	for i := range s.Pose {
		p := s.Pose[i].P
		lo = spatial.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = spatial.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	return hi.Sub(lo).Norm()
}

// medianInterval returns the median time between samples (s).
func medianInterval(s *trajectory.Poses) float64 {
	d := make([]float64, len(s.T)-1)
	for i := range d {
		d[i] = s.T[i+1] - s.T[i]
	}
	slices.Sort(d)
	return quantile(d, 0.5)
}

// checkUnits returns an error for positions that cannot be in m: one series moves
// far more than the robot can reach (m, 0 if unknown), or as many times more than the other as there are mm or um in a m. Where one moves
// far more than the other, but not so, it returns a warning: a body may be stuck, and a model may be wrong.
func checkUnits(sim, hw *trajectory.Poses, reach float64) (warning string, err error) {
	const (
		far    = 10.  // in units of the reach, more than a wrong model explains
		factor = 100. // between the two motions, more than most wrong models explain
		alike  = 1.5  // ratio of the extents of motions in one unit
	)
	a, b := extent(sim), extent(hw)
	for _, s := range []struct {
		name   string
		extent float64
	}{{"simulation", a}, {"hardware", b}} {
		if reach > 0 && s.extent > far*reach {
			return "", fmt.Errorf("%s: its positions span %.4g m, but the robot reaches %.4g m: are they in mm? Positions must be in m, or the columns of a CSV have the names x_mm, y_mm, z_mm", s.name, s.extent, reach)
		}
	}
	if min(a, b) < minExtent {
		return "", nil
	}
	for _, pair := range []struct {
		name, other string
		span, less  float64
	}{{"hardware", "simulation", b, a}, {"simulation", "hardware", a, b}} {
		ratio := pair.span / pair.less
		if !(ratio > factor) {
			continue
		}
		for unit, perMetre := range map[string]float64{"mm": 1e3, "um": 1e6} {
			if ratio > perMetre/alike && ratio < perMetre*alike {
				return "", fmt.Errorf("%s: its positions span %.4g m, %.0f times those of the %s (%.4g m): are they in %s? Positions must be in m, or the columns of a CSV have the names x_%[6]s, y_%[6]s, z_%[6]s", pair.name, pair.span, ratio, pair.other, pair.less, unit)
			}
		}
		return fmt.Sprintf("Units: the positions of the %s span %.4g m, %.0f times those of the %s (%.4g m). If one of them did not stop, they are not in one unit; both must be in m.", pair.name, pair.span, ratio, pair.other, pair.less), nil
	}
	return "", nil
}
