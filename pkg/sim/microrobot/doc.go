// Package microrobot is the magnetic robot: a rigid body in viscous fluid, moved by
// a magnetic field, as a sim.Model.
//
// A Robot holds what never changes; a Model is a robot and its state, and any number
// of models of one robot can be stepped at once. A Model holds the setpoints and the
// camera, and an engine moves the robot under loads that the setpoints determine: one
// engine for each kind of motion below.
//
// # Without inertia
//
// Overdamped motion: at every moment the drag balances the magnetic force and torque,
// weight less buoyancy and the external loads,
//
//	(v, w) = M (F, T) + what the fluid carries along,
//
// with the mobility M, F and T in body axes. The field turns the body toward itself
// within the alignment time τ = ζ/(mB) = 1/(2π f), f the step-out frequency; steps
// are divided so that none is longer than τ/2. When that would take too many, implicit
// steps keep the torque of the field in balance with all others: a load of half of mB
// tilts the moment by 30°. Where there is no balance the body slips, in substeps again.
//
// # With inertia
//
// The same loads and the drag −R (v − what the fluid carries along), R the resistance,
// move a rigid body (package rigid), free or on a spherical joint, by any of its methods.
// Steps are divided so that the body turns in the field by no more than half a radian of
// its swing at √(mB/J), and, with explicit methods, loses no more than half of its
// velocity to drag. The film between a sphere and a wall, stiffer by orders of magnitude,
// is taken linearly implicitly where it has to be. Walls stop the body without rebound and
// without friction. Only the drag of steady flow at low Reynolds number is there: neither
// the mass of fluid that an accelerated body takes along nor the memory of its wake
// (Basset), which for a body hardly heavier than the fluid are as large as its own inertia.
//
// # Swarms
//
// Robots without interaction move each as it would alone, to the last bit.
// With full interaction, of spheres, every pair drags each other through the fluid and
// attracts or repels as dipoles do. Spheres that touch press on one another without friction
// and never pull: a complementarity problem on velocities. Magnets that pull or turn one
// another faster than a thousand substeps can follow, and thermal motion near contact, are
// stepped implicitly. Lubrication between spheres is left out: they touch within finite time. Large swarms are stepped on several processors, with
// the same bits on any number of them.
//
// Frames: "world"; "body", the body axes at the reference point.
package microrobot
