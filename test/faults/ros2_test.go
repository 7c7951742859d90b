package faults_test

import (
	"fmt"
	"math"
	"net"
	"net/netip"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
	"sinew/test/subprocess"
)

// ros2Faults are those of a ROS 2 network.
func ros2Faults() []fault {
	const upToDate = "its poses are of less than 0.1 s ago"
	return []fault{
		{
			name: "subscriber killed and started again", network: "ROS 2", cause: "SIGKILL to a subscriber of the poses, two seconds later another one",
			run: subscriberRestarted, recovers: "the new one has poses of less than 0.1 s ago", within: 3 * time.Second,
		},
		{
			name: "subscriber frozen", network: "ROS 2", cause: "SIGSTOP to a subscriber of the poses, SIGCONT two seconds later",
			run: frozen(subscriberROS2), recovers: upToDate, within: 3 * time.Second,
		},
		{
			name: "subscriber slow", network: "ROS 2", cause: "a subscriber takes 50 of 1000 poses a second",
			run: slow(subscriberROS2), recovers: upToDate, within: 5 * time.Second,
		},
		{
			name: "GUID duplicated", network: "ROS 2", cause: "ten times a second somebody else announces itself with the GUID of a subscriber, at another port",
			run: guidDuplicated, sees: []sign{logs("ROS 2: two participants have the same GUID; the second one is ignored")},
			recovers: "the subscriber's poses are of less than 0.1 s ago, as they were from the warning on", within: time.Second,
		},
		datagrams("discovery", 10_000), datagrams("data", 10_000), datagrams("multicast", 1000),
	}
}

func subscriberRestarted(b *bench) {
	b.start(b.run()...)
	p := b.startPeer(subscriberROS2)
	b.until("a pose at the peer", startTime, func() bool { return upToDate(b, p, 0) })
	b.begin(p.Kill)
	var other *subprocess.Process
	b.end(func() { time.Sleep(2 * time.Second); other = b.startPeer(subscriberROS2) })
	b.recovers(func() bool { return upToDate(b, other, 0) })
}

// datagrams is a flood of one of the ports that a participant listens to, at a rate (Hz). The
// multicast port is that of every participant of the domain, those of the test too.
func datagrams(port string, rate int) fault {
	return fault{
		name: port + " port flooded", network: "ROS 2", cause: fmt.Sprintf("%d broken and hostile datagrams a second to the %s port, for %d seconds", rate, port, floodSeconds), alone: true,
		run: func(b *bench) { floodPort(b, port, rate) }, keeps: "a tension commanded at 50 Hz", recovers: "a new subscriber has poses", within: 3 * time.Second,
	}
}

const floodSeconds = 2

// attacker builds the program that floods.
var attacker = sync.OnceValues(func() (string, error) {
	file := filepath.Join(programs, "flood")
	out, err := exec.Command("go", "build", "-o", file, "sinew/test/peer/dds/flood").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return file, nil
})

func floodPort(b *bench, port string, rate int) {
	attacker, err := attacker()
	if err != nil {
		b.t.Fatal(err)
	}
	b.start(b.run()...)
	stop := b.observer().StreamTension(1, 0)
	defer stop()
	b.observer().AwaitTension(1)
	var p *subprocess.Process
	b.begin(func() {
		p = subprocess.Start(b.t, b.env, attacker, "-domain", fmt.Sprint(b.domain), "-port", port, "-seconds", fmt.Sprint(floodSeconds), "-rate", fmt.Sprint(rate))
	})
	b.observer().ExpectTension(1, 1500*time.Millisecond)
	b.end(func() { <-p.Done })
	if sent := 0; p.Wait(time.Second) != 0 {
		b.t.Errorf("the attacker failed: %s", p.Output())
	} else if n, _ := fmt.Sscan(p.Output(), &sent); n != 1 || sent < floodSeconds*rate/2 {
		b.t.Errorf("%d datagrams were sent, too few for a flood: %s", sent, p.Output())
	}
	other := poses(b.second("/lab/b"))
	b.recovers(func() bool { return other.Load() > 0 })
}

func guidDuplicated(b *bench) {
	b.start(b.run()...)
	found := make(chan rtps.GUID, 100)
	spy, err := rtps.NewParticipant(rtps.Options{Domain: b.domain, Notify: func(e rtps.Event) {
		if e.Kind == rtps.ParticipantFound {
			found <- e.Remote.GUID
		}
	}})
	if err != nil {
		b.t.Fatal(err)
	}
	defer spy.Close()
	<-found                            // the node, however busy the computer is
	time.Sleep(500 * time.Millisecond) // in which it finds who else is there
	for len(found) > 0 {
		<-found
	}
	p := b.startPeer(subscriberROS2)
	b.until("a pose at the peer", startTime, func() bool { return upToDate(b, p, 0) })
	twin := announcement(b, <-found)
	stop := make(chan struct{})
	b.begin(func() {
		go func() {
			for tick := time.Tick(100 * time.Millisecond); ; {
				for id := range 6 {
					b.datagram(wire.SPDPUnicastPort(b.domain, id), twin)
				}
				select {
				case <-stop:
					return
				case <-tick:
				}
			}
		}()
	})
	b.see(b.fault.sees)
	time.Sleep(2 * time.Second)
	if from := len(p.Output()); true {
		time.Sleep(time.Second)
		if all := ages(p.Output()[from:]); len(all) < 10 || slices.Max(all) > fresh {
			b.t.Errorf("the subscriber does not get all poses while its GUID is claimed: %v", all)
		}
	}
	b.end(func() { close(stop) })
	from := len(p.Output())
	b.recovers(func() bool { return upToDate(b, p, from) })
}

// announcement is that of a participant with a GUID of another one, at a port of its own.
func announcement(b *bench, guid rtps.GUID) []byte {
	b.t.Helper()
	port := uint16(subprocess.FreePort(b.t))
	at := []wire.Locator{wire.LocatorOf(netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port))}
	var payload, message wire.Builder
	payload.Participant(&wire.ParticipantData{
		GUID: guid, Version: wire.ThisVersion, Domain: wire.NoDomain,
		Builtin: math.MaxUint32, Metatraffic: at, Default: at, Lease: wire.Forever,
	})
	message.Header(wire.Header{Version: wire.ThisVersion, Prefix: guid.Prefix})
	message.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: 1, Payload: payload.Bytes})
	return message.Bytes
}

// datagram sends to a port of this host.
func (b *bench) datagram(port uint16, data []byte) {
	c, err := net.Dial("udp", fmt.Sprint("127.0.0.1:", port))
	if err == nil {
		_, _ = c.Write(data) // there may be no listener
		c.Close()
	}
}
