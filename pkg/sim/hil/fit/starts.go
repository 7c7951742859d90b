package fit

import "math/rand/v2"

// starts gives the points where searches begin.
type starts interface {
	// next returns the point of the next search, nil after the last.
	next() ([]float64, error)
	// ended takes the end of the search from that point, nil where it failed at once, and the residuals there.
	ended(d *descent, first []float64)
}

// newStarts returns the starts that the options ask for.
func (s *search) newStarts() starts {
	if s.options.Starts == Adaptive {
		return newLinkage(s)
	}
	return &fixedStarts{points: s.startPoints()}
}

// fixedStarts are points that are known before.
type fixedStarts struct{ points [][]float64 }

func (f *fixedStarts) next() ([]float64, error) {
	if len(f.points) == 0 {
		return nil, nil
	}
	u := f.points[0]
	f.points = f.points[1:]
	return u, nil
}

func (*fixedStarts) ended(*descent, []float64) {}

// home is the start of the caller.
func (s *search) home() []float64 {
	u := make([]float64, len(s.axes))
	for i := range s.axes {
		u[i] = s.axes[i].inner(s.axes[i].Start)
	}
	return u
}

// startPoints returns the caller's start and points over the bounds.
func (s *search) startPoints() [][]float64 {
	random := rand.New(rand.NewPCG(s.options.Seed, 0))
	return append([][]float64{s.home()}, s.latinHypercube(random, s.options.Starts-1)...)
}

// latinHypercube returns n points over the bounds (McKay, Beckman & Conover 1979), by which each parameter's range is covered
// evenly.
func (s *search) latinHypercube(random *rand.Rand, n int) [][]float64 {
	points := make([][]float64, n)
	for k := range points {
		points[k] = make([]float64, len(s.axes))
	}
	for i := range s.axes {
		a := &s.axes[i]
		for k, stratum := range random.Perm(n) {
			share := (float64(stratum) + random.Float64()) / float64(n)
			points[k][i] = a.lo + share*(a.hi-a.lo)
		}
	}
	return points
}
