// Package bounded bounds what grows with the traffic of a network: queues, which keep the newest
// items, connections, and lines in a log.
package bounded
