package trajectory

import (
	"fmt"
	"time"

	"sinew/pkg/sim/spatial"
)

// Shape is a robot's centreline in time: Nodes[i] are points (m) from base to tip
// at T[i] (s), evenly spaced along the robot and as many at all times.
type Shape struct {
	T      []float64
	Nodes  [][]spatial.Vec
	Stamps []time.Duration // since 1970, of a trajectory that is stamped
}

// Validate returns an error for the first mistake: stamps that do not ascend,
// different numbers of nodes, points that are not finite. name stands in the error.
func (s *Shape) Validate(name string) error {
	if len(s.T) != len(s.Nodes) {
		return fmt.Errorf("%s: %d stamps, but %d shapes", name, len(s.T), len(s.Nodes))
	}
	for i, nodes := range s.Nodes {
		if i > 0 && !(s.T[i] > s.T[i-1]) {
			return fmt.Errorf("%s: shape %d: time does not ascend, from %.9g s to %.9g s", name, i, s.T[i-1], s.T[i])
		}
		if len(nodes) < 2 || len(nodes) != len(s.Nodes[0]) {
			return fmt.Errorf("%s: shape %d (t = %.9g s) has %d nodes; all must have the same number, at least 2", name, i, s.T[i], len(nodes))
		}
		for k, p := range nodes {
			if !p.IsFinite() {
				return fmt.Errorf("%s: shape %d (t = %.9g s): node %d is not finite", name, i, s.T[i], k)
			}
		}
	}
	return nil
}
