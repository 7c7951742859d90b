package integrate

// BroydenUpdate improves the increments of the chord method by Broyden's update of the tangent
// (Broyden 1965, in the form of Kelley, Iterative Methods for Linear and Nonlinear Equations, 1995,
// section 7.3). The updated tangent fulfils the secant equations of the increments since the last
// assembly.
type BroydenUpdate struct {
	// NormLen is the number of leading components that define the inner product of increments; the
	// others follow them.
	NormLen int

	steps   [][]float64
	squares []float64 // squared norms of the steps
	count   int
}

// Reset removes all increments. Call it for a new tangent.
func (s *BroydenUpdate) Reset() { s.count = 0 }

// AppendStep stores an increment that was added in full. An increment of norm 0 removes all.
func (s *BroydenUpdate) AppendStep(step []float64) {
	square := s.dot(step, step)
	if square == 0 {
		s.Reset()
		return
	}
	if s.count == len(s.steps) {
		s.steps, s.squares = append(s.steps, nil), append(s.squares, 0)
	}
	s.steps[s.count] = append(s.steps[s.count][:0], step...)
	s.squares[s.count] = square
	s.count++
}

// RemoveStep removes the last increment, after an Undo.
func (s *BroydenUpdate) RemoveStep() { s.count = max(0, s.count-1) }

// CorrectStep replaces x, the increment with the last tangent, by that with the updated tangent. It
// skips the last update where that would double the increment or reverse it, since the secant is
// unreliable there.
func (s *BroydenUpdate) CorrectStep(x []float64) {
	const least, most = -1, 0.5
	for k := range s.count {
		share := s.dot(s.steps[k], x) / s.squares[k]
		switch {
		case k+1 < s.count:
			for i, v := range s.steps[k+1] {
				x[i] += share * v
			}
		case share > least && share < most:
			for i := range x {
				x[i] /= 1 - share
			}
		}
	}
}

func (s *BroydenUpdate) dot(a, b []float64) (sum float64) {
	for i, v := range a[:s.NormLen] {
		sum += v * b[i]
	}
	return sum
}
