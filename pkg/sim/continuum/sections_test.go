package continuum_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// halves are a uniform rod as two sections.
func halves(r *robotfile.Rod) []robotfile.Segment {
	half := r.Segments()[0]
	half.Length /= 2
	return []robotfile.Segment{half, half}
}

// A uniform rod as two sections is the same robot, in motion, with all its loads and damping,
// at both orders; of order 4 but for the weights beside the border.
func TestSectionsOfAUniformRod(t *testing.T) {
	for order, tolerance := range map[int]float64{2: 1e-9, 4: 1e-5} {
		f := wire(20, 0.0005, sideways, 0, 90)
		f.Rod.Order = order
		f.Rod.Damping = robotfile.Damping{KelvinVoigt: 1e-3, Drag: 3, QuadraticDrag: 0.5}
		f.Rod.Precurvature = spatial.Vec{X: 1, Z: 2}
		f.Tip = robotfile.Tip{Mass: 1e-3}
		parts := *f
		parts.Rod.Sections = halves(&f.Rod)
		a, b := implicitOf(t, f), implicitOf(t, &parts)
		in := pulling(0, 0)
		for k := range 200 {
			in.Setpoints[0].Tension, in.Setpoints[1].Tension = 2*math.Sin(0.05*float64(k))*math.Sin(0.05*float64(k)), 0.01*float64(k)
			for _, e := range []*continuumtest.Robot{a, b} {
				if err := e.Step(1e-3, in); err != nil {
					t.Fatal(err)
				}
			}
		}
		within(t, fmt.Sprintf("order %d: tip", order), tip(b), tip(a), tolerance)
		wa, wb := a.System.State.BaseReaction(), b.System.State.BaseReaction()
		within(t, fmt.Sprintf("order %d: base moment", order), numbers(wb.Moment), numbers(wa.Moment), 100*tolerance)
	}
}

// arm is a soft arm of a cone, a tube and a blade, with tendons to the end of the first and of
// the last.
func arm(elements, order int) *robotfile.Continuum {
	f := wire(elements, 0, sideways, 0, 90)
	f.Rod.Length, f.Rod.Radius, f.Rod.Order = 0.3, 0, order
	section := func(length float64, e float64, damping float64) robotfile.Segment {
		return robotfile.Segment{
			Length: length, Density: 1100, YoungsModulus: e, ShearModulus: e / 3, ShearCorrection: 0.9,
			Damping: robotfile.SegmentDamping{KelvinVoigt: damping, Drag: 6, QuadraticDrag: damping},
		}
	}
	cone, tube, blade := section(0.12, 1.5e6, 0.02), section(0.1, 4e6, 0), section(0.08, 2e6, 0.05)
	cone.Radius, cone.InnerRadius = []float64{0.008, 0.005}, []float64{0}
	tube.Radius, tube.InnerRadius = []float64{0.006}, []float64{0.003, 0.002}
	blade.Section, blade.Precurvature = &robotfile.Section{Area: 4e-5, I1: 2e-10, I2: 1e-10, J: 1.2e-10}, spatial.Vec{X: 3, Z: 2}
	f.Rod.Sections = []robotfile.Segment{cone, tube, blade}
	f.Tendons[0].Disks = robotfile.Disks{Count: 4, First: 0.03, Last: 0.12, Mass: 1e-3}
	f.Tendons[1].Disks = robotfile.Disks{Count: 10, First: 0.03, Last: 0.3, Mass: 5e-4}
	return f
}

// A robot of sections with damping of their own comes to the rest that statics find.
func TestSectionsInMotion(t *testing.T) {
	for _, order := range orders() {
		f := arm(24, order)
		a, b := implicitOf(t, f), implicitOf(t, f)
		in := pulling(0.5, 0.3)
		for range 1500 {
			if err := a.Step(5e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		equilibrate(t, b, in)
		if d := distance(tip(a), tip(b)) / f.Rod.Length; !(d < 1e-6) {
			t.Errorf("order %d: comes to rest %.3g L from the equilibrium", order, d)
		}
	}
}

// Rods with elements of order 2 and 4 have one limit.
func TestSectionsConverge(t *testing.T) {
	at := func(n, order int) spatial.Vec {
		e := implicitOf(t, arm(n, order))
		equilibrate(t, e, pulling(0.5, 0.3))
		return tipAt(e)
	}
	limit := at(240, 4)
	miss := func(n, order int) float64 { return at(n, order).Sub(limit).Norm() / 0.3 }
	a, b, c := miss(30, 2), miss(60, 2), miss(30, 4) // of 10 and 5 mm
	t.Logf("order 2: %.3g and %.3g L, order 4: %.3g L", a, b, c)
	// under thrust a rod as soft as this leaves of order 4 what shear has of order 2
	if !(math.Log2(a/b) > 1.9) || !(c < a/25) {
		t.Errorf("%.3g and %.3g L off with 30 and 60 elements, %.3g L with 30 of order 4", a, b, c)
	}
	if d := at(480, 2).Sub(limit).Norm() / 0.3; !(d < 1e-5) {
		t.Errorf("limits of both orders are %.3g L apart", d)
	}
}

// Sections are drawn one after the other, each as thick as it is.
func TestSectionsAreDrawn(t *testing.T) {
	m, err := continuum.New(arm(24, 2))
	if err != nil {
		t.Fatal(err)
	}
	var s sim.Scene
	m.Draw(&s)
	if len(s.Tubes) != 3 {
		t.Fatalf("%d tubes", len(s.Tubes))
	}
	for i, want := range []struct{ from, to, first, last float64 }{{0, 0.12, 0.008, 0.005}, {0.12, 0.22, 0.006, 0.006}, {0.22, 0.3, math.Sqrt(4e-5 / math.Pi), 0}} {
		x := s.Tubes[i]
		n := len(x.Points) - 1
		first, last := x.Radius, x.Radius
		if len(x.Radii) > 0 {
			first, last = x.Radii[0], x.Radii[n]
		}
		if want.last == 0 {
			want.last = want.first
		}
		if !(math.Abs(first-want.first) < 1e-15) || !(math.Abs(last-want.last) < 1e-15) {
			t.Errorf("section %d: radii %g and %g m, want %g and %g", i+1, first, last, want.first, want.last)
		}
		if i < 2 && (!(math.Abs(x.Points[0].Z-want.from) < 1e-12) || !(math.Abs(x.Points[n].Z-want.to) < 1e-12)) {
			t.Errorf("section %d: from %v to %v", i+1, x.Points[0], x.Points[n])
		}
	}
	allocations := testing.AllocsPerRun(10, func() { m.Draw(&s) })
	if allocations != 0 {
		t.Errorf("%g allocations per scene", allocations)
	}
}

// A payload whose centre of mass is beside and beyond the end hangs there as what it weighs
// pulls, and moves as one at the end of a rigid section so long.
func TestPayloadOffCentre(t *testing.T) {
	const mass, lever = 5e-3, 0.03
	f := wire(20, 0, sideways)
	f.Tip = robotfile.Tip{Mass: mass, Center: spatial.Vec{X: 0.01, Y: 0.02, Z: lever}}
	a, in := implicitOf(t, f), pulling()
	equilibrate(t, a, in)
	g := a.NodePose(20)
	weight := sideways.Scale(mass)
	f.Tip = robotfile.Tip{}
	b := implicitOf(t, f)
	load := pulling()
	load.Tip = force.TipWrench{Wrench: spatial.Wrench{Force: weight, Moment: g.R.Apply(spatial.Vec{X: 0.01, Y: 0.02, Z: lever}).Cross(weight)}}
	equilibrate(t, b, load)
	within(t, "equilibrium", tip(a), tip(b), 1e-8)

	long := wire(23, 0, sideways)
	long.Rod.Damping = robotfile.Damping{KelvinVoigt: 1e-4}
	inertia := spatial.Vec{X: 3e-8, Y: 1e-8, Z: 2e-8}
	long.Tip = robotfile.Tip{Mass: mass, Inertia: inertia}
	long.Rod.Sections = append(halves(&long.Rod), long.Rod.Segments()[0])
	rigid := &long.Rod.Sections[2]
	rigid.Length, rigid.Density, rigid.YoungsModulus, rigid.ShearModulus = lever, 1e-3, 1e13, 1e13
	rigid.Radius = []float64{2e-3}
	long.Rod.Length += lever
	short := wire(20, 0, sideways)
	short.Rod.Damping = long.Rod.Damping
	short.Tip = robotfile.Tip{Mass: mass, Inertia: inertia, Center: spatial.Vec{Z: lever}}
	x, y := implicitOf(t, short), implicitOf(t, long)
	end := y.System.Rod.NearestNode(0.2)
	if end != 20 {
		t.Fatal("elements differ")
	}
	for k := range 400 {
		for _, e := range []*continuumtest.Robot{x, y} {
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		if d := x.NodePose(20).P.Sub(y.NodePose(end).P).Norm(); !(d < 1e-5) {
			t.Fatalf("step %d: %.3g m from the end of the rod with a rigid section", k, d)
		}
	}
	if tip(x)[0] > -0.01 {
		t.Errorf("hardly moves: %v", tip(x))
	}
	kinetic, _ := x.Energy()
	other, _ := y.Energy()
	if !(kinetic > 1e-6) || !(math.Abs(kinetic/other-1) < 0.02) {
		t.Errorf("%.6g J in motion, %.6g J with a rigid section", kinetic, other)
	}
}

// The Euler load of a gap between disks is that of the softest piece in it.
func TestEulerLoadsOfSections(t *testing.T) {
	f := arm(30, 2)
	e := implicitOf(t, f)
	gaps, loads := e.Tendons.Couplings(), e.Tendons.EulerLoads()
	for i, g := range gaps {
		least := math.Inf(1)
		for _, k := range e.System.Rod.Properties[g[0]:g[1]] {
			least = min(least, k.Stiffness.Bend.X, k.Stiffness.Bend.Y)
		}
		if want := math.Pi * math.Pi * least; loads[i] != want {
			t.Errorf("gap %v: %g N m², want %g", g, loads[i], want)
		}
	}
	if last := loads[len(gaps)-1]; !(math.Abs(last/(math.Pi*math.Pi*2e6*1e-10)-1) < 1e-12) {
		t.Errorf("last gap: %g N m², want that of the blade's soft side", last)
	}
}
