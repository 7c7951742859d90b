package torture_test

import (
	"flag"
	"fmt"
	"regexp"
	"testing"
	"time"

	"sinew/test/testsize"
	"sinew/test/torture"
)

var (
	first = flag.Uint64("torture.first", 1, "first `seed`")
	count = flag.Int("torture.count", 0, "`number` of robots of each kind; 0: as many as the size of the tests says")
	list  = flag.Bool("torture.list", false, "print a line for each robot")
)

// mostFaults is the share of runs that may end in a named error: the others are there to
// be compared.
const mostFaults = 0.4

func TestRods(t *testing.T) {
	t.Parallel()
	// A rod that jumps from tension to tension is off by this share of its way in the
	// median, and by half of it at worst: a swing out of phase.
	const median, most = 0.01, 0.5
	for _, c := range []struct{ order, few, usual, all int }{{2, 3, 24, 190}, {4, 1, 12, 80}} {
		t.Run(fmt.Sprintf("order=%d", c.order), func(t *testing.T) {
			r := suite(t, torture.NewRodOfOrder(c.order), testsize.Of(c.few, c.usual, c.all),
				"gentle", "wild", `\(tension\)`, `\(length, [0-9]`, "[+]Inf N/m", "friction 0,", "friction 0[.]", "tip 0 kg", "tip [^0]|tip 0[.]")
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
	t.Parallel()
	const median, most = 0.01, 0.5
	r := suite(t, torture.NewSections, testsize.Of(2, 8, 30), "order 2", "order 4", "gentle", "wild")
	if m := torture.Quantile(r.Distances, 0.5); !(m <= median) {
		t.Errorf("the distance is %.3g of the way in the median, allowed: %g", m, median)
	}
	if m := torture.Quantile(r.Distances, 1); !(m <= most) {
		t.Errorf("the distance is up to %.3g of the way, allowed: %g", m, most)
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	const median, most = 1e-3, 0.1
	r := suite(t, torture.NewBody, testsize.Of(10, 60, 130), "sphere", "ellipsoid", "cuboid", "cylinder", "helix", "magnet of", "soft", "not magnetic", "at a wall", "in a tube", "in vacuum", "on a pivot", "inertial", "overdamped", "thermal motion", "times a", "gentle", "wild")
	if m := torture.Quantile(r.Distances, 0.5); !(m <= median) {
		t.Errorf("the distance is %.3g of the way in the median, allowed: %g", m, median)
	}
	if m := torture.Quantile(r.Distances, 1); !(m <= most) {
		t.Errorf("the distance is up to %.3g of the way, allowed: %g", m, most)
	}
}

func TestSwarms(t *testing.T) {
	t.Parallel()
	const most = 0.02
	r := suite(t, torture.NewSwarm, testsize.Of(6, 12, 40), "magnet", "not magnetic", "thermal")
	if m := torture.Quantile(r.Distances, 1); !(m <= most) {
		t.Errorf("the distance is up to %.3g of the way, allowed: %g", m, most)
	}
}

func TestLinkages(t *testing.T) {
	t.Parallel()
	const (
		median = 0.01
		finer  = 0.02 // with elements of half the length
	)
	r := suite(t, torture.NewLinkage, testsize.Of(3, 24, 70), "[1-3] loops", "gentle", "wild", "fixed", "revolute", "prismatic", "cylindrical",
		"universal", "spherical", "planar", "limits", "friction", "effort", "prescribed", "motor: {position", "floor", "ball", "tendons", "loads", "assembled")
	if m := torture.Quantile(r.Distances, 0.5); !(m <= median) {
		t.Errorf("the distance is %.3g of the way in the median, allowed: %g", m, median)
	}
	if m := torture.Quantile(r.Finer, 0.5); !(m <= finer) {
		t.Errorf("with elements of half the length the distance is %.3g of the way in the median, allowed: %g", m, finer)
	}
}

// suite runs the robots of the flags, else n of them. Those of a test without -short and of all have robots
// of each kind, which the titles that match its pattern tell.
func suite(t *testing.T, generate func(seed uint64) (*torture.Case, error), n int, kinds ...string) *torture.Report {
	if *count > 0 {
		n = *count
	}
	r, titles := &torture.Report{}, ""
	defer func() {
		for _, kind := range kinds {
			if !testing.Short() && *count == 0 && !regexp.MustCompile(kind).MatchString(titles) {
				t.Errorf("no robot of %d is of kind %q", n, kind)
			}
		}
	}()
	for seed := *first; seed < *first+uint64(n); seed++ {
		c, err := generate(seed)
		if err != nil {
			t.Errorf("%s: %v", c.Title, err)
			continue
		}
		titles += c.Title + "\n"
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
