// Package faults brings faults about around the program that ships, in real time and on
// both networks, and asserts what its user sees, what continues meanwhile, and in what
// time everything is as before:
//
//	go test ./test/faults                    all of them, which takes two minutes
//	go test ./test/faults -run Faults/hung   those of a name
//	go test ./test/faults -args -write       and write the table of docs/reliability.md
//
// Each fault is a value of type fault in one of the lists that faults joins. It has a
// program, a peer that watches it, and a witness, a subscriber of its poses at 1 kHz in a
// process of its own that has nothing to do with the fault. What the table says of a fault is
// what the test has asserted; the times in it are those of one run, one fault after the other,
// the bounds hold for every run. Faults that leave the computer alone run in parallel unless
// the table is written.
//
// TestEmergencyStopUnderAttack measures instead how long an emergency stop takes before an attack and
// during it.
//
// What the computer takes from any program is not charged to this one: beside each fault
// probes run on all processors, at a priority above the program's, and bounds hold for
// what is missing beyond the periods that the worst of those skips.
//
// A fault that needs peers in processes of their own starts this test program again as
// one, see peer. Where that is permitted all runs in a network of its own.
package faults
