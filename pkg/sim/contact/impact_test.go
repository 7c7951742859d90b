package contact

import (
	"math"
	"testing"
)

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
			p := &normalContact{prevGap: prevGap}
			p.setImpactDamping(s, rate)
			if p.zeroForceGap > s.ActivationGap {
				t.Fatalf("previous gap %g, rate %g: a force from %g m on, beyond the activation gap", prevGap, rate, p.zeroForceGap)
			}
			for gap := -5e-6; gap < 2e-6; gap += 1.37e-8 {
				const d = 1e-10
				f, slope := p.forceAt(s, gap)
				up, _ := p.forceAt(s, gap+d)
				down, _ := p.forceAt(s, gap-d)
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
			if f, _ := p.forceAt(s, prevGap); math.Abs(f-first(s.Force(prevGap))) > 1e-12 {
				t.Errorf("previous gap %g, rate %g: %g N at rest, the law has %g", prevGap, rate, f, first(s.Force(prevGap)))
			}
		}
	}
}

func first(f, _ float64) float64 { return f }
