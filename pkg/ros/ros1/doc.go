// Package ros1 connects a bridge to a ROS 1 network.
//
// A node calls the master, and answers the master and other nodes, by XML-RPC (packages
// masterclient and xmlrpc). Messages and services travel over TCPROS: the peer that connects sends
// a connection header, the other replies with its own or with a field "error", and then each
// message follows its length. The parts and their goroutines:
//
//	registrar      one: keeps topics and services registered at the master, retries
//	               while no master answers, and registers again after a restart of
//	               the master, without touching any connection
//	slave          one per call: answers the slave API with limits of size and time
//	sources        none: the publishers of the topics that this node subscribes to
//	server         one: accepts TCPROS connections and reads their headers
//	publication    none: Publish puts the serialised message into the queue of
//	               every subscriber; the bytes are made once and shared
//	subscriberConn two: one writes the queue, one waits for the end of the connection
//	service        one per connection: reads requests, calls the handler, answers
//	subscription   none: calls receive, one call at a time
//	publisherConn  one: requests the publisher's port, connects, reads messages,
//	               and reconnects, after 0.1 s at first and 5 s at last
//
// No peer can block Publish. A full queue drops its oldest message, and a subscriber that reads
// nothing for half a minute is disconnected. Memory is allocated for data that have arrived, never
// for announced lengths. A publisher that sends invalid messages is disconnected and tried again; a
// service always answers, even after a panic, because rosservice waits without limit.
//
// The sequence number in a message's header is the only part that differs from what other networks
// and recordings get: it counts the messages of the topic. It is written before the shared bytes,
// in the same system call.
//
// # goroslib
//
// The connection headers are those of goroslib v2.1.5: prototcp has their fields, protocommon their
// wire form. goroslib reads a header of 16 MB, which it allocates before it arrives, and it does
// not wait for lengths that arrive in pieces; readHeader passes it complete headers of at most 256
// KiB. The rest of goroslib is a foreign peer in the tests. The reasons:
//
//	Node              needs a master to start, does not register again after its
//	                  restart, continues silently after rosnode kill, remaps by
//	                  os.Args, opens a UDP port
//	Publisher         copies by reflection for each subscriber, drops the newest of
//	                  more than 64 messages, refuses a second subscriber of a name
//	Subscriber        any number of publishers; one that failed is left for five seconds
//	ServiceProvider   a failure is a byte without its text, for which rosservice hangs
//	xmlrpc            reads bodies without limits of size and time
//	apimaster,        have no context and do not return why a call failed: the registrar
//	apislave          must know whether a node is unknown; they drop the path of a URI
//
// ROS 1 has no access control: everybody who reaches the ports may command and end the node.
// Without ROS_IP or ROS_HOSTNAME the ports are open on the address from which the master is
// reached, which for a master on localhost is the loopback interface, and on all interfaces for a
// master that is on this machine under another name.
package ros1

import "time"

// Limits on input from the network.
const (
	maxHeader      = 256 << 10 // bytes of a connection header
	maxMessage     = 64 << 20  // bytes of a message
	maxRequest     = 1 << 20   // bytes of a request to a service
	maxConnections = 512       // TCPROS connections of peers at a time
	maxPublishers  = 64        // publishers of a topic that is subscribed to
)

// subscriberQueue is how many messages wait for one subscriber. At 1 kHz it bounds their age to a
// quarter of a second, beside the socket buffers of both hosts.
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

// timing holds the times that tests shorten.
type timing struct {
	watch  time.Duration // between checks of the master
	frozen time.Duration // after which a subscriber that reads nothing is disconnected
}

var usual = timing{watch: time.Second, frozen: 30 * time.Second}
