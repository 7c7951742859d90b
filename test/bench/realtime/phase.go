package main

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/test/latency"
)

// Phase describes the node during one phase, between two of its reports.
type Phase struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"rate_hz"` // control periods per second
	// RealTimeFactor is simulated time over elapsed time.
	RealTimeFactor float64 `json:"real_time_factor"`

	// Lateness and step times are in µs; their P50 and P99 are medians over the
	// seconds of the phase.
	LatenessP50      float64 `json:"lateness_us_p50"`
	LatenessP99      float64 `json:"lateness_us_p99"`
	LatenessP99Worst float64 `json:"lateness_us_p99_worst_second"`
	LatenessMax      float64 `json:"lateness_us_max"`
	StepP50          float64 `json:"step_us_p50"`
	StepP99          float64 `json:"step_us_p99"`

	Overruns float64 `json:"overruns"`         // control periods that took longer than their time
	Skipped  float64 `json:"skipped_periods"`  // control periods left out
	Missed   float64 `json:"missed_snapshots"` // snapshots that were not published

	// Probe is what a latency probe at 1 kHz of the same priority met in the same time.
	Probe latency.Lateness `json:"probe"`

	CPU    float64 `json:"cpu_percent"`     // processor time of the node, 100 is one processor
	Loop   float64 `json:"loop_percent"`    // of that, of the thread of its loop
	Others float64 `json:"others_percent"`  // share of all processors that other processes used
	Memory Memory  `json:"resident_memory"` // MiB
}

// Memory is the resident memory of the node, MiB.
type Memory struct {
	Start float64 `json:"start_mib"`
	End   float64 `json:"end_mib"`
	Max   float64 `json:"max_mib"`
	// Slope is the slope of a straight line through the second half of the phase. It
	// stays above zero in a program that leaks.
	Slope float64 `json:"slope_mib_per_minute"`
}

// second is one report of the node, with what it has used by then.
type second struct {
	stamp msgs.Time
	loop  map[string]float64 // values of the diagnostics of the step loop
	held  map[string]float64 // what the process holds: its goroutines, files, memory
	usage usage
}

// observer collects the reports of a node.
type observer struct {
	mu      sync.Mutex
	seconds []second
	changed chan struct{} // closed at the next report, or when there will be none
	err     error
	probe   *latency.Probe
	begin   int // the report at the beginning of the last phase
	end     int // the report at the end of the last phase; 0: there was none
}

var errNoReports = errors.New("the node sends no diagnostics any more")

// observe begins to collect.
func observe(ctx context.Context, n *node) (*observer, *subscription, error) {
	s, err := n.subscribe(ctx, callerName, "/diagnostics", diagnostic_msgs.DiagnosticArrayType)
	if err != nil {
		return nil, nil, err
	}
	o := &observer{changed: make(chan struct{})}
	loop := n.loopThread()
	go func() {
		var m diagnostic_msgs.DiagnosticArray
		err := each(s, &m, func(time.Time) error { return o.add(&m, n.cmd.Process.Pid, loop) })
		o.mu.Lock()
		defer o.mu.Unlock()
		o.err = errors.Join(errNoReports, err)
		close(o.changed)
	}()
	return o, s, nil
}

func (o *observer) add(m *diagnostic_msgs.DiagnosticArray, pid int, loop string) error {
	u, err := readUsage(pid, loop)
	if err != nil {
		return err
	}
	x := second{m.Header.Stamp, values(m, ": step loop"), values(m, ": process"), u}
	if len(x.loop) == 0 {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seconds = append(o.seconds, x)
	close(o.changed)
	o.changed = make(chan struct{})
	return nil
}

// values returns the numbers of the status whose name ends so.
func values(m *diagnostic_msgs.DiagnosticArray, suffix string) map[string]float64 {
	found := map[string]float64{}
	for _, st := range m.Status {
		if strings.HasSuffix(st.Name, suffix) {
			for _, v := range st.Values {
				found[v.Key] = number(v.Value)
			}
		}
	}
	return found
}

// next waits for a report and returns its number.
func (o *observer) next(ctx context.Context) (int, error) {
	o.mu.Lock()
	changed, err := o.changed, o.err
	o.mu.Unlock()
	if err != nil {
		return 0, err
	}
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(startTime):
		return 0, errNoReports
	case <-changed:
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.seconds) - 1, o.err
}

// phase does something and tells how the node did meanwhile. It begins with the
// report that ended the phase before.
func (o *observer) phase(ctx context.Context, name string, do func(context.Context) error) (Phase, error) {
	from := o.end
	if from == 0 {
		if _, err := o.next(ctx); err != nil { // it may be of the start
			return Phase{}, err
		}
		var err error
		if from, err = o.next(ctx); err != nil {
			return Phase{}, err
		}
	}
	if _, err := o.probe.Take(); err != nil {
		return Phase{}, err
	}
	if err := do(ctx); err != nil {
		return Phase{}, err
	}
	to, err := o.next(ctx)
	if err != nil {
		return Phase{}, err
	}
	o.begin, o.end = from, to
	o.mu.Lock()
	p := summarize(name, o.seconds[from:to+1])
	o.mu.Unlock()
	p.Probe, err = o.probe.Take()
	return p, err
}

// summarize makes a Phase of the reports from its beginning to its end.
func summarize(name string, s []second) Phase {
	first, last := s[0], s[len(s)-1]
	rise := func(key string) float64 { return last.loop[key] - first.loop[key] }
	elapsed := float64(last.stamp-first.stamp) / 1e9
	p := Phase{
		Name: name, Seconds: elapsed,
		RealTimeFactor: rise("sim_time_s") / elapsed,
		Overruns:       rise("overruns"), Skipped: rise("skipped_periods"), Missed: rise("missed_snapshots"),
	}
	p.Rate = p.RealTimeFactor * first.loop["target_hz"]
	windows := s[min(2, len(s)-1):] // the report after the first may be of a second before
	each := func(key string) (x []float64) {
		for _, w := range windows {
			x = append(x, w.loop[key])
		}
		return x
	}
	p.LatenessP50, p.LatenessP99 = median(each("jitter_us_p50")), median(each("jitter_us_p99"))
	p.LatenessP99Worst, p.LatenessMax = spread(each("jitter_us_p99")).Max, spread(each("jitter_us_max")).Max
	p.StepP50, p.StepP99 = median(each("step_us_p50")), median(each("step_us_p99"))

	a, b := first.usage, last.usage
	wall := b.at.Sub(a.at).Seconds()
	used := b.used - a.used
	p.CPU, p.Loop = 100*used/wall, 100*(b.loop-a.loop)/wall
	all := wall * float64(runtime.NumCPU())
	p.Others = 100 * max(0, all-(b.idle-a.idle)-used) / all
	p.Memory = memory(s)
	return p
}

func memory(s []second) Memory {
	m := Memory{Start: s[0].usage.rss, End: s[len(s)-1].usage.rss}
	var at []time.Time
	var rss []float64
	for i, x := range s {
		m.Max = max(m.Max, x.usage.rss)
		if i >= len(s)/2 {
			at, rss = append(at, x.usage.at), append(rss, x.usage.rss)
		}
	}
	m.Slope = slope(at, rss)
	return m
}
