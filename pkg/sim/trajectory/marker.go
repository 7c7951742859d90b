package trajectory

import (
	"fmt"
	"slices"
)

// Marker is a point with a name over time, m, or the pose of a link of a mechanism.
type Marker struct {
	Name  string
	Topic string // of the pose of a link in a recording
	Poses
}

// Validate returns an error for the first mistake. source stands in the error.
func (m *Marker) Validate(source string) error {
	if len(m.T) == 0 {
		return nil // never seen
	}
	what := source + ": marker " + m.Name
	for i, t := range m.T {
		switch {
		case i > 0 && !(t > m.T[i-1]):
			return fmt.Errorf("%s: sample %d: time does not ascend, from %.9g s to %.9g s", what, i, m.T[i-1], t)
		case !m.Pose[i].P.IsFinite() || m.Pose[i].P.Norm() > maxCoordinate:
			p := m.Pose[i].P
			return fmt.Errorf("%s: sample %d (t = %.9g s): the position (%g, %g, %g) m is beyond %g m; positions must be in m", what, i, t, p.X, p.Y, p.Z, float64(maxCoordinate))
		}
	}
	return nil
}

// clone returns the poses of a marker in memory of their own.
func (m *Marker) clone() Poses {
	return Poses{T: slices.Clone(m.T), Pose: slices.Clone(m.Pose), Stamps: slices.Clone(m.Stamps), Rotations: m.Rotations}
}

// Measured leaves out the samples in which the marker was not measured.
func (m *Marker) Measured() {
	all := m.Pose
	m.keep(func(i int) bool { return all[i].P.IsFinite() })
}
