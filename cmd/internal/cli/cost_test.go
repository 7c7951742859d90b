package cli_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// slow is a model whose steps take a known time.
type slow struct {
	sim.Model // nil: only what follows is asked for
	wall      time.Duration
	wait      chan struct{} // what a step waits for, if not nil
	err       error
	steps     int
	t         float64
}

func (m *slow) StateLen() int             { return 1 }
func (m *slow) Save(dst []float64)        { dst[0] = m.t }
func (m *slow) Restore(s []float64) error { m.t = s[0]; return nil }
func (m *slow) Step(dt float64) error {
	m.steps++
	if m.wait != nil {
		<-m.wait
	}
	for end := time.Now().Add(m.wall); time.Now().Before(end); {
	}
	m.t += dt
	return m.err
}

func made(m *slow, hz, stepS float64) *program.Instance {
	return &program.Instance{Model: m, Timing: program.Timing{StepS: stepS, ControlHz: hz, PublishHz: hz}}
}

// A model of steps of 2 ms, two in a period of 1 ms, is at least four times too slow, and
// afterwards is where it was.
func TestCostOfModel(t *testing.T) {
	m := &slow{wall: 2 * time.Millisecond, t: 7}
	c := cli.MeasureCost(made(m, 1000, 0.0006))
	if c.StepS != 0.0005 || c.WallS < 0.002 || math.Abs(c.Slowdown-c.WallS/c.StepS) > 1e-12 || !c.TooSlow() {
		t.Errorf("%+v", c)
	}
	if m.t != 7 {
		t.Errorf("the model is at t = %g s, want 7", m.t)
	}
	for _, want := range []string{"times too slow for 1000 Hz here", "a step of 500 us takes"} {
		if !strings.Contains(c.String(), want) {
			t.Errorf("%q has no %q", c, want)
		}
	}
	if fast := cli.MeasureCost(made(&slow{}, 10, 0.1)); fast.TooSlow() || fast.Brief() != "" || !strings.Contains(fast.String(), "keeps real time at 10 Hz here") {
		t.Errorf("%v, %+v", fast, fast)
	}
}

// A probe stands for a larger model, which is not stepped; one that does not come back is
// not waited for.
func TestCostOfProbe(t *testing.T) {
	whole := &slow{err: errors.New("stepped")}
	m := made(whole, 1000, 0.001)
	part := &slow{wall: time.Millisecond}
	m.Probe = func(dt float64) program.Probe {
		return program.Probe{Model: part, StepS: dt / 4, Times: 4e6, From: "10 of 10000 robots"}
	}
	c := cli.MeasureCost(m)
	for i := 0; i < 5 && c.AtLeast; i++ { // the machine may take that long from a step now and then
		c = cli.MeasureCost(m)
	}
	if c.Failed != nil || c.WallS < 4000 || c.AtLeast || whole.t != 0 {
		t.Errorf("%+v", c)
	}
	if text := c.String(); !strings.Contains(text, "estimated from 10 of 10000 robots, a simulated second") || !strings.Contains(text, "days") && !strings.Contains(text, "years") {
		t.Errorf("%q", text)
	}
	part.wait = make(chan struct{})
	defer close(part.wait)
	if c := cli.MeasureCost(m); !c.AtLeast || c.WallS < 4e6*cli.CostGiveUp.Seconds() || !strings.HasPrefix(c.String(), "more than ") {
		t.Errorf("%v, %+v", c, c)
	}
}

// Robots of the same files with the same values are measured once, all others each.
func TestCostsOfAFleet(t *testing.T) {
	var robots []*program.Instance
	var models []*slow
	files := [][]string{{"a"}, {"a"}, {"b"}, {"a"}, {"a", "b"}}
	for i, text := range []string{"x: 1", "x: 1", "x: 1", "x: 2", "x: 1"} {
		m := &slow{err: fmt.Errorf("no step of %d", i)}
		robots, models = append(robots, made(m, 1000, 0.001)), append(models, m)
		robots[i].Text = func() []byte { return []byte(text) }
	}
	costs := cli.MeasureCosts(t.Context(), robots, files)
	for i, want := range []string{"0", "0", "2", "3", "4"} {
		if got := costs[i].Failed; got == nil || got.Error() != "no step of "+want {
			t.Errorf("cost of robot %d: %v, want that of robot %s", i, got, want)
		}
	}
	for i, m := range models {
		if took := m.steps > 0; took != (i != 1) {
			t.Errorf("robot %d was measured: %v", i, took)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if c := cli.MeasureCosts(ended, robots, files); len(c) != len(robots) || c[0] != (cli.Cost{}) {
		t.Errorf("measured after the end: %+v", c)
	}
}

// The time of a step that fails says nothing; that it fails does.
func TestCostOfFailure(t *testing.T) {
	c := cli.MeasureCost(made(&slow{err: errors.New("no such step")}, 1000, 0.001))
	if c.TooSlow() || c.Failed == nil || c.String() != "the first step fails: no such step" {
		t.Errorf("%v, %+v", c, c)
	}
}

// A robot that takes exactly the time there is keeps real time; one that fails is not
// slow.
func TestTooSlow(t *testing.T) {
	for slowdown, want := range map[float64]bool{0: false, 0.99: false, 1: false, 1.01: true, 12: true} {
		if got := (cli.Cost{Slowdown: slowdown}).TooSlow(); got != want {
			t.Errorf("a slowdown of %g is too slow: %t", slowdown, got)
		}
	}
	if (cli.Cost{Slowdown: 12, Failed: errors.New("no such step")}).TooSlow() {
		t.Error("a robot that fails is too slow")
	}
}

func TestDurations(t *testing.T) {
	for want, s := range map[string]float64{
		"850 ns": 8.53e-7, "1 ms": 0.001, "12 ms": 0.0123, "1.5 s": 1.5, "22 minutes": 1300, "2.8 hours": 10080,
		"1.3 days": 1.13e5, "120 days": 1.04e7, "3.2 years": 1e8,
	} {
		if got := cli.Duration(s); got != want {
			t.Errorf("%g s is %s, want %s", s, got, want)
		}
	}
}
