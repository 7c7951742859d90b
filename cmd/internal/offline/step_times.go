package offline

import (
	"runtime"
	"slices"
	"strings"
	"time"

	"sinew/pkg/sim"
)

// stepTimes measures the Step calls of a simulation. If it is nil, steps are not timed.
type stepTimes struct {
	on    bool
	us    []float64 // time of each step after the warm-up, us
	sum   time.Duration
	simS  float64
	seen  int
	start time.Time
}

// warmupSteps are the first steps, in which caches fill; they are not counted.
const warmupSteps = 100

// allocationSteps are further steps at the end in which allocations are counted. If they take
// longer than allocationTime they are fewer, but at least one.
const (
	allocationSteps = 1000
	allocationTime  = 2 * time.Second
)

func newStepTimes(on bool, steps int) *stepTimes {
	s := &stepTimes{on: on, start: time.Now()}
	if on {
		s.us = make([]float64, 0, max(0, steps-warmupSteps))
	}
	return s
}

// step steps the model and measures that call alone.
func (s *stepTimes) step(m sim.Model, dt float64) error {
	if !s.on {
		return m.Step(dt)
	}
	t0 := time.Now()
	err := m.Step(dt)
	d := time.Since(t0)
	if s.seen++; s.seen > warmupSteps {
		s.us = append(s.us, float64(d)/1e3)
		s.sum += d
		s.simS += dt
	}
	return err
}

// report returns the content of --stats.
func (s *stepTimes) report(r *simulation) map[string]any {
	wall := time.Since(s.start)
	out := map[string]any{
		"steps":       r.done,
		"simulated_s": r.plan.Time(r.done),
		"wall_s":      wall.Seconds(),
	}
	if len(s.us) > 0 {
		slices.Sort(s.us)
		out["real_time_factor"] = s.simS / s.sum.Seconds()
		out["step_us_p50"] = quantile(s.us, 0.50)
		out["step_us_p99"] = quantile(s.us, 0.99)
		out["step_us_max"] = s.us[len(s.us)-1]
	}
	// the counters of the solver, before the steps that only count allocations
	gauges := r.model.Gauges()
	values := make([]float64, len(gauges))
	r.model.Measure(values)
	for i, g := range gauges {
		if strings.HasPrefix(g.Key, "newton_iterations_") || g.Key == sim.DividedSteps || g.Key == sim.UnconvergedSteps {
			out[g.Key] = values[i]
		}
		if g.Key == sim.TimeError {
			out[g.Key] = max(values[i], r.watch.worst[i])
		}
	}
	if a := r.adaptive; a != nil {
		out["parts_accepted"], out["parts_rejected"], out["shortest_part_s"] = a.accepted, a.rejected, a.shortest
	}
	if r.stop.Requested() {
		return out
	}
	if n, steps, ok := allocationsPerStep(r, allocationTime); ok {
		out["allocations_per_step"] = n
		if steps < allocationSteps {
			out["allocation_steps"] = steps
		}
	}
	return out
}

// allocationsPerStep counts heap objects in further steps after the run, as testing.AllocsPerRun
// does: the integer average. No step begins after limit.
func allocationsPerStep(r *simulation, limit time.Duration) (n uint64, steps int, ok bool) {
	if r.done == 0 {
		return 0, 0, false
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	dt := r.plan.Step(0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for start := time.Now(); steps == 0 || steps < allocationSteps && time.Since(start) < limit; steps++ {
		if r.model.Step(dt) != nil {
			return 0, 0, false
		}
	}
	runtime.ReadMemStats(&after)
	return (after.Mallocs - before.Mallocs) / uint64(steps), steps, true
}

// quantile returns the q-quantile of sorted by the nearest rank.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
