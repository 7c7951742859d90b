package ros

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/sim"
)

// Tests of what has no exported name.

// answer is what all service responses have in common.
func answer(t *testing.T, m msgs.Message) (ok bool, message string) {
	t.Helper()
	switch r := m.(type) {
	case *std_srvs.TriggerResponse:
		return r.Success, r.Message
	case *std_srvs.SetBoolResponse:
		return r.Success, r.Message
	case *sinew_msgs.StepResponse:
		return r.Success, r.Message
	}
	t.Fatalf("response of type %s", m.Type().Name)
	return false, ""
}

// The requests of one session, in order, each with its answer and the state that
// it leaves.
func TestServices(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b := Live(t, m, Quick, Options{}, net)
	trigger, pause := &std_srvs.TriggerRequest{}, func(on bool) msgs.Message { return &std_srvs.SetBoolRequest{Data: on} }
	for i, c := range []struct {
		service string
		request msgs.Message
		ok      bool
		message string
		state   sim.OperatingState
	}{
		{"step", &sinew_msgs.StepRequest{Steps: 1}, false, "only works while PAUSED", sim.Enabled},
		{"restore_state", trigger, false, "no state was saved", sim.Enabled},
		{"pause", pause(true), true, "PAUSED", sim.Paused},
		{"step", &sinew_msgs.StepRequest{Steps: 10}, true, "10 periods", sim.Paused},
		{"step", &sinew_msgs.StepRequest{}, false, "from 1 to", sim.Paused},
		{"save_state", trigger, true, "saved", sim.Paused},
		{"enable", trigger, false, "resume", sim.Paused},
		{"pause", pause(false), true, "ENABLED", sim.Enabled},
		{"disable", trigger, true, "DISABLED", sim.Disabled},
		{"pause", pause(true), false, "enable first", sim.Disabled},
		{"restore_state", trigger, true, "restored", sim.Disabled},
		{"enable", trigger, true, "ENABLED", sim.Enabled},
		{"e_stop", trigger, true, "FAULT", sim.Fault},
		{"disable", trigger, false, "only enable", sim.Fault},
		{"reset", trigger, true, "initial state", sim.Fault},
		{"enable", trigger, true, "ENABLED", sim.Enabled},
	} {
		response := net.call(t, "/lab/left/"+c.service, c.request)
		ok, message := answer(t, response)
		if ok != c.ok || !strings.Contains(message, c.message) {
			t.Errorf("%d: %s answered %v %q, want %v and %q", i, c.service, ok, message, c.ok, c.message)
		}
		if got := b.sim.State(); got != c.state {
			t.Errorf("%d: after %s the state is %v, want %v", i, c.service, got, c.state)
		}
		if r, isStep := response.(*sinew_msgs.StepResponse); isStep && r.Success && r.SimTime <= 0 {
			t.Errorf("%d: step answered time %v", i, r.SimTime)
		}
	}
}

func TestStateCommandIsTheSameInText(t *testing.T) {
	log, logged := Observed()
	net := NewMemory()
	b := Live(t, EveryKind(), Quick, Options{Log: log}, net)
	for _, c := range []struct {
		text string
		want sim.OperatingState
	}{
		{"pause", sim.Paused}, {"step 10", sim.Paused}, {"resume", sim.Enabled}, {"disable", sim.Disabled},
		{"nonsense", sim.Disabled}, {"enable", sim.Enabled}, {"e_stop", sim.Fault}, {"reset", sim.Fault},
	} {
		net.Arrive(t, "/lab/left/state_command", &std_msgs.String{Data: c.text})
		if got := stateWithin(b.sim, c.want, Patience); got != c.want {
			t.Errorf("after %q the state is %v, want %v", c.text, got, c.want)
		}
	}
	if n := logged.FilterMessage("state_command refused").Len(); n != 1 {
		t.Errorf("nonsense was complained of %d times, want once", n)
	}
}

// stateWithin waits for a state and returns the last one seen.
func stateWithin(s *sim.Simulator, want sim.OperatingState, d time.Duration) sim.OperatingState {
	for end := time.Now().Add(d); s.State() != want && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return s.State()
}

// A stop on state_command does not wait for the step before it, and what waits
// behind that step is forgotten.
func TestStopOvertakesSteps(t *testing.T) {
	net := NewMemory()
	log, logged := Observed()
	m := EveryKind()
	b := Live(t, m, Quick, Options{Log: log}, net)
	say := func(text string) { net.Arrive(t, "/lab/left/state_command", &std_msgs.String{Data: text}) }
	say("pause")
	for range 5 {
		say(fmt.Sprintf("step %d", int(50*b.sim.Options().ControlHz)))
	}
	Eventually(t, "it is paused", func() bool { return logged.FilterField(zap.String("message", "PAUSED")).Len() == 1 })
	m.Stop(t) // in the first of them: none of the others can be done before it is forgotten
	say("e_stop")
	if got := b.sim.State(); got != sim.Fault {
		t.Errorf("after e_stop the state is %v", got)
	}
	if n := logged.FilterMessage("state_command cancelled by a later e_stop, disable or pause").Len(); n != 4 {
		t.Errorf("%d waiting steps were forgotten, want all but the first of 5", n)
	}
}

// The last word holds where it stops the robot, however soon it follows another.
func TestLastStopHolds(t *testing.T) {
	net := NewMemory()
	log, logged := Observed()
	b := Live(t, EveryKind(), Quick, Options{Log: log}, net)
	say := func(text string) { net.Arrive(t, "/lab/left/state_command", &std_msgs.String{Data: text}) }
	saved := func() int { return logged.FilterField(zap.String("message", "state saved")).Len() }
	for _, c := range []struct {
		before, stop string
		want         sim.OperatingState
	}{{"enable", "e_stop", sim.Fault}, {"enable", "disable", sim.Disabled}, {"resume", "pause", sim.Paused}} {
		for i := range 50 {
			say(c.before)
			say(c.stop)
			before := saved()
			say("save_state") // comes after both
			for end := time.Now().Add(Patience); saved() == before && time.Now().Before(end); {
				time.Sleep(100 * time.Microsecond)
			}
			if got := b.sim.State(); got != c.want {
				t.Errorf("%s, %s the %d. time: %v", c.before, c.stop, i, got)
				break
			}
		}
		say(map[bool]string{true: "resume", false: "enable"}[c.want == sim.Paused])
		stateWithin(b.sim, sim.Enabled, Patience)
	}
}

// What is switched off is not published, all else is, and it comes back.
func TestSilence(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b := Live(t, m, Quick, Options{}, net)
	ports := m.Ports()
	var quiet, loud string
	for _, o := range b.publisher.outputs {
		if quiet == "" {
			quiet = o.port.Name
		} else if loud == "" && o.port.Pace == ports[o.index].Pace {
			loud = o.port.Name
		}
	}
	come := func(name string, n int) {
		t.Helper()
		net.Topic(t, name).Take()
		Eventually(t, name, func() bool {
			n -= len(net.Topic(t, name).Take())
			return n <= 0
		})
	}
	b.DisableTopics([]string{quiet, "tf"})
	come("/lab/left/"+loud, 2) // the first may be of a snapshot that was being published
	net.Topic(t, "/lab/left/"+quiet).Take()
	net.Topic(t, "/tf").Take()
	come("/lab/left/"+loud, 50)
	for _, name := range []string{"/lab/left/" + quiet, "/tf"} {
		if got := net.Topic(t, name).Take(); len(got) > 0 {
			t.Errorf("%s: %d messages although it is switched off", name, len(got))
		}
	}
	b.DisableTopics(nil)
	for _, name := range []string{"/lab/left/" + quiet, "/tf"} {
		come(name, 1)
	}
}

// What is said of a loop that is too slow stays the same while it is about as slow.
func TestSlowness(t *testing.T) {
	const rate = 1000
	o := sim.Options{ControlHz: rate}
	var w slowness
	for i, c := range []struct {
		factor float64 // real-time factor of the last second
		age    time.Duration
		state  sim.OperatingState
		whole  bool
		want   string
	}{
		{1, 0, sim.Enabled, true, ""},
		{0.91, 0, sim.Enabled, true, ""},
		{0.5, 0, sim.Enabled, false, ""}, // a second with a pause in it
		{0.5, 0, sim.Enabled, true, "2 x too slow for 1000 Hz"},
		{0.3, 0, sim.Enabled, true, "2 x too slow for 1000 Hz"},
		{0.2, 0, sim.Enabled, true, "5 x too slow for 1000 Hz"},
		{0.7, 0, sim.Disabled, true, "1.4 x too slow for 1000 Hz"},
		{0.2, 999 * time.Millisecond, sim.Enabled, false, ""},
		{0, 1234 * time.Millisecond, sim.Enabled, false, "1200 x too slow for 1000 Hz"},
		{0, 57 * time.Second, sim.Enabled, true, "57000 x too slow for 1000 Hz"},
		{0.2, 57 * time.Second, sim.Paused, true, ""},
		{0.2, 57 * time.Second, sim.Fault, true, ""},
		{0.00021, 0, sim.Enabled, true, "4800 x too slow for 1000 Hz"},
		{1, 0, sim.Enabled, true, ""},
	} {
		now := latestState{state: c.state, age: c.age}
		if got := w.assess(o, sim.Stats{RealTimeFactor: c.factor}, now, c.whole); got != c.want {
			t.Errorf("%d: %+v: %q, want %q", i, c, got, c.want)
		}
	}
	o.Lockstep = true
	if got := w.assess(o, sim.Stats{RealTimeFactor: 0.1}, latestState{state: sim.Enabled}, true); got != "" {
		t.Errorf("in lock-step, which has no rate: %q", got)
	}
}

// serialiser is a Publisher that wants each message in one form.
type serialiser struct {
	form func(*Sample) []byte
	sent int
}

func (p *serialiser) HasSubscribers() bool { return true }
func (p *serialiser) Publish(s *Sample)    { p.sent += len(p.form(s)) }

// TestPoseIsAllocatedOnce: a pose costs the Sample and its bytes in each form, whoever and how
// many want it, and nothing that grows.
func TestPoseIsAllocatedOnce(t *testing.T) {
	cdr, ros1 := &serialiser{form: (*Sample).CDR}, &serialiser{form: (*Sample).ROS1}
	f := &topicPublisher{publishers: []Publisher{cdr, ros1, cdr, ros1}}
	m := &geometry_msgs.PoseStamped{}
	m.Header.FrameID = "world"
	if n := testing.AllocsPerRun(100, func() { f.publish(msgs.Time(0), m) }); n != 3 {
		t.Errorf("%g allocations for a pose, want 3", n)
	}
	if want := len(m.AppendCDR(nil)); cdr.sent != 2*101*want {
		t.Errorf("%d bytes of CDR, want %d", cdr.sent, 2*101*want)
	}
}

// TestSwarmIsAllocatedOnce: the buffer of a message as large as the one before it does not grow.
func TestSwarmIsAllocatedOnce(t *testing.T) {
	cdr := &serialiser{form: (*Sample).CDR}
	f := &topicPublisher{publishers: []Publisher{cdr}}
	m := &sinew_msgs.Scene{Shapes: []sinew_msgs.SceneShapes{{Data: make([]float32, 70000)}}}
	f.publish(msgs.Time(0), m)
	if n := testing.AllocsPerRun(20, func() { f.publish(msgs.Time(0), m) }); n != 2 {
		t.Errorf("%g allocations for a scene, want 2", n)
	}
}

// A watchdog that trips is logged at once, and again after a pause with how often it did.
func TestTripsAreTold(t *testing.T) {
	log, logged := Observed()
	var l tripLog
	for i, c := range []struct {
		at    time.Duration
		trips uint64
		times uint64 // 0: no line
	}{
		{0, 0, 0}, {time.Second, 1, 1}, {2 * time.Second, 1, 0}, {3 * time.Second, 2, 0}, {5 * time.Second, 4, 0},
		{6 * time.Second, 4, 3}, {20 * time.Second, 4, 0}, {21 * time.Second, 5, 1},
	} {
		l.report(log, c.at, 0.2, nil, []sim.GroupStats{{Name: "tendons", Trips: c.trips, Last: "/a"}})
		lines := logged.TakeAll()
		if c.times == 0 && len(lines) == 0 {
			continue
		}
		if len(lines) != 1 || lines[0].Message != "no command to tendons for 0.2 s (command_timeout_s): its safe values are applied" || lines[0].ContextMap()["times"] != c.times {
			t.Errorf("%d: %v, want %d times", i, lines, c.times)
			continue
		}
		fields := lines[0].ContextMap()
		if hold, _ := fields["to_hold"].(string); fields["last_from"] != "/a" || !strings.Contains(hold, "-r 25, or set command_timeout_s") {
			t.Errorf("%d: %v does not say whose command that was and how to hold it", i, fields)
		}
	}
}

// The clamps after the first are logged although none follows, and each topic by itself.
func TestHeldRefusalsAreTold(t *testing.T) {
	log, logged := Observed()
	net := NewMemory()
	b, clock := Still(t, EveryKind(), Options{Log: log}, net)
	for _, effort := range []float64{25, 26, 27, 28} {
		net.Arrive(t, "/lab/left/in_tension", &sensor_msgs.JointState{Effort: []float64{1, effort}})
	}
	net.Arrive(t, "/lab/left/in_length", &sensor_msgs.JointState{Position: []float64{1}})
	net.Arrive(t, "/lab/left/in_joints", &sensor_msgs.JointState{Position: []float64{1}})
	if n := len(logged.TakeAll()); n != 3 {
		t.Errorf("%d lines, want one of each topic", n)
	}
	b.report()
	if n := logged.Len(); n != 0 {
		t.Errorf("%d lines before the pause is over", n)
	}
	clock.NowValue.Add(int64(refusalPause))
	b.report()
	lines := logged.TakeAll()
	if len(lines) != 1 || lines[0].Message != "command clamped" {
		t.Fatalf("%v, want a line of the clamps", lines)
	}
	if f := lines[0].ContextMap(); f["unlogged_before"] != int64(2) || f["detail"] != "right = 28 N is above its limit 20" {
		t.Errorf("%v", f)
	}
}
