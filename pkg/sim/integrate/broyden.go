package integrate

// Secants improve increments by the method of chords with what those before have shown, by Broyden's update of the tangent
// (Broyden 1965, in the form of Kelley, Iterative Methods for Linear and Nonlinear Equations, 1995, section 7.3): where it
// was wrong along the increments since the last tangent is made right.
type BroydenUpdate struct {
	// Deciding is how many of the first components of an increment say how far it goes; the
	// others are carried along.
	NormLen int

	steps   [][]float64
	squares []float64 // of their lengths
	count   int
}

// Reset forgets all increments: there is another tangent.
func (s *BroydenUpdate) Reset() { s.count = 0 }

// Take remembers an increment that was added whole, if it goes anywhere.
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

// Drop forgets the last increment, which was taken back.
func (s *BroydenUpdate) RemoveStep() { s.count = max(0, s.count-1) }

// Improve makes x, the increment by the last tangent, the one by the tangent that the secants have. Where that would go twice as
// far or back, by the last of them, the tangent is no good, and this one is left out.
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
