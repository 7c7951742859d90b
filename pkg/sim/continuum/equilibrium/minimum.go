package equilibrium

// minimumStiffness is the lowest eigenvalue, over that of the unloaded rod, above which a minimum of the energy is not neutral: ten times
// and more what Stability takes for neutral.
const minimumStiffness = 1e-3

// IsMinimum reports whether the present equilibrium is a minimum of the energy that is not neutral, by the inertia of one tangent with a
// negative shift. It is false where friction or loads without a potential act, of which the symmetric part of the tangent decides nothing.
func (s *Solver) IsMinimum() bool {
	q := s.system
	q.State.BeginStatic()
	q.BeginEquilibrium()
	if !q.HasPotential() || q.IsHistoryDependent() {
		return false
	}
	negative, ok := s.factorStiffness(-q.NeutralShift(minimumStiffness))
	return ok && negative == 0
}
