// Package stokes is motion through viscous fluid without inertia, at Reynolds
// numbers well below 1: what resists a rigid body, what carries it along, what
// shakes it, and how walls and other bodies change that.
//
// A Shape is geometry: the resistance of an ellipsoid (Ellipsoid, Sphere), of a
// helix (Helix), or one given by the user (Given). A Body is a Shape in a fluid:
// the constants that a time step needs. Flow is the motion of the fluid without the
// body, Walls bound it, Weight is gravity with buoyancy, Noise drives Brownian
// motion, and Swarm is the interaction of many spheres.
//
// # Frames and signs
//
// Body quantities are in body axes about the body's reference point; positions,
// flows, walls and swarms are in world axes. A rotation R maps body to world. A
// Resistance gives the load that the body exerts on the fluid, so that the drag on
// the body is its negative. Everything is SI: m, s, kg, N, Pa s, K.
//
// # State
//
// Every type but Noise and the scratch of Swarm is immutable after construction
// and may be shared between goroutines. What a time step calls neither allocates
// nor calls through an interface.
package stokes
