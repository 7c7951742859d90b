package torture_test

import (
	"errors"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/test/testsize"
	"sinew/test/torture"
)

func TestRemembering(t *testing.T) {
	t.Parallel()
	const median, most = 0.02, 0.5
	r := suite(t, torture.NewRemembering, testsize.Of(1, 6, 24), "order 2", "order 4", "gentle", "wild")
	if m := torture.Quantile(r.Distances, 0.5); !(m <= median) {
		t.Errorf("the distance is %.3g of the way in the median, allowed: %g", m, median)
	}
	if m := torture.Quantile(r.Distances, 1); !(m <= most) {
		t.Errorf("the distance is up to %.3g of the way, allowed: %g", m, most)
	}
}

// TestRememberingEquilibria leads robots through equilibria: those with memory fail hardly more often than
// those without, and with named errors.
func TestRememberingEquilibria(t *testing.T) {
	t.Parallel()
	runs := testsize.Of(1, 8, 30)
	var share [2]float64
	for k, generate := range []func(uint64) (*torture.Case, error){torture.NewRod, torture.NewRemembering} {
		all, failed := 0, 0
		for seed := range uint64(runs) {
			c, err := generate(seed + 1)
			if err != nil {
				t.Fatal(err)
			}
			n, errs := c.Equilibria()
			all, failed = all+n, failed+len(errs)
			for _, err := range errs {
				if !errors.Is(err, continuum.ErrNoEquilibrium) {
					t.Errorf("%s: %v", c.Title, err)
				}
			}
		}
		share[k] = float64(failed) / float64(all)
	}
	t.Logf("%.3g of the equilibria of plain rods fail, %.3g with memory", share[0], share[1])
	if !(share[1] < share[0]+0.1) {
		t.Errorf("%.3g of the equilibria of plain rods fail, %.3g with memory", share[0], share[1])
	}
}
