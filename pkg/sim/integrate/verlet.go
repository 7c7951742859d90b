package integrate

// Oscillator is a second-order system whose accelerations depend on positions, and weakly on
// velocities. PositionVerlet steps it.
type Oscillator interface {
	// Drift advances the positions at constant velocities for h seconds.
	Drift(h float64)
	// Kick advances the velocities by the loads at constant positions for h seconds, and applies
	// dampers and constraints.
	Kick(h float64)
}

// PositionVerlet advances s by dt with half a drift, a kick and half a drift. It is of second
// order. For loads with a potential it is symplectic, and the energy error is bounded.
func PositionVerlet(s Oscillator, dt float64) {
	s.Drift(0.5 * dt)
	s.Kick(dt)
	s.Drift(0.5 * dt)
}
