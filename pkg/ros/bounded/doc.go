// Package bounded keeps what grows with the traffic of a network within bounds:
// queues, of which the newest items stay, connections, and lines in a log.
package bounded
