package contact

import (
	"math"
	"testing"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

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
		want, damped := map[*elementPair]float64{}, 0.0
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
					t.Errorf("%s: elements %d and %d are told to press with %g N, want %g", when, q.a, q.b, q.normalForce, want[q])
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
		a := segment{length: 10 * radius, radius: [2]float64{radius, radius}, stiffness: 1}
		s := &selfContact{maxRadius: radius}
		q := &elementPair{segmentA: &a, segmentB: &a, law: NormalLaw{Stiffness: 1, ActivationGap: max(activationShare*radius, minActivationGap)}}
		nodes := func(gap float64) []hermiteNode {
			along, across := spatial.Vec{X: 1}, spatial.Vec{Y: 1}
			above := spatial.Vec{Z: 2*radius + gap}
			half := 0.5 * a.length
			return []hermiteNode{{along.Scale(-half), along}, {along.Scale(half), along}, {above.AddScaled(-half, across), across}, {above.AddScaled(half, across), across}}
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
