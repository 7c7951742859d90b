package faults_test

import (
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sinew/pkg/ros/masterclient"
	"sinew/test/subprocess"
)

// masterSilent is what the log says while there is no master.
const masterSilent = "not registered with the ROS master; retrying every second"

// ros1Faults are those of a ROS 1 network.
func ros1Faults() []fault {
	return []fault{
		{
			name: "master killed and started again", network: "ROS 1", cause: "SIGKILL to rosmaster, two seconds later another one on its port",
			run: masterRestarted, sees: []sign{logs(masterSilent)}, after: []sign{logs("registered with the ROS master")},
			recovers: "all topics and services are registered, and a new publisher commands the robot", within: 3 * time.Second,
		},
		{
			name: "master hung", network: "ROS 1", cause: "SIGSTOP to rosmaster, SIGCONT when it was noticed",
			run: masterHung, sees: []sign{logs(masterSilent)},
			recovers: "the log says: registered with the ROS master", within: 3 * time.Second,
		},
		{
			name: "master hung at the end", network: "ROS 1", cause: "SIGSTOP to rosmaster, then Ctrl-C",
			run: masterHungAtEnd, sees: []sign{logs("shut down without unregistering: the ROS master did not answer in time")},
			recovers: "ends with exit code 0; rosmaster keeps the registration until another node takes the name", within: time.Second,
		},
		{
			name: "node evicted", network: "ROS 1", cause: "another node registers at rosmaster under the same name",
			run: evicted, sees: []sign{logs("ROS 1: shutting down on request…name")},
			recovers: "does not: ends with exit code 0, as every ROS 1 node does", within: 2 * time.Second,
		},
		{
			name: "subscriber frozen", network: "ROS 1", cause: "SIGSTOP to a subscriber of the poses, SIGCONT when it was noticed",
			run: frozen(subscriberROS1), sees: []sign{logs("subscriber is too slow: messages to it are dropped…/lab/peer")},
			recovers: "its poses are of less than 0.1 s ago", within: 3 * time.Second,
		},
		{
			name: "subscriber slow", network: "ROS 1", cause: "a subscriber takes 50 of 1000 poses a second",
			run: slow(subscriberROS1), sees: []sign{logs("subscriber is too slow: messages to it are dropped…/lab/peer")},
			recovers: "its poses are of less than 0.1 s ago", within: 3 * time.Second,
		},
	}
}

// rosmaster runs Debian's master at the bench's address and waits until it answers.
func (b *bench) rosmaster() *subprocess.Process {
	b.t.Helper()
	if _, err := exec.LookPath("rosmaster"); err != nil {
		b.t.Skip("rosmaster is not installed (Debian: python3-rosmaster)")
	}
	port := b.uri[strings.LastIndex(b.uri, ":")+1 : len(b.uri)-1]
	p := subprocess.Start(b.t, b.env, "rosmaster", "--core", "-p", port)
	b.until("rosmaster", startTime, b.answers)
	return p
}

func masterRestarted(b *bench) {
	m := b.rosmaster()
	b.start(b.run("--master", "external")...)
	before, err := b.master().SystemState(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	b.begin(m.Kill)
	b.end(func() { time.Sleep(2 * time.Second); b.rosmaster() })
	b.until("registrations", b.fault.within, func() bool {
		now, err := b.master().SystemState(b.t.Context())
		return err == nil && reflect.DeepEqual(now, before)
	})
	other := b.second("/lab/b")
	defer other.StreamTension(1, 0)()
	b.recovers(func() bool { return b.observer().Observed().Effort == 1 })
}

func masterHung(b *bench) {
	m := b.rosmaster()
	b.start(b.run("--master", "external")...)
	b.begin(func() { m.Signal(syscall.SIGSTOP) })
	b.end(func() { m.Signal(syscall.SIGCONT) })
	b.recovers(func() bool {
		return strings.Contains(b.node.Output()[b.mark:], "registered with the ROS master")
	})
}

func masterHungAtEnd(b *bench) {
	m := b.rosmaster()
	b.start(b.run("--master", "external")...)
	b.begin(func() {
		m.Signal(syscall.SIGSTOP)
		b.t.Cleanup(func() { m.Signal(syscall.SIGCONT) })
		b.interrupt()
	})
	b.exits(0)
}

func evicted(b *bench) {
	b.rosmaster()
	b.start(b.run("--master", "external")...)
	b.begin(func() {
		twin := masterclient.Client{URI: b.uri, Caller: "/tendonsim"}
		slave := "http://127.0.0.1:" + strconv.Itoa(subprocess.FreePort(b.t)) + "/"
		if _, err := twin.RegisterPublisher(b.t.Context(), "/chatter", "std_msgs/String", slave); err != nil {
			b.t.Error(err)
		}
	})
	b.exits(0)
}

// fresh is the age of poses (s) below which a subscriber is up to date.
const fresh = 0.1

// freezing is how long a frozen or slow subscriber stays so, at least.
const freezing = 2 * time.Second

// upToDate reports whether what a subscriber has printed since an output of a length
// ends with a fresh pose.
func upToDate(b *bench, p *subprocess.Process, from int) bool {
	all := ages(p.Output()[from:])
	return len(all) > 0 && all[len(all)-1] < fresh
}

// frozen stops a subscriber for a time.
func frozen(kind string) func(*bench) {
	return func(b *bench) {
		b.start(b.run()...)
		p := b.startPeer(kind)
		b.until("a pose at the peer", startTime, func() bool { return upToDate(b, p, 0) })
		b.begin(func() { p.Signal(syscall.SIGSTOP) })
		time.Sleep(freezing)
		from := len(p.Output())
		b.end(func() { p.Signal(syscall.SIGCONT) })
		b.recovers(func() bool { return upToDate(b, p, from) })
	}
}

// slow makes a subscriber slow for a time.
func slow(kind string) func(*bench) {
	return func(b *bench) {
		b.start(b.run()...)
		p := b.startPeer(kind)
		b.until("a pose at the peer", startTime, func() bool { return upToDate(b, p, 0) })
		b.begin(func() { b.turn(p) })
		time.Sleep(freezing)
		b.end(func() { b.turn(p) })
		from := len(p.Output())
		b.recovers(func() bool { return upToDate(b, p, from) })
	}
}
