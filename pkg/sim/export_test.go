package sim

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Unexported names for the external tests.
const (
	MaxRefusedSources = maxRefusedSources
	MaxStepTime       = maxStepTime
	MaxStepsInTest    = maxSteps
	OtherSources      = otherSources
	ReasonDisabled    = reasonDisabled
	ReasonPaused      = reasonPaused
	RingSize          = ringSize
	SampleTime        = sampleTime
)

var (
	Bin        = bin
	CheckPorts = checkPorts
)

// Commanding returns a simulator whose tendons source a commands.
func Commanding(t *testing.T, o Options) (s *Simulator, m *FakeModel, c *FakeClock, a, b Source) {
	t.Helper()
	s, m, c = NewFake(t, o)
	a, b = Source{Name: "/lab/a"}, Source{ID: [16]byte{1}, Name: "/lab/b"}
	if v := s.Post(a, PortForce, []float64{2.25, 3}); v != Accepted {
		t.Fatal(v)
	}
	return s, m, c, a, b
}

// FakePeriod is the control period of newFake; binary, so that it is a whole number of ns.
const FakePeriod = time.Second / FakeHz

// BagTime is where the clocks of these tests begin.
const BagTime = 1_700_000_000 * time.Second

// NewFollowing makes a simulator that follows a clock and is not running.
func NewFollowing(t testing.TB) (*Simulator, *FakeModel, *FakeClock) {
	t.Helper()
	o := FakeOptions()
	o.Follow = true
	return NewFake(t, o)
}

// Follow tells the time and runs what is due.
func Follow(s *Simulator, at time.Duration) {
	s.Follow(at)
	for s.loop.followOnce() {
	}
}

// Same compares values; Keep equals itself.
func Same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || IsKeep(x) && IsKeep(y) })
}

// Into brings a fresh simulator into a state.
func Into(t *testing.T, state string) (*Simulator, *FakeModel) {
	s, m, _ := NewFake(t, FakeOptions())
	switch state {
	case "DISABLED":
		Ask(t, s, "disable")
	case "PAUSED":
		Ask(t, s, "pause")
	case "FAULT":
		Ask(t, s, "e_stop")
	case "HALTED":
		m.FailAt = m.Steps + 2
		Periods(s, 1)
		m.FailAt = 0
	}
	return s, m
}

// BinWidth is the relative half width of a bin, 1/64, and room for rounding.
const BinWidth = 1.0/64 + 1e-6

// NewScheduled makes simulators of fakeModels at some rates that share a clock, and a stop for each.
func NewScheduled(t testing.TB, rates ...float64) (turns []ScheduledSimulator, models []*FakeModel, stops []chan struct{}, c *FakeClock) {
	t.Helper()
	c = &FakeClock{NowValue: 1000 * time.Second}
	for _, hz := range rates {
		o := FakeOptions()
		o.ControlHz, o.PublishHz, o.MarkerHz, o.StepS = hz, hz, 0, 1/hz/4
		m := &FakeModel{U: [2]float64{2, 3}, clock: c}
		s, err := NewSimulator(m, c, o)
		if err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		turns, models, stops = append(turns, ScheduledSimulator{s, stop}), append(models, m), append(stops, stop)
	}
	return turns, models, stops, c
}

// Until stops all simulators once the clock has passed so many seconds.
func Until(c *FakeClock, stops []chan struct{}, seconds float64, also func(t float64)) {
	begin, over := c.NowValue, false
	c.Slept = func(int) {
		t := (c.Now() - begin).Seconds()
		if also != nil {
			also(t)
		}
		if t >= seconds && !over {
			over = true
			for _, s := range stops {
				select {
				case <-s:
				default:
					close(s)
				}
			}
		}
	}
}

func Together(t *testing.T, turns []ScheduledSimulator) {
	t.Helper()
	if err := RunTogether(turns, nil); err != nil {
		t.Fatal(err)
	}
	for i, turn := range turns {
		if r := turn.Simulator.Do(Request{Verb: Reset}); r.OK || !strings.Contains(r.Message, "has stopped") {
			t.Errorf("simulator %d after the end: %+v", i, r)
		}
	}
}
