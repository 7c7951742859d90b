package drive

import "math"

// Unexported names for the external tests.
const FixedLen = fixedLen

const Step = 0.001 // s

// Wander commands a new angle in most steps and returns the angles of the pulley.
func Wander(s *State, from, steps int) (path []float64) {
	for n := from; n < from+steps; n++ {
		s.Command(math.Round(4*math.Sin(float64(n*n)*0.01))/4, 0)
		s.Advance(Step)
		s.SetLoadedAngle(s.Shaft(), Step)
		path = append(path, s.Pulley(), s.Rate())
	}
	return path
}
