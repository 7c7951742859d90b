// Package ros1 connects a bridge to a ROS 1 network through goroslib.
//
// goroslib encodes and decodes messages, connects to publishers and answers
// services. It does so in a box: its node listens on the loopback interface
// only and talks to a master that says yes to everything. What the network
// meets stands in this package:
//
//	registrar  keeps topics and services registered at the real master, waits
//	           for a master that is not there yet, and registers again what a
//	           restarted one has forgotten, without touching any connection
//	slave      answers the node's whole slave API on package xmlrpc, hence with
//	           limits of size and time
//	guard      accepts the TCPROS connections, reads their headers with limits,
//	           and relays each to the box through a short queue of its own
//
// So goroslib meets well-formed requests only, and its faults stay inside. What
// is known to be wrong with goroslib v2.1.5, and where it is dealt with:
//
//	a service that fails leaves rosservice hanging    service: always answers, even after a panic
//	__name, __ns, ~x, ROS_MASTER_URI are not read     naming.Names; only absolute names arrive here
//	remaps by the text of os.Args and ROS_NAMESPACE   box: is given none
//	needs a master to start, and forgets a new one    registrar
//	goes on silently after rosnode kill or eviction   slave and registrar close Done
//	keeps and encodes the message after Write         publisher: a fresh copy for each Write
//	Write waits for a goroutine that may stall        publisher: a queue and a goroutine per topic
//	drops the newest of more than 64 messages         publisher sends bursts in portions; guard drops the oldest
//	slow subscribers get ever older data              guard: a bounded queue and socket buffer for each
//	refuses a second subscriber of the same name      guard: renames them
//	allocates 16 MB for a header before it arrives    guard: reads at most 256 KiB, as they arrive
//	reads XML-RPC bodies without limit, ever so long  slave; box limits replies
//	accepts any number of publishers for a topic      registrar: at most 64
//	no getBusStats, getSubscriptions, getMasterUri    slave
//	opens a UDP port, resolves names for UDPROS       box is on loopback; slave offers TCPROS only
//	asks HTTP proxies for other nodes                 box: never does
//	a log line about /rosout waits for itself         box: logs to zap alone; nothing is sent to /rosout
//	Close waits for a master that hangs               box has its own; registrar's good-bye has a deadline
//
// What is left: a publisher that cannot be reached is tried again after five
// seconds, and ROS 1 knows no access control: whoever reaches the ports may
// command and end the node. Without ROS_IP or ROS_HOSTNAME the ports are open on
// the address from which the master is reached, which for a master on localhost
// is the loopback interface.
package ros1

import "time"

// Limits towards the network.
const (
	maxHeader      = 256 << 10 // bytes of a connection header
	maxMessage     = 64 << 20  // bytes of a message
	maxConnections = 512       // TCPROS connections at a time
	maxPublishers  = 64        // publishers of a topic that is subscribed to
)

// Queues, in messages. Both drop the oldest message when they are full.
const (
	// publishQueue holds what is published until goroslib takes it: at 1 kHz a
	// quarter of a second, more than any pause of a healthy process.
	publishQueue = 256
	// relayQueue holds what one subscriber has not taken yet, so that it never
	// gets data older than a quarter of a second at 1 kHz, beyond what the
	// socket buffers of both hosts hold.
	relayQueue = 256
)

// Times.
const (
	handshakeTime = 2 * time.Second // for a peer's connection header
	callTime      = 2 * time.Second // for a call of the master or a slave
	goodbyeTime   = 500 * time.Millisecond
	closeTime     = 1500 * time.Millisecond // for all of Close
)

// timing is what tests make shorter.
type timing struct {
	watch  time.Duration // between looks at the master
	frozen time.Duration // after which a subscriber that takes nothing is cut
}

var usual = timing{watch: time.Second, frozen: 30 * time.Second}
