package drive_test

import (
	"math"

	"sinew/pkg/sim/drive"
)

const step = 0.001 // s

// wander commands a new angle in most steps and returns the angles of the pulley.
func wander(s *drive.State, from, steps int) (path []float64) {
	for n := from; n < from+steps; n++ {
		s.Command(math.Round(4*math.Sin(float64(n*n)*0.01))/4, 0)
		s.Advance(step)
		s.SetLoadedAngle(s.Shaft(), step)
		path = append(path, s.Pulley(), s.Rate())
	}
	return path
}
