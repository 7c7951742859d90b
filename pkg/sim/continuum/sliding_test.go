package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/test/testsize"
)

// lying starts a case of a rod that lies on a table at rest on it.
func (c *contactCase) lying(t *testing.T, n, order int) *continuum.Model {
	t.Helper()
	return c.model(t, n, order, func(r map[string]any) {
		r["solver"] = map[string]any{"step_s": 0.001}
		base := r["base"].(map[string]any)
		delete(base, "velocity_m_per_s")
	})
}

// pull moves the base along x to a place with a speed.
func pull(t *testing.T, m *continuum.Model, to, speed float64) {
	t.Helper()
	dt := m.Robot().File().Solver.Step
	from := basePose(m)
	way := to - from.P.X
	steps := int(math.Ceil(math.Abs(way) / (speed * dt)))
	for i := range steps {
		g := from
		g.P.X += way * float64(i+1) / float64(steps)
		command(t, m, "base_pose", poseValues(g)...)
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPartialSlip(t *testing.T) {
	t.Parallel()
	c := contactCases(t)["pull_along_table_partial_slip"]
	eachMesh(t, func(t *testing.T, n, order int) {
		m := c.lying(t, n, order)
		e := &c.Expected
		check := func(moved, want float64) {
			t.Helper()
			// so slowly that where it stops the wave in the rod, of density times speed of sound
			// times speed, gives back a thousandth of the force
			pull(t, m, moved, 2e-4)
			run(t, m, 0.05)
			if got := -baseForce(t, m).X; math.Abs(got-want) > c.within(t, n, "")*e.FullSlip {
				t.Errorf("pulled by %g m: %.4g N, want %.4g within %g of %.4g", moved, got, want, c.within(t, n, ""), e.FullSlip)
			}
		}
		check(e.Rows[0].Moved, e.Rows[0].Pull)
		check(e.Rows[1].Moved, e.Rows[1].Pull)
		for _, r := range e.WayBack {
			check(r.Moved, r.Pull)
		}
	})
}

func TestRodOnAnIncline(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	cases := contactCases(t)
	for _, name := range []string{"rod_on_incline_slides", "rod_on_incline_sticks"} {
		c := cases[name]
		for _, order := range orders() {
			m := c.lying(t, 40, order)
			run(t, m, 2)
			r := partsOf(m).System.Rod
			weight := r.ElementMass * float64(r.Elements) * 9.80665
			share := c.Tolerance["any"].(float64)
			wantPull := func(what string, got, want, scale float64) {
				if math.Abs(got-want) > share*scale {
					t.Errorf("%s, order %d: %s is %.4g, want %.4g within %.2g", name, order, what, got, want, share*scale)
				}
			}
			wantPull("pull", -baseForce(t, m).X, c.Expected.Pull, weight)
			tip := positionOf(t, m, 40).X
			wantPull("displacement of the tip", tip-0.2, c.Expected.Moved, weight*r.Length/(2*r.Stiffness.Shear.Z))
			long := testsize.Of(0, 5.0, 60) // s
			run(t, m, long)
			if creep := math.Abs(positionOf(t, m, 40).X - tip); creep > 1e-6*long/60 {
				t.Errorf("%s, order %d: creeps by %.2g m in %g s, allowed 1e-6 in a minute", name, order, creep, long)
			}
		}
	}
}
