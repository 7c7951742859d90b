package staggered

import "sinew/pkg/sim/spatial"

// ClearLoads sets all external loads to 0; gravity stays.
func (x *State) ClearLoads() {
	clear(x.force)
	clear(x.couple)
}

// Damping returns the damping of the rod.
func (x *State) Damping() Damping { return x.opt.Damping }

// Positions returns the positions of the nodes, world axes, m. Callers may change them only at the
// start.
func (x *State) Positions() []spatial.Vec {
	x.beginRead()
	return x.pos
}

// Velocities returns the velocities of the nodes, world axes, m/s.
func (x *State) Velocities() []spatial.Vec { return x.vel }

// Directors returns the directors of the elements. Callers may change them only at the start.
func (x *State) Directors() []Directors {
	x.beginRead()
	return x.dir
}

// AngularVelocities returns the angular velocities of the elements, body axes, rad/s.
func (x *State) AngularVelocities() []spatial.Vec { return x.omega }

// Forces returns the external forces on the nodes, world axes, N. Loads add to them.
func (x *State) Forces() []spatial.Vec { return x.force }

// Couples returns the external couples on the elements, body axes, N m. Loads add to them.
func (x *State) Couples() []spatial.Vec { return x.couple }
