package torture

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Report adds up the runs of a suite.
type Report struct {
	Runs, Steps, Divided int
	Faults               map[string]int // runs that ended in an error, by its name
	Earlier              int            // runs that ended in an error only at a quarter of the step
	Distances, Angles    []float64      // of the runs that could be compared
	Finer                []float64      // distances from the runs with elements of half the length
	Loops, Closed        int            // robots with loops that can close, and those of them that began
	Told                 int            // runs beyond their limit whose model has warned of the error in time
	Silent               []string       // failures without an error
}

// Add runs a case, at its step and at a quarter of it, and notes what came of it.
func (r *Report) Add(c *Case) (a Outcome, d Difference) {
	if r.Faults == nil {
		r.Faults = map[string]int{}
	}
	a = c.Run(1)
	r.Runs++
	r.Steps += len(a.Poses)
	r.Divided += int(a.Gauges["divided_steps"])
	r.inspect(c, a)
	if c.Closes {
		r.Loops++
		if a.Begun {
			r.Closed++
		}
	}
	if a.Err != nil {
		r.Faults[FaultName(a.Err)]++
		return a, d
	}
	if c.Random {
		return a, d
	}
	b := c.Run(0.25)
	r.inspect(c, b)
	if b.Err != nil {
		r.Earlier++
	}
	d = c.Compare(a, b)
	r.Distances, r.Angles = append(r.Distances, d.Distance), append(r.Angles, d.Angle)
	r.judge(c, a, d, "at a quarter of the step")
	if c.finer != nil {
		b := c.RunFiner()
		r.inspect(c, b)
		x := c.Compare(a, b)
		r.Finer = append(r.Finer, x.Distance)
		r.judge(c, a, x, "with elements of half the length")
	}
	return a, d
}

// judge notes a run that is further from a finer one than its limit.
func (r *Report) judge(c *Case, a Outcome, d Difference, finer string) {
	switch {
	case !d.Exceeds(c.Limit):
	case a.TimeErrorTold:
		r.Told++
	default:
		r.fail(c, "%.3g of the way and %.3g rad from the run %s, allowed: %.3g and %.3g", d.Distance, d.Angle, finer, c.Limit.Distance, c.Limit.Angle)
	}
}

// mostOverlap is the gap (diameters) that counts as touching.
const mostOverlap = -1e-3

// inspect notes what is wrong with a run and was not told by an error.
func (r *Report) inspect(c *Case, o Outcome) {
	if o.Err != nil && FaultName(o.Err) == "" {
		r.fail(c, "ended in an error without a name: %v", o.Err)
	}
	if o.Err == nil && o.Gauges["unconverged_steps"] > 0 {
		r.fail(c, "%g unconverged steps", o.Gauges["unconverged_steps"])
	}
	if o.Faulty != "" {
		r.fail(c, "%s is not finite", o.Faulty)
	}
	if o.MinGap < mostOverlap*c.Extent {
		r.fail(c, "gap of %.3g diameters", o.MinGap/c.Extent)
	}
	if o.Resumed != nil {
		r.fail(c, "%v", o.Resumed)
	}
}

func (r *Report) fail(c *Case, format string, args ...any) {
	r.Silent = append(r.Silent, c.Title+": "+fmt.Sprintf(format, args...))
}

// FaultShare is the share of runs that ended in an error.
func (r *Report) FaultShare() float64 {
	n := 0
	for _, k := range r.Faults {
		n += k
	}
	return float64(n) / float64(max(r.Runs, 1))
}

// String is the table of the suite.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d runs, %d steps, %d of them divided; %d compared\n", r.Runs, r.Steps, r.Divided, len(r.Distances))
	fmt.Fprintf(&b, "distance, of the way: median %.2g, 90 %% below %.2g, most %.2g\n", Quantile(r.Distances, 0.5), Quantile(r.Distances, 0.9), Quantile(r.Distances, 1))
	b.WriteString(histogram(r.Distances))
	fmt.Fprintf(&b, "angle: median %.2g rad, 90 %% below %.2g, most %.2g\n", Quantile(r.Angles, 0.5), Quantile(r.Angles, 0.9), Quantile(r.Angles, 1))
	fmt.Fprintf(&b, "named errors: %d %% of the runs\n", int(math.Round(100*r.FaultShare())))
	for _, name := range slices.Sorted(maps.Keys(r.Faults)) {
		fmt.Fprintf(&b, "%6d %s\n", r.Faults[name], name)
	}
	fmt.Fprintf(&b, "%6d at a quarter of the step alone\n", r.Earlier)
	fmt.Fprintf(&b, "%6d beyond their limit with a warning of time_error_over_length\n", r.Told)
	if r.Loops > 0 {
		fmt.Fprintf(&b, "%6d of %d closed their loops\n", r.Closed, r.Loops)
	}
	fmt.Fprintf(&b, "silent failures: %d\n", len(r.Silent))
	return b.String()
}

// histogram counts values by decades.
func histogram(values []float64) string {
	var b strings.Builder
	const lowest, highest = -6, 0
	for d := lowest; d <= highest; d++ {
		n := 0
		for _, x := range values {
			if decade := int(math.Ceil(math.Log10(max(x, 1e-300)))); min(max(decade, lowest), highest) == d {
				n++
			}
		}
		fmt.Fprintf(&b, "%6d up to 1e%d %s\n", n, d, strings.Repeat("#", n/4))
	}
	return b.String()
}

// Quantile returns the value below which a share q of the values is, NaN without any.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	v := slices.Sorted(slices.Values(values))
	return v[min(len(v)-1, int(q*float64(len(v))))]
}
