package ros

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/rosgraph_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// following is a bridge whose simulator follows /clock.
func following(t *testing.T, o Options, net *Memory) *Bridge {
	t.Helper()
	so := Quick
	so.Follow = true
	return Live(t, EveryKind(), so, o, net)
}

// tick tells the time of /clock as a node does.
func tick(t *testing.T, net *Memory, from Sender, at time.Duration) {
	t.Helper()
	net.Receive(t, "/clock", Received{Message: &rosgraph_msgs.Clock{Clock: msgs.At(at)}, Sender: from})
}

// messages are those on a topic so far.
func messages(p *memoryTopic) (all []msgs.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.samples {
		all = append(all, s.Message())
	}
	return all
}

func reasonOf(m msgs.Message) string { return m.(*sinew_msgs.OperatingState).Reason }

func stateOf(m msgs.Message) string { return m.(*sinew_msgs.OperatingState).State }

var gazebo = Sender{Node: "/gazebo"}

// Nothing has a time before /clock has begun; then each of its messages brings all periods
// up to it, with stamps in its time, and commands are judged by it.
func TestFollowsClockTopic(t *testing.T) {
	net := NewMemory()
	var recorded atomic.Int64
	b := following(t, Options{Received: func(topic Topic, s *Sample) {
		if topic.Name == "/clock" {
			recorded.Store(int64(s.Time))
		}
	}}, net)
	states, tip := net.Topic(t, "/lab/left/operating_state"), net.Topic(t, "/lab/left/out_pose")
	Eventually(t, "a word that there is no /clock", func() bool {
		now := messages(states)
		return len(now) > 0 && strings.Contains(reasonOf(now[len(now)-1]), noClockYet)
	})
	tick(t, net, gazebo, 0) // which simulators tell before they begin
	if n := len(messages(tip)); n != 0 || b.stamper.now() != 0 {
		t.Fatalf("%d poses before the time", n)
	}
	const begin = 1_700_000_000 * time.Second
	tick(t, net, gazebo, begin)
	tick(t, net, gazebo, begin+50*time.Millisecond)
	Eventually(t, "51 poses", func() bool { return len(messages(tip)) == 51 })
	for k, m := range messages(tip) {
		if got, want := time.Duration(m.(*geometry_msgs.PoseStamped).Header.Stamp), begin+time.Duration(k)*time.Millisecond; got != want {
			t.Fatalf("pose %d: stamp %v, want %v", k, got, want)
		}
	}
	now := messages(states)
	if r := reasonOf(now[len(now)-1]); r != "" || time.Duration(recorded.Load()) != begin+50*time.Millisecond {
		t.Errorf("reason %q, /clock recorded at %v", r, time.Duration(recorded.Load()))
	}
	for stamp, want := range map[time.Duration]sim.CommandStatus{
		begin: sim.Accepted, begin + time.Second: sim.Stale, time.Duration(time.Now().UnixNano()): sim.Stale,
	} {
		m := Pulling(b, 0)
		m.Header.Stamp = msgs.At(stamp)
		before := Verdicts(b)[want]
		net.Arrive(t, JointTopic, m)
		if Verdicts(b)[want] != before+1 {
			t.Errorf("a command stamped %v: %v, want one more %v", stamp-begin, Verdicts(b), want)
		}
	}
	if r := b.sim.Do(sim.Request{Verb: sim.EStop}); !r.OK {
		t.Error(r)
	}
	Eventually(t, "the stop is shown without a clock", func() bool {
		now := messages(states)
		return stateOf(now[len(now)-1]) == sim.Fault.String()
	})
}

// Of two publishers of /clock the first is followed until it is silent or gone, and a
// clock that goes back is logged.
func TestFollowsOneClock(t *testing.T) {
	t.Parallel()
	net := NewMemory()
	log, logged := Observed()
	b := following(t, Options{Log: log}, net)
	bag := Sender{Node: "/player"}
	tick(t, net, gazebo, 100*time.Second)
	tick(t, net, bag, 7*time.Second)
	tick(t, net, bag, 7*time.Second)
	if b.stamper.now() != 100*time.Second || logged.FilterMessageSnippet("two publishers of /clock").Len() != 1 {
		t.Errorf("now %v; %v", b.stamper.now(), logged.All())
	}
	net.Receive(t, "/clock", Received{Sender: gazebo, SenderLeft: true})
	tick(t, net, bag, 7*time.Second)
	if b.stamper.now() != 7*time.Second {
		t.Errorf("now %v", b.stamper.now())
	}
	Eventually(t, "the periods are done", func() bool { return b.sim.Stats().Follow.Behind == 0 })
	tick(t, net, bag, 7*time.Second+2*sim.MaxCatchUp)
	Eventually(t, "the jump is done", func() bool { return b.sim.Stats().Follow.LeftOut > 0 })
	Eventually(t, "the report of the jump", func() bool { return logged.FilterMessageSnippet("19999 control periods were left out").Len() == 1 })
	var jump diagnostic_msgs.DiagnosticStatus
	Eventually(t, "diagnostics of the jump", func() bool { // which come just after the log
		st := clockStatuses(t, net)
		jump = st[len(st)-1]
		return value(t, jump, "left_out_periods") == "19999"
	})
	if jump.Level != warn {
		t.Errorf("%+v", jump)
	}
	back, ahead := logged.FilterMessageSnippet("/clock went back").Len(), logged.FilterMessageSnippet("were left out").Len()
	if back != 1 || ahead != 1 || value(t, jump, "ignored/player") != "2" || value(t, jump, "went_back") != "1" {
		t.Errorf("told of %d steps back, %d ahead; %+v", back, ahead, jump.Values)
	}
	now := 8*time.Second + 2*sim.MaxCatchUp
	Eventually(t, "a report without a jump", func() bool {
		now += time.Millisecond
		tick(t, net, bag, now)
		st := clockStatuses(t, net)
		return st[len(st)-1].Level == ok && strings.Contains(st[len(st)-1].Message, "/player")
	})
}

// clockStatuses are those about the clock in /diagnostics so far.
func clockStatuses(t *testing.T, net *Memory) (all []diagnostic_msgs.DiagnosticStatus) {
	t.Helper()
	for _, m := range messages(net.Topic(t, "/diagnostics")) {
		for _, st := range m.(*diagnostic_msgs.DiagnosticArray).Status {
			if strings.HasSuffix(st.Name, ": clock") {
				all = append(all, st)
			}
		}
	}
	return all
}

// settable is a computer's clock that can be set.
type settable struct {
	wallclock.Clock
	off atomic.Int64
}

func (c *settable) reading() wallclock.Reading {
	now := c.Now()
	return wallclock.Reading{Steady: now, Unix: now + time.Duration(c.off.Load())}
}

// A correction of the computer's clock reaches the stamps, is logged once, and leaves the
// loop and its watchdogs alone; commands are fresh by either clock.
func TestClockCorrections(t *testing.T) {
	t.Parallel()
	c := &settable{Clock: wallclock.New()}
	net := NewMemory()
	log, logged := Observed()
	s := NewSimulator(t, EveryKind(), c, unhurried())
	b, err := NewBridge(s, Names(), []Transport{net}, Options{Clock: c, Stamps: wallclock.NewStamps(c.reading), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	Start(t, s)
	tip := net.Topic(t, "/lab/left/out_pose")
	for _, step := range []time.Duration{time.Hour, -time.Minute} {
		c.off.Add(int64(step))
		Eventually(t, "a word of the correction", func() bool { return logged.FilterMessageSnippet("clock was set").Len() == 1 })
		if text := logged.FilterMessageSnippet("clock was set").All()[0].Message; !strings.Contains(text, fmt.Sprintf("by %.3f s", step.Abs().Seconds())) {
			t.Errorf("%v: %s", step, text)
		}
		logged.TakeAll()
		n := len(messages(tip))
		Eventually(t, "the next pose", func() bool { return len(messages(tip)) > n+1 })
		all := messages(tip)
		stamp := time.Duration(all[len(all)-1].(*geometry_msgs.PoseStamped).Header.Stamp)
		if off := stamp - c.Now() - time.Hour; off.Abs() > time.Second {
			t.Errorf("%v: stamps are off by %v", step, off)
		}
		for _, by := range []time.Duration{b.stamper.now(), c.reading().Unix} {
			m := Pulling(b, 0)
			m.Header.Stamp = msgs.At(by)
			before := Verdicts(b)[sim.Accepted]
			net.Arrive(t, JointTopic, m)
			if Verdicts(b)[sim.Accepted] != before+1 {
				t.Errorf("%v: a command stamped %v from now is refused", step, by-b.stamper.now())
			}
		}
		m := Pulling(b, 0)
		m.Header.Stamp = msgs.At(c.Now()) // of a clock that is not set, an hour ago
		before := Verdicts(b)[sim.Stale]
		net.Arrive(t, JointTopic, m)
		if Verdicts(b)[sim.Stale] != before+1 {
			t.Errorf("%v: a command of the old time is taken", step)
		}
	}
	all := clockStatuses(t, net)
	if st := all[len(all)-1]; st.Level != warn || value(t, st, "clock_corrections") != "2" || !strings.Contains(st.Message, "never run backwards") {
		t.Errorf("%+v", st)
	}
	var last time.Duration
	for _, m := range messages(tip) {
		stamp := time.Duration(m.(*geometry_msgs.PoseStamped).Header.Stamp)
		if stamp <= last {
			t.Fatalf("stamp %v after %v", stamp, last)
		}
		last = stamp
	}
	if st := s.Stats(); st.Skipped > uint64(time.Hour/time.Millisecond)/10 || logged.FilterLevelExact(zap.ErrorLevel).Len() > 0 {
		t.Errorf("%d periods skipped", st.Skipped)
	}
}
