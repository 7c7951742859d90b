// Package force has the force elements of a tendon-driven robot: what acts on the nodes of its rod, each
// behind the contract equations.Element.
//
//   - Loads: concentrated wrenches, dead and follower (loads.go).
//   - Tendons: chords between disks under given tension or given length, with friction (tendons.go,
//     tendon_friction.go, length_control.go).
//   - Magnets: dipoles on the rod in a field (magnets.go).
//   - Contact: walls and the rod itself (contact.go).
//   - Springs: linear springs from the rod to the world (springs.go).
//
// Reading order: springs.go, the shortest one that uses most of the contract; loads.go, magnets.go; tendons.go with
// tendon_friction.go and length_control.go; contact.go.
//
// Inertia, weight, drag and the payload at the tip are properties of the nodes and belong to the rod
// (package rod/strain), which adds them to the equations in one pass.
//
// A new force is a file here, a key of the robot file, and a line where package continuum makes the robot; the page
// docs/architecture.md has the steps, docs/theory.md the equations of the elements and of their friction.
package force
