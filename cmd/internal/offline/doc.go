// Package offline has the verbs that simulate without a clock, as fast as they can:
// sim, static and replay.
package offline
