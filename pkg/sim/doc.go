// Package sim is the simulation loop and the contract between models, loop and
// bridges.
//
// A Model is a robot and its state; it lists its inputs and outputs as Ports and
// moves their values as flat slices of SI numbers. Inputs takes commands through
// limits and slew. A Simulator owns one Model on one goroutine, steps it at a
// fixed rate against a Clock and hands out Snapshots. Nothing in the stepping
// goroutine allocates, logs or waits for a reader. A Schedule does without a
// clock.
package sim
