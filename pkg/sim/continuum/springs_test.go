package continuum_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
)

// A rod of 0.2 m along z with a solid section of 2 mm, E 1 MPa, nu 0: EA = 4π N, EI = 4π μN m² · 0.25.
const (
	springRodLength = 0.2
	springRodEA     = 1e6 * math.Pi * 4e-6
	springRodEI     = 1e6 * math.Pi * 4e-12
)

// sprung is that rod with springs, a payload and loads of YAML, without weight.
func sprung(t *testing.T, more string, order int, step float64) *continuum.Model {
	t.Helper()
	text := fmt.Sprintf(`
rod: {length_m: 0.2, radius_m: 0.002, density_kg_per_m3: 1, youngs_modulus_pa: 1e6, shear_modulus_pa: 5e5, elements: 8, element_order: %d}
base: {direction: [0, 0, 1], normal: [1, 0, 0]}
gravity_m_per_s2: [0, 0, 0]
solver: {step_s: %g}
%s
`, order, step, more)
	f, err := robotfile.Parse[robotfile.Continuum]("spring.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tipOf(t *testing.T, m *continuum.Model) [3]float64 {
	t.Helper()
	parts, _ := m.Parts()
	pose := parts.System.State.Pose
	p := pose[len(pose)-1].P
	return [3]float64{p.X, p.Y, p.Z}
}

// TestSpringsInEquilibrium compares deflections with closed forms: of a spring along the rod, x = F/(EA/L + k), and of one across it
// that is stretched by e, small beside its own length, x = k e/(1/(L³/3EI + L/κGA) + k).
func TestSpringsInEquilibrium(t *testing.T) {
	const tolerance = 1e-6 // of the length: what small deflections leave out is of the square of 1e-4
	for _, order := range orders() {
		m := sprung(t, `
springs: [{name: tether, point_m: [0, 0, -0.1], stiffness_n_per_m: 40, rest_length_m: 0.3}]
loads: [{force_n: [0, 0, 0.01]}]`, order, 1e-3)
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		want := 0.01 / (springRodEA/springRodLength + 40)
		if got := tipOf(t, m)[2] - springRodLength; math.Abs(got-want) > tolerance*springRodLength*0.01 {
			t.Errorf("order %d, along: tip moves by %.9g m, want %.9g m", order, got, want)
		}

		const stretch = 1e-4
		m = sprung(t, fmt.Sprintf(`
springs: [{name: tether, point_m: [1, 0, 0.2], stiffness_n_per_m: 0.5, rest_length_m: %.17g}]`, 1-stretch), order, 1e-3)
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		const shearCorrection, g = 27. / 28, 5e5
		compliance := math.Pow(springRodLength, 3)/(3*springRodEI) + springRodLength/(shearCorrection*g*math.Pi*4e-6)
		want = 0.5 * stretch / (1/compliance + 0.5)
		allowed := tolerance * springRodLength
		if order == 2 {
			allowed *= 4 // its error of 1/(4 n²) of the deflection
		}
		if got := tipOf(t, m)[0]; math.Abs(got-want) > allowed {
			t.Errorf("order %d, across: tip moves by %.9g m, want %.9g m", order, got, want)
		}
	}
}

// TestSpringsInMotion lets a payload swing along the rod between a spring with a damper and the rod, which has no weight to speak of:
// x = x₀ e^(−ct/2m) (cos ωt + c/(2mω) sin ωt), ω² = (EA/L + k)/m − (c/2m)². The error is of second order in the step.
func TestSpringsInMotion(t *testing.T) {
	const (
		mass, k, c = 0.5, 40., 0.8
		end        = 0.5 // s
		start      = 1e-3
	)
	swing := func(dt float64) (worst float64) {
		m := sprung(t, fmt.Sprintf(`
springs: [{name: tether, point_m: [0, 0, -0.1], stiffness_n_per_m: %g, rest_length_m: 0.3, damping_n_s_per_m: %g}]
tip: {mass_kg: %g, inertia_kg_m2: [1e-4, 1e-4, 1e-4]}
loads: [{force_n: [0, 0, %.17g], until_s: 0}]
initial_state: equilibrium`, k, c, mass, start*(springRodEA/springRodLength+k)), 2, dt)
		decay := c / (2 * mass)
		omega := math.Sqrt((springRodEA/springRodLength+k)/mass - decay*decay)
		for i := 1; float64(i)*dt <= end+1e-9; i++ {
			if err := m.Step(dt); err != nil {
				t.Fatal(err)
			}
			s := float64(i) * dt
			want := start * math.Exp(-decay*s) * (math.Cos(omega*s) + decay/omega*math.Sin(omega*s))
			worst = max(worst, math.Abs(tipOf(t, m)[2]-springRodLength-want))
		}
		return worst / start
	}
	coarse, fine := swing(1e-3), swing(5e-4)
	if fine > 2e-3 {
		t.Errorf("error %.3g of the amplitude at 0.5 ms, allowed 2e-3", fine)
	}
	if ratio := coarse / fine; ratio < 3.5 || ratio > 4.5 {
		t.Errorf("errors %.3g and %.3g of the amplitude: ratio %.3g of halving the step, want 4", coarse, fine, ratio)
	}
}

// TestSpringsActWhereTheFileSays measures the equilibrium of springs between the nodes of the mesh, of method implicit alone: it has a node there.
func TestSpringsActWhereTheFileSays(t *testing.T) {
	const at = 0.083 // m
	text := fmt.Sprintf("springs: [{name: tether, at_m: %g, point_m: [0.1, 0, 0.1], stiffness_n_per_m: 0.5}]", at)
	m := sprung(t, text, 2, 1e-3)
	if nodes := m.Robot().ArcLengths(); !slices.Contains(nodes, at) {
		t.Errorf("no node at the spring at %g m: %v m", at, nodes)
	}
	for method, want := range map[robotfile.RodMethod]error{robotfile.Explicit: continuum.ErrNotInExplicit, robotfile.Reference: continuum.ErrNotInReference} {
		f := m.Robot().File()
		f.Solver.Method = method
		if _, err := continuum.New(&f); !errors.Is(err, want) || !strings.Contains(err.Error(), "springs: ") {
			t.Errorf("method %s: error %v, want %v", method, err, want)
		}
	}
}

// TestDampersAreNotLinearised refuses the linearisation of a step with a damper, whose history is no part of poses and velocities.
func TestDampersAreNotLinearised(t *testing.T) {
	const text = "springs: [{name: tether, point_m: [0.3, 0, 0.1], stiffness_n_per_m: 0.01, damping_n_s_per_m: %g}]"
	if _, err := sprung(t, fmt.Sprintf(text, 0.05), 2, 1e-3).Linearise(1e-3); !errors.Is(err, sim.ErrNoLinearisation) {
		t.Errorf("with a damper: error %v, want ErrNoLinearisation", err)
	}
	if _, err := sprung(t, fmt.Sprintf(text, 0.), 2, 1e-3).Linearise(1e-3); err != nil {
		t.Errorf("without a damper: %v", err)
	}
}

// TestSpringsWithoutLength holds the tip at its place by a spring that has no length there, against a force across it.
func TestSpringsWithoutLength(t *testing.T) {
	const stiffness, push, tolerance = 50., 1e-4, 1e-3 // N/m, N, of the deflection
	free := sprung(t, "", 4, 1e-3)
	tip := tipOf(t, free)
	m := sprung(t, fmt.Sprintf(`
springs: [{name: pin, point_m: [%.17g, %.17g, %.17g], stiffness_n_per_m: %g}]
loads: [{force_n: [%g, 0, 0]}]`, tip[0], tip[1], tip[2], stiffness, push), 4, 1e-3)
	tangent, without := partsOf(m).System.FullTangent(equations.EquilibriumScope), partsOf(free).System.FullTangent(equations.EquilibriumScope)
	n := 6 * len(partsOf(m).System.X)
	for i := n - 6; i < n-3; i++ {
		if got := tangent[i*n+i] - without[i*n+i]; math.Abs(got-stiffness) > 1e-6*stiffness {
			t.Errorf("the tangent has %g N/m along axis %d, want %g N/m", got, i-n+6, stiffness)
		}
	}
	if err := m.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	compliance := math.Pow(springRodLength, 3)/(3*springRodEI) + springRodLength/(27./28*5e5*math.Pi*4e-6)
	want := push / (1/compliance + stiffness)
	if got := tipOf(t, m)[0]; math.Abs(got-want) > tolerance*want {
		t.Errorf("the tip moves by %.9g m, want %.9g m", got, want)
	}
}

// TestCrushedSpringsAreRefused fixes a spring beside the tip, so weak that it does not move it.
func TestCrushedSpringsAreRefused(t *testing.T) {
	m := sprung(t, `springs: [{name: tether, point_m: [0, 0, 0.1999], stiffness_n_per_m: 1e-6, rest_length_m: 0.2}]`, 2, 1e-3)
	err := m.Equilibrate()
	if e, ok := errors.AsType[*force.SpringError](err); !ok || e.Spring != "tether" {
		t.Errorf("error %v, want a SpringError", err)
	}
}

// TestSpringsPullWithTheirDampers measures the force of a spring and its damper on a tip that moves.
func TestSpringsPullWithTheirDampers(t *testing.T) {
	const (
		dt, stiffness, damping, rest = 1e-3, 40., 0.8, 0.3
		tolerance                    = 1e-9 // of the force
	)
	m := sprung(t, fmt.Sprintf(`
springs: [{name: tether, point_m: [0, 0, -0.1], stiffness_n_per_m: %g, rest_length_m: %g, damping_n_s_per_m: %g}]
loads: [{force_n: [0, 0, 0.1], until_s: 0}]
tip: {mass_kg: 0.5, inertia_kg_m2: [1e-4, 1e-4, 1e-4]}
initial_state: equilibrium`, stiffness, rest, damping), 2, dt)
	for range 50 {
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
	parts, _ := m.Parts()
	n := len(parts.System.State.Pose) - 1
	want := math.Abs(stiffness*(tipOf(t, m)[2]+0.1-rest) + damping*parts.System.State.NodeTwist(n).Linear.Z)
	if got := gaugeOf(m, "spring_force_max"); !(math.Abs(got-want) <= tolerance*want) {
		t.Errorf("spring_force_max is %g N, want %g N", got, want)
	}
}

// TestEquilibriaForgetTheMotionOfSprings looks for an equilibrium in the middle of a swing: dampers bear nothing there.
func TestEquilibriaForgetTheMotionOfSprings(t *testing.T) {
	const dt, tolerance = 1e-3, 1e-9 // s, m
	const text = "springs: [{name: tether, point_m: [0.3, 0, 0.1], stiffness_n_per_m: 0.01, rest_length_m: 0.1, damping_n_s_per_m: 0.05}]"
	m := sprung(t, text, 4, dt)
	for range 20 {
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
	swinging := tipOf(t, m)
	if err := m.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	after := tipOf(t, m)
	m = sprung(t, text, 4, dt)
	if err := m.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if want := tipOf(t, m); math.Abs(after[0]-want[0]) > tolerance || math.Abs(swinging[0]-want[0]) < 1e-3 {
		t.Errorf("from the swing at %v m the equilibrium is %v m, from rest %v m", swinging, after, want)
	}
}

// TestSpringsAtTheBase attaches a spring, stretched or compressed, to the base, 0.5 m from its point: the base carries its tension and the rod
// feels nothing. While the base moves toward the point, length and rate are those of the base.
func TestSpringsAtTheBase(t *testing.T) {
	const (
		k, c       = 10., 2.
		speed, dt  = 0.01, 1e-3
		steps      = 200
		roundoff   = 1e-12 // of the tension
		resolution = 1e-5  // of the tension: the rod, of 2.5 mg, swings at first
	)
	for _, order := range orders() {
		for _, rest := range []float64{0.1, 0.9} {
			m := sprung(t, fmt.Sprintf(`
springs: [{name: mount, at_m: 0, point_m: [0.3, 0, 0.4], stiffness_n_per_m: %g, rest_length_m: %g, damping_n_s_per_m: %g}]`, k, rest, c), order, dt)
			carried := func(when string, tension, tolerance float64) {
				t.Helper()
				when = fmt.Sprintf("order %d, rest length %g m, %s: ", order, rest, when)
				within(t, when+"force of the base", value(t, m, "measured_cf")[:3], []float64{-0.6 * tension, 0, -0.8 * tension}, tolerance)
				within(t, when+"spring_force_max", []float64{gaugeOf(m, "spring_force_max")}, []float64{math.Abs(tension)}, tolerance)
			}
			carried("at first", k*(0.5-rest), roundoff)
			step(t, m, dt, 1)
			carried("after a step", k*(0.5-rest), roundoff)
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
			carried("in equilibrium", k*(0.5-rest), roundoff)
			if got := tipOf(t, m); math.Abs(got[0]) > 1e-15 || math.Abs(got[2]-springRodLength) > 1e-15 {
				t.Errorf("order %d: the tip is at %v", order, got)
			}
			for i := range steps {
				way := speed * dt * float64(i+1)
				command(t, m, "base_pose", 0.6*way, 0, 0.8*way, 0, 0, 0, 1)
				step(t, m, dt, 1)
			}
			carried("in motion", k*(0.5-speed*dt*steps-rest)-c*speed, resolution)
		}
	}
}

// TestPathOfStretchedSpring follows a rod beside a spring that is stretched by e as its load grows: the spring keeps its stiffness, and a
// share λ of its stretch acts, x = k λ e/(1/C + k) with the compliance C of the rod.
func TestPathOfStretchedSpring(t *testing.T) {
	const stretch, tolerance = 1e-4, 1e-4 // of x: what small deflections leave out
	m := sprung(t, fmt.Sprintf(`
springs: [{name: tether, point_m: [1, 0, 0.2], stiffness_n_per_m: 0.5, rest_length_m: %.17g}]`, 1-stretch), 4, 1e-3)
	if err := m.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	const shearCorrection, g = 27. / 28, 5e5
	compliance := math.Pow(springRodLength, 3)/(3*springRodEI) + springRodLength/(shearCorrection*g*math.Pi*4e-6)
	parts, _ := m.Parts()
	points := 0
	err := parts.Solver.FollowPath(func(p equilibrium.PathPoint) error {
		want := 0.5 * p.Load * stretch / (1/compliance + 0.5)
		if got := tipOf(t, m)[0]; math.Abs(got-want) > tolerance*0.5*stretch/(1/compliance+0.5) {
			t.Errorf("at %g of the load the tip moves by %.9g m, want %.9g m", p.Load, got, want)
		}
		points++
		return nil
	})
	if err != nil || points < 3 {
		t.Errorf("%d points; %v", points, err)
	}
}

// Springs so stiff that round-off of their forces is above that of the rod's have equilibria.
func TestStiffSpringsHaveEquilibria(t *testing.T) {
	for _, stiffness := range []string{"1e7", "1e8", "1e9"} {
		t.Run(stiffness, func(t *testing.T) {
			m := sprung(t, "springs: [{name: tether, point_m: [0.02, 0.01, 0.3], stiffness_n_per_m: "+stiffness+", rest_length_m: 0.1025}]", 4, 1e-3)
			if err := m.Equilibrate(); err != nil {
				t.Error(err)
			}
		})
	}
}
