//go:build !linux

package latency

// unpreempted sets nothing.
const unpreempted = "GODEBUG="

// wakePeriodically does nothing: without /proc nothing is measured.
func wakePeriodically(int, int, *record) {}
