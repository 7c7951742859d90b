package rtps

import (
	"sync"

	"sinew/pkg/ros/rtps/wire"
)

// GUID names an entity in the domain.
type GUID = wire.GUID

// SampleIdentity names a sample in the domain.
type SampleIdentity = wire.SampleIdentity

// SequenceUnknown is the sequence number of a SampleIdentity that identifies only the writer.
const SequenceUnknown = wire.SequenceUnknown

// Vendor identifies an implementation of RTPS.
type Vendor = wire.Vendor

// Vendors whose conventions differ.
var (
	VendorFastDDS = wire.VendorFastDDS
	VendorCyclone = wire.VendorCyclone
	VendorRustDDS = wire.VendorRustDDS
)

// Endpoint describes a writer or reader of another participant, or of this one.
type Endpoint struct {
	GUID           GUID
	Topic, Type    string
	Reliable       bool
	TransientLocal bool
	UserData       []byte // read only
	Vendor         wire.Vendor
}

func endpointOf(r *remote, d *wire.EndpointData) Endpoint {
	return Endpoint{
		Vendor: r.data.Vendor,
		GUID:   d.GUID, Topic: d.Topic, Type: d.Type, UserData: d.UserData,
		Reliable: d.Reliability == wire.Reliable, TransientLocal: d.Durability >= wire.TransientLocal,
	}
}

// EventKind is the kind of an Event.
type EventKind uint8

// Kinds of events.
const (
	ParticipantFound EventKind = iota // Remote.GUID, Name
	ParticipantLost                   // Remote.GUID, Name, Reason
	Matched                           // Local and Remote exchange data from now on
	Unmatched                         // they no longer do
	Incompatible                      // Reason says why Local and Remote do not match
	Contested                         // two participants have the GUID of Remote, at the addresses in Reason
	Lagging                           // the reliable reader Remote does not get all samples of Local; Reason
	Forged                            // datagrams of Remote came from an address that is none of its own; Reason
	EventsMissed                      // earlier events were dropped: Notify is too slow
)

// String returns the name of the kind.
func (k EventKind) String() string {
	names := [...]string{"participant found", "participant lost", "matched", "unmatched", "incompatible", "contested", "lagging", "forged", "events missed"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Event is something that happened in the domain.
type Event struct {
	Kind   EventKind
	Local  GUID     // the writer or reader of this participant
	Remote Endpoint // the other side; of a participant only the GUID is set
	Name   string   // name of a participant
	Reason string
}

// maxEvents bounds the events that wait for Notify, so that a peer cannot increase the memory in
// use.
const maxEvents = 1024

// notifier passes events to a callback from a goroutine of its own, so that a slow callback does
// not block the protocol.
type notifier struct {
	queue  chan Event
	mu     sync.Mutex
	missed bool
	closed bool
}

func newNotifier(notify func(Event)) *notifier {
	if notify == nil {
		return nil
	}
	n := &notifier{queue: make(chan Event, maxEvents)}
	go func() {
		for e := range n.queue {
			notify(e)
			if n.takeMissed() {
				notify(Event{Kind: EventsMissed})
			}
		}
	}()
	return n
}

func (n *notifier) takeMissed() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	m := n.missed
	n.missed = false
	return m
}

func (n *notifier) post(e Event) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return
	}
	select {
	case n.queue <- e:
	default:
		n.missed = true
	}
}

func (n *notifier) close() {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	close(n.queue)
}
