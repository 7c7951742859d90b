// Package wallclock provides the computer's time as a sim.Clock.
package wallclock
