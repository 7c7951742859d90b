package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// commanding returns a simulator whose tendons source a commands.
func commanding(t *testing.T, o Options) (s *Simulator, m *fakeModel, c *fakeClock, a, b Source) {
	t.Helper()
	s, m, c = newFake(t, o)
	a, b = Source{Name: "/lab/a"}, Source{ID: [16]byte{1}, Name: "/lab/b"}
	if v := s.Post(a, portForce, []float64{2.25, 3}); v != Accepted {
		t.Fatal(v)
	}
	return s, m, c, a, b
}

func TestOneCommander(t *testing.T) {
	s, m, c, a, b := commanding(t, fakeOptions())
	periods(s, 1)
	for range 3 {
		if v := s.Post(b, portLength, []float64{9, 9}); v != NotInCommand {
			t.Errorf("the other source: %v", v)
		}
	}
	periods(s, 1)
	if m.u != [2]float64{2.25, 3} {
		t.Errorf("forces %v", m.u)
	}
	if v := s.Post(b, portWrench, make([]float64, 7)); v != Accepted {
		t.Errorf("another group: %v", v)
	}
	g := s.Stats().Groups[0]
	if g.Commander != "/lab/a" || !slices.Equal(g.Refused, []SourceCount{{"/lab/b", 3}}) || g.Handovers != 0 {
		t.Errorf("%+v", g)
	}
	timeout := time.Duration(fakeOptions().CommandTimeoutS * float64(time.Second))
	c.now += timeout
	if v := s.Post(b, portForce, []float64{2, 2}); v != NotInCommand {
		t.Errorf("just before the time-out: %v", v)
	}
	s.Post(a, portLength, []float64{2, 2}) // through another port of the group
	c.now += timeout + 1
	if g := s.Stats().Groups[0]; g.Commander != "" {
		t.Errorf("silent, and still %q", g.Commander)
	}
	if v := s.Post(b, portForce, []float64{2, 2}); v != Accepted {
		t.Errorf("after a's silence: %v", v)
	}
	if v := s.Post(a, portForce, []float64{2, 2}); v != NotInCommand {
		t.Errorf("a, while b commands: %v", v)
	}
}

// What is refused for its values neither takes command nor keeps it.
func TestBadCommandsKeepNoCommand(t *testing.T) {
	s, _, c, a, b := commanding(t, fakeOptions())
	c.now += 100 * time.Millisecond
	s.Post(a, portForce, []float64{1})
	c.now += 30 * time.Millisecond
	if v := s.Post(b, portForce, []float64{2, 2}); v != Accepted {
		t.Errorf("after 130 ms without a good command: %v", v)
	}
	s, _, _, _, _ = commanding(t, fakeOptions())
	s.Post(a, portWrench, make([]float64, 3))
	if v := s.Post(b, portWrench, make([]float64, 7)); v != Accepted {
		t.Errorf("a command of the wrong length has taken the group: %v", v)
	}
}

func TestChangesOfCommander(t *testing.T) {
	two := []float64{2, 2}
	newest := fakeOptions()
	newest.NewestCommander = true
	tests := []struct {
		name      string
		options   Options
		between   func(s *Simulator, a Source)
		takes     bool
		handovers uint64
	}{
		{"leaves", fakeOptions(), func(s *Simulator, a Source) { s.Leave(a, portForce) }, true, 0},
		{"leaves another port", fakeOptions(), func(s *Simulator, a Source) { s.Leave(a, portLength) }, false, 0},
		{"another leaves", fakeOptions(), func(s *Simulator, a Source) { s.Leave(Source{Name: "/lab/c"}, portForce) }, false, 0},
		{"take_command", fakeOptions(), func(s *Simulator, a Source) {
			if r := s.Do(Request{Verb: TakeCommand}); r.Message != "the next command of another source takes over from /lab/a" {
				t.Errorf("%+v", r)
			}
			if v := s.Post(a, portForce, two); v != Accepted {
				t.Errorf("nobody has taken over, and the commander is refused: %v", v)
			}
		}, true, 1},
		{"falls silent after take_command", fakeOptions(), func(s *Simulator, a Source) {
			s.Do(Request{Verb: TakeCommand})
			s.Leave(a, portForce)
			if v := s.Post(a, portForce, two); v != Accepted {
				t.Errorf("the group is free: %v", v)
			}
		}, false, 0},
		{"disable", fakeOptions(), func(s *Simulator, a Source) { ask(t, s, "disable"); ask(t, s, "enable") }, true, 0},
		{"policy newest", newest, func(*Simulator, Source) {}, true, 1},
		{"nothing", fakeOptions(), func(*Simulator, Source) {}, false, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _, _, a, b := commanding(t, tt.options)
			tt.between(s, a)
			if v := s.Post(b, portForce, two); v.OK() != tt.takes {
				t.Fatalf("%v", v)
			}
			g := s.Stats().Groups[0]
			if owner := map[bool]string{true: "/lab/b", false: "/lab/a"}[tt.takes]; g.Commander != owner || g.Handovers != tt.handovers {
				t.Errorf("%+v", g)
			}
			if v := s.Post(a, portForce, two); tt.takes && !tt.options.NewestCommander && v != NotInCommand {
				t.Errorf("the one before: %v", v)
			}
		})
	}
}

// What moves the robot until somebody commands does not stand in his way.
func TestYieldingSource(t *testing.T) {
	s, _, _ := newFake(t, fakeOptions())
	demo, a := Source{Name: "demo", Yields: true}, Source{Name: "/lab/a"}
	two := []float64{2, 2}
	for _, step := range []struct {
		from Source
		want CommandStatus
	}{{demo, Accepted}, {a, Accepted}, {demo, NotInCommand}} {
		if v := s.Post(step.from, portForce, two); v != step.want {
			t.Errorf("%s: %v", step.from.Name, v)
		}
	}
	if g := s.Stats().Groups[0]; len(g.Refused) != 0 {
		t.Errorf("refused %v: a demo that stops is no conflict", g.Refused)
	}
}

// A peer with ever new names cannot fill the memory.
func TestRefusedSourcesAreBounded(t *testing.T) {
	s, _, _, _, _ := commanding(t, fakeOptions())
	for i := range 1000 {
		s.Post(Source{Name: fmt.Sprint("/lab/", i)}, portForce, []float64{2, 2})
	}
	refused := s.Stats().Groups[0].Refused
	sum := uint64(0)
	for _, r := range refused {
		sum += r.Count
	}
	if len(refused) != maxRefusedSources || sum != 1000 || !slices.ContainsFunc(refused, func(r SourceCount) bool { return r.Name == otherSources }) {
		t.Errorf("%d names, %d commands: %v", len(refused), sum, refused)
	}
	for i := range maxRefusedSources - 1 { // the first keep their names
		if want := (SourceCount{fmt.Sprint("/lab/", i), 1}); !slices.Contains(refused, want) {
			t.Errorf("no %v in %v", want, refused)
		}
	}
}

// A name that is learned later does not make another source.
func TestNamesOfSources(t *testing.T) {
	id := [16]byte{7}
	for _, tt := range []struct {
		a, b Source
		same bool
	}{
		{Source{ID: id}, Source{ID: id, Name: "/a"}, true},
		{Source{ID: id, Name: "/a"}, Source{Name: "/a"}, false},
		{Source{Name: "/a"}, Source{Name: "/a"}, true},
		{Source{Name: "/a"}, Source{Name: "/b"}, false},
	} {
		if got := tt.a.is(tt.b); got != tt.same {
			t.Errorf("%+v is %+v: %v", tt.a, tt.b, got)
		}
	}
}

// In lock-step a silence lasts for simulated time: a commander that thinks for long is
// still the commander, and one that lets the time-out pass on the way of another group's
// commands is not.
func TestCommandersInLockstep(t *testing.T) {
	o := fakeOptions()
	o.Lockstep = true
	s, _, c, a, b := commanding(t, o)
	periods(s, 1)
	c.now += time.Hour
	if v := s.Post(b, portForce, []float64{2, 2}); v != NotInCommand {
		t.Errorf("after an hour in which time stood: %v", v)
	}
	if g := s.Stats().Groups[0]; g.Commander != a.Name || s.Commander(portForce) != a.Name {
		t.Errorf("%+v, %q", g, s.Commander(portForce))
	}
	other := Source{Name: "/lab/wrench"}
	const limit = int(fakeHz / 8) // periods in the time-out
	for k := range limit {
		if v := s.Post(b, portForce, []float64{2, 2}); v != NotInCommand {
			t.Fatalf("after %d periods: %v", k, v)
		}
		s.Post(other, portWrench, make([]float64, 7))
		s.loop.period(1)
	}
	if v := s.Post(b, portForce, []float64{2, 2}); v != Accepted {
		t.Errorf("after the time-out: %v", v)
	}
}

// In lock-step a command that the full queue refuses takes no group.
func TestOverflowTakesNoGroup(t *testing.T) {
	o := fakeOptions()
	o.Lockstep = true
	s, _, _ := newFake(t, o)
	a, b := Source{Name: "/lab/a"}, Source{Name: "/lab/b"}
	for range queueSize {
		s.Post(a, portWrench, make([]float64, 7))
	}
	if v := s.Post(b, portForce, []float64{2, 2}); v != Overflow || s.Commander(portForce) != "" {
		t.Errorf("%v, and %q commands", v, s.Commander(portForce))
	}
	s.loop.period(1)
	if v := s.Post(a, portForce, []float64{2, 2}); v != Accepted {
		t.Errorf("another source: %v", v)
	}
}

// Who commands through two topics and ends one has not left.
func TestLeavingATopic(t *testing.T) {
	s, _, _ := newFake(t, fakeOptions())
	a, b := Source{Name: "/lab/a", Topic: "/joints"}, Source{Name: "/lab/b"}
	other := a
	other.Topic = "/numbers"
	s.Post(other, portForce, []float64{2, 2})
	s.Post(a, portForce, []float64{2, 2})
	s.Leave(other, portForce)
	if v := s.Post(b, portForce, []float64{2, 2}); v != NotInCommand {
		t.Errorf("one of two topics has ended: %v", v)
	}
	s.Leave(a, portForce)
	if v := s.Post(b, portForce, []float64{2, 2}); v != Accepted {
		t.Errorf("the topic of the commands has ended: %v", v)
	}
}
