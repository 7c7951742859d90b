package trajectory

import "fmt"

// Marker is a point with a name in time, of which no rotation is known. T ascends strictly.
type Marker struct {
	Name string
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
