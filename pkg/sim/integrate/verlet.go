package integrate

// Oscillator is a second-order system whose velocities depend on positions, and
// weakly on themselves: what PositionVerlet steps.
type Oscillator interface {
	// Drift carries the positions along the present velocities for h seconds.
	Drift(h float64)
	// Kick changes the velocities by the loads at the present positions for h
	// seconds, then by dampers and constraints.
	Kick(h float64)
}

// PositionVerlet advances s by dt with half a drift, a kick and half a drift. For
// loads that derive from a potential it is symplectic: second order, and the
// energy error does not grow.
func PositionVerlet(s Oscillator, dt float64) {
	s.Drift(0.5 * dt)
	s.Kick(dt)
	s.Drift(0.5 * dt)
}
