// Package wallclock is the computer's time as a sim.Clock.
package wallclock
