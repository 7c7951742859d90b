package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sinew/cmd/internal/program"
	"sinew/pkg/ros"
	"sinew/pkg/sim/spatial"
)

// Cost is the time that this computer takes for the steps of a robot.
type Cost struct {
	StepS    float64 // length of a step in run, s
	WallS    float64 // time that it takes, s
	AtLeast  bool    // WallS is a lower bound: a step was not waited for
	Slowdown float64 // wall time over simulated time; above 1, real time is not kept
	Hz       float64 // control rate
	From     string  // what was measured in place of the robot, as in "1000 of 100000 robots"; or empty
	Failed   error   // of the first step; the times are then unknown
}

// Bounds on the time that MeasureCost takes.
const (
	costSteps  = 50                     // are enough
	costBudget = 150 * time.Millisecond // after which no step is begun
	costGiveUp = 2 * time.Second        // after which a probe is not waited for
)

// MeasureCost times the first steps of a robot as run would take them, and restores its
// model. It takes a fraction of a second. If the robot has a probe it takes costGiveUp at most;
// a slower probe continues in its goroutine until the end of its step.
func MeasureCost(made *program.Instance) Cost {
	o := made.Timing.Simulator()
	steps := float64(o.StepsPerPeriod())
	c := Cost{StepS: 1 / o.ControlHz / steps, Hz: o.ControlHz}
	if made.Probe == nil {
		before := make([]float64, made.Model.StateLen())
		made.Model.Save(before)
		if i := slices.IndexFunc(before, func(x float64) bool { return !spatial.IsFinite(x) }); i >= 0 {
			c.Failed = fmt.Errorf("value %d of the initial state is %g", i, before[i])
			return c
		}
		c.WallS, c.Failed = timeSteps(made.Model.Step, c.StepS)
		if err := made.Model.Restore(before); err != nil {
			panic("verb: a model does not take back its own state: " + err.Error())
		}
	} else {
		c.probe(made)
	}
	c.Slowdown = c.WallS / c.StepS
	return c
}

// MeasureCosts measures several robots one after the other, so that they do not compete for processors. files has the robot
// files of each. Robots of the same files with the same values are measured once. It returns nil if ctx ends first.
func MeasureCosts(ctx context.Context, made []*program.Instance, files [][]string) []Cost {
	costs, known := make([]Cost, len(made)), map[string]Cost{}
	for i, m := range made {
		if ctx.Err() != nil {
			break
		}
		key := fmt.Sprintf("%q %s", files[i], m.Text())
		c, measured := known[key]
		if !measured {
			c = MeasureCost(m)
			known[key] = c
		}
		costs[i] = c
	}
	return costs
}

// probe times the steps of a probe.
func (c *Cost) probe(made *program.Instance) {
	type result struct {
		wallS float64
		err   error
	}
	p := made.Probe(c.StepS)
	done := make(chan result, 1)
	go func() {
		s, err := timeSteps(p.Model.Step, p.StepS)
		done <- result{s, err}
	}()
	c.From = p.From
	select {
	case r := <-done:
		c.WallS, c.Failed = p.Times*r.wallS, r.err
	case <-time.After(costGiveUp):
		c.WallS, c.AtLeast = p.Times*costGiveUp.Seconds(), true
	}
}

// timeSteps returns the shortest time of a few steps of dt seconds, s, so that other programs
// do not count. It omits the first step, which pays for page faults.
func timeSteps(step func(float64) error, dt float64) (float64, error) {
	least := math.Inf(1)
	begin := time.Now()
	for i := range costSteps {
		start := time.Now()
		if err := step(dt); err != nil {
			if i == 0 {
				return 0, err
			}
			break // the time of the steps before is known
		}
		wall := time.Since(start).Seconds()
		if i == 1 {
			least = wall
		}
		least = min(least, wall)
		if time.Since(begin) > costBudget {
			break
		}
	}
	return least, nil
}

// TooSlow reports whether the robot cannot keep real time here.
func (c Cost) TooSlow() bool { return c.Failed == nil && c.Slowdown > 1 }

// String is one line for people, as in "about 12 times too slow for 1000 Hz here: a step of
// 1 ms takes 12 ms", or how much time is left.
func (c Cost) String() string {
	if c.Failed != nil {
		return "the first step fails: " + c.Failed.Error()
	}
	about, takes := "about", "takes "
	if c.AtLeast {
		about, takes = "more than", "takes more than "
	}
	step := fmt.Sprintf("a step of %s %s%s", duration(c.StepS), takes, duration(c.WallS))
	if c.From != "" {
		step += ", estimated from " + c.From
	}
	hz := strconv.FormatFloat(c.Hz, 'g', -1, 64) + " Hz"
	if !c.TooSlow() {
		return fmt.Sprintf("keeps real time at %s here, %s of which it takes: %s", hz, percent(c.Slowdown), step)
	}
	text := fmt.Sprintf("%s %s times too slow for %s here: %s", about, ros.FormatTwoDigits(c.Slowdown), hz, step)
	if c.Slowdown > 60 {
		text += ", a simulated second " + strings.TrimPrefix(takes, "takes ") + duration(c.Slowdown)
	}
	return text
}

// Brief returns for a status line how much too slow the robot is; empty if it is not.
func (c Cost) Brief() string {
	if !c.TooSlow() {
		return ""
	}
	return fmt.Sprintf("about %s times too slow for %g Hz here", ros.FormatTwoDigits(c.Slowdown), c.Hz)
}

// percent writes a share of 1 or below.
func percent(x float64) string { return ros.FormatTwoDigits(100*x) + " %" }

// duration writes t seconds in the unit that fits.
func duration(t float64) string {
	for _, u := range []struct {
		s    float64
		name string
	}{{365 * 86400, "years"}, {86400, "days"}, {3600, "hours"}, {60, "minutes"}, {1, "s"}, {1e-3, "ms"}, {1e-6, "us"}} {
		if t >= u.s*(1-1e-9) {
			return ros.FormatTwoDigits(t/u.s) + " " + u.name
		}
	}
	return ros.FormatTwoDigits(t*1e9) + " ns"
}
