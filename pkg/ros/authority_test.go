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

// verdicts counts what became of commands.
func verdicts(b *Bridge) [sim.NumCommandStatuses]uint64 { return b.sim.Stats().Commands }

const jointTopic = "/lab/left/in_tension"

// unhurried is quick with a time-out that no command exceeds on its way in a test.
func unhurried() sim.Options {
	o := quick
	o.CommandTimeoutS = patience.Seconds()
	return o
}

// pulling is a command that is stamped so long before now.
func pulling(b *Bridge, age time.Duration) *sensor_msgs.JointState {
	stamp := b.clock.Now() - age
	return &sensor_msgs.JointState{Header: std_msgs.Header{Stamp: msgs.At(stamp)}, Effort: []float64{1, 1}}
}

func TestStaleCommands(t *testing.T) {
	net := newMemory()
	log, logged := observed()
	o := unhurried()
	b := live(t, everyKind(), o, Options{Log: log}, net)
	limit := seconds(o.CommandTimeoutS)
	unstamped := pulling(b, 0)
	unstamped.Header.Stamp = 0
	for _, tt := range []struct {
		name string
		got  Received
		want sim.CommandStatus
	}{
		{"fresh", Received{Message: pulling(b, 0)}, sim.Accepted},
		{"without a stamp", Received{Message: unstamped}, sim.Accepted},
		{"of 1970", Received{Message: pulling(b, b.clock.Now()-time.Second)}, sim.Stale},
		{"too old", Received{Message: pulling(b, limit+time.Second)}, sim.Stale},
		{"of the future", Received{Message: pulling(b, -limit-patience)}, sim.Stale},
		{"latched", Received{Message: pulling(b, 0), Latched: true}, sim.Stale},
	} {
		before := verdicts(b)
		net.receive(t, jointTopic, tt.got)
		after := verdicts(b)
		if after[tt.want] != before[tt.want]+1 {
			t.Errorf("%s: %v, then %v, want one more %v", tt.name, before, after, tt.want)
		}
	}
	if detail := logged.FilterMessage("command refused").All()[0].ContextMap()["detail"].(string); !strings.Contains(detail, "accept_stamps: any") {
		t.Errorf("detail %q", detail)
	}
}

// In lock-step time stands until the answer comes: a controller that thinks for long
// and stamps its command as what it answers must not be refused, or both wait for ever.
func TestStampsInLockstep(t *testing.T) {
	net := newMemory()
	o := quick
	o.Lockstep = true
	b := live(t, everyKind(), o, Options{}, net)
	limit := seconds(o.CommandTimeoutS)
	eventually(t, "the first snapshot", func() bool { return b.latest.stamp() != 0 })
	tip := b.latest.stamp()
	time.Sleep(2 * limit)
	for _, tt := range []struct {
		name  string
		stamp time.Duration
		want  sim.CommandStatus
	}{
		{"older than what it could answer", tip - limit - time.Millisecond, sim.Stale},
		{"of the future", b.clock.Now() + limit + patience, sim.Stale},
		{"as what it answers", tip, sim.Accepted},
		{"of now", 0, sim.Accepted},
	} {
		before := verdicts(b)
		m := pulling(b, 0)
		if tt.stamp != 0 {
			m.Header.Stamp = msgs.At(tt.stamp)
		}
		net.arrive(t, jointTopic, m)
		if after := verdicts(b); after[tt.want] != before[tt.want]+1 {
			t.Errorf("%s: %v, then %v, want one more %v", tt.name, before, after, tt.want)
		}
		if tt.want == sim.Accepted { // its snapshot is what the next could answer
			eventually(t, "the next snapshot", func() bool { return b.latest.stamp() > tip })
			tip = b.latest.stamp()
		}
	}
}

// Clocks that are not synchronised are the user's choice, latched commands are not.
func TestAnyStamps(t *testing.T) {
	net := newMemory()
	b := live(t, everyKind(), quick, Options{AnyStamps: true}, net)
	net.arrive(t, jointTopic, pulling(b, 1000*time.Hour))
	net.receive(t, jointTopic, Received{Message: pulling(b, 0), Latched: true})
	if got := verdicts(b); got[sim.Accepted] != 1 || got[sim.Stale] != 1 {
		t.Errorf("%v", got)
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
	net := newMemory()
	o := quick
	o.Disabled = true
	log, logged := observed()
	b := live(t, everyKind(), o, Options{Log: log}, net)
	net.receive(t, "/lab/left/state_command", Received{Message: &std_msgs.String{Data: "enable"}, Latched: true})
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
	net := newMemory()
	var recorded []string
	s := newSimulator(t, everyKind(), wallclock.New(), patient())
	b, err := newBridge(s, testNames(), []Transport{net}, Options{Received: func(topic Topic, _ *Sample) { recorded = append(recorded, topic.Name) }})
	if err != nil {
		t.Fatal(err)
	}
	send := func(node string, writer byte) {
		net.receive(t, jointTopic, Received{Message: pulling(b, 0), Sender: Sender{Node: node, Endpoint: [16]byte{1, 15: writer}}})
	}
	send("/lab/a", 1)
	send("", 2) // the name of the second writer is not known yet
	net.receive(t, jointTopic, Received{Message: pulling(b, 0), Sender: Sender{Node: "/lab/b"}})
	if got := verdicts(b); got[sim.Accepted] != 2 || got[sim.NotInCommand] != 1 {
		t.Fatalf("%v", got)
	}
	if !slices.Equal(recorded, []string{jointTopic, jointTopic}) {
		t.Errorf("recorded %v", recorded)
	}
	send("/lab/a", 1)
	var h health
	st := h.commands(s.Stats(), latestState{state: sim.Enabled})
	if st.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(st.Message, "/lab/b refused, /lab/a commands") {
		t.Errorf("%d %q", st.Level, st.Message)
	}
	h.last = s.Stats()
	if st := h.commands(s.Stats(), latestState{state: sim.Enabled}); st.Level != diagnostic_msgs.DiagnosticStatusOk {
		t.Errorf("a second later: %d %q", st.Level, st.Message)
	}
	net.receive(t, jointTopic, Received{Gone: true, Sender: Sender{Endpoint: [16]byte{1, 15: 1}}})
	net.receive(t, jointTopic, Received{Message: pulling(b, 0), Sender: Sender{Node: "/lab/b"}})
	if got := verdicts(b); got[sim.Accepted] != 4 {
		t.Errorf("the commander has gone, and %v", got)
	}
}

// With policy newest, two that command by turns are told of.
func TestTurnsAreTold(t *testing.T) {
	net := newMemory()
	o := patient()
	o.NewestCommander = true
	s := newSimulator(t, everyKind(), wallclock.New(), o)
	b, err := newBridge(s, testNames(), []Transport{net}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range []string{"/lab/a", "/lab/b", "/lab/a"} {
		net.receive(t, jointTopic, Received{Message: pulling(b, 0), Sender: Sender{Node: node}})
	}
	var h health
	if st := h.commands(s.Stats(), latestState{state: sim.Enabled}); !strings.Contains(st.Message, "/lab/b and /lab/a command by turns") {
		t.Errorf("%d %q", st.Level, st.Message)
	}
}

// In lock-step a controller of two groups answers one snapshot twice: its first answer
// makes time pass, and the second is not older for the time that it thought.
func TestTwoAnswersInLockstep(t *testing.T) {
	net := newMemory()
	o := quick
	o.Lockstep = true
	b := live(t, everyKind(), o, Options{}, net)
	limit := seconds(o.CommandTimeoutS)
	eventually(t, "the first snapshot", func() bool { return b.latest.stamp() != 0 })
	tip := b.latest.stamp()
	time.Sleep(2 * limit)
	answer := func(topic string, m msgs.Message) { // and wait for its snapshot
		before, newest := verdicts(b), b.latest.stamp()
		net.arrive(t, topic, m)
		if after := verdicts(b); after[sim.Accepted] != before[sim.Accepted]+1 {
			t.Fatalf("%s: %v, then %v", topic, before, after)
		}
		eventually(t, "the next snapshot", func() bool { return b.latest.stamp() > newest })
	}
	field := func() msgs.Message {
		return &sensor_msgs.MagneticField{Header: std_msgs.Header{Stamp: msgs.At(tip)}}
	}
	answer(jointTopic, pulling(b, b.clock.Now()-tip))
	answer("/lab/left/in_field", field())
	time.Sleep(2 * limit)
	for range int(o.CommandTimeoutS*o.ControlHz) + 2 { // the time-out passes in simulated time
		m := pulling(b, 0)
		m.Header.Stamp = 0
		answer(jointTopic, m)
	}
	time.Sleep(2 * limit)
	before := verdicts(b)
	net.arrive(t, "/lab/left/in_field", field())
	if after := verdicts(b); after[sim.Stale] != before[sim.Stale]+1 {
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

// A recording holds what was judged by its content alone: not a request that was kept from
// before, nor a command that a queue had no room for.
func TestRefusedIsNotRecorded(t *testing.T) {
	net := newMemory()
	var recorded []string
	o := patient()
	o.Lockstep = true
	s := newSimulator(t, everyKind(), wallclock.New(), o)
	b, err := newBridge(s, testNames(), []Transport{net}, Options{Received: func(topic Topic, _ *Sample) { recorded = append(recorded, topic.Name) }})
	if err != nil {
		t.Fatal(err)
	}
	const text = "/lab/left/state_command"
	net.receive(t, text, Received{Message: &std_msgs.String{Data: "save_state"}, Latched: true})
	if len(recorded) != 0 {
		t.Errorf("recorded %v of a latched request", recorded)
	}
	for range maxTexts + 5 {
		net.receive(t, text, Received{Message: &std_msgs.String{Data: "save_state"}})
	}
	if len(recorded) != maxTexts {
		t.Errorf("recorded %d requests, of which %d were taken", len(recorded), maxTexts)
	}
	recorded = nil
	for verdicts(b)[sim.Overflow] < 3 {
		net.receive(t, jointTopic, Received{Message: pulling(b, 0), Sender: Sender{Node: "/lab/a"}})
	}
	if got := verdicts(b); uint64(len(recorded)) != got[sim.Accepted] {
		t.Errorf("recorded %d commands: %v", len(recorded), got)
	}
}
