// Package simtest tests that a sim.Model keeps the contract of that interface.
//
// Contract runs one subtest for each property, so that one can be run alone:
//
//	go test ./pkg/sim/simtest -run 'TestRobots/catheter/replay'
//
// The properties are those of every model: no allocation, save, restore and replay to the bit,
// refused states, finite outputs, consistent ports, gauges and scene, and independence of models
// that are stepped in parallel. Where the world of the robot can be turned, its motion is frame
// indifferent. Where equations.System solves the robot, its wrenches are the negative gradient of
// the merit, its tangent is their negative derivative, and load stepping scales all loads.
//
// Only tests import the package.
package simtest
