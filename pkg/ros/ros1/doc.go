// Package ros1 connects a bridge to a ROS 1 network.
//
// A node calls the master, and answers the master and other nodes, by XML-RPC
// (packages masterclient and xmlrpc). Messages and services travel over TCPROS: the
// peer that connects sends a connection header, the other replies with its own or
// with a field "error", and then each message follows its length. The parts and
// their goroutines:
//
//	registrar      one: keeps topics and services registered at the master, waits
//	               for one that is not there yet, and registers again what a
//	               restarted one has forgotten, without touching any connection
//	slave          one per call: answers the slave API with limits of size and time
//	sources        none: who publishes the topics that this node subscribes to
//	server         one: accepts TCPROS connections and reads their headers
//	publication    none: Publish puts the serialised message into the queue of
//	               every subscriber; the bytes are made once and shared
//	subscriberConn two: one writes the queue, one waits for the peer to hang up
//	service        one per connection: reads requests, calls the handler, answers
//	subscription   none: calls receive, one call at a time
//	publisherConn  one: asks the publisher for its port, connects, reads messages,
//	               and connects again, after 0.1 s at first and 5 s at last
//
// Nothing that a peer does holds up Publish. A queue that is full drops its oldest
// message, and a subscriber that takes nothing for half a minute is cut. Memory
// follows what has arrived, never what is announced. A publisher that sends what
// the type does not allow is cut and tried again; a service always answers, even
// after a panic, because rosservice waits for ever.
//
// The number in a message's header is the only part that differs from what other
// networks and recordings get: it counts the messages of the topic. It is written
// before the shared bytes, in the same system call.
//
// # goroslib
//
// The connection headers are those of goroslib v2.1.5: prototcp has their fields,
// protocommon their wire form. goroslib reads a header of 16 MB, which it
// allocates before it arrives, and its lengths may come in pieces that it does not
// wait for; readHeader gives it complete headers of at most 256 KiB. The rest of
// it serves as a foreign peer in the tests. Reasons for that:
//
//	Node              needs a master to start, forgets a restarted one, goes on
//	                  silently after rosnode kill, remaps by os.Args, opens a UDP port
//	Publisher         copies by reflection for each subscriber, drops the newest of
//	                  more than 64 messages, refuses a second subscriber of a name
//	Subscriber        any number of publishers; one that failed is left for five seconds
//	ServiceProvider   a failure is a byte without its text, for which rosservice hangs
//	xmlrpc            reads bodies without limit, ever so long
//	apimaster,        have no context and do not tell why a call failed: the registrar
//	apislave          must know whether a node is unknown; they drop the path of a URI
//
// What is left: ROS 1 knows no access control, so whoever reaches the ports may
// command and end the node. Without ROS_IP or ROS_HOSTNAME the ports are open on
// the address from which the master is reached, which for a master on localhost
// is the loopback interface, and on all interfaces for a master that is on this
// machine under another name.
package ros1

import "time"

// Limits towards the network.
const (
	maxHeader      = 256 << 10 // bytes of a connection header
	maxMessage     = 64 << 20  // bytes of a message
	maxRequest     = 1 << 20   // bytes of a request to a service
	maxConnections = 512       // TCPROS connections of peers at a time
	maxPublishers  = 64        // publishers of a topic that is subscribed to
)

// subscriberQueue is how many messages wait for one subscriber. It never gets
// data older than a quarter of a second at 1 kHz, beyond what the socket buffers
// of both hosts hold.
const subscriberQueue = 256

// Times.
const (
	handshakeTime = 2 * time.Second // for a peer's connection header
	callTime      = 2 * time.Second // for a call of the master or a slave, and a request
	goodbyeTime   = 500 * time.Millisecond
	closeTime     = 1500 * time.Millisecond // for all of Close
	firstRetry    = 100 * time.Millisecond  // after a connection to a publisher has failed
	lastRetry     = 5 * time.Second         // after many have
)

// timing is what tests make shorter.
type timing struct {
	watch  time.Duration // between looks at the master
	frozen time.Duration // after which a subscriber that takes nothing is cut
}

var usual = timing{watch: time.Second, frozen: 30 * time.Second}
