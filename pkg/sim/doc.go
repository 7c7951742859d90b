// Package sim is the simulation loop and the contract between models, loop and
// bridges.
//
// A Model is a robot and its state; it lists its inputs and outputs as Ports and
// moves their values as flat slices of SI numbers. Inputs passes commands to a
// Model within the limits of their ports. A Simulator owns one Model on one
// goroutine, steps it at a fixed rate against a Clock and hands out Snapshots.
// Nothing in that goroutine allocates, logs or waits for a reader. A Schedule
// divides an offline run, which needs no clock, into steps.
//
// To write a model, implement Model; the example of the package is a mass on a
// spring. To run it, give it to NewSimulator, or call Inputs.Advance and Model.Step
// in turn.
package sim
