package faults

import (
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros1"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
	"sinew/test/subprocess"
)

// asPeer is the variable that makes this test program a peer, by its kind.
const asPeer = "SINEW_FAULTS_PEER"

// The kinds of peers.
const (
	subscriberROS1 = "subscriber of ROS 1" // prints the age of a pose ten times a second
	subscriberROS2 = "subscriber of ROS 2"
)

// slowPeer is the signal upon which a subscriber becomes slow, or quick again.
const slowPeer = syscall.SIGUSR1

// startPeer runs this test program as a peer.
func (b *bench) startPeer(kind string) *subprocess.Process {
	b.t.Helper()
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	return subprocess.Start(b.t, append(b.env, asPeer+"="+kind), self)
}

// turn makes a slow subscriber quick, or a quick one slow.
func (b *bench) turn(p *subprocess.Process) {
	b.t.Helper()
	if err := syscall.Kill(p.PID(), slowPeer); err != nil {
		b.t.Error(err)
	}
}

// peer is what a peer does until it is killed.
func peer(kind string) error {
	switch kind {
	case subscriberROS1:
		u, err := url.Parse(os.Getenv("ROS_MASTER_URI"))
		if err != nil {
			return err
		}
		port, _ := strconv.Atoi(u.Port())
		node, err := ros1.New(ros1.Options{Node: "/lab/peer", Master: naming.Master{Host: u.Hostname(), Port: port}, Host: "127.0.0.1"})
		if err != nil {
			return err
		}
		return subscribe(node)
	case subscriberROS2:
		domain, _ := strconv.Atoi(os.Getenv("ROS_DOMAIN_ID"))
		node, err := ros2.New(ros2.Options{Node: "/lab/peer", Discovery: ros2.Discovery{Domain: domain, Range: rtps.Host}})
		if err != nil {
			return err
		}
		return subscribe(node)
	}
	return fmt.Errorf("%s=%s: there is no such peer", asPeer, kind)
}

// subscribe prints how old the poses are that come.
func subscribe(node ros.Transport) error {
	var slow atomic.Bool
	turns := make(chan os.Signal, 1)
	signal.Notify(turns, slowPeer)
	go func() {
		for range turns {
			slow.Store(!slow.Load())
		}
	}()
	next := time.Time{}
	if err := node.Subscribe(ros.Topic{Name: "/tendonsim/measured_cp", Type: geometry_msgs.PoseStampedType}, func(got ros.Received) {
		if slow.Load() {
			time.Sleep(20 * time.Millisecond)
		}
		if now := time.Now(); now.After(next) {
			next = now.Add(50 * time.Millisecond)
			stamp := int64(got.Message.(*geometry_msgs.PoseStamped).Header.Stamp)
			fmt.Println("age", now.Sub(time.Unix(0, stamp)).Seconds())
		}
	}); err != nil {
		return err
	}
	select {}
}

// ages are those that a subscriber has printed, in seconds.
func ages(output string) (all []float64) {
	for line := range strings.Lines(output) {
		var age float64
		if n, _ := fmt.Sscanf(line, "age %g", &age); n == 1 && strings.HasSuffix(line, "\n") {
			all = append(all, age)
		}
	}
	return all
}
