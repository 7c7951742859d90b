package rtps

import "sync/atomic"

// Stats counts the activity of a participant and what it refused since its start.
type Stats struct {
	Sent, Received uint64 // datagrams
	Resent         uint64 // samples or fragments, on request
	Lost           uint64 // samples that their writer no longer had
	Overwritten    uint64 // samples replaced by newer ones before Receive took them
	Overrun        uint64 // written samples replaced by newer ones before they were sent

	Foreign             uint64 // datagrams from hosts outside the range
	Malformed           uint64 // datagrams with an error; what precedes it was used
	Forged              uint64 // submessages of a participant that does not send from their address
	RefusedParticipants uint64 // over the limit, or without an address in range
	RefusedEndpoints    uint64 // over the limit, or not the announcer's own
	RefusedSamples      uint64 // larger than the limit, or contradicting earlier fragments
	RefusedBuffers      uint64 // out-of-order samples or fragments without room to wait
}

type counter uint8

const (
	sent counter = iota
	received
	resent
	lost
	overwritten
	overrun
	foreign
	malformed
	forged
	refusedParticipants
	refusedEndpoints
	refusedSamples
	refusedBuffers
	numCounters
)

type counters [numCounters]atomic.Uint64

func (c *counters) add(k counter) { c[k].Add(1) }

func (c *counters) addMany(k counter, n int64) { c[k].Add(uint64(max(n, 0))) }

func (c *counters) stats() Stats {
	v := func(k counter) uint64 { return c[k].Load() }
	return Stats{
		Sent: v(sent), Received: v(received), Resent: v(resent), Lost: v(lost),
		Overwritten: v(overwritten), Overrun: v(overrun), Foreign: v(foreign), Malformed: v(malformed), Forged: v(forged),
		RefusedParticipants: v(refusedParticipants), RefusedEndpoints: v(refusedEndpoints),
		RefusedSamples: v(refusedSamples), RefusedBuffers: v(refusedBuffers),
	}
}
