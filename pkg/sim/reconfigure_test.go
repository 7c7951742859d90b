package sim

import (
	"math"
	"strings"
	"testing"
	"time"
)

// reconfigureNow is Reconfigure on a simulator that is not running.
func reconfigureNow(s *Simulator, c Reconfiguration) error {
	a := &pendingReconfiguration{Reconfiguration: c}
	if err := s.checkReconfiguration(a); err != nil {
		return err
	}
	to := call{Request{Verb: reconfigure}, make(chan Reply, 1)}
	s.loop.handleQueued(queuedRequest{call: to, reconfiguration: a})
	s.intake.authority.configure(c.Options)
	if r := <-to.reply; !r.OK {
		return ErrFake
	}
	return nil
}

// withLimits are the fake's ports with other limits of tension.
func withLimits(s *Simulator, max, rate, safe float64) []Port {
	ports := append([]Port(nil), s.Ports()...)
	p := &ports[PortForce]
	p.Max, p.MaxRate, p.Safe = []float64{max, max}, []float64{rate, rate}, []float64{safe, safe}
	return ports
}

func mustReconfigure(t *testing.T, s *Simulator, c Reconfiguration) {
	t.Helper()
	if err := reconfigureNow(s, c); err != nil {
		t.Fatal(err)
	}
}

// patient are options without a time-out.
func patient() Options {
	o := FakeOptions()
	o.CommandTimeoutS = 0
	return o
}

// A limit holds for commands and for setpoints from the next period on, and after a reset.
func TestReconfigureLimits(t *testing.T) {
	s, m, _ := NewFake(t, patient())
	s.Post(Source{Name: "a"}, PortForce, []float64{9, 9})
	Periods(s, 30) // 64 N/s: from 2 N to 9 N takes 28
	if m.U[0] != 9 {
		t.Fatalf("%g N, want 9", m.U[0])
	}
	mustReconfigure(t, s, Reconfiguration{Options: s.Options(), Ports: withLimits(s, 4, 128, 1)})
	before := m.U[0]
	Periods(s, 1)
	if want := before - 128/FakeHz; m.U[0] != want {
		t.Errorf("%g N a period later, want %g: down at the new rate", m.U[0], want)
	}
	Periods(s, 20)
	if m.U[0] != 4 {
		t.Errorf("%g N, want the new limit 4", m.U[0])
	}
	if v := s.Post(Source{Name: "a"}, PortForce, []float64{5, 3}); v != Clamped {
		t.Errorf("5 N of 4 is %v", v)
	}
	Periods(s, 30)
	if m.U != [2]float64{4, 3} {
		t.Errorf("%v N, want 4 and 3", m.U)
	}
	if got := s.Ports()[PortForce].Max[0]; got != 4 {
		t.Errorf("the port shows a limit of %g N", got)
	}
}

// What was kept before a limit comes back within it.
func TestReconfiguredLimitsOutlastRestore(t *testing.T) {
	s, m, _ := NewFake(t, patient())
	s.Post(Source{Name: "a"}, PortForce, []float64{9, 9})
	Periods(s, 30)
	Ask(t, s, "save_state")
	o := s.Options()
	o.CommandTimeoutS = 0.5
	mustReconfigure(t, s, Reconfiguration{Options: o, Ports: withLimits(s, 4, 128, 1)})
	if math.IsInf(s.loop.watchdogs.timers[0].limit, 1) {
		t.Error("there is no time-out yet")
	}
	Ask(t, s, "restore_state")
	Periods(s, 20)
	if m.U[0] != 4 {
		t.Errorf("%g N after restore_state, want the new limit 4", m.U[0])
	}
	s.Post(Source{Name: "a"}, PortForce, []float64{3, 3})
	Periods(s, 0.4*FakeHz-0.4)
	if s.loop.watchdogs.timers[0].Expired() {
		t.Error("the time-out of before holds again")
	}
	Periods(s, 0.2*FakeHz-0.2)
	if !s.loop.watchdogs.timers[0].Expired() {
		t.Error("no time-out")
	}
}

// A tension that is safe follows the safe value.
func TestReconfigureSafe(t *testing.T) {
	s, m, _ := NewFake(t, FakeOptions())
	Ask(t, s, "disable")
	Periods(s, 30)
	if m.U[0] != 1 {
		t.Fatalf("%g N, want the safe 1", m.U[0])
	}
	mustReconfigure(t, s, Reconfiguration{Options: s.Options(), Ports: withLimits(s, 10, 64, 3)})
	Periods(s, 30)
	if m.U[0] != 3 {
		t.Errorf("%g N, want the new safe 3", m.U[0])
	}
}

func TestReconfigureOptions(t *testing.T) {
	s, _, c := NewFake(t, FakeOptions())
	Periods(s, 100)
	Drain(s)
	o := s.Options()
	o.PublishHz, o.MarkerHz, o.NewestCommander, o.CommandTimeoutS = FakeHz/4, 8, true, 1
	mustReconfigure(t, s, Reconfiguration{Options: o})
	Periods(s, 256)
	shots := Drain(s)
	slow := 0
	for _, shot := range shots {
		if shot.Slow {
			slow++
		}
	}
	if missed := s.Missed(); len(shots)+int(missed) != 64 || slow > 8 {
		t.Errorf("%d snapshots and %d missed in a second, want 64; %d slow ones, want at most 8", len(shots), missed, slow)
	}
	for _, who := range []string{"a", "b"} {
		if v := s.Post(Source{Name: who}, PortForce, []float64{3, 3}); !v.OK() {
			t.Errorf("%s: %v, but everybody commands", who, v)
		}
	}
	o.NewestCommander = false
	mustReconfigure(t, s, Reconfiguration{Options: o})
	c.Pass(500 * time.Millisecond)
	if v := s.Post(Source{Name: "a"}, PortForce, []float64{3, 3}); v != NotInCommand {
		t.Errorf("a: %v, but b commands for a second", v)
	}
}

// A model takes the place of another without a jump.
func TestReconfigureModel(t *testing.T) {
	s, m, c := NewFake(t, FakeOptions())
	s.Post(Source{Name: "a"}, PortForce, []float64{5, 5})
	Periods(s, 50)
	x, u := m.X, m.U
	other := &FakeModel{clock: c}
	mustReconfigure(t, s, Reconfiguration{Options: s.Options(), Model: other})
	if other.X != x || other.U != u {
		t.Errorf("%v m and %v N, want %v and %v", other.X, other.U, x, u)
	}
	Periods(s, 1)
	if want := x[0] + u[0]/FakeHz; math.Abs(other.X[0]-want) > 1e-12 {
		t.Errorf("a period later %g m, want %g", other.X[0], want)
	}
	if m.X != x {
		t.Error("the model of before still moves")
	}
	s.Post(Source{Name: "a"}, PortForce, []float64{6, 6})
	Periods(s, 10)
	if other.U[0] <= u[0] {
		t.Errorf("the command did not reach the model: %g N", other.U[0])
	}
}

// otherState is a model with a larger state.
type otherState struct{ FakeModel }

func (m *otherState) StateLen() int { return 13 }

// Whatever cannot change is refused, and nothing changes.
func TestReconfigureRefuses(t *testing.T) {
	s, m, c := NewFake(t, FakeOptions())
	options := func(change func(*Options)) Reconfiguration {
		o := s.Options()
		change(&o)
		return Reconfiguration{Options: o}
	}
	port := func(change func([]Port)) Reconfiguration {
		ports := withLimits(s, 4, 64, 1)
		change(ports)
		return Reconfiguration{Options: s.Options(), Ports: ports}
	}
	for want, c := range map[string]Reconfiguration{
		"are fixed":           options(func(o *Options) { o.ControlHz = 100 }),
		"mode of a simulator": options(func(o *Options) { o.Follow = true }),
		"must be from 0":      options(func(o *Options) { o.MarkerHz = -1 }),
		"above 0 and at most": options(func(o *Options) { o.PublishHz = 2 * FakeHz }),
		"is not from Min":     port(func(p []Port) { p[PortForce].Safe = []float64{7, 7} }),
		"other ports":         port(func(p []Port) { p[PortForce].Labels = []string{"a", "c"} }),
		"state of 13 values":  {Options: s.Options(), Model: &otherState{FakeModel{clock: c}}},
	} {
		before := s.settings.Load()
		if err := reconfigureNow(s, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if s.settings.Load() != before || s.loop.model != Model(m) {
			t.Errorf("%s: something has changed", want)
		}
	}
}

// In the loop: an emergency stop does not refuse it, nor does it end a step at work.
func TestReconfigureWhileRunning(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	if err := s.Reconfigure(Reconfiguration{Options: s.Options()}); err == nil || !strings.Contains(err.Error(), "not running") {
		t.Errorf("before Run: %v", err)
	}
	end := start(t, s)
	defer end()
	s.Do(Request{Verb: Pause})
	stepped := make(chan Reply)
	go func() { stepped <- s.Do(Request{Verb: Step, Steps: 5000}) }()
	for range 50 {
		if err := s.Reconfigure(Reconfiguration{Options: s.Options(), Ports: withLimits(s, 4, 64, 1)}); err != nil {
			t.Fatal(err)
		}
	}
	if r := <-stepped; !r.OK {
		t.Errorf("the step: %+v", r)
	}
	s.Do(Request{Verb: EStop})
	if err := s.Reconfigure(Reconfiguration{Options: s.Options()}); err != nil {
		t.Error(err)
	}
}
