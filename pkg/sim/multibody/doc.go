// Package multibody builds sim.Models from robot files with rods, rigid bodies and joints. SI units.
//
// Every rod and body has a pose in the world, under its name: ROD/measured_cp is that of the end of a rod, BODY/measured_cp that of
// the origin of a body. Coordinates of joints have the names of the joints, JOINT.1 and so on where a joint has several.
//
// Reading order: robot.go (from the file to the parameters of package mechanism), model.go (steps and equilibria), ports.go, values.go (inputs and outputs), external.go (pushes), contacts.go, walls.go, reactions.go,
// tree.go and frames.go (the tree of frames), scene.go, state.go, jacobian.go and linearise.go
// (derivatives).
package multibody
