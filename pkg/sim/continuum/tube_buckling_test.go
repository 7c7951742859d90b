package continuum_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/test/testsize"
)

// bucklingCase is buckling_in_horizontal_tube of testdata/contact_rod.json.
type bucklingCase struct {
	Name     string
	Expected struct {
		Scale      float64 `json:"length_scale_m"`
		Sinusoidal float64 `json:"sinusoidal_n"`
		Helical    float64 `json:"helical_n"`
		Clearance  float64 `json:"clearance_m"`
		Rows       []struct {
			Beta    float64
			Free    float64 `json:"clamped_free"`
			Pinned  float64 `json:"clamped_pinned"`
			Clamped float64 `json:"clamped_clamped"`
		} `json:"finite_length_over_sinusoidal"`
	}
}

func buckling(t *testing.T) *bucklingCase {
	t.Helper()
	for _, text := range goldenContacts(t) {
		c := &bucklingCase{}
		if json.Unmarshal(text, c) == nil && c.Name == "buckling_in_horizontal_tube" && len(c.Expected.Rows) == 3 {
			return c
		}
	}
	t.Fatal("no buckling_in_horizontal_tube")
	return nil
}

// model is the rod of the case on the bottom of its frictionless tube, so many length scales
// long, under a dead axial load over the sinusoidal one. Its end is free, or a tight tube
// there keeps it from moving sideways, and from turning where it is clamped. The base is at the height
// at which contact with the bottom begins: so the rod lies beside the axis of the tight tube, on which
// the force of a tube that is tighter than the reach of contact has no direction.
func (c *bucklingCase) model(t *testing.T, beta float64, n, order int, load float64, end string) *continuum.Model {
	t.Helper()
	length, hold := beta*c.Expected.Scale, ""
	if end != "free" {
		within := map[string]float64{"pinned": 0.5, "clamped": 2.5}[end] * length / float64(n)
		hold = fmt.Sprintf(", {name: hold, tube: {points_m: [[%.12g, 0, -0.002], [%.12g, 0, -0.002]], radius_m: 0.0002501}}", length-within, length+0.02)
	}
	return mustModelOf(t, fmt.Sprintf(`
rod: {length_m: %.12g, radius_m: 0.00025, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23076923076.923077, elements: %d, element_order: %d, damping: {drag_per_s: 20}}
base: {position_m: [0, 0, -0.00199975], direction: [1, 0, 0], normal: [0, 0, 1]}
loads: [{at_m: %.12g, force_n: [%.12g, 0, 0]}]
environment: {shapes: [{name: lumen, tube: {points_m: [[-0.02, 0, 0], [%.12g, 0, 0]], radius_m: 0.00225}}%s]}
solver: {step_s: 0.001}`, length, n, order, length, -load*c.Expected.Sinusoidal, length+0.02, hold))
}

// TestBucklingLoadsInATube finds the rod on the bottom of a tube stable below, and unstable above, the load of Dawson and Paslay,
// for rods of finite length and all ends.
func TestBucklingLoadsInATube(t *testing.T) {
	testsize.SkipInShort(t)
	c := buckling(t)
	for _, row := range c.Expected.Rows {
		for end, want := range map[string]float64{"free": row.Free, "pinned": row.Pinned, "clamped": row.Clamped} {
			for _, order := range orders() {
				// the end that is clamped begins a little before the tight tube
				most := map[int]float64{2: 0.02, 4: 0.003}[order]
				if end == "clamped" {
					most = 0.025
				}
				for side, buckles := range map[float64]bool{-1: false, 1: true} {
					m := c.model(t, row.Beta, int(5*row.Beta), order, want*(1+side*most), end)
					err := m.Equilibrate()
					left := len(continuumtest.Of(t, m).Solver.EscapedSaddles()) > 0
					if err != nil && !errors.Is(err, continuum.ErrNoEquilibrium) || (left || errors.Is(err, continuum.ErrUnstableEquilibrium)) != buckles {
						t.Errorf("%g length scales, %s, order %d: at %.5g of the load that buckles it the search has left an unstable shape: %v, error %v", row.Beta, end, order, 1+side*most, left, err)
					}
				}
			}
		}
	}
}

// TestKickedRodsInATube kicks rods sideways by about a thousandth of the clearance: below the
// sinusoidal load they lie still again, above it they snake.
func TestKickedRodsInATube(t *testing.T) {
	c := buckling(t)
	row, n := c.Expected.Rows[1], 40
	for share, buckles := range map[float64]bool{0.95: false, 1.05: true} {
		m := c.model(t, row.Beta, n, 2, share*row.Pinned, "pinned")
		command(t, m, "external_wrench", 0, 0, 0, 0, 0, 3e-8)
		run(t, m, 0.05)
		kick := c.aside(m, n)
		command(t, m, "external_wrench", 0, 0, 0, 0, 0, 0)
		run(t, m, 1.5)
		if kick < 1e-4 || kick > 1e-2 {
			t.Errorf("kicked by %.2g of the clearance, want about 1e-3", kick)
		}
		if far := c.aside(m, n); buckles != (far > 0.1) || !buckles && far > 0.1*kick {
			t.Errorf("at %g of the load of buckling: kicked by %.2g of the clearance, %.2g after 1.5 s", share, kick, far)
		}
	}
}

// aside is how far the rod is from the bottom of the tube sideways at most, over the clearance.
func (c *bucklingCase) aside(m *continuum.Model, n int) (most float64) {
	for i := range n {
		most = max(most, math.Abs(partsOf(m).System.State.Pose[i].P.Y)/c.Expected.Clearance)
	}
	return most
}

// TestHelixInATube pushes a rod into a helix that lies on the wall all round, and lets the load
// down: the helix falls at the helical load, for which the literature has a spread of 25 %.
func TestHelixInATube(t *testing.T) {
	c := buckling(t)
	const n = 32
	m := c.model(t, 8, n, 2, 0, "pinned")
	top := func() float64 {
		most := -1.0
		for i := range n {
			most = max(most, positionOf(t, m, i).Z/c.Expected.Clearance)
		}
		return most
	}
	loaded := func(from, to, seconds float64, until func() bool) float64 {
		steps := int(seconds * 1000)
		for i := range steps {
			x := from + (to-from)*float64(i+1)/float64(steps)
			command(t, m, "external_wrench", -x*c.Expected.Sinusoidal, 0, 0, 0, 0, 1e-6*math.Sin(float64(i)))
			run(t, m, 1e-3)
			if until() {
				return x
			}
		}
		return to
	}
	loaded(0, 2.5, 0.8, func() bool { return false })
	if top() < 0.95 {
		t.Errorf("no helix at 2.5 of the sinusoidal load: its top is at %.3g of the clearance", top())
	}
	if d := continuumtest.Of(t, m).Contact.Summary().RelativePenetration; d > deepest {
		t.Errorf("penetration of %.2g radii, allowed %g", d, deepest)
	}
	fell := loaded(2, 0.8, 1.5, func() bool { return top() < 0 }) * c.Expected.Sinusoidal
	t.Logf("the helix falls at %.3g N, %.3g of the helical load", fell, fell/c.Expected.Helical)
	if math.Abs(fell-c.Expected.Helical) > 0.25*c.Expected.Helical {
		t.Errorf("the helix falls at %.4g N, want %.4g N within 25 %%", fell, c.Expected.Helical)
	}
}
