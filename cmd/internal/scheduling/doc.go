// Package scheduling gives the thread of a simulation loop what the operating system can
// give it: a real-time priority (SCHED_FIFO), a processor of its own and locked memory.
//
// RaiseThread sets these for the calling thread and returns a Grant, which says what was
// permitted and what is missing. A thread with real-time priority can starve the whole
// computer. Therefore no thread gets it without a Guard: a second process, one priority
// above, that samples the thread's processor time, frees the loop when it waits for a
// thread that it has preempted, and takes the priority away from a loop that cannot keep up.
//
// Priorities are set on Linux only. On other systems StartGuard returns ErrNotPermitted and
// RaiseThread does nothing.
package scheduling
