package trajectory

import (
	"fmt"
	"math"
)

// isBeyond reports whether a coordinate (m) is none of a measurement. Inf, and −3.697314e28 of NDI, stand for a pose that was not measured.
func isBeyond(v float64) bool { return math.Abs(v) > maxCoordinate }

// dropBeyond makes the last row one without a pose, or without the position of a marker, where all of its coordinates are beyond those of
// a measurement.
func (s *sheet) dropBeyond() {
	beyond := map[string]bool{} // by body
	for i, c := range s.grammar {
		if c.Kind != Position && c.Kind != MarkerPoint {
			continue
		}
		body := c.body()
		before, seen := beyond[body]
		beyond[body] = isBeyond(s.values[i][len(s.values[i])-1]) && (before || !seen)
	}
	if beyond[tipPrefix] {
		s.beyond++
	}
	for i, c := range s.grammar {
		if beyond[c.body()] {
			s.values[i][len(s.values[i])-1] = math.NaN()
		}
	}
}

// checkBeyond tells how many positions were left out for their coordinates, and refuses a file in which they are most: another unit.
func (s *sheet) checkBeyond(t *Trajectory) error {
	switch {
	case s.beyond == 0:
		return nil
	case 2*s.beyond > len(s.lines):
		return fmt.Errorf("%s: %d of %d positions are beyond %g m; positions must be in m, or the columns have names such as x_mm", s.file, s.beyond, len(s.lines), float64(maxCoordinate))
	}
	if !s.o.keepsGaps() {
		s.blank -= s.beyond // which fill leaves out
	}
	t.Remarks = append(t.Remarks, fmt.Sprintf("%s: %d rows with positions beyond %g m, as programs write them where no pose was measured, were left out.", s.file, s.beyond, float64(maxCoordinate)))
	return nil
}
