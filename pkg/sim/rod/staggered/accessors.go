package staggered

import "sinew/pkg/sim/spatial"

// ClearLoads removes all loads from outside but gravity.
func (x *State) ClearLoads() {
	clear(x.force)
	clear(x.couple)
}

// Damping returns the damping of the rod.
func (x *State) Damping() Damping { return x.opt.Damping }

// Positions returns the node positions, world axes. They are to be read only,
// but at the start.
func (x *State) Positions() []spatial.Vec {
	x.beginRead()
	return x.pos
}

// Velocities returns the node velocities, world axes.
func (x *State) Velocities() []spatial.Vec { return x.vel }

// Directors returns the directors of the elements. They are to be read only, but at
// the start.
func (x *State) Directors() []Directors {
	x.beginRead()
	return x.dir
}

// AngularVelocities returns the angular velocities of the elements, body axes.
func (x *State) AngularVelocities() []spatial.Vec { return x.omega }

// Forces returns the external forces on the nodes (N, world axes) for loads to
// be added to.
func (x *State) Forces() []spatial.Vec { return x.force }

// Couples returns the external couples on the elements (N m, body axes) for
// loads to be added to.
func (x *State) Couples() []spatial.Vec { return x.couple }
