package faults_test

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

	"golang.org/x/sys/unix"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros1"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
	"sinew/test/latency"
	"sinew/test/subprocess"
)

// asPeer is the variable that makes this test program a peer, by its kind.
const asPeer = "SINEW_FAULTS_PEER"

// The kinds of peers.
const (
	subscriberROS1   = "subscriber of ROS 1" // prints the age of a pose ten times a second
	subscriberROS2   = "subscriber of ROS 2"
	subscriberSubnet = "subscriber of ROS 2 in the subnet"
	witnessROS1      = "witness of ROS 1"
	witnessROS2      = "witness of ROS 2"
	probes           = "probes"
	busyProcess      = "neighbour" // takes a processor
	operator         = "operator"  // stops the robot again and again, and prints how long that takes
	crowdROS1        = "crowd of ROS 1"
	crowdROS2        = "crowd of ROS 2"
)

// slowPeer is the signal upon which a subscriber becomes slow, or quick again.
const slowPeer = syscall.SIGUSR1

// startPeer runs this test program as a peer, by a program if one is given.
func (b *bench) startPeer(kind string, by ...string) *subprocess.Process {
	b.t.Helper()
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	command := append(by, self)
	return subprocess.Start(b.t, append(b.env, asPeer+"="+kind), command[0], command[1:]...)
}

// turn makes a slow subscriber quick, or a quick one slow.
func (b *bench) turn(p *subprocess.Process) {
	b.t.Helper()
	if err := syscall.Kill(p.PID(), slowPeer); err != nil {
		b.t.Error(err)
	}
}

// peer is what a peer does until it is killed, or hears no more.
func peer(kind string) error {
	switch kind {
	case subscriberROS1, subscriberROS2, subscriberSubnet:
		raise()
		node, err := join(kind, "/lab/peer")
		if err != nil {
			return err
		}
		return subscribe(node)
	case witnessROS1, witnessROS2:
		raise()
		node, err := join(kind, "/lab/witness")
		if err != nil {
			return err
		}
		defer node.Close()
		return testify(node, os.Stdin, os.Stdout)
	case probes:
		latency.ServeOnAllProcessors(abovePriority, os.Stdin, os.Stdout)
		return nil
	case operator:
		raise()
		return operate()
	case crowdROS1, crowdROS2:
		return joinCrowd(kind)
	case busyProcess:
		for {
		}
	}
	return fmt.Errorf("%s=%s: there is no such peer", asPeer, kind)
}

// join makes a node in the network of a kind.
func join(kind, name string) (ros.Transport, error) {
	if strings.HasSuffix(kind, "ROS 1") {
		u, err := url.Parse(os.Getenv("ROS_MASTER_URI"))
		if err != nil {
			return nil, err
		}
		port, _ := strconv.Atoi(u.Port())
		return ros1.New(ros1.Options{Node: name, Master: naming.Master{Host: u.Hostname(), Port: port}, Host: "127.0.0.1"})
	}
	domain, _ := strconv.Atoi(os.Getenv("ROS_DOMAIN_ID"))
	discovery := ros2.Discovery{Domain: domain, Range: rtps.Host}
	if kind == subscriberSubnet {
		discovery.Range = rtps.Subnet
	}
	return ros2.New(ros2.Options{Node: name, Discovery: discovery})
}

// raise gives all threads of this process, also those to come, a real-time priority between
// those of the program's loop and of its other threads, where that is permitted.
func raise() {
	const priority = 7
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, task := range tasks {
		id, _ := strconv.Atoi(task.Name())
		_ = unix.SchedSetAttr(id, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: priority}, 0)
	}
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
	if err := node.Subscribe(ros.Topic{Name: poseTopic, Type: geometry_msgs.PoseStampedType}, func(got ros.Received) {
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
