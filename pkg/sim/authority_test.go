package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sinew/pkg/sim"
)

func TestOneCommander(t *testing.T) {
	s, m, c, a, b := sim.Commanding(t, sim.FakeOptions())
	sim.Periods(s, 1)
	for range 3 {
		if v := s.Post(b, sim.PortLength, []float64{9, 9}); v != sim.NotInCommand {
			t.Errorf("the other source: %v", v)
		}
	}
	sim.Periods(s, 1)
	if m.U != [2]float64{2.25, 3} {
		t.Errorf("forces %v", m.U)
	}
	if v := s.Post(b, sim.PortWrench, make([]float64, 7)); v != sim.Accepted {
		t.Errorf("another group: %v", v)
	}
	g := s.Stats().Groups[0]
	if g.Commander != "/lab/a" || !slices.Equal(g.Refused, []sim.SourceCount{{"/lab/b", 3}}) || g.Handovers != 0 {
		t.Errorf("%+v", g)
	}
	timeout := time.Duration(sim.FakeOptions().CommandTimeoutS * float64(time.Second))
	c.NowValue += timeout
	if v := s.Post(b, sim.PortForce, []float64{2, 2}); v != sim.NotInCommand {
		t.Errorf("just before the time-out: %v", v)
	}
	s.Post(a, sim.PortLength, []float64{2, 2}) // through another port of the group
	c.NowValue += timeout + 1
	if g := s.Stats().Groups[0]; g.Commander != "" {
		t.Errorf("silent, and still %q", g.Commander)
	}
	if v := s.Post(b, sim.PortForce, []float64{2, 2}); v != sim.Accepted {
		t.Errorf("after a's silence: %v", v)
	}
	if v := s.Post(a, sim.PortForce, []float64{2, 2}); v != sim.NotInCommand {
		t.Errorf("a, while b commands: %v", v)
	}
}

// Who commands is the same while time stands still: nothing acts, but one source at a time holds the group, is relieved by take_command,
// and commands when time goes on, also in lock-step. Leaving, silence and a stop end that.
func TestCommandWhilePaused(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		t.Run(fmt.Sprintf("lockstep %v", lockstep), func(t *testing.T) { commandWhilePaused(t, lockstep) })
	}
}

func commandWhilePaused(t *testing.T, lockstep bool) {
	o := sim.FakeOptions()
	o.Lockstep = lockstep
	s, m, c, a, b := sim.Commanding(t, o)
	sim.Periods(s, 1) // also of the queue of lock-step
	post := func(who string, from sim.Source, want sim.CommandStatus) {
		t.Helper()
		if got := s.Post(from, sim.PortForce, []float64{7, 7}); got != want {
			t.Errorf("%s: %v, want %v", who, got, want)
		}
	}
	sim.Ask(t, s, "pause")
	post("b, while a commands", b, sim.NotInCommand)
	post("a, which commands", a, sim.NotEnabled)
	if got := s.Post(b, sim.PortWrench, make([]float64, 3)); got != sim.WrongLength {
		t.Errorf("b, with a command of the wrong length: %v", got)
	}
	if got := s.Post(a, sim.PortWrench, make([]float64, 7)); got != sim.NotEnabled {
		t.Errorf("a, in a group that a command of the wrong length cannot take: %v", got)
	}
	s.Do(sim.Request{Verb: sim.TakeCommand})
	post("b, which has taken over", b, sim.NotEnabled)
	post("a, which is relieved", a, sim.NotInCommand)
	sim.Ask(t, s, "resume")
	sim.Periods(s, 2)
	if m.U == [2]float64{7, 7} {
		t.Error("a command of a pause acts after it")
	}
	post("a, after the pause", a, sim.NotInCommand)
	post("b, after the pause", b, sim.Accepted)

	sim.Ask(t, s, "pause")
	s.ReleaseCommand(b, sim.PortForce)
	post("a, once b has left", a, sim.NotEnabled)
	post("b, while a commands", b, sim.NotInCommand)
	c.NowValue += time.Duration(o.CommandTimeoutS*float64(time.Second)) + 1
	whileSilent := sim.NotEnabled
	if lockstep { // its time-outs stand still with time
		whileSilent = sim.NotInCommand
	}
	post("b, while a is silent", b, whileSilent)
	sim.Ask(t, s, "disable")
	sim.Ask(t, s, "enable")
	post("a, after a stop", a, sim.Accepted)
}

// What is refused for its values neither takes command nor keeps it.
func TestBadCommandsKeepNoCommand(t *testing.T) {
	s, _, c, a, b := sim.Commanding(t, sim.FakeOptions())
	c.NowValue += 100 * time.Millisecond
	s.Post(a, sim.PortForce, []float64{1})
	c.NowValue += 30 * time.Millisecond
	if v := s.Post(b, sim.PortForce, []float64{2, 2}); v != sim.Accepted {
		t.Errorf("after 130 ms without a good command: %v", v)
	}
	s, _, _, _, _ = sim.Commanding(t, sim.FakeOptions())
	s.Post(a, sim.PortWrench, make([]float64, 3))
	if v := s.Post(b, sim.PortWrench, make([]float64, 7)); v != sim.Accepted {
		t.Errorf("a command of the wrong length has taken the group: %v", v)
	}
}

func TestChangesOfCommander(t *testing.T) {
	two := []float64{2, 2}
	newest := sim.FakeOptions()
	newest.NewestCommander = true
	tests := []struct {
		name      string
		options   sim.Options
		between   func(s *sim.Simulator, a sim.Source)
		takes     bool
		handovers uint64
	}{
		{"leaves", sim.FakeOptions(), func(s *sim.Simulator, a sim.Source) { s.ReleaseCommand(a, sim.PortForce) }, true, 0},
		{"leaves another port", sim.FakeOptions(), func(s *sim.Simulator, a sim.Source) { s.ReleaseCommand(a, sim.PortLength) }, false, 0},
		{"another leaves", sim.FakeOptions(), func(s *sim.Simulator, a sim.Source) { s.ReleaseCommand(sim.Source{Name: "/lab/c"}, sim.PortForce) }, false, 0},
		{"take_command", sim.FakeOptions(), func(s *sim.Simulator, a sim.Source) {
			if r := s.Do(sim.Request{Verb: sim.TakeCommand}); r.Message != "in every group the next command of another source takes over; in command now: /lab/a" {
				t.Errorf("%+v", r)
			}
			if v := s.Post(a, sim.PortForce, two); v != sim.Accepted {
				t.Errorf("no other source has taken over, and the commander is refused: %v", v)
			}
		}, true, 1},
		{"falls silent after take_command", sim.FakeOptions(), func(s *sim.Simulator, a sim.Source) {
			s.Do(sim.Request{Verb: sim.TakeCommand})
			s.ReleaseCommand(a, sim.PortForce)
			if v := s.Post(a, sim.PortForce, two); v != sim.Accepted {
				t.Errorf("the group is free: %v", v)
			}
		}, false, 0},
		{"disable", sim.FakeOptions(), func(s *sim.Simulator, a sim.Source) { sim.Ask(t, s, "disable"); sim.Ask(t, s, "enable") }, true, 0},
		{"policy newest", newest, func(*sim.Simulator, sim.Source) {}, true, 1},
		{"nothing", sim.FakeOptions(), func(*sim.Simulator, sim.Source) {}, false, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _, _, a, b := sim.Commanding(t, tt.options)
			tt.between(s, a)
			if v := s.Post(b, sim.PortForce, two); v.OK() != tt.takes {
				t.Fatalf("%v", v)
			}
			g := s.Stats().Groups[0]
			if owner := map[bool]string{true: "/lab/b", false: "/lab/a"}[tt.takes]; g.Commander != owner || g.Handovers != tt.handovers {
				t.Errorf("%+v", g)
			}
			if v := s.Post(a, sim.PortForce, two); tt.takes && !tt.options.NewestCommander && v != sim.NotInCommand {
				t.Errorf("the one before: %v", v)
			}
		})
	}
}

// What moves the robot until somebody commands does not stand in his way.
func TestYieldingSource(t *testing.T) {
	s, _, _ := sim.NewFake(t, sim.FakeOptions())
	demo, a := sim.Source{Name: "demo", Yields: true}, sim.Source{Name: "/lab/a"}
	two := []float64{2, 2}
	for _, step := range []struct {
		from sim.Source
		want sim.CommandStatus
	}{{demo, sim.Accepted}, {a, sim.Accepted}, {demo, sim.NotInCommand}} {
		if v := s.Post(step.from, sim.PortForce, two); v != step.want {
			t.Errorf("%s: %v", step.from.Name, v)
		}
	}
	if g := s.Stats().Groups[0]; len(g.Refused) != 0 {
		t.Errorf("refused %v: a demo that stops is no conflict", g.Refused)
	}
}

// A peer with ever new names cannot fill the memory.
func TestRefusedSourcesAreBounded(t *testing.T) {
	s, _, _, _, _ := sim.Commanding(t, sim.FakeOptions())
	for i := range 1000 {
		s.Post(sim.Source{Name: fmt.Sprint("/lab/", i)}, sim.PortForce, []float64{2, 2})
	}
	refused := s.Stats().Groups[0].Refused
	sum := uint64(0)
	for _, r := range refused {
		sum += r.Count
	}
	if len(refused) != sim.MaxRefusedSources || sum != 1000 || !slices.ContainsFunc(refused, func(r sim.SourceCount) bool { return r.Name == sim.OtherSources }) {
		t.Errorf("%d names, %d commands: %v", len(refused), sum, refused)
	}
	for i := range sim.MaxRefusedSources - 1 { // the first keep their names
		if want := (sim.SourceCount{fmt.Sprint("/lab/", i), 1}); !slices.Contains(refused, want) {
			t.Errorf("no %v in %v", want, refused)
		}
	}
}

// Who commands through two topics and ends one has not left.
func TestLeavingATopic(t *testing.T) {
	s, _, _ := sim.NewFake(t, sim.FakeOptions())
	a, b := sim.Source{Name: "/lab/a", Topic: "/joints"}, sim.Source{Name: "/lab/b"}
	other := a
	other.Topic = "/numbers"
	s.Post(other, sim.PortForce, []float64{2, 2})
	s.Post(a, sim.PortForce, []float64{2, 2})
	s.ReleaseCommand(other, sim.PortForce)
	if v := s.Post(b, sim.PortForce, []float64{2, 2}); v != sim.NotInCommand {
		t.Errorf("one of two topics has ended: %v", v)
	}
	s.ReleaseCommand(a, sim.PortForce)
	if v := s.Post(b, sim.PortForce, []float64{2, 2}); v != sim.Accepted {
		t.Errorf("the topic of the commands has ended: %v", v)
	}
}
