package motion

import "sinew/pkg/sim/continuum/equations"

// rest is how long the robot has been at rest, and whether its equilibrium is unstable. Inertia makes the tangent
// of a step positive, so its eigenvalues do not decide that.
type rest struct {
	time     float64 // duration of the rest, s
	counted  float64 // duration of the rest at the last count, s
	negative int     // number of negative eigenvalues of the stiffness at rest; 0 in motion
}

const (
	// restSpeed is the speed below which a node is at rest, in lengths of the rod per second.
	restSpeed = 1e-6
	// restInterval (s) is how long the robot is at rest before a count, and from one count to the next.
	restInterval = 1
	// neutralStiffnessAtRest is the lowest eigenvalue, over that of the unloaded rod, below which a shape is neutral: a robot at rest
	// has a residual, which its last motion leaves.
	neutralStiffnessAtRest = 1e-4
)

// watchRest updates the rest after a step of dt seconds.
func (m *Stepper) watchRest(dt float64) {
	r := &m.rest
	if !m.isAtRest() {
		*r = rest{}
		return
	}
	if r.time += dt; r.time-r.counted >= restInterval {
		negative := m.negativeAtRest() // which restores the rest before
		r.counted, r.negative = r.time, negative
	}
}

// isAtRest reports whether all nodes are at rest in axes that move with the base and do not turn.
func (m *Stepper) isAtRest() bool {
	limit := restSpeed * m.system.Rod.Length
	base := m.system.State.NodeTwist(0).Linear
	for i := m.system.Rod.Elements; i > 0; i-- { // in motion, the tip moves
		if v := m.system.State.NodeTwist(i).Linear.Sub(base); v.Norm2() > limit*limit {
			return false
		}
	}
	return true
}

// negativeAtRest returns the number of negative eigenvalues of the stiffness at the present shape, with friction
// that sticks, without those that are neutral. It is 0 where loads without a potential act, whose stability the symmetric part of the stiffness does not decide.
func (m *Stepper) negativeAtRest() int {
	s := m.system
	if !s.HasPotential() {
		return 0
	}
	m.Save(m.before)
	for _, e := range s.Prescribed() {
		e.BeginDivision()
	}
	s.State.BeginStatic()
	s.Assemble(s.NeutralShift(neutralStiffnessAtRest)) // a round column that has fallen over turns about its axis without resistance
	negative, ok := s.Factor()
	if ok {
		s.AddColumns(equations.StepScope)
		s.Solve(0) // which finds the active constraints
		negative = s.Negative(negative)
	}
	m.Restore(m.before)
	for _, e := range s.Prescribed() {
		e.SetTargets()
	}
	return negative
}
