package equilibrium

// minimumCurvature is a curvature, over that of the rod itself, above which a minimum of the energy is not neutral: ten times and more what
// Stability takes for neutral.
const minimumCurvature = 1e-3

// IsMinimum reports whether the present equilibrium is a minimum of the energy that is not neutral, by the inertia of one tangent with a
// negative shift. It is false where friction or loads without a potential act, of which the symmetric part of the tangent decides nothing.
func (s *Solver) IsMinimum() bool {
	q := s.system
	q.State.BeginStatic()
	q.BeginEquilibrium()
	if !q.HasPotential() || q.IsHistoryDependent() {
		return false
	}
	skip := s.skipFriction
	s.skipFriction, s.countsEigenvalues = 0, false
	defer func() { s.skipFriction = skip }()
	s.Assemble(-q.NeutralShift(minimumCurvature))
	_, negative, ok := s.Increment()
	return ok && negative == 0
}
