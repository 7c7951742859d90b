// Package fleet reads fleet files, whose robots run in one program as separate nodes, and distributes
// the robots among loops.
package fleet
