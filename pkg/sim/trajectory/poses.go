package trajectory

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"sinew/pkg/sim/spatial"
)

// Poses is a pose over time as one source recorded it. T and Pose have the same
// length. Without rotations there are positions only, and Pose[i].R are ignored.
type Poses struct {
	T         []float64       // s, strictly ascending
	Pose      []spatial.Pose  // in the world frame, m
	Rotations bool            // whether the poses have rotations
	Planar    bool            // only x and y were measured; z is 0
	Unplaced  bool            // only rotations were measured; positions are NaN
	Stamps    []time.Duration // since 1970, of a trajectory that is stamped
}

// maxCoordinate is the largest coordinate (m) that is accepted as a measurement.
const maxCoordinate = 1e6

// MinSamples is the smallest number of samples that describes a motion.
const MinSamples = 4

// Len returns the number of samples.
func (s *Poses) Len() int { return len(s.T) }

// Add appends the pose p at t (s).
func (s *Poses) Add(t float64, p spatial.Pose) {
	s.T = append(s.T, t)
	s.Pose = append(s.Pose, p)
}

// Start returns the first time (s); there must be a sample.
func (s *Poses) Start() float64 { return s.T[0] }

// End returns the last time (s); there must be a sample.
func (s *Poses) End() float64 { return s.T[len(s.T)-1] }

// measured leaves out the samples in which nothing was measured, neither a position nor a rotation, and returns how many.
func (s *Poses) measured() int {
	all := s.Pose
	s.keep(func(i int) bool {
		p := &all[i]
		if s.Unplaced {
			return p.R != (spatial.Mat3{})
		}
		return !math.IsNaN(p.P.X) || !math.IsNaN(p.P.Y) || !s.Planar && !math.IsNaN(p.P.Z)
	})
	return len(all) - len(s.Pose)
}

// distinct leaves out the samples that repeat the one before, its time included, and returns how many.
func (s *Poses) distinct() int {
	all := *s
	s.keep(func(i int) bool {
		return i == 0 || all.T == nil || all.T[i] != all.T[i-1] || all.Pose[i] != all.Pose[i-1]
	})
	return len(all.Pose) - len(s.Pose)
}

// maxOvertaking is by how much a measurement may be older than one that arrived before it, where latencies differ. A clock that goes back
// further has been set anew.
const maxOvertaking = time.Second

// OrderByStamps brings measurements of a recording from the order in which they arrived into the one in which they were taken. It leaves
// out those that repeat a stamp and returns how many. Where the clock was set anew the order remains, which CheckOrder refuses.
func (s *Poses) OrderByStamps() (repeated int) {
	latest := time.Duration(math.MinInt64)
	ordered := true
	order := make([]int, len(s.Stamps))
	for i, at := range s.Stamps {
		if order[i] = i; at < latest {
			ordered = false
			if at < latest-maxOvertaking {
				return 0
			}
		}
		latest = max(latest, at)
	}
	if !ordered {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Stamps[a], s.Stamps[b]) })
		all := *s
		s.Stamps, s.Pose = make([]time.Duration, len(order)), make([]spatial.Pose, len(order))
		for i, k := range order {
			s.Stamps[i], s.Pose[i] = all.Stamps[k], all.Pose[k]
		}
	}
	all := s.Stamps
	s.keep(func(i int) bool { return i == 0 || all[i] != all[i-1] })
	return len(all) - len(s.Stamps)
}

// CheckOrder returns an error for the first time that is before the one in front of it. name stands in the error.
func (s *Poses) CheckOrder(name string) error {
	for i := 1; i < len(s.T); i++ {
		if s.T[i] < s.T[i-1] {
			return s.goesBack(name, i)
		}
	}
	return nil
}

func (s *Poses) goesBack(name string, i int) error {
	return fmt.Errorf("%s: sample %d: time goes back by %.3g s, from %.9g s to %.9g s", name, i, s.T[i-1]-s.T[i], s.T[i-1], s.T[i])
}

// Validate returns an error for the first mistake: fewer than 4 samples, stamps
// that do not ascend, numbers that are not finite, positions beyond 1e6 m,
// orientations that are no rotations. name stands in the error.
func (s *Poses) Validate(name string) error {
	if len(s.T) != len(s.Pose) {
		return fmt.Errorf("%s: %d stamps, but %d poses", name, len(s.T), len(s.Pose))
	}
	for i, t := range s.T {
		switch {
		case !spatial.IsFinite(t):
			return fmt.Errorf("%s: sample %d: its stamp is %g s, not a finite number", name, i, t)
		case i > 0 && t < s.T[i-1]:
			return s.goesBack(name, i)
		case i > 0 && t == s.T[i-1]:
			return fmt.Errorf("%s: samples %d and %d have the same stamp, %.9g s", name, i-1, i, t)
		case !s.Pose[i].P.IsFinite():
			p := s.Pose[i].P
			return fmt.Errorf("%s: sample %d (t = %.9g s): the position (%g, %g, %g) m is not finite; leave out samples without a measurement", name, i, t, p.X, p.Y, p.Z)
		case max(math.Abs(s.Pose[i].P.X), math.Abs(s.Pose[i].P.Y), math.Abs(s.Pose[i].P.Z)) > maxCoordinate:
			p := s.Pose[i].P
			return fmt.Errorf("%s: sample %d (t = %.9g s): the position (%g, %g, %g) m is beyond %g m; positions must be in m", name, i, t, p.X, p.Y, p.Z, float64(maxCoordinate))
		case s.Rotations && !isRotation(s.Pose[i].R):
			return fmt.Errorf("%s: sample %d (t = %.9g s): the orientation is not a rotation", name, i, t)
		}
	}
	if len(s.T) < MinSamples {
		return fmt.Errorf("%s: %d samples; a comparison needs at least %d", name, len(s.T), MinSamples)
	}
	return nil
}

// Rotation returns the rotation of a measured quaternion x, y, z, w, or the zero
// matrix, which Validate refuses, for one that is not nearly of unit length.
func Rotation(x, y, z, w float64) spatial.Mat3 {
	const nearly = 0.01
	q := spatial.Quat{X: x, Y: y, Z: z, W: w}
	if n := math.Sqrt(x*x + y*y + z*z + w*w); !(math.Abs(n-1) < nearly) {
		return spatial.Mat3{}
	}
	return q.Normalized().Rot()
}

// isRotation reports whether m is a rotation, apart from the rounding of
// quaternions sent as float32.
func isRotation(m spatial.Mat3) bool {
	const tolerance = 1e-5
	d := m.TMul(m).Sub(spatial.Identity3())
	sum := d.XX*d.XX + d.YY*d.YY + d.ZZ*d.ZZ + 2*(d.XY*d.XY+d.XZ*d.XZ+d.YZ*d.YZ)
	return sum < tolerance*tolerance && m.Det() > 0
}
