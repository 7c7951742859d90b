package mechanism

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// link is a body or a rod: one node, or several that are coupled. A fixed body has none. Nodes of a
// link count from 0.
type link interface {
	// label is the name; given says that the velocity at t = 0 is given.
	label() (name string, given bool)
	nodeCount() int
	// firstNode is that of the link among all nodes.
	firstNode() int
	// connect sets where the nodes of the link and their couplings are in the system.
	connect(first int, w *World)
	// pairs are the nodes that are coupled.
	pairs() [][2]int
	// extent is the length of a rod, or the largest radius of gyration of a body, m.
	extent() float64

	// section returns the node at arc length at and its pose; placeSection moves the undeformed link.
	section(at float64) (node int, g spatial.Pose)
	placeSection(at float64, g spatial.Pose)
	// rigidVelocity returns the velocity of the point x and the angular velocity, both in world axes,
	// of a link that moves as a rigid body.
	rigidVelocity() (x, v, omega spatial.Vec)
	setRigidVelocity(x, v, omega spatial.Vec)
	nodeVelocity(node int) spatial.Vec6
	setNodeVelocity(node int, v *spatial.Vec6)

	// begin starts a step with formula f, beginStatics a search for equilibrium with loads times scale.
	begin(f *integrate.BDF)
	beginStatics(scale float64)
	// predict moves the link, after begin, to where its nodes end the step if their velocities change by extrapolate times their
	// change in the step before.
	predict(extrapolate float64, pose []spatial.Pose)
	// assemble adds wrenches and tangents of the present pose to the system.
	assemble(w *World)
	// assembleMass adds beta times the mass matrix, and the wrenches at the present velocities.
	assembleMass(w *World, beta float64)
	setLevelBefore(h float64, acceleration []spatial.Vec6)
	// addLevelIncrements changes poses and velocities now and at the level before; velocities of a body are those of its centre of mass.
	addLevelIncrements(now, before *strain.LevelIncrement, pose []spatial.Pose)
	// poseBefore returns the pose of a node at the level before.
	poseBefore(node int) spatial.Pose
	// velocityIncrement returns the first-order change of the velocity of a node at the end of a step with formula f, of which the other
	// arguments are body increments at its end, at its start and at the level before.
	velocityIncrement(f *integrate.BDF, node int, end, now, before *spatial.Vec6) spatial.Vec6
	// incrementLength is a length, m, beside which differences of positions are small.
	incrementLength() float64
	// move moves the nodes by scale times their increments, and sets their poses; size is the largest
	// rotation within the link that the increments cause at scale 1, rad.
	strainIncrement(increment []spatial.Vec6) (size float64)
	move(increment []spatial.Vec6, scale float64, pose []spatial.Pose)
	commit()
	// commitStatics makes the pose that of the link at rest.
	commitStatics()
	revert(pose []spatial.Pose)
	// savePath keeps the pose for restorePath.
	savePath()
	restorePath(pose []spatial.Pose)
	stateLen() int
	save(dst []float64)
	restore(src []float64, pose []spatial.Pose)
	// assembleTimeError sets x to the right-hand side of the equations of the error of a step; see time_error.go. commitTimeError makes
	// their solution x the error, of at most so many metres.
	assembleTimeError(f *integrate.BDF, order int, h, last float64, x []spatial.Vec6)
	commitTimeError(x []spatial.Vec6, most float64)
	// timeErrorOf returns the error of a node before the step, and γ ê + δ at its end, between these two.
	timeErrorOf(node int) (was, rate spatial.Vec6)
	largestTimeError() float64
	// interruptTimeError tells the error that the accelerations of a step are no part of the motion after it.
	interruptTimeError()
	isTimeErrorInterrupted() bool
	// assembleTimeShift sets x to the right-hand side of the equations by which the poses alone are off after a step of order 1 of an
	// interruption, and commitTimeShift adds their solution to the error.
	assembleTimeShift(x []spatial.Vec6)
	commitTimeShift(x []spatial.Vec6)
	resetTimeError()
	// beginStepError begins a second estimate, of the error of the steps from now on; exchangeTimeErrors exchanges it and the first one.
	beginStepError()
	exchangeTimeErrors()
	// energy returns kinetic energy, that of weight, and elastic energy, J.
	energy() (kinetic, weight, elastic float64)
}
