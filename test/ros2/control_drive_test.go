package ros2_test

import (
	"flag"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/test/testbench"
)

// driveTime is how long TestROS2ControlDrives lasts. What it looks for, a command that is lost
// while it stays the same, shows within seconds, so that the tests need not take a minute; with
//
//	go test ./test/ros2 -run ROS2ControlDrives -v -args -drive 1m
//
// it is one.
var driveTime = flag.Duration("drive", 10*time.Second, "how long a tendon is driven through the topics of ros2_control")

const (
	updateRate = 100             // Hz, of controllers.yaml
	heldTime   = 5 * time.Second // each command; a forward_command_controller holds its last
	settleTime = 2 * time.Second // of these, until the tension must be there
	// lateUpdate is a pause between updates after which the watchdog, of 200 ms, may rightly
	// trip: a controller manager that a busy computer keeps from running is no fault of the node.
	lateUpdate = 120 * time.Millisecond
	// defaultThreshold is the plugin's trigger_joint_command_threshold.
	defaultThreshold = 1e-5
)

// topicSystem plays the plugin JointStateTopicSystem of joint_state_topic_hardware_interface
// inside a controller manager, with its quality of service: commands are reliable, states best
// effort. What it publishes and when is that of its write().
type topicSystem struct {
	u         *urdf
	threshold float64
	commands  []float64 // by joint, of its command interface
	states    atomic.Pointer[sensor_msgs.JointState]
	heard     atomic.Int64 // states
	sent      int          // commands
	late      int          // updates
	settled   time.Time    // when the tensions are those of the commands, if none is late
	to        ros.Publisher
}

// newTopicSystem starts a controller manager with the hardware of a URDF. Commands begin at
// their initial values, not as numbers where there are none.
func newTopicSystem(n *testbench.Network, u *urdf, domain int) *topicSystem {
	t := n.T
	t.Helper()
	peer, err := ros2.New(ros2.Options{Node: "/controller_manager", Discovery: ros2.Discovery{Domain: domain}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { peer.Close() })
	s := &topicSystem{u: u, threshold: defaultThreshold}
	if x := u.param("trigger_joint_command_threshold"); x != "" {
		if s.threshold, err = strconv.ParseFloat(x, 64); err != nil {
			t.Fatal(err)
		}
	}
	for _, j := range u.Control.Joints {
		initial, err := strconv.ParseFloat(value(j.Command.Params, "initial_value"), 64)
		if err != nil {
			initial = math.NaN()
		}
		s.commands = append(s.commands, initial)
	}
	if s.to, err = peer.Advertise(ros.Topic{Name: u.param("joint_commands_topic"), Type: sensor_msgs.JointStateType}); err != nil {
		t.Fatal(err)
	}
	err = peer.Subscribe(ros.Topic{Name: u.param("joint_states_topic"), Type: sensor_msgs.JointStateType, Lossy: true}, func(got ros.Received) {
		if !got.SenderLeft {
			s.states.Store(got.Message.(*sensor_msgs.JointState))
			s.heard.Add(1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	n.WaitFor("joint states", func() bool { return s.states.Load() != nil && s.to.HasSubscribers() })
	return s
}

// state is the newest value of an interface of a joint.
func (s *topicSystem) state(joint, name string) float64 {
	m := s.states.Load()
	for i, n := range m.Name {
		if n == joint {
			return map[string][]float64{"position": m.Position, "velocity": m.Velocity, "effort": m.Effort}[name][i]
		}
	}
	return math.NaN()
}

// write publishes the commands, if they differ enough from the states.
func (s *topicSystem) write() {
	differ := 0.0
	for i, j := range s.u.Control.Joints {
		differ += math.Abs(s.state(j.Name, j.Command.Name) - s.commands[i])
	}
	if differ <= s.threshold {
		return
	}
	m := &sensor_msgs.JointState{Header: std_msgs.Header{Stamp: msgs.Time(time.Now().UnixNano())}}
	for i, j := range s.u.Control.Joints {
		m.Name = append(m.Name, j.Name)
		switch j.Command.Name {
		case "position":
			m.Position = append(m.Position, s.commands[i])
		case "effort":
			m.Effort = append(m.Effort, s.commands[i])
		}
	}
	s.to.Publish(ros.NewSample(m))
	s.sent++
}

// drive updates for a time with the commands that it is given before each update.
func (s *topicSystem) drive(length time.Duration, update func(since time.Duration)) {
	ticker := time.NewTicker(time.Second / updateRate)
	defer ticker.Stop()
	last := time.Now()
	heard, lastHeard := s.heard.Load(), last
	for begun := last; time.Since(begun) < length; <-ticker.C {
		if n := s.heard.Load(); n != heard {
			heard, lastHeard = n, time.Now()
		}
		if time.Since(last) > lateUpdate || time.Since(lastHeard) > lateUpdate { // the machine stops us, or the robot
			s.late++
			s.settled = time.Now().Add(settleTime)
		}
		last = time.Now()
		update(time.Since(begun))
		s.write()
	}
}

// TestROS2ControlDrives: a tendon is driven through ros2_control's topics and never lost to
// the watchdog, although commands stay the same for seconds; when the manager ends, it is.
func TestROS2ControlDrives(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	u := expand(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo")
	p.Expect("ENABLED")
	s := newTopicSystem(n, u, domain)
	const pulled = 1
	name, worst := u.Joints[pulled].Name, 0.0
	s.drive(*driveTime, func(since time.Duration) {
		command := 0.0 // no controller is active yet
		if since > time.Second {
			command = 2 + float64(since/heldTime%3)
		}
		if command != s.commands[pulled] {
			s.commands[pulled] = command
			s.settled = time.Now().Add(settleTime)
		}
		if time.Now().Before(s.settled) {
			return
		}
		differs := math.Abs(s.state(name, "effort") - s.commands[pulled])
		if worst = max(worst, differs); !(differs < 0.01) {
			t.Fatalf("%s has %g N after %v, not %g N:\n%s", name, s.state(name, "effort"), since, command, p.Output())
		}
	})
	t.Logf("%v: %d commands, %d updates late, %d joint states, tension off by at most %.2g N", *driveTime, s.sent, s.late, s.heard.Load(), worst)
	for _, bad := range []string{"no command to", "refused", "clamped"} {
		if n := strings.Count(p.Output(), bad); n > 0 && (bad != "no command to" || n > s.late) {
			t.Errorf("%q:\n%s", bad, p.Output())
		}
	}
	p.Expect("no command to tendons for")
	testbench.Contains(t, "log", p.Output(), "/controller_manager", "repeat the command")
	if code := p.End(time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
}

// TestROS2ControlThreshold: with the plugin's own threshold a command that the robot has reached
// is not published, and the watchdog takes it back; our description sets another.
func TestROS2ControlThreshold(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	u := expand(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo")
	p.Expect("ENABLED")
	s := newTopicSystem(n, u, domain)
	if s.threshold >= 0 {
		t.Errorf("threshold %g", s.threshold)
	}
	s.threshold = defaultThreshold
	s.drive(3*time.Second, func(time.Duration) { s.commands[1] = 2 })
	p.Expect("no command to tendons for")
}
