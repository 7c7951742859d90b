package ros2_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/lifecycle_msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/rosgraph_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/ros1"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
	"sinew/test/testbench"
)

// stamped collects the stamps of the poses that a node publishes, and its operating state.
type stamped struct {
	mu     sync.Mutex
	stamps []time.Duration
	state  sinew_msgs.OperatingState
}

func (s *stamped) subscribe(t *testing.T, peer ros.Transport) {
	t.Helper()
	err := peer.Subscribe(ros.Topic{Name: "/tendonsim/measured_cp", Type: geometry_msgs.PoseStampedType}, func(got ros.Received) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stamps = append(s.stamps, time.Duration(got.Message.(*geometry_msgs.PoseStamped).Header.Stamp))
	})
	if err != nil {
		t.Fatal(err)
	}
	err = peer.Subscribe(ros.Topic{Name: "/tendonsim/operating_state", Type: sinew_msgs.OperatingStateType, Latched: true}, func(got ros.Received) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.state = *got.Message.(*sinew_msgs.OperatingState)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// has reports whether the newest stamp is at, and how many there are.
func (s *stamped) has(at time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.stamps) > 0 && s.stamps[len(s.stamps)-1] == at
}

func (s *stamped) shows(state, reason string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.State == state && s.state.Reason == reason
}

// TestFollowsClock: with use_sim_time a node takes the periods up to each time of /clock,
// no more and no less, in either network, and is stopped without a clock.
func TestFollowsClock(t *testing.T) {
	t.Parallel()
	const begin = 1_700_000_000 * time.Second
	program := testbench.BuildTendonsim(t)
	for _, network := range []string{"ros1", "ros2"} {
		t.Run(network, func(t *testing.T) {
			n, peer, how, foreign := clockPeer(t, network)
			args := []string{"run", "--ros", network, "--no-demo", "--config", testbench.Absolute(t, testbench.TestRobot), "_rates/publish_hz:=1000"}
			p := n.Start(program, append(args, how...)...)
			p.Expect("time     follows /clock")
			clock, err := peer.Advertise(ros.Topic{Name: "/clock", Type: rosgraph_msgs.ClockType, Lossy: true})
			if err != nil {
				t.Fatal(err)
			}
			requests, err := peer.Advertise(ros.Topic{Name: "/tendonsim/state_command", Type: std_msgs.StringType})
			if err != nil {
				t.Fatal(err)
			}
			var s stamped
			s.subscribe(t, peer)
			tell := func(at time.Duration) { clock.Publish(ros.NewSample(&rosgraph_msgs.Clock{Clock: msgs.At(at)})) }
			n.WaitFor("the clock is followed", func() bool {
				return clock.HasSubscribers() && requests.HasSubscribers() && s.shows("ENABLED", "waiting for /clock")
			})
			n.WaitFor("the first pose", func() bool { tell(begin); return s.has(begin) })
			now := begin
			for range 100 { // half a second at 200 Hz
				now += 5 * time.Millisecond
				tell(now)
				time.Sleep(5 * time.Millisecond)
				for i := 0; i < 100 && !s.has(now); i++ { // a busy machine takes longer; the network may drop it
					time.Sleep(5 * time.Millisecond)
				}
			}
			n.WaitFor("the last period", func() bool { return s.has(now) })
			time.Sleep(200 * time.Millisecond)
			s.mu.Lock()
			stamps := s.stamps
			s.stamps = nil
			s.mu.Unlock()
			if len(stamps) < 400 || stamps[0] != begin {
				t.Errorf("%d poses from %v on, want 501 but for what the network drops", len(stamps), stamps[0])
			}
			for k, at := range stamps {
				if (at-begin)%time.Millisecond != 0 || k > 0 && at <= stamps[k-1] {
					t.Fatalf("pose %d is stamped %v after %v", k, at, stamps[k-1])
				}
			}
			n.WaitFor("a word that the clock has ended", func() bool { return s.shows("ENABLED", "no /clock: time stands") })
			asked := time.Now()
			requests.Publish(ros.NewSample(&std_msgs.String{Data: "e_stop"}))
			n.WaitFor("the stop", func() bool { return s.shows("FAULT", "emergency stop; no /clock: time stands") })
			t.Logf("e_stop without a clock is shown after %v", time.Since(asked))
			if foreign == nil {
				foreign = func() { tell(7 * time.Second) }
			}
			foreign()
			n.WaitFor("the clock that went back", func() bool { return s.has(7 * time.Second) })
			n.WaitFor("a word of it", func() bool { return strings.Contains(p.Output(), "/clock went back: stamps begin anew") })
			if code := p.End(time.Second); code != 0 {
				t.Errorf("ended with %d:\n%s", code, p.Output())
			}
			testbench.Contains(t, "the end", p.Output(), "0.500 s simulated")
		})
	}
}

// TestFollowedStamps: all that a node says of itself is in the time of /clock that it follows,
// also changes of parameters and of the lifecycle, and so is all of its recording, which has
// the changes of parameters and the log.
func TestFollowedStamps(t *testing.T) {
	t.Parallel()
	const begin, end = 100 * time.Second, 101 * time.Second
	n, peer, how, _ := clockPeer(t, "ros2")
	file := filepath.Join(t.TempDir(), "run.mcap")
	p := n.Start(testbench.BuildTendonsim(t), append([]string{"run", "--ros", "ros2", "--no-demo", "--record", file}, how...)...)
	p.Expect("time     follows /clock")
	clock, err := peer.Advertise(ros.Topic{Name: "/clock", Type: rosgraph_msgs.ClockType, Lossy: true})
	if err != nil {
		t.Fatal(err)
	}
	tell := func(at time.Duration) { clock.Publish(ros.NewSample(&rosgraph_msgs.Clock{Clock: msgs.At(at)})) }
	var s stamped
	s.subscribe(t, peer)
	stamps := make(chan [2]any, 100)
	loops := make(chan diagnostic_msgs.DiagnosticStatus, 100)
	hear := func(topic string, kind *msgs.Type) {
		err := peer.Subscribe(ros.Topic{Name: topic, Type: kind}, func(got ros.Received) {
			switch m := got.Message.(type) {
			case *rcl_interfaces.ParameterEvent:
				if len(m.ChangedParameters) > 0 {
					stamps <- [2]any{topic, time.Duration(m.Stamp)}
				}
			case *diagnostic_msgs.DiagnosticArray:
				for _, status := range m.Status {
					if strings.HasSuffix(status.Name, "step loop") {
						loops <- status
					}
				}
			case *lifecycle_msgs.TransitionEvent:
				stamps <- [2]any{topic, time.Duration(m.Timestamp)}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	hear("/parameter_events", rcl_interfaces.ParameterEventType)
	hear("/tendonsim/transition_event", lifecycle_msgs.TransitionEventType)
	n.WaitFor("the first pose", func() bool { tell(begin); return s.has(begin) })
	n.WaitFor("the last pose", func() bool { tell(end); return s.has(end) })
	call := func(name string, kind *msgs.Service, request msgs.Message) {
		c, err := peer.(*ros2.Transport).NewClient("/tendonsim/"+name, kind)
		if err != nil {
			t.Fatal(err)
		}
		n.WaitFor(name, func() bool { // the first call may be lost, and both may be done twice
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := c.Call(ctx, request)
			return err == nil
		})
	}
	call("set_parameters", rcl_interfaces.SetParameters, &rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{testbench.DoubleParameter("rates.publish_hz", 150)}})
	call("change_state", lifecycle_msgs.ChangeState, &lifecycle_msgs.ChangeStateRequest{Transition: lifecycle_msgs.Transition{Label: "deactivate"}})
	n.WaitFor("both events", func() bool { return len(stamps) > 1 })
	for range 2 {
		if e := <-stamps; e[1] != end {
			t.Errorf("%s is stamped %v, want %v", e[0], e[1], end)
		}
	}
	// a node whose parameters were set follows the clock as before: that this stands is no fault
	hear("/diagnostics", diagnostic_msgs.DiagnosticArrayType)
	for range 3 {
		if status := <-loops; status.Level == diagnostic_msgs.DiagnosticStatusError || strings.Contains(status.Message, "slower") {
			t.Errorf("%s: %s, though /clock stands", status.Name, status.Message)
		}
	}
	if code := p.End(time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
	var topics []string
	err = record.Read(file, func(string, *msgs.Type) bool { return true }, func(m record.Message) error {
		if at := time.Duration(m.Time); at < begin || at > end {
			t.Errorf("%s is recorded at %v, before %v or after %v", m.Topic, at, begin, end)
		}
		topics = append(topics, m.Topic)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, topic := range []string{"/rosout", "/parameter_events"} {
		if !slices.Contains(topics, topic) {
			t.Errorf("%s is not in the recording", topic)
		}
	}
}

// clockPeer is a node in a network of its own, what makes a node of that network follow
// /clock, and how a foreign publisher, where there is one, sets it to 7 s.
func clockPeer(t *testing.T, kind string) (n *testbench.Network, peer ros.Transport, how []string, foreign func()) {
	t.Helper()
	if kind == "ros2" {
		n, domain := testbench.NewROS2Network(t)
		peer, err := ros2.New(ros2.Options{Node: "/peer", Discovery: ros2.Discovery{Domain: domain, Range: rtps.Host}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { peer.Close() })
		return n, peer, []string{"--ros-args", "-p", "use_sim_time:=true"}, nil
	}
	port := testbench.FreePort(t)
	n, _ = testbench.StartRosmaster(t, port)
	n.Run("rosparam", "set", "/use_sim_time", "true")
	own, err := ros1.New(ros1.Options{Node: "/peer", Master: naming.Master{Host: "127.0.0.1", Port: port}, Host: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { own.Close() })
	return n, own, nil, func() {
		n.Start("rostopic", "pub", "-r", "10", "/clock", "rosgraph_msgs/Clock", "{clock: {secs: 7, nsecs: 0}}")
	}
}
