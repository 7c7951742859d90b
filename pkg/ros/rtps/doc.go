// Package rtps is a participant of the Real-Time Publish-Subscribe protocol, the wire protocol of
// DDS and thereby of ROS 2, in pure Go. It is independent of ROS: samples are opaque bytes with an
// encapsulation header, topics and types are names.
//
// # Use
//
// NewParticipant joins a domain. Its writers and readers are matched with those of all participants
// in the domain, this one included, by topic, type and quality of service. Writer.Write never
// blocks; Reader calls back with each sample from a goroutine of its own. Discovery stays on this
// host unless Options.Range or Options.Peers widen it.
//
// # How it works
//
// One goroutine, engine.run, owns the whole state of a participant: remote participants, histories,
// missing samples. Sockets, Write and timers pass it one event at a time. Package wire encodes and
// decodes messages.
//
// # What is implemented
//
// Of OMG DDSI-RTPS 2.3 (formal/2019-04-03):
//
//   - 8.3 messages: all submessages, see package wire; the message receiver of
//     8.3.4, except that answers always go to the addresses of discovery
//     (InfoReply is read and ignored).
//   - 8.4.7-8.4.9 stateful writers, best effort and reliable, with heartbeats
//     beside the data and while acknowledgements are missing; 8.4.10-8.4.12
//     stateful readers; 8.4.14 fragments both ways, with NackFrag.
//   - 8.4.2.2 GAP for samples that a reader must not wait for; samples before the
//     match are irrelevant to volatile readers.
//   - 8.5.3 SPDP by multicast and unicast, with leases and good-byes; 8.5.4
//     SEDP for writers and readers, with dispose.
//   - 8.4.13 the reader of participant messages, which renew leases.
//   - DDS-RPC 1.0, 7.8.2: the identity of a related sample in the in-line QoS, by
//     which replies refer to requests; and samples for one reader only, for which
//     the other readers get a GAP.
//   - 9.4 the mapping onto UDP on IPv4; 9.6.1 well-known ports and group.
//
// Of DDS 1.4, 2.2.3: reliability, durability (volatile and transient local), history keep-last,
// USER_DATA; deadline, liveliness, ownership and partition are compared when matching and otherwise
// left at their defaults.
//
// Not implemented: topics with keys, content filters, in-line QoS for readers that expect it (8.7),
// sending for the writer liveliness protocol (8.4.13; automatic liveliness needs none), type lookup
// and type objects, XCDR2 negotiation beyond refusing a reader that accepts nothing else, security,
// IPv6, TCP, shared memory, and user data over multicast: each matched reader is sent its own copy.
// Received but never sent: HeartbeatFrag, InfoSource, InfoReply.
//
// # Bounds
//
// Memory and time are bounded for every input: by Limits for participants, endpoints, matches,
// samples and buffers, by fixed bounds for names, user data, sets and queues, and by one
// retransmission of a sample in 20 ms for each reader. Stats counts what is refused; a refused
// match is also an Event. No input can block Write. RTPS has no authentication. Datagrams count as
// those of a participant if they come from an address that it has announced, or for a participant on
// this host from this host (origin.go); a program that can send from such an address can forge it.
// Numbers that are far too high are corrected by those that follow.
package rtps
