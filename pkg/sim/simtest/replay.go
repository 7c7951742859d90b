package simtest

import (
	"fmt"
	"math"
	"sync"

	"sinew/pkg/sim/spatial"
)

// restores is from how many instants of the motion states are restored, and resumed the number of steps
// that follow each of them.
const restores, resumed = 20, 3

// checkReplay restores states of a motion, into the model that has saved them, into one that has moved, and into a
// fresh one, and wants the motion of before to the bit.
func (c *contract) checkReplay() error {
	want, err := c.recorded()
	if err != nil {
		return err
	}
	moved, err := c.begin()
	if err != nil {
		return err
	}
	if err := moved.advanceTo(c.Steps); err != nil {
		return err
	}
	if err := moved.compare(moved.observe(), want.observations[c.Steps], "a second model after the motion"); err != nil {
		return err
	}
	replay := func(r *run, from, to int, what string) error {
		what = fmt.Sprintf("%s from step %d on", what, from)
		if err := r.restore(want.checkpoints[from]); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		for {
			if err := r.compare(r.observe(), want.observations[r.step], fmt.Sprintf("%s: step %d", what, r.step)); err != nil {
				return err
			}
			if r.step == to {
				return nil
			}
			if err := r.advance(); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
		}
	}
	for _, from := range []int{0, c.Steps / 2} {
		fresh, err := c.begin()
		if err != nil {
			return err
		}
		if err := replay(fresh, from, c.Steps, "a fresh model"); err != nil {
			return err
		}
	}
	for k := range min(restores, c.Steps) { // from the end to the start, so that each state is of the past
		from := (c.Steps - 1) * (restores - 1 - k) / (restores - 1)
		if err := replay(moved, from, min(from+resumed, c.Steps), "a model that has moved"); err != nil {
			return err
		}
	}
	return nil
}

// mostRefused is how many values of a state are replaced by values that are not finite, one by one.
const mostRefused = 200

// checkRefusedStates wants states of another length and with values that are not finite refused, and
// nothing changed by them.
func (c *contract) checkRefusedStates() error {
	want, err := c.recorded()
	if err != nil {
		return err
	}
	r, err := c.begin()
	if err != nil {
		return err
	}
	if err := r.advanceTo(c.Steps / 2); err != nil {
		return err
	}
	before := r.observe()
	refuse := func(what string, state []float64) error {
		if r.model.Restore(state) == nil {
			return fmt.Errorf("%s is restored without an error", what)
		}
		return r.compare(r.observe(), before, "after "+what+", which is refused")
	}
	other := want.checkpoints[c.Steps].state
	n := len(other)
	for what, state := range map[string][]float64{
		"an empty state": {}, "a state without its last value": other[:max(n-1, 0)], "a state with one value too many": append(append([]float64(nil), other...), 0),
	} {
		if n == 0 && len(state) == 0 {
			continue
		}
		if err := refuse(what, state); err != nil {
			return err
		}
	}
	bad := append([]float64(nil), other...)
	for at := 0; at < n; at += max(1, n/mostRefused) {
		for _, x := range [...]float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			bad[at] = x
			if err := refuse(fmt.Sprintf("a state whose value %d is %g", at, x), bad); err != nil {
				return err
			}
		}
		bad[at] = other[at]
	}
	if !spatial.AllFinite(other) {
		return fmt.Errorf("Save writes values that are not finite")
	}
	return nil
}

// checkParallel steps two models at once, and wants the motion of each alone, to the bit.
func (c *contract) checkParallel() error {
	want, err := c.recorded()
	if err != nil {
		return err
	}
	var runs [2]*run
	var errs [2]error
	for i := range runs {
		if runs[i], err = c.begin(); err != nil {
			return err
		}
	}
	var wg sync.WaitGroup
	for i, r := range runs {
		wg.Go(func() {
			for r.step < c.Steps && errs[i] == nil {
				if errs[i] = r.advance(); errs[i] == nil {
					errs[i] = r.compare(r.observe(), want.observations[r.step], fmt.Sprintf("model %d of two in parallel: step %d", i+1, r.step))
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
