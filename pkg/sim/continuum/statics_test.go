package continuum_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// bare is a rod along +z without tendons, of section area 1 and given products of
// stiffness.
func bare(length float64, elements int, ga, ea, ei, gj float64) *robotfile.Continuum {
	f := wire(elements, 0, spatial.Vec{})
	f.Rod = robotfile.Rod{
		Length: length, Density: 1, YoungsModulus: ea, ShearModulus: ga, ShearCorrection: 1,
		Section:  &robotfile.Section{Area: 1, I1: ei / ea, I2: ei / ea, J: gj / ga},
		Elements: elements, MaterialLaw: robotfile.Linear,
	}
	return f
}

type staticsGolden struct {
	Elastica struct {
		Rows []struct {
			P, U, W float64
			N       int
		}
		Exact map[string][]float64 `json:"continuum_GA_EA_1e6"`
	}
	Bathe struct {
		Rows []struct {
			N   int
			Tip []float64
		}
		Continuum []float64
	} `json:"bathe_45deg_load_600"`
	Straight struct {
		Rows []struct {
			N      int
			Tip    []float64
			Energy float64
		}
	} `json:"straight_T_2_1_0_0"`
	Gravity struct {
		N10, N20 struct{ Tip []float64 }
	} `json:"robot_with_gravity_T_2_1_.5_.5"`
	Friction struct {
		Rows []struct {
			Dir int
			Tip []float64
			Ts  []float64
		}
	} `json:"friction_T0_2_mu_0.3"`
	Elastic struct {
		T, Tip, Pull []float64
	} `json:"elastic_tendons_kt_1000"`
	Buckling struct {
		Rows []struct {
			Tension  float64 `json:"critical_total_tension"`
			Elements int     `json:"elements_per_gap"`
		}
	} `json:"between_disk_buckling"`
}

func readStatics(t *testing.T) (g staticsGolden) {
	t.Helper()
	if err := json.Unmarshal(readGolden(t).Statics, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestElastica(t *testing.T) {
	g := readStatics(t).Elastica
	if len(g.Rows) < 8 {
		t.Fatalf("%d cases, want 8", len(g.Rows))
	}
	errs := map[float64][]float64{}
	for _, c := range g.Rows {
		e := implicitOf(t, bare(1, c.N, 1e6, 1e6, 1, 1))
		in := &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{X: c.P}}}}
		equilibrate(t, e, in)
		p := e.NodePose(c.N).P
		within(t, "u, w", []float64{1 - p.Z, p.X}, []float64{c.U, c.W}, convergedTolerance)
		exact := g.Exact[map[float64]string{1: "1", 5: "5"}[c.P]]
		errs[c.P] = append(errs[c.P], math.Hypot(1-p.Z-exact[0], p.X-exact[1]))
	}
	for p, list := range errs {
		for i := 1; i < len(list); i++ {
			if order := math.Log2(list[i-1] / list[i]); math.Abs(order-2) > 0.1 {
				t.Errorf("load %g: order %.3f in n between n = %d and %d, want 2", p, order, 10<<(i-1), 10<<i)
			}
		}
	}
}

func TestBathe45DegreeBend(t *testing.T) {
	g := readStatics(t).Bathe
	for _, c := range g.Rows[:4] {
		f := bare(100*math.Pi/4, c.N, 0.5e7, 1e7, 1e7/12, 1e7/12)
		f.Rod.Precurvature = spatial.Vec{Y: 0.01}
		e := implicitOf(t, f)
		equilibrate(t, e, &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{Y: 600}}}})
		within(t, "tip", tip(e), c.Tip, convergedTolerance)
		// the project's own bound on the iterations of one load step
		if e.Stepper.Report().Iterations > 8 {
			t.Errorf("n = %d: %d iterations, want at most 8", c.N, e.Stepper.Report().Iterations)
		}
	}
}

func TestRollUpClosesTheCircle(t *testing.T) {
	e := implicitOf(t, bare(1, 4, 1e4, 1e4, 1, 1))
	equilibrate(t, e, &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Moment: spatial.Vec{X: 2 * math.Pi}}, Axes: force.BodyAxes}})
	if d := e.NodePose(4).P.Norm(); !(d < 1e-12) {
		t.Errorf("the end is %g m from the base, want a closed circle", d)
	}
}

func TestTendonStatics(t *testing.T) {
	g := readStatics(t)
	for i, c := range g.Straight.Rows {
		n := 10 << i
		e := implicitOf(t, wire(n, 0, spatial.Vec{}, 0, 90, 180, 270))
		in := pulling(2, 1, 0, 0)
		equilibrate(t, e, in)
		within(t, "tip", tip(e), c.Tip, convergedTolerance)
		within(t, "energy", []float64{e.System.Merit()}, []float64{c.Energy}, convergedTolerance)
	}
	for n, want := range map[int][]float64{10: g.Gravity.N10.Tip, 20: g.Gravity.N20.Tip} {
		e := implicitOf(t, wire(n, 0.0005, sideways, 0, 90, 180, 270))
		equilibrate(t, e, pulling(2, 1, 0.5, 0.5))
		within(t, "tip with gravity", tip(e), want, convergedTolerance)
	}
}

func TestBucklingThresholdBetweenDisks(t *testing.T) {
	for _, c := range readStatics(t).Buckling.Rows {
		if testing.Short() && c.Elements > 4 {
			continue
		}
		f := wire(10*c.Elements, 0, spatial.Vec{}, 0, 90, 180, 270)
		negative := func(total float64) int {
			e := implicitOf(t, f)
			p := total / 4
			err := e.Equilibrate(pulling(p, p, p, p))
			if err != nil && !errors.Is(err, continuum.ErrBuckledBetweenDisks) && !errors.Is(err, continuum.ErrUnstableEquilibrium) {
				t.Fatal(err)
			}
			var detail *continuum.EquilibriumError
			if errors.As(err, &detail) {
				return detail.Negative
			}
			return e.Report().Negative
		}
		// the source bisected to a few 1e-5 N
		const bracket = 1e-6
		if n := negative(c.Tension * (1 - bracket)); n != 0 {
			t.Errorf("%d per gap: %d negative eigenvalues just below the threshold, want 0", c.Elements, n)
		}
		if n := negative(c.Tension * (1 + bracket)); n == 0 || n > 20 {
			t.Errorf("%d per gap: %d negative eigenvalues just above the threshold, want 1 … 20", c.Elements, n)
		}
		if n := negative(c.Tension * 1.001); n != 20 && c.Elements < 16 {
			t.Errorf("%d per gap: %d negative eigenvalues above the threshold, want 20", c.Elements, n)
		}
	}
}

func TestStaticErrorsHaveNamesAndNumbers(t *testing.T) {
	e := implicitOf(t, wire(40, 0, spatial.Vec{}, 0, 90, 180, 270))
	err := e.Equilibrate(pulling(20, 20, 20, 20))
	var detail *continuum.EquilibriumError
	if !errors.Is(err, continuum.ErrBuckledBetweenDisks) || !errors.As(err, &detail) {
		t.Fatalf("80 N in gaps that hold 73 N: %v, want ErrBuckledBetweenDisks", err)
	}
	if want := detail.Load * 80 / 72.6709609694527; math.Abs(detail.EulerLoadRatio-want) > 1e-6 || want < 0.9 {
		t.Errorf("total tension %g of the Euler load at %g of the load, want %g", detail.EulerLoadRatio, detail.Load, want)
	}
	// a column under a dead load above its Euler load, perfectly straight: the search leaves the straight shape
	e = implicitOf(t, bare(1, 10, 1e6, 1e6, 1, 1))
	err = e.Equilibrate(&inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{Z: -3}}}})
	if err != nil || len(e.Solver.EscapedSaddles()) != 1 || e.Solver.EscapedSaddles()[0].Unstable < 1 {
		t.Errorf("column at 1.2 of its Euler load: error %v, the search has left %v, want one unstable shape", err, e.Solver.EscapedSaddles())
	}
	e.Reset()
	if err = e.Equilibrate(&inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{Z: -2}}}}); err != nil {
		t.Errorf("column at 0.8 of its Euler load: %v, want balance", err)
	}
}

// twoSegments is a wire of two segments with ten disks and three tendons each; the
// tendons of the second one pass the disks of the first.
func twoSegments(elements int) *robotfile.Continuum {
	f := wire(elements, 0, spatial.Vec{})
	for i := range 6 {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i%3)/3 + float64(i/3)/6))
		d := robotfile.Disks{Count: 20, First: 0.01, Last: 0.2}
		if i < 3 {
			d.Count, d.Last = 10, 0.1
		}
		f.Tendons = append(f.Tendons, robotfile.Tendon{
			Name: string(rune('a' + i)), Offset: [2]float64{0.008 * cos, 0.008 * sin}, Disks: d,
			Limits: robotfile.TendonLimits{MaxTension: 20},
		})
	}
	return f
}

// TestTwoSegmentsConvergeInElements holds the distance to the limit of fine meshes
// at one and at four elements per gap.
func TestTwoSegmentsConvergeInElements(t *testing.T) {
	at := func(n int) spatial.Vec {
		e := implicitOf(t, twoSegments(n))
		equilibrate(t, e, pulling(2, 0.5, 0, 0.5, 2, 0))
		return e.NodePose(n).P
	}
	limit := extrapolated(at(160), at(320))
	for n, bound := range map[int]float64{20: 3e-5, 80: 5e-6} {
		if d := at(n).Sub(limit).Norm(); !(d <= bound) {
			t.Errorf("n = %d: tip %.3g m from the limit, want at most %g", n, d, bound)
		} else {
			t.Logf("n = %d: tip %.3g m from the limit", n, d)
		}
	}
}

// TestStrongBendsFromStraight solves in one load step what plain Newton does not:
// the merit test keeps it on the stable branch.
func TestStrongBendsFromStraight(t *testing.T) {
	for _, tension := range []float64{1, 2, 4, 8, 12} {
		e := implicitOf(t, wire(20, 0, spatial.Vec{}, 0))
		equilibrate(t, e, pulling(tension))
		turn := 0.0 // of the whole rod; it bends in a plane
		for _, x := range e.System.State.Strain {
			turn += x.Angular.Y
		}
		// nearly constant curvature: M = T h, and more where the rod bows away from
		// the chords
		circle := tension * 0.008 * 0.2 / e.System.Rod.Stiffness.Bend.Y
		if !(turn > circle) || !(turn < 1.1*circle) {
			t.Errorf("%g N bend by %.1f°, want a little more than %.1f°", tension, turn*180/math.Pi, circle*180/math.Pi)
		}
		if e.Stepper.Report().Iterations > 25 {
			t.Errorf("%g N: %d iterations, want at most 25", tension, e.Stepper.Report().Iterations)
		}
		t.Logf("%g N: %.0f°, %d iterations, %d rejects", tension, turn*180/math.Pi, e.Stepper.Report().Iterations, e.Stepper.Report().Rejects)
	}
}
