// Package latency measures how late the computer wakes a program. A probe is a program that
// does nothing but wake up at 1 kHz: what it misses the computer takes from any program, and
// no program beside it can be better. Tests and measurements in real time compare theirs
// with it.
//
// A probe is a process of its own, the caller's program again, because in a busy one Go's
// scheduler and collector would delay it.
package latency
