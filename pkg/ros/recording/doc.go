// Package recording begins and ends recordings of a node while it runs: by services, by which every
// network and every viewer can ask for it, and with a topic that tells how the recording is doing.
//
// What the node publishes on the transport of a Control goes to the recording there is, if any. One
// that begins late has at its beginning what late subscribers would get: the last messages of latched
// topics.
//
// Files and disks may make whoever asks for a recording wait, but nobody else: a goroutine of the
// Control does what is asked for, one request after the other.
package recording
