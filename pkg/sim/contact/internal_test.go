package contact

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// TestClosestPointsBesideThinWalls presses thin wires across a thin rod of long elements, and
// checks that it touches at the closest point. Far from there the gap is nearly linear, and its
// derivatives hardly locate the point.
func TestClosestPointsBesideThinWalls(t *testing.T) {
	const radius, wire, deep = 5e-5, 2e-5, 1e-6
	r, s := bentRod(t, 4, 0.2)
	touching := 0
	for i := range 300 {
		e, x := i%3, float64(i/3)/100
		from, to := hermiteNodeOf(s, e), hermiteNodeOf(s, e+1)
		a, b := hermiteWeights(x, 0.01)
		d1, d2 := hermiteSlopes(x, 0.01)
		along := interpolate(d1, d2, &from, &to).Unit()
		aside := along.Perpendicular()
		across := along.Cross(aside)
		middle := interpolate(a, b, &from, &to).AddScaled(radius+wire-deep, aside)
		bar, err := shape.NewCapsule(middle.AddScaled(-0.01, across), middle.AddScaled(0.01, across), wire)
		if err != nil {
			t.Fatal(err)
		}
		c := New(r, Options{Walls: []Wall{{"bar", bar, 0}}, Radius: func(float64) float64 { return radius }})
		c.Reset(s)
		for k := range c.wallContacts {
			want := nearestBySearch(s, c, k)
			if want > c.Points[k].ActivationGap {
				continue
			}
			if want < -deep/2 {
				touching++
			}
			if got := c.wallContacts[k].gap; math.Abs(got-want) > 1e-9 {
				t.Errorf("wire at %.2g of element %d: contact point %d has the gap %.3g m, want %.3g", x, e, k, got, want)
			}
		}
	}
	if touching < 250 {
		t.Errorf("the rod touches wires %d times: too few", touching)
	}
}

// TestImpactIsThatOfItsPotential compares the force within a step with the derivative of its
// potential and its slope with that of the force. It checks that the force is never adhesive,
// dissipates in both directions, and equals that of the law at rest.
func TestImpactIsThatOfItsPotential(t *testing.T) {
	for _, firm := range []float64{0, 1e-6, 2e-6} {
		impactIsThatOfItsPotential(t, &NormalLaw{Stiffness: 3000, ActivationGap: 1e-6, HardeningDepth: firm, Damping: 0.7})
	}
}

func impactIsThatOfItsPotential(t *testing.T, s *NormalLaw) {
	t.Helper()
	for _, prevGap := range []float64{-3e-6, -1e-6, -1e-7, 5e-7, 9e-7, 1e-6, 2e-6, 1e-3} {
		for _, rate := range []float64{0, 1e2, 1e3, 1e5} {
			p := &NormalContact{prevGap: prevGap}
			p.setImpactDamping(s, rate)
			if p.zeroForceGap > s.ActivationGap {
				t.Fatalf("previous gap %g, rate %g: a force from %g m on, beyond the activation gap", prevGap, rate, p.zeroForceGap)
			}
			for gap := -5e-6; gap < 2e-6; gap += 1.37e-8 {
				const d = 1e-10
				f, slope := p.ForceAt(s, gap)
				up, _ := p.ForceAt(s, gap+d)
				down, _ := p.ForceAt(s, gap-d)
				if want := (p.potentialAt(s, gap-d) - p.potentialAt(s, gap+d)) / (2 * d); math.Abs(f-want) > 1e-6*(f+1e-3) {
					t.Fatalf("previous gap %g, rate %g, gap %g: force %g, of the potential %g", prevGap, rate, gap, f, want)
				}
				near := math.Abs(gap-p.zeroForceGap) < 2*d || math.Abs(gap+s.ActivationGap) < 2*d // where the slope jumps
				if want := (down - up) / (2 * d); !near && math.Abs(slope-want) > 1e-3*(slope+s.Stiffness) {
					t.Fatalf("previous gap %g, rate %g, gap %g: slope %g, of the force %g", prevGap, rate, gap, slope, want)
				}
				law, _ := s.Force(gap)
				if f < 0 || (f-law)*(min(prevGap, s.ActivationGap)-gap) < -1e-15 {
					t.Fatalf("previous gap %g, rate %g, gap %g: %g N where the law has %g", prevGap, rate, gap, f, law)
				}
			}
			if f, _ := p.ForceAt(s, prevGap); math.Abs(f-first(s.Force(prevGap))) > 1e-12 {
				t.Errorf("previous gap %g, rate %g: %g N at rest, the law has %g", prevGap, rate, f, first(s.Force(prevGap)))
			}
		}
	}
}

func first(f, _ float64) float64 { return f }

// TestShortListsHaveTheLargestForces checks that a list with too little room omits the contacts
// with the smallest forces, normal or friction.
func TestShortListsHaveTheLargestForces(t *testing.T) {
	s, c := PressedCone(t, 4, 0.4, 1e-5, 2e-5, 2e-4)
	c.Commit(s)
	byStrength := func(a, b Contact) int { return cmp.Compare(b.strength(), a.strength()) }
	all := c.ListContacts(nil, 64)
	slices.SortFunc(all, byStrength)
	apart := false // an entry of friction alone that is not the last one
	for _, touch := range all[:len(all)-1] {
		apart = apart || touch.Force == 0
	}
	if !apart {
		t.Fatalf("no friction apart from its normal force among %v", all)
	}
	for most := 1; most < len(all); most++ {
		list := c.ListContacts(nil, most)
		slices.SortFunc(list, byStrength)
		if !slices.Equal(list, all[:most]) {
			t.Errorf("of %d the list of %d is %v, want %v", len(all), most, list, all[:most])
		}
	}
}

// TestEachWallHasItsOwnFriction checks the friction limit of each contact point against the
// coefficient of its wall, at the start of a step and after UpdateFriction.
func TestEachWallHasItsOwnFriction(t *testing.T) {
	s, c := Pressed(t, 4, 0.4, 1e-5, 2e-5)
	want := func(when string, force func(k int) float64) {
		t.Helper()
		seen := map[int]bool{}
		for k := range c.wallContacts {
			p, wall := &c.wallContacts[k], c.Points[k].Wall
			if p.friction.Limit == 0 {
				continue
			}
			seen[wall] = true
			if f := c.Walls[wall].Friction * force(k); math.Abs(p.friction.Limit-f) > 1e-12*f {
				t.Errorf("%s: friction on %s holds up to %g N, want %g", when, c.Walls[wall].Name, p.friction.Limit, f)
			}
		}
		if len(seen) != 2 {
			t.Fatalf("%s: friction on walls %v, want both", when, seen)
		}
	}
	want("at the start", func(k int) float64 { return c.wallContacts[k].normalForce })
	for k := range c.wallContacts {
		c.wallContacts[k].friction.Limit *= 0.5
	}
	if !c.UpdateFriction(s) {
		t.Fatal("nothing was corrected")
	}
	want("corrected", func(k int) float64 {
		f, _ := c.wallContacts[k].ForceAt(&c.Points[k].NormalLaw, c.wallContacts[k].gap)
		return f
	})
}

// TestSelfContactImpactsAreDamped starts a step of a rod at an open gap and ends it in penetration.
// It checks that damping dissipates the energy of critical damping, and none at rest.
func TestSelfContactImpactsAreDamped(t *testing.T) {
	eachFolded(t, func(t *testing.T, _ *strain.State, c *Contacts) {
		const prevGap, rate = 1e-4, 1e5 // m, 1/s
		for _, q := range c.self.listed {
			if !q.resolved || q.gap >= 0 {
				continue
			}
			c.self.setImpactDamping(0)
			if got := c.self.potential() - c.self.energy(); math.Abs(got) > 1e-18 {
				t.Errorf("at rest damping takes %g J", got)
			}
			before := q.prevGap
			q.prevGap = prevGap
			c.self.setImpactDamping(rate)
			mass := q.segmentA.mass * q.segmentB.mass / (q.segmentA.mass + q.segmentB.mass)
			damping, distance := 2*math.Sqrt(q.law.Stiffness*mass), q.law.ActivationGap-q.gap
			want := 0.5 * rate * damping * distance * distance
			if got := q.potentialAt(&q.law, q.gap) - q.law.Potential(q.gap); !(math.Abs(got-want) < 1e-9*want) {
				t.Errorf("damping takes %g J, want %g", got, want)
			}
			q.prevGap = before
		}
	})
}

// TestSelfContactForcesAreReported checks that the reported force of a step is that in its
// equations, damping included, also after a restored state.
func TestSelfContactForcesAreReported(t *testing.T) {
	eachFolded(t, func(t *testing.T, s *strain.State, c *Contacts) {
		const prevGap, rate = 1e-4, 1e5 // m, 1/s
		for _, q := range c.self.listed {
			q.prevGap = prevGap
		}
		c.self.setImpactDamping(rate)
		want, damped := map[*ElementPair]float64{}, 0.0
		for _, q := range c.self.listed {
			force, _ := q.law.Force(q.gap)
			if !q.resolved {
				force = 0
			}
			if want[q] = force; q.resolved && q.gap < q.law.ActivationGap {
				want[q] += rate * q.law.Damping * (q.law.ActivationGap - q.gap)
				damped = max(damped, want[q]/force)
			}
		}
		if damped < 1.1 {
			t.Fatalf("damping makes forces at most %g times as large", damped)
		}
		tell := func(when string) {
			t.Helper()
			for _, q := range c.self.listed {
				if d := q.normalForce - want[q]; math.Abs(d) > 1e-6*want[q] {
					t.Errorf("%s: elements %d and %d are reported to press with %g N, want %g", when, q.a, q.b, q.normalForce, want[q])
				}
			}
		}
		c.commitGaps(s)
		tell("after a step")
		state := make([]float64, c.StateLen())
		c.Save(state)
		slots := map[int]float64{}
		for q, force := range want {
			slots[c.self.slotOf(q.a, q.b, q.half)] = force
		}
		c.Restore(state, s)
		clear(want)
		for _, q := range c.self.listed {
			want[q] = slots[c.self.slotOf(q.a, q.b, q.half)]
		}
		tell("restored")
	})
}

// TestThinRodsTouchThemselves checks that self-contact begins at the activation gap, however thin
// the rod.
func TestThinRodsTouchThemselves(t *testing.T) {
	for _, radius := range []float64{3e-8, 1e-7, 1e-6, 1e-3} {
		a := Segment{length: 10 * radius, radius: [2]float64{radius, radius}, stiffness: 1}
		s := &selfContact{maxRadius: radius}
		q := &ElementPair{segmentA: &a, segmentB: &a, law: NormalLaw{Stiffness: 1, ActivationGap: activationShare * radius}}
		nodes := func(gap float64) []HermiteNode {
			along, across := spatial.Vec{X: 1}, spatial.Vec{Y: 1}
			above := spatial.Vec{Z: 2*radius + gap}
			half := 0.5 * a.length
			return []HermiteNode{{along.Scale(-half), along}, {along.Scale(half), along}, {above.AddScaled(-half, across), across}, {above.AddScaled(half, across), across}}
		}
		q.a, q.b = 0, 2
		q.setImpactDamping(&q.law, 0)
		// at the middles, where the bias of a pair is 0
		if q.update(nodes(0.9 * q.law.ActivationGap)); !q.resolved || s.alarmDistance() < q.law.ActivationGap {
			t.Errorf("radius %g m: a gap of 0.9 of the reach is not looked at", radius)
		}
		if force, _ := q.force(); !(force > 0) {
			t.Errorf("radius %g m: no force at 0.9 of the reach", radius)
		}
	}
}
