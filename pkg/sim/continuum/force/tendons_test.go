package force_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/drive"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// newRod makes a straight rod of 0.2 m of so many elements, stress-free.
func newRod(t *testing.T, elements int) (*rod.Rod, *strain.State) {
	t.Helper()
	mesh, err := rod.New(rod.Params{
		Length: 0.2, Elements: elements, Section: rod.Ring(0.001, 0), Base: spatial.IdentityPose(),
		Material: rod.Material{YoungsModulus: 1e9, ShearModulus: 3e8, Density: 1100, ShearCorrection: 0.9, Law: rod.Linear},
	})
	if err != nil {
		t.Fatal(err)
	}
	return mesh, strain.New(mesh, strain.Options{})
}

// tendonLength is that of the tendons of newTendons in the straight rod, m.
const tendonLength = 0.2

// newTendons strings tendons of a friction along a straight rod. Routes are theirs.
func newTendons(t *testing.T, friction float64, list ...force.Tendon) (*force.Tendons, *strain.State) {
	t.Helper()
	mesh, state := newRod(t, 2)
	for k := range list {
		route, err := tendon.NewRoute(mesh, []float64{0.1, 0.2}, tendon.Holes{Offset: [2]float64{0.003, 0.002 * float64(k)}})
		if err != nil {
			t.Fatal(err)
		}
		list[k].Route, list[k].Friction = route, friction
	}
	all := force.NewTendons(list, mesh, false)
	all.UpdateKinematics(state)
	all.RememberRest()
	all.Reset(state)
	return all, state
}

// stored is the greatest of sᵀλ − ½ λᵀcλ over λ from least to most, by coordinate ascent, J.
func stored(s, least, most []float64, c [][]float64) (energy float64) {
	x := make([]float64, len(s))
	for range 20_000 {
		for i := range x {
			slope := s[i]
			for j := range x {
				if j != i {
					slope -= c[i][j] * x[j]
				}
			}
			x[i] = min(max(least[i], slope/c[i][i]), most[i])
		}
	}
	for i := range x {
		energy += s[i] * x[i]
		for j := range x {
			energy -= 0.5 * x[i] * c[i][j] * x[j]
		}
	}
	return energy
}

// TestPotentialOfTendons compares the potential of tendons that motors pull, or hold a tension of, with the greatest complementary energy
// over the tensions between those at which a step lets them yield: 0 and twice that of its start, at most the least and the largest one. The violation of
// their lengths is what the tensions of the iterate leave of the pulls.
func TestPotentialOfTendons(t *testing.T) {
	const stiffness, maxTension, tolerance = 1000., 20., 1e-9 // N/m, N, of the energy
	r := rand.New(rand.NewPCG(31, 9))
	slack, pushing, elastic, yielding := 0, 0, 0, 0
	for range 300 {
		n := 1 + r.IntN(3)
		list, setpoints := make([]force.Tendon, n), make([]force.Setpoint, n)
		for k := range list {
			list[k] = force.Tendon{Stiffness: stiffness, MinTension: -15 * float64(r.IntN(2)), MaxTension: maxTension}
			setpoints[k] = force.Setpoint{Mode: force.ControlMode(r.IntN(2)), Tension: 10 * r.Float64(), Pull: 0.02 * (r.Float64() - 0.5)}
		}
		tendons, state := newTendons(t, 0, list...)
		var coupling *drive.Coupling
		shared := 0.0
		if r.IntN(3) > 0 {
			shared = 1e-3 * r.Float64()
			coupling = drive.NewCoupling(n)
			coupling.Reset(shared)
		}
		tendons.SetCommands(setpoints, coupling)
		for k := range list {
			tendons.Multipliers()[k] = list[k].MinTension + (15-list[k].MinTension)*r.Float64()
		}
		var s, least, most []float64
		want, share := 0.0, 1.0
		held := 0.0 // total of the tensions that are held, N
		if r.IntN(3) == 0 {
			share = r.Float64()
		}
		for _, d := range setpoints {
			if d.Mode == force.TensionControl {
				want += share * d.Tension * tendonLength
				held += share * d.Tension
			}
		}
		for k, d := range setpoints {
			if d.Mode == force.LengthControl {
				x := 2 * tendons.Multipliers()[k]
				s = append(s, share*d.Pull-shared*held)
				least, most = append(least, max(list[k].MinTension, min(0, x))), append(most, min(maxTension, max(0, x)))
			}
		}
		c := make([][]float64, len(s))
		for i := range c {
			for j := range c {
				c[i] = append(c[i], shared)
				if i == j {
					c[i][j] += 1 / stiffness
				}
			}
			switch x := s[i] * stiffness; {
			case x <= least[i]:
				slack++
			case x < 0:
				pushing++
			case x < most[i]:
				elastic++
			default:
				yielding++
			}
		}
		want += stored(s, least, most, c)
		violation := 0.0
		total := held
		for k, d := range setpoints {
			if d.Mode == force.LengthControl {
				total += tendons.Multipliers()[k]
			}
		}
		for k, d := range setpoints {
			if d.Mode == force.LengthControl {
				gap := share*d.Pull - tendons.Multipliers()[k]/stiffness - shared*total
				violation += gap * gap
			}
		}
		tendons.BeginStep(state, equations.Step{Dt: 1e-3}, make([]spatial.Wrench, 3))
		tendons.SetLoadFactor(state, share)
		if got := tendons.Potential(state); !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
			t.Errorf("setpoints %+v, share %g of the load, shared compliance %g m/N: %.12g J, want %.12g J", setpoints, share, shared, got, want)
		}
		if got := tendons.SquaredViolation(); !(math.Abs(got-violation) <= tolerance*violation) {
			t.Errorf("setpoints %+v, share %g of the load, shared compliance %g m/N: lengths are violated by %.12g m², want %.12g m²", setpoints, share, shared, got, violation)
		}
	}
	if least := 30; min(slack, pushing, elastic, yielding) < least {
		t.Errorf("%d tendons are at the least tension, %d push, %d pull and %d yield, want at least %d each", slack, pushing, elastic, yielding, least)
	}
}

// TestTendonsAreSavedAndReset saves tendons of which one is slack and one yields in an equilibrium: restored ones show the same, and after
// Reset the friction of the next equilibrium has no predecessor.
func TestTendonsAreSavedAndReset(t *testing.T) {
	list := func() []force.Tendon {
		return []force.Tendon{{Stiffness: 1000, MaxTension: 2}, {Stiffness: 1000, MaxTension: 2}, {Stiffness: 1000, MaxTension: 2}}
	}
	tendons, state := newTendons(t, 0.1, list()...)
	tendons.SetCommands([]force.Setpoint{{Mode: force.LengthControl}, {Mode: force.LengthControl}, {Mode: force.LengthControl}}, nil)
	tendons.BeginEquilibrium(state)
	copy(tendons.Multipliers(), []float64{0, 1, 2})
	q := &strain.Equations{Wrench: make([]spatial.Wrench, 3)}
	tendons.AssembleWrenches(state, q)
	tendons.CommitEquilibrium(state)
	saved := make([]float64, tendons.StateLen())
	tendons.Save(saved)
	restored, _ := newTendons(t, 0.1, list()...)
	restored.Restore(saved, state)
	for name, x := range map[string]*force.Tendons{"saved": tendons, "restored": restored} {
		if slack, yielding := x.Inactive(); slack != 1 || yielding != 1 || !x.HasPredecessor() {
			t.Errorf("%s: %d tendons are slack and %d yield, predecessor %t; want 1, 1 and true", name, slack, yielding, x.HasPredecessor())
		}
	}
	tendons.Reset(state)
	if slack, yielding := tendons.Inactive(); slack != 0 || yielding != 0 || tendons.HasPredecessor() || tendons.Multipliers()[1] != 0 {
		t.Errorf("after Reset %d tendons are slack and %d yield, predecessor %t, tensions %v", slack, yielding, tendons.HasPredecessor(), tendons.Multipliers())
	}
}
