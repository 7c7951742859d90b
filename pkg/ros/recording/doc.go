// Package recording begins and ends recordings of a node while it runs: by services, for every
// network and every viewer, and with a topic that reports the state of the recording.
//
// What the node publishes on the transport of a Control goes to the present recording, if there is
// one. A recording that begins late starts with the messages that late subscribers would get: the
// last messages of latched topics.
//
// Only the caller of a service may wait for files and disks: a goroutine of the Control executes
// the requests, one after the other.
package recording
