package ros

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// Tests of what has no exported name.

// unhurried is quick with a time-out that no command exceeds on its way in a test.
func unhurried() sim.Options {
	o := Quick
	o.CommandTimeoutS = Patience.Seconds()
	return o
}

func TestStaleCommands(t *testing.T) {
	net := NewMemory()
	log, logged := Observed()
	o := unhurried()
	b := Live(t, EveryKind(), o, Options{Log: log}, net)
	limit := seconds(o.CommandTimeoutS)
	unstamped := Pulling(b, 0)
	unstamped.Header.Stamp = 0
	for _, tt := range []struct {
		name string
		got  Received
		want sim.CommandStatus
	}{
		{"fresh", Received{Message: Pulling(b, 0)}, sim.Accepted},
		{"without a stamp", Received{Message: unstamped}, sim.Accepted},
		{"of 1970", Received{Message: Pulling(b, b.clock.Now()-time.Second)}, sim.Stale},
		{"too old", Received{Message: Pulling(b, limit+time.Second)}, sim.Stale},
		{"of the future", Received{Message: Pulling(b, -limit-Patience)}, sim.Stale},
		{"latched", Received{Message: Pulling(b, 0), Latched: true}, sim.Stale},
		{"just in time", Received{Message: unstamped, Lag: limit + lagTolerance}, sim.Accepted},
		{"late", Received{Message: unstamped, Lag: limit + lagTolerance + 1}, sim.Stale},
	} {
		before := Verdicts(b)
		net.Receive(t, JointTopic, tt.got)
		after := Verdicts(b)
		if after[tt.want] != before[tt.want]+1 {
			t.Errorf("%s: %v, then %v, want one more %v", tt.name, before, after, tt.want)
		}
	}
	if detail := logged.FilterMessage("command refused").All()[0].ContextMap()["detail"].(string); !strings.Contains(detail, "accept_stamps: any") {
		t.Errorf("detail %q", detail)
	}
}

// A command that was sent before the robot was enabled, and is late, does not move it.
func TestCommandsFromBeforeEnable(t *testing.T) {
	for _, verbs := range [][2]sim.Verb{{sim.Pause, sim.Resume}, {sim.EStop, sim.Enable}, {sim.Disable, sim.Enable}} {
		net := NewMemory()
		b := Live(t, EveryKind(), unhurried(), Options{}, net)
		late := Pulling(b, 0)
		for _, v := range verbs {
			if r := b.sim.Do(sim.Request{Verb: v}); !r.OK {
				t.Fatalf("%v: %+v", v, r)
			}
		}
		net.Receive(t, JointTopic, Received{Message: late})
		if got := Verdicts(b); got[sim.Stale] != 1 || got[sim.Accepted] != 0 {
			t.Errorf("%v, sent before: %v", verbs, got)
		}
		net.Receive(t, JointTopic, Received{Message: Pulling(b, 0)})
		if got := Verdicts(b); got[sim.Accepted] != 1 {
			t.Errorf("%v, sent after: %v", verbs, got)
		}
	}
}

// In lock-step time stands until the answer comes: a controller that thinks for long
// and stamps its command as what it answers must not be refused, or both wait for ever.
func TestStampsInLockstep(t *testing.T) {
	net := NewMemory()
	o := Quick
	o.Lockstep = true
	b := Live(t, EveryKind(), o, Options{}, net)
	limit := seconds(o.CommandTimeoutS)
	Eventually(t, "the first snapshot", func() bool { return b.latest.stamp() != 0 })
	tip := b.latest.stamp()
	time.Sleep(2 * limit)
	for _, tt := range []struct {
		name  string
		stamp time.Duration
		want  sim.CommandStatus
	}{
		{"older than what it could answer", tip - limit - time.Millisecond, sim.Stale},
		{"of the future", b.clock.Now() + limit + Patience, sim.Stale},
		{"as what it answers", tip, sim.Accepted},
		{"of now", 0, sim.Accepted},
	} {
		before := Verdicts(b)
		m := Pulling(b, 0)
		if tt.stamp != 0 {
			m.Header.Stamp = msgs.At(tt.stamp)
		}
		net.Arrive(t, JointTopic, m)
		if after := Verdicts(b); after[tt.want] != before[tt.want]+1 {
			t.Errorf("%s: %v, then %v, want one more %v", tt.name, before, after, tt.want)
		}
		if tt.want == sim.Accepted { // its snapshot is what the next could answer
			Eventually(t, "the next snapshot", func() bool { return b.latest.stamp() > tip })
			tip = b.latest.stamp()
		}
	}
}

// Every message of a command that has a header has its stamp looked at.
func TestHeaderStamps(t *testing.T) {
	for kind, c := range codecs {
		m := c.messageType.New()
		f := reflect.ValueOf(m).Elem().FieldByName("Header")
		if c.decode == nil || !f.IsValid() {
			continue
		}
		f.Set(reflect.ValueOf(std_msgs.Header{Stamp: msgs.At(7 * time.Second)}))
		if got := headerStamp(m); got != 7*time.Second {
			t.Errorf("kind %v: the stamp of a %s is read as %v", kind, c.messageType.Name, got)
		}
	}
}

// A request that was kept from yesterday does not enable what was started disabled.
func TestLatchedRequests(t *testing.T) {
	net := NewMemory()
	o := Quick
	o.Disabled = true
	log, logged := Observed()
	b := Live(t, EveryKind(), o, Options{Log: log}, net)
	net.Receive(t, "/lab/left/state_command", Received{Message: &std_msgs.String{Data: "enable"}, Latched: true})
	if got := stateWithin(b.sim, sim.Enabled, 50*time.Millisecond); got != sim.Disabled {
		t.Errorf("the state is %v", got)
	}
	if logged.FilterMessage("state_command refused").Len() != 1 {
		t.Error("no word about it")
	}
}

// Two writers of one ROS 2 participant are one commander, two nodes are two; what is
// refused is named in diagnostics and left out of recordings.
func TestCommandersByName(t *testing.T) {
	net := NewMemory()
	var recorded []string
	s := NewSimulator(t, EveryKind(), wallclock.New(), Patient())
	b, err := newBridge(s, Names(), []Transport{net}, Options{Received: func(topic Topic, _ *Sample) { recorded = append(recorded, topic.Name) }})
	if err != nil {
		t.Fatal(err)
	}
	send := func(node string, writer byte) {
		net.Receive(t, JointTopic, Received{Message: Pulling(b, 0), Sender: Sender{Node: node, Endpoint: [16]byte{1, 15: writer}}})
	}
	send("/lab/a", 1)
	send("", 2) // the name of the second writer is not known yet
	net.Receive(t, JointTopic, Received{Message: Pulling(b, 0), Sender: Sender{Node: "/lab/b"}})
	if got := Verdicts(b); got[sim.Accepted] != 2 || got[sim.NotInCommand] != 1 {
		t.Fatalf("%v", got)
	}
	if !slices.Equal(recorded, []string{JointTopic, JointTopic}) {
		t.Errorf("recorded %v", recorded)
	}
	send("/lab/a", 1)
	var h health
	st := h.commands(s.Stats(), latestState{state: sim.Enabled})
	if st.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(st.Message, "/lab/b refused; in command: /lab/a") {
		t.Errorf("%d %q", st.Level, st.Message)
	}
	h.last = s.Stats()
	if st := h.commands(s.Stats(), latestState{state: sim.Enabled}); st.Level != diagnostic_msgs.DiagnosticStatusOk {
		t.Errorf("a second later: %d %q", st.Level, st.Message)
	}
	net.Receive(t, JointTopic, Received{SenderLeft: true, Sender: Sender{Endpoint: [16]byte{1, 15: 1}}})
	net.Receive(t, JointTopic, Received{Message: Pulling(b, 0), Sender: Sender{Node: "/lab/b"}})
	if got := Verdicts(b); got[sim.Accepted] != 4 {
		t.Errorf("the commander has gone, and %v", got)
	}
}

// With policy newest, two that alternate give a warning.
func TestTurnsAreTold(t *testing.T) {
	net := NewMemory()
	o := Patient()
	o.NewestCommander = true
	s := NewSimulator(t, EveryKind(), wallclock.New(), o)
	b, err := newBridge(s, Names(), []Transport{net}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range []string{"/lab/a", "/lab/b", "/lab/a"} {
		net.Receive(t, JointTopic, Received{Message: Pulling(b, 0), Sender: Sender{Node: node}})
	}
	var h health
	if st := h.commands(s.Stats(), latestState{state: sim.Enabled}); !strings.Contains(st.Message, "command alternates between /lab/b and /lab/a; stop one") {
		t.Errorf("%d %q", st.Level, st.Message)
	}
}

// In lock-step a controller of two groups answers one snapshot twice: its first answer
// makes time pass, and the second is not older for the time that it thought.
func TestTwoAnswersInLockstep(t *testing.T) {
	net := NewMemory()
	o := Quick
	o.Lockstep = true
	b := Live(t, EveryKind(), o, Options{}, net)
	limit := seconds(o.CommandTimeoutS)
	Eventually(t, "the first snapshot", func() bool { return b.latest.stamp() != 0 })
	tip := b.latest.stamp()
	time.Sleep(2 * limit)
	answer := func(topic string, m msgs.Message) { // and wait for its snapshot
		before, newest := Verdicts(b), b.latest.stamp()
		net.Arrive(t, topic, m)
		if after := Verdicts(b); after[sim.Accepted] != before[sim.Accepted]+1 {
			t.Fatalf("%s: %v, then %v", topic, before, after)
		}
		Eventually(t, "the next snapshot", func() bool { return b.latest.stamp() > newest })
	}
	field := func() msgs.Message {
		return &sensor_msgs.MagneticField{Header: std_msgs.Header{Stamp: msgs.At(tip)}}
	}
	answer(JointTopic, Pulling(b, b.clock.Now()-tip))
	answer("/lab/left/in_field", field())
	time.Sleep(2 * limit)
	for range int(o.CommandTimeoutS*o.ControlHz) + 2 { // the time-out passes in simulated time
		m := Pulling(b, 0)
		m.Header.Stamp = 0
		answer(JointTopic, m)
	}
	time.Sleep(2 * limit)
	before := Verdicts(b)
	net.Arrive(t, "/lab/left/in_field", field())
	if after := Verdicts(b); after[sim.Stale] != before[sim.Stale]+1 {
		t.Errorf("an answer that is older than the time-out: %v, then %v", before, after)
	}
}

// The stamps that are kept are few at any rate and time-out, and tell a time-out's worth
// of periods to within one part in a thousand.
func TestAnswersAreBounded(t *testing.T) {
	for _, o := range []sim.Options{
		{ControlHz: 1000, CommandTimeoutS: 0.2, Lockstep: true},
		{ControlHz: 1, CommandTimeoutS: 0.2, Lockstep: true},
		{ControlHz: 1e5, CommandTimeoutS: 3600, Lockstep: true},
		{ControlHz: 10, CommandTimeoutS: 1e300, Lockstep: true},
	} {
		a := newAnswers(o)
		if len(a.stamps) > answerStamps+1 {
			t.Errorf("%+v: %d stamps", o, len(a.stamps))
		}
		limit := uint64(o.CommandTimeoutS * o.ControlHz)
		if limit > 1e6 {
			continue
		}
		for k := range uint64(5000) {
			a.add(&sim.Snapshot{Period: k % 1000}, time.Duration(k+1)) // there are resets
		}
		reached := uint64(5000) - uint64(a.oldest())
		if passed := a.passed; passed != 5000-5 || reached < limit || reached > limit+a.stride+limit/1000*5+6 {
			t.Errorf("%+v: after %d periods the oldest is %d back, want %d", o, passed, reached, limit)
		}
	}
	if newAnswers(sim.Options{ControlHz: 10, CommandTimeoutS: 1}) != nil {
		t.Error("answers without lock-step")
	}
}

// An answer in lock-step is fresh by either clock: within the time-out before the newest
// snapshot, or since the snapshot of so many periods ago.
func TestAnswersAreFreshByEitherClock(t *testing.T) {
	o := sim.Options{ControlHz: 1000, CommandTimeoutS: 0.05, Lockstep: true}
	limit := seconds(o.CommandTimeoutS)
	for _, c := range []struct {
		apart, want time.Duration // between snapshots; how long ago the oldest answerable stamp is
	}{{100 * time.Microsecond, limit}, {10 * time.Millisecond, 500 * time.Millisecond}} {
		l := latest{answers: newAnswers(o)}
		at := time.Hour
		for k := range uint64(500) {
			at += c.apart
			l.set(&sim.Snapshot{Period: k}, at)
		}
		if got := at - l.answerable(limit); got < c.want || got > c.want+2*c.apart {
			t.Errorf("snapshots %v apart: stamps up to %v ago, want %v", c.apart, got, c.want)
		}
	}
}
