// Package fleet reads fleet files: robots that run in one program, each a node of its own, and shares
// robots out among loops.
package fleet
