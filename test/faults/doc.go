// Package faults brings faults about around the program that ships, in real time and on
// both networks, and asserts what its user sees, what goes on meanwhile, and in what
// time everything is as before:
//
//	go test ./test/faults                    all of them, which takes some minutes
//	go test ./test/faults -run Faults/hung   those of a name
//	go test ./test/faults -args -write       and write the table of docs/reliability.md
//
// Each fault is a value of type fault in one of the lists that faults joins. It runs by
// itself, one after the other, so that its times mean something: a program, a station
// that watches it, and a subscriber of its poses at 1 kHz that has nothing to do with the
// fault. What the table says of a fault is what the test has asserted; the times in it are
// those of one run, the bounds hold for every run.
//
// A fault that needs peers in processes of their own starts this test program again as
// one, see peer.
package faults
