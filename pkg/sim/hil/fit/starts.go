package fit

import "math/rand/v2"

// starts returns the points where searches begin: the caller's, and a Latin
// hypercube over the bounds (McKay, Beckman & Conover 1979), so that each
// parameter's range is covered evenly.
func (s *search) starts() [][]float64 {
	p := len(s.axes)
	first := make([]float64, p)
	for i := range s.axes {
		first[i] = s.axes[i].inner(s.axes[i].Start)
	}
	points := [][]float64{first}
	more := s.options.Starts - 1
	random := rand.New(rand.NewPCG(s.options.Seed, 0))
	for range more {
		points = append(points, make([]float64, p))
	}
	for i := range s.axes {
		a := &s.axes[i]
		for k, stratum := range random.Perm(more) {
			share := (float64(stratum) + random.Float64()) / float64(more)
			points[1+k][i] = a.lo + share*(a.hi-a.lo)
		}
	}
	return points
}
