package continuum

import (
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// Route is how tendon k of the robot goes from disk to disk.
func (r *Robot) Route(k int) *tendon.Route { return r.tendons[k].Route }

// Moments are those of the magnets of the rod, by node and in the middles of elements, body axes, A m².
func (r *Robot) Moments() (nodes, middles []spatial.Vec) { return r.moments, r.middles }

// Energy and MaxStrain are those that the engine has: J, and 1.
func (m *Model) Energy() (kinetic, elastic float64) { return m.engine.Energy() }

// MaxStrain is the largest strain that the engine has.
func (m *Model) MaxStrain() float64 { return m.engine.MaxStrain() }

// Verlet is the engine of methods reference and explicit.
type Verlet struct{ *explicit }

// Verlet returns the engine of a model.
func (m *Model) Verlet() Verlet { return Verlet{m.engine.(*explicit)} }

// Rod is the state of the rod.
func (e Verlet) Rod() *staggered.State { return e.rod }

// AddTendonLoads adds the loads of tendon k under a tension to those of the rod.
func (e Verlet) AddTendonLoads(k int, tension float64) { e.tendons[k].AddLoads(e.rod, tension) }

// SetTensions makes the tensions those of the steps that follow.
func (e Verlet) SetTensions(tensions ...float64) {
	e.in = &inputs{}
	for _, x := range tensions {
		e.in.Setpoints = append(e.in.Setpoints, force.Setpoint{Tension: x})
	}
}

// Load makes the loads of the rod those of the tensions that are set.
func (e Verlet) Load() { e.load(e.in) }
