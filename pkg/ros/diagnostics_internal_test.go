package ros

import (
	"math"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap/zapcore"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// Tests of what has no exported name.

const (
	ok       = diagnostic_msgs.DiagnosticStatusOk
	warn     = diagnostic_msgs.DiagnosticStatusWarn
	critical = diagnostic_msgs.DiagnosticStatusError
)

// value returns the value of a key, which must be there once.
func value(t *testing.T, s diagnostic_msgs.DiagnosticStatus, key string) string {
	t.Helper()
	found, v := 0, ""
	for _, kv := range s.Values {
		if kv.Key == key {
			found, v = found+1, kv.Value
		}
	}
	if found != 1 {
		t.Errorf("%s has %d values of %s, want 1", s.Name, found, key)
	}
	return v
}

// Each case is a change to a healthy second and what it does to one status; the
// other two must stay as they are.
func TestDiagnosticLevels(t *testing.T) {
	m := EveryKind()
	b, _ := Still(t, m, Options{}, NewMemory())
	for _, c := range []struct {
		name    string
		change  func(*sim.Stats, *latestState)
		status  int
		level   byte
		message string
	}{
		{"healthy loop", func(*sim.Stats, *latestState) {}, 0, ok, "ENABLED, 1000.0 Hz"},
		{"no command yet", func(s *sim.Stats, _ *latestState) { s.Groups[0].Armed = false }, 1, ok, "waiting for the first command"},
		{"commands come", func(*sim.Stats, *latestState) {}, 1, ok, "receiving"},
		{"healthy solver", func(*sim.Stats, *latestState) {}, 2, ok, "healthy"},
		{"standing still", func(_ *sim.Stats, n *latestState) { n.seq = 3000 }, 0, critical, "stands still"},
		{"slow", func(s *sim.Stats, _ *latestState) { s.RealTimeFactor = 0.5 }, 0, warn, "slower than real time: factor 0.500"},
		{"few overruns", func(s *sim.Stats, _ *latestState) { s.Overruns += 10 }, 0, ok, ""},
		{"few skipped", func(s *sim.Stats, _ *latestState) { s.Skipped += 100 }, 0, ok, ""},
		{"stopped", func(s *sim.Stats, _ *latestState) { s.Overruns, s.Skipped = s.Overruns+1, s.Skipped+101 }, 0, warn, "101 periods were skipped: the program stood still for 0.101 s"},
		{"stopped on a busy computer", func(s *sim.Stats, _ *latestState) {
			s.Overruns, s.Skipped, s.RealTimeFactor = s.Overruns+30, s.Skipped+2040, 0.01
		}, 0, warn, "2040 periods were skipped: the program stood still for 2.04 s"},
		{"suddenly slow", func(s *sim.Stats, _ *latestState) {
			s.Overruns, s.Skipped, s.RealTimeFactor = s.Overruns+200, s.Skipped+800, 0.2
		}, 0, warn, "slower than real time: factor 0.200"},
		{"many overruns", func(s *sim.Stats, _ *latestState) { s.Overruns += 11 }, 0, warn, "11 periods"},
		{"lost snapshots", func(s *sim.Stats, _ *latestState) { s.Missed += 2 }, 0, warn, "2 snapshots"},
		{"timed out", func(s *sim.Stats, _ *latestState) {
			s.Groups[0].TimedOut, s.Groups[0].Age, s.Groups[0].Last = true, 1.25, "/a"
		}, 1, warn,
			"no command to tendons for 1.2 s: safe values are applied (a pose completes the last command, joints and insertion stop); last commander /a; repeat commands within command_timeout_s"},
		{"refused", func(s *sim.Stats, _ *latestState) { s.Commands[sim.NotFinite] += 3; s.Commands[sim.Clamped]++ }, 1, warn, "1 clamped, 3 not_finite"},
		{"solver works hard", func(_ *sim.Stats, n *latestState) { n.worst[0] = 13 }, 2, warn, "newton_iterations reached 13, above 12"},
		{"several gauges", func(_ *sim.Stats, n *latestState) { n.worst = []float64{13, 3, 1} }, 2, warn, "newton_iterations reached 13, above 12; divided_steps reached 1, above 0.5: too fast"},
		{"disabled", func(_ *sim.Stats, n *latestState) { n.state = sim.Disabled }, 1, ok, "DISABLED: commands are refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			stats := sim.Stats{Rate: 1000, RealTimeFactor: 1, Groups: []sim.GroupStats{{Name: "tendons", Armed: true, Age: 0.001}}}
			now := latestState{state: sim.Enabled}
			var h health
			for range 3 { // long enough to judge rates
				stats.Periods += 1000
				now.seq += 1000
				now.gauges, now.worst = []float64{3, 3}, []float64{3, 3}
				h.assess(b.sim, "lab/left", stats, now)
			}
			stats.Periods += 1000
			now.seq += 1000
			c.change(&stats, &now)
			got := h.assess(b.sim, "lab/left", stats, now)
			if s := got[c.status]; s.Level != c.level || !strings.Contains(s.Message, c.message) {
				t.Errorf("%s is %d %q, want %d %q", s.Name, s.Level, s.Message, c.level, c.message)
			}
			for i, s := range got {
				if i != c.status && s.Level != ok {
					t.Errorf("%s is %d %q as well", s.Name, s.Level, s.Message)
				}
			}
		})
	}
}

// A loop that is held up in each second is slow, though each time at once.
func TestBurstsAreSlowness(t *testing.T) {
	b, _ := Still(t, EveryKind(), Options{}, NewMemory())
	var h health
	stats, now := sim.Stats{Rate: 1000, RealTimeFactor: 0.7}, latestState{state: sim.Enabled}
	slow := 0
	for range 30 {
		stats.Periods, stats.Overruns, stats.Skipped, now.seq = stats.Periods+700, stats.Overruns+1, stats.Skipped+300, now.seq+700
		if got := h.assess(b.sim, "left", stats, now)[0]; strings.HasPrefix(got.Message, "slower than real time: factor 0.700") {
			slow++
		}
	}
	if slow < 15 {
		t.Errorf("in %d of 30 reports it is slow", slow)
	}
}

func TestFaultsAreBlamedOnWhatCausedThem(t *testing.T) {
	b, _ := Still(t, EveryKind(), Options{}, NewMemory())
	for reason, solverLevel := range map[string]byte{sim.ReasonEStop: ok, "newton: no convergence": critical} {
		var h health
		got := h.assess(b.sim, "left", sim.Stats{}, latestState{state: sim.Fault, reason: reason, seq: 1})
		if s := got[0]; s.Level != critical || s.Message != "FAULT: "+reason+"; call ~enable to continue" {
			t.Errorf("%s: step loop is %d %q", reason, s.Level, s.Message)
		}
		if s := got[2]; s.Level != solverLevel {
			t.Errorf("%s: solver is %d %q, want %d", reason, s.Level, s.Message, solverLevel)
		}
	}
}

// Rates of the second that contains a pause say nothing about speed.
func TestRatesAreNotJudgedRightAfterAPause(t *testing.T) {
	b, _ := Still(t, EveryKind(), Options{}, NewMemory())
	var h health
	stats := sim.Stats{RealTimeFactor: 0.1}
	for i, want := range []byte{ok, ok, warn, warn} {
		stats.Periods += 100
		if got := h.assess(b.sim, "left", stats, latestState{state: sim.Enabled, seq: uint64(i + 1)})[0]; got.Level != want {
			t.Errorf("report %d after the start: level %d %q, want %d", i, got.Level, got.Message, want)
		}
	}
	h.assess(b.sim, "left", stats, latestState{state: sim.Paused, seq: 10})
	stats.Periods += 100
	if got := h.assess(b.sim, "left", stats, latestState{state: sim.Enabled, seq: 11})[0]; got.Level != ok {
		t.Errorf("right after a pause: level %d %q", got.Level, got.Message)
	}
}

// TestGaugesAreLoggedOnce: a gauge above its threshold is in the log of a node, whether or not anybody reads its diagnostics.
func TestGaugesAreLoggedOnce(t *testing.T) {
	m := EveryKind()
	m.divided = 2
	log, logs := Observed()
	b, _ := Still(t, m, Options{Log: log}, NewMemory())
	for range 3 {
		b.publish(snapshot(b, m, Noon, 1))
		b.report()
	}
	if got := logs.FilterMessage(b.sim.Gauges()[2].Warning(2)).FilterLevelExact(zapcore.WarnLevel).Len(); got != 1 {
		t.Errorf("%d warnings of the gauge, want 1; the log is %v", got, logs.All())
	}
}

func TestReport(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	m.gauge, m.divided = 4, 2
	b, clock := Still(t, m, Options{}, net)
	s := snapshot(b, m, Noon, 1)
	s.Gauges[0] = 11
	b.publish(s)
	s.Gauges[0] = 4
	b.publish(s)
	b.sim.Reject(sim.UnknownFrame)
	clock.NowValue.Store(int64(Noon + time.Second))
	b.report()

	array := only[*diagnostic_msgs.DiagnosticArray](t, net.Topic(t, "/diagnostics"))
	if array.Header != (std_msgs.Header{Stamp: msgs.At(Noon + time.Second)}) || len(array.Status) != 4 {
		t.Fatalf("diagnostics have header %+v and %d statuses", array.Header, len(array.Status))
	}
	for i, name := range []string{"lab/left: step loop", "lab/left: commands", "lab/left: solver", "lab/left: clock"} {
		if s := array.Status[i]; s.Name != name || s.HardwareID != "lab/left" {
			t.Errorf("status %d is %q of %q, want %q of lab/left", i, s.Name, s.HardwareID, name)
		}
	}
	for _, want := range []struct {
		status     int
		key, value string
	}{
		{0, "target_hz", "1000"}, {0, "actual_hz", "0"}, {0, "rtf", "0"}, {0, "overruns", "0"}, {0, "missed_snapshots", "0"},
		{0, "step_us_p99", "0"}, {0, "jitter_us_p99", "0"}, {0, "run_jitter_us_p999", "0"}, {0, "sim_time_s", "0"}, {0, "steps", "0"}, {0, "skipped_periods", "0"},
		{1, "accepted", "0"}, {1, "unknown_frame", "1"}, {1, "not_finite", "0"}, {1, "watchdog_trips", "0"},
		{2, "newton_iterations", "4"}, {2, sim.UnconvergedSteps, "3"},
	} {
		if got := value(t, array.Status[want.status], want.key); got != want.value {
			t.Errorf("%s: %s is %q, want %q", array.Status[want.status].Name, want.key, got, want.value)
		}
	}
	stats := only[*sinew_msgs.SimStats](t, net.Topic(t, "/lab/left/sim_stats"))
	if stats.Header.Stamp != msgs.At(Noon+time.Second) || stats.Unconverged != 3+2 {
		t.Errorf("sim_stats are %+v", stats)
	}
	if got, want := array.Status[2].Message, "divided_steps reached 2, above 0.5: too fast"; got != want {
		t.Errorf("the solver's message is %q, want %q", got, want)
	}
	if worst := b.latest.take().worst[0]; worst != 4 {
		t.Errorf("the worst gauge since the report is %v, want 4: the 11 was reported", worst)
	}
}

// With several groups each shows its own age, and the newest command is that of
// the node.
func TestGroupsAreToldApart(t *testing.T) {
	var h health
	s := h.commands(sim.Stats{Groups: []sim.GroupStats{
		{Name: "tendons", Armed: true, Age: 0.5, Trips: 1, TimedOut: true}, {Name: "wrench", Armed: true, Age: 0.25, Trips: 2}, {Name: "flow"},
	}}, latestState{state: sim.Enabled})
	for key, want := range map[string]string{
		"command_age_ms": "250", "watchdog_trips": "3",
		"command_age_ms/tendons": "500", "command_age_ms/wrench": "250", "watchdog_trips/wrench": "2",
	} {
		if got := value(t, s, key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if want := "no command to tendons for 0.5 s: safe values are applied (a pose completes the last command, joints and insertion stop); last commander a node without a name; repeat commands within command_timeout_s"; s.Message != want {
		t.Errorf("message is %q, want %q", s.Message, want)
	}
}

func TestCommandsThatComeTooEarlyAreTold(t *testing.T) {
	log, logged := Observed()
	net := NewMemory()
	o := Quick
	o.Disabled = true
	b := Live(t, EveryKind(), o, Options{Log: log}, net)
	net.Arrive(t, "/lab/left/in_tension", &sensor_msgs.JointState{Effort: []float64{1, 2}})
	lines := logged.FilterMessage("command refused").All()
	if len(lines) != 1 || lines[0].ContextMap()["detail"] != "DISABLED: enable first" {
		t.Errorf("logged %v, want a line that says what to do", lines)
	}
	if n := b.sim.Stats().Commands[sim.NotEnabled]; n != 1 {
		t.Errorf("counted %d times, want 1", n)
	}
}

// Statistics of a running simulator arrive as they are, in seconds.
func TestStatsAreThoseOfTheSimulator(t *testing.T) {
	t.Parallel()
	net := NewMemory()
	b := Live(t, EveryKind(), Quick, Options{}, net)
	topic := net.Topic(t, "/lab/left/sim_stats")
	var got *sinew_msgs.SimStats
	Eventually(t, "a second is over", func() bool {
		for _, m := range topic.Take() {
			got = m.(*sinew_msgs.SimStats)
		}
		return got != nil && got.Rate > 0
	})
	before := b.sim.Stats()
	if got.Steps == 0 || got.Steps > before.Steps || got.SimTime <= 0 || got.SimTime > before.SimTime {
		t.Errorf("steps %d, time %v; the simulator is at %d, %v", got.Steps, got.SimTime, before.Steps, before.SimTime)
	}
	if got.Rate <= 0 || got.RealTimeFactor <= 0 || got.StepP99 <= 0 || got.StepP99 > 1 || got.LatenessP99 < got.LatenessP50 {
		t.Errorf("rates %+v", got)
	}
}

func TestRefusedCommandsAreCountedAndLoggedOnce(t *testing.T) {
	log, logged := Observed()
	m, net := EveryKind(), NewMemory()
	b, clock := Still(t, m, Options{Log: log}, net)
	in := "/lab/left/in_tension"
	effort := func(v ...float64) *sensor_msgs.JointState { return &sensor_msgs.JointState{Effort: v} }
	cases := []struct {
		message *sensor_msgs.JointState
		status  sim.CommandStatus
		detail  string
	}{
		{effort(1, 2, 3), sim.WrongLength, "effort has 3 values, want 2"},
		{&sensor_msgs.JointState{Name: []string{"middle"}, Effort: []float64{1}}, sim.UnknownName, `no "middle" here, only ["left" "right"]`},
		{effort(1, math.NaN()), sim.NotFinite, "right is NaN"},
		{effort(math.Inf(1), 1), sim.NotFinite, "left is +Inf"},
		{effort(1, 25), sim.Clamped, "right = 25 N is above its limit 20"},
		{effort(-1, 1), sim.Clamped, "left = -1 N is below its limit 0"},
	}
	want := make(map[sim.CommandStatus]uint64)
	for range 3 {
		for _, c := range cases {
			net.Arrive(t, in, c.message)
			want[c.status]++
		}
	}
	for v := sim.Clamped; int(v) < sim.NumCommandStatuses; v++ {
		if got := b.sim.Stats().Commands[v]; got != want[v] {
			t.Errorf("%v was counted %d times, want %d", v, got, want[v])
		}
	}
	if n := logged.Len(); n != 4 {
		t.Errorf("%d lines were logged, want one for each of 4 reasons", n)
	}
	clock.NowValue.Add(int64(refusalPause))
	for _, c := range cases {
		clock.NowValue.Add(int64(refusalPause))
		logged.TakeAll()
		net.Arrive(t, in, c.message)
		lines := logged.TakeAll()
		if len(lines) != 1 {
			t.Fatalf("%s: %d lines after the pause, want 1", c.detail, len(lines))
		}
		fields := lines[0].ContextMap()
		if fields["detail"] != c.detail || fields["topic"] != in || fields["reason"] != c.status.String() {
			t.Errorf("logged %v, want detail %q", fields, c.detail)
		}
	}
}
