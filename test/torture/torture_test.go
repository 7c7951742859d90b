package torture_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"sinew/test/torture"
)

var (
	first = flag.Uint64("torture.first", 1, "first `seed`")
	count = flag.Int("torture.count", 0, "`number` of robots of each kind; 0: those of the continuous integration")
	list  = flag.Bool("torture.list", false, "print a line for each robot")
)

// mostFaults is the share of runs that may end in a named error: the others are there to
// be compared.
const mostFaults = 0.4

func TestRods(t *testing.T) {
	// A rod that jumps from tension to tension is off by this share of its way in the
	// median, and by half of it at worst: a swing out of phase.
	const median, most = 0.01, 0.5
	for _, c := range []struct{ order, runs int }{{2, 190}, {4, 80}} {
		t.Run(fmt.Sprintf("order=%d", c.order), func(t *testing.T) {
			r := suite(t, torture.NewRodOfOrder(c.order), c.runs, 20)
			if m := torture.Quantile(r.Distances, 0.5); !(m <= median) {
				t.Errorf("the distance is %.3g of the way in the median, allowed: %g", m, median)
			}
			if m := torture.Quantile(r.Distances, 1); !(m <= most) {
				t.Errorf("the distance is up to %.3g of the way, allowed: %g", m, most)
			}
		})
	}
}

func TestSections(t *testing.T) {
	const median, most = 0.01, 0.5
	r := suite(t, torture.NewSections, 30, 5)
	if m := torture.Quantile(r.Distances, 0.5); !(m <= median) {
		t.Errorf("the distance is %.3g of the way in the median, allowed: %g", m, median)
	}
	if m := torture.Quantile(r.Distances, 1); !(m <= most) {
		t.Errorf("the distance is up to %.3g of the way, allowed: %g", m, most)
	}
}

func TestBodies(t *testing.T) {
	const median, most = 1e-3, 0.1
	r := suite(t, torture.NewBody, 130, 10)
	if m := torture.Quantile(r.Distances, 0.5); !(m <= median) {
		t.Errorf("the distance is %.3g of the way in the median, allowed: %g", m, median)
	}
	if m := torture.Quantile(r.Distances, 1); !(m <= most) {
		t.Errorf("the distance is up to %.3g of the way, allowed: %g", m, most)
	}
}

func TestSwarms(t *testing.T) {
	const most = 0.02
	r := suite(t, torture.NewSwarm, 40, 10)
	if m := torture.Quantile(r.Distances, 1); !(m <= most) {
		t.Errorf("the distance is up to %.3g of the way, allowed: %g", m, most)
	}
}

// suite runs the robots of the flags, else n of them, or few in short mode.
func suite(t *testing.T, generate func(seed uint64) (*torture.Case, error), n, few int) *torture.Report {
	switch {
	case *count > 0:
		n = *count
	case testing.Short():
		n = few
	}
	r := &torture.Report{}
	for seed := *first; seed < *first+uint64(n); seed++ {
		c, err := generate(seed)
		if err != nil {
			t.Errorf("%s: %v", c.Title, err)
			continue
		}
		begin := time.Now()
		o, d := r.Add(c)
		if *list {
			t.Logf("%s: distance %.2g of %.2g, angle %.2g, divided %g, %.2g s, %v", c.Title, d.Distance, c.Limit.Distance, d.Angle,
				o.Gauges["divided_steps"], time.Since(begin).Seconds(), o.Err)
		}
	}
	t.Logf("\n%v", r)
	for _, s := range r.Silent {
		t.Error(s)
	}
	if s := r.FaultShare(); s > mostFaults {
		t.Errorf("%.2g of the runs end in an error, allowed: %g", s, mostFaults)
	}
	return r
}
