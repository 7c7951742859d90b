package continuum_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Deepest share of its radius that a rod goes into itself.
const deepestInItself = 0.01

// coilText is a rod of two turns about the vertical, of which the upper one sinks onto the other.
func coilText(order, elements int, contact bool) string {
	return fmt.Sprintf(`
rod: {length_m: 0.5, radius_m: 0.003, density_kg_per_m3: 1100, youngs_modulus_pa: 1e8, shear_modulus_pa: 4e7, elements: %d, element_order: %d, precurvature_per_m: [25, 0, 0.75], damping: {kelvin_voigt_s: 0.01}}
base: {direction: [1, 0, 0], normal: [0, 0, 1]}
environment: {self_contact: %v}
solver: {step_s: 0.001}`, elements, order, contact)
}

// standard is the gravity of robot files.
var standard = spatial.Vec{Z: -9.80665}

// coil is that with contact, and with more keys.
func coil(t *testing.T, order, elements int, more string) *continuum.Model {
	t.Helper()
	return mustModelOf(t, coilText(order, elements, true)+"\n"+more)
}

// segments are those of the centre line, so many for each element: the cubics of contact.
func segments(r *continuumtest.Robot, each int) (points []spatial.Vec) {
	for e, l := range r.System.Rod.Lengths {
		a, b := r.NodePose(e), r.NodePose(e+1)
		for i := range each {
			x := float64(i) / float64(each)
			y := 1 - x
			points = append(points, a.P.Scale(y*y*(1+2*x)).AddScaled(x*x*(1+2*y), b.P).
				AddScaled(l*x*y*y, a.R.Col3()).AddScaled(-l*x*x*y, b.R.Col3()))
		}
	}
	return append(points, r.NodePose(r.System.Rod.Elements).P)
}

// leastDistance is that of segments that are more than so many apart.
func leastDistance(p []spatial.Vec, apart int) float64 {
	least := math.Inf(1)
	for i := range len(p) - 1 {
		for j := i + apart; j < len(p)-1; j++ {
			least = min(least, segmentDistance(p[i], p[i+1], p[j], p[j+1]))
		}
	}
	return least
}

// segmentDistance is the least distance of two segments.
func segmentDistance(a0, a1, b0, b1 spatial.Vec) float64 {
	u, v, w := a1.Sub(a0), b1.Sub(b0), a0.Sub(b0)
	at := func(x, y float64) float64 { return w.AddScaled(x, u).AddScaled(-y, v).Norm() }
	clamp := func(x float64) float64 { return max(0, min(1, x)) }
	least := math.Inf(1)
	if det := u.Norm2()*v.Norm2() - u.Dot(v)*u.Dot(v); det > 0 {
		x := (u.Dot(v)*w.Dot(v) - v.Norm2()*w.Dot(u)) / det
		y := (u.Norm2()*w.Dot(v) - u.Dot(v)*w.Dot(u)) / det
		if x == clamp(x) && y == clamp(y) {
			return at(x, y)
		}
	}
	for _, x := range []float64{0, 1} {
		least = min(least, at(x, clamp(w.AddScaled(x, u).Dot(v)/v.Norm2())))
		least = min(least, at(clamp(-w.AddScaled(-x, v).Dot(u)/u.Norm2()), x))
	}
	return least
}

// TestNothingPassesThroughItself lets rods of all shapes whip, by commands that jump and bases
// that turn: between the nodes of one step and the next the centre lines never meet.
func TestNothingPassesThroughItself(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	const each, between, radius = 2, 8, 0.003
	touched, divided := 0, uint64(0)
	robots := testsize.Of(2, 4, 12)
	for robot := range robots {
		random := rand.New(rand.NewPCG(9, uint64(robot)))
		number := func(scale float64) float64 { return scale * random.NormFloat64() }
		order := 2 + 2*(robot%2)
		m := mustModelOf(t, fmt.Sprintf(`
rod: {length_m: 0.5, radius_m: %g, density_kg_per_m3: 1100, youngs_modulus_pa: 1e6, shear_modulus_pa: 3.5e5, elements: 30, element_order: %d, precurvature_per_m: [%g, %g, 2], damping: {kelvin_voigt_s: 0.004}}
environment: {self_contact: true}
solver: {step_s: 0.001}`, radius, order, 18+number(6), number(3)))
		e := continuumtest.Of(t, m)
		apart := each * int(math.Ceil(0.02/(0.5/30)))
		points := segments(e, each)
		for i := range 450 {
			if i%150 == 0 {
				command(t, m, "external_wrench", number(0.02), number(0.02), number(0.02), number(2e-3), number(2e-3), number(2e-3))
				p := e.System.Rod.Base
				p.R = p.R.Mul(spatial.ExpRot(spatial.Vec{X: number(1), Y: number(1), Z: number(3)}))
				command(t, m, "base_pose", poseValues(p)...)
			}
			if err := m.Step(1e-3); err != nil {
				t.Fatalf("robot %d, step %d: %v", robot, i, err)
			}
			s := e.Contact.Summary()
			if touched += s.Count; s.RelativePenetration > 0.1 {
				t.Errorf("robot %d, step %d: %.2g radii deep", robot, i, s.RelativePenetration)
			}
			next := segments(e, each)
			for k := range between {
				x := float64(k+1) / between
				now := make([]spatial.Vec, len(next))
				for j := range now {
					now[j] = points[j].Scale(1-x).AddScaled(x, next[j])
				}
				if d := leastDistance(now, apart); d < radius {
					t.Fatalf("robot %d, step %d: centre lines are %.3g m apart, less than a radius", robot, i, d)
				}
			}
			points = next
		}
		divided += e.Stepper.Counters().Divided
	}
	t.Logf("%d contacts, %d divided steps", touched, divided)
	if touched < 100*robots {
		t.Errorf("%d contacts are too few to prove anything", touched)
	}
}

// TestCoilsRestOnThemselves lets a coil that stands sink onto itself: it comes to rest no
// deeper in itself than allowed, its energy never grows, and the base carries the weight.
func TestCoilsRestOnThemselves(t *testing.T) {
	for _, order := range orders() {
		m := coil(t, order, 30, "")
		e := continuumtest.Of(t, m)
		before, start, deep := energy(t, m, standard), energy(t, m, standard), 0.0
		for i := range 2000 {
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			now := energy(t, m, standard)
			if now > before+1e-6*math.Abs(start) {
				t.Fatalf("order %d: the energy grows from %.9g to %.9g J in step %d", order, before, now, i)
			}
			before, deep = now, max(deep, e.Contact.Summary().RelativePenetration)
		}
		s := e.Contact.Summary()
		if s.Count < 4 || deep > deepestInItself {
			t.Errorf("order %d: %d contacts, up to %.2g radii deep", order, s.Count, deep)
		}
		if v := spatial.VecAt(value(t, m, "measured_cv")).Norm(); v > 1e-4 {
			t.Errorf("order %d: still moves by %.2g m/s", order, v)
		}
		weight := 0.0
		for i := range e.System.State.Pose {
			weight += 9.80665 * e.System.State.NodeMass(i)
		}
		if off := baseForce(t, m).Sub(spatial.Vec{Z: weight}).Norm(); off > 1e-3*weight {
			t.Errorf("order %d: the base carries %v N of a weight of %g N", order, baseForce(t, m), weight)
		}
	}
}

// TestSelfContactCreatesNoEnergy lets a coil without any damping sink onto itself and swing
// there. In steps of order 1, which give nothing back, its energy never grows: contact makes
// none. Those of order 2 remember the step before, in which what comes off was still pressed,
// and give back up to 1.1e-6 of the energy there with lumped mass, and 2.9e-6 with consistent
// mass, as measured.
func TestSelfContactCreatesNoEnergy(t *testing.T) {
	for _, order := range orders() {
		for formula, allowed := range map[int]float64{1: 1e-10, 2: 4e-6} {
			m := mustModelOf(t, strings.Replace(coilText(order, 30, true), "kelvin_voigt_s: 0.01", "kelvin_voigt_s: 0", 1))
			e := continuumtest.Of(t, m)
			start := energy(t, m, standard)
			before, touching := start, 0
			for i := range 500 {
				if formula == 1 {
					e.Stepper.Restart() // forgets the step before
				}
				if err := m.Step(1e-3); err != nil {
					t.Fatal(err)
				}
				if e.Stepper.Report().Order > formula {
					t.Fatalf("a step of order %d", e.Stepper.Report().Order)
				}
				now := energy(t, m, standard)
				if now > before+allowed*start || now > start {
					t.Fatalf("element order %d, formula of order %d: the energy grows from %.9g to %.9g J in step %d; it was %.9g J", order, formula, before, now, i, start)
				}
				before = now
				touching += e.Contact.Summary().Count
			}
			if touching < 500 {
				t.Errorf("order %d: %d contacts are too few to prove anything", order, touching)
			}
		}
	}
}

// TestStrandsPressAsTheBeamSays presses the end of a strand, which a stiff bow carries beside
// a stiff one, onto that: the contact takes what a cantilever that is bent so far does not.
func TestStrandsPressAsTheBeamSays(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	const (
		clearance, length = 0.001, 0.08 // m
		force             = 0.03        // N
		ei                = 3e9 * math.Pi / 4 * 1e-12
	)
	for _, order := range orders() {
		for _, n := range []int{24, 48} {
			m := mustModelOf(t, fmt.Sprintf(`
rod:
  elements: %d
  element_order: %d
  density_kg_per_m3: 1100
  youngs_modulus_pa: 1e13
  shear_modulus_pa: 4e12
  damping: {kelvin_voigt_s: 0.01}
  sections:
    - {length_m: 0.09, radius_m: 0.001, contact_radius_m: 0.004}
    - {length_m: %.17g, radius_m: 0.001, contact_radius_m: 0.004, precurvature_per_m: [0, %.17g, 0]}
    - {length_m: %g, radius_m: 0.001, contact_radius_m: 0.004, youngs_modulus_pa: 3e9, shear_modulus_pa: 1.2e9}
gravity_m_per_s2: [0, 0, 0]
environment: {self_contact: true}
solver: {step_s: 0.001}`, n, order, math.Pi*0.0045, 1/0.0045, length))
			e := continuumtest.Of(t, m)
			first := e.NodePose(e.System.Rod.Elements)
			toward := e.NodePose(0).R.Col1() // or away
			if first.P.Sub(e.NodePose(0).P).Dot(toward) > 0 {
				toward = toward.Neg()
			}
			f := toward.Scale(force)
			command(t, m, "external_wrench", f.X, f.Y, f.Z, 0, 0, 0)
			run(t, m, 1)
			s := e.Contact.Summary()
			want := force - 3*ei*(clearance+s.Penetration)/(length*length*length)
			t.Logf("order %d, n %d: %d contacts, %.6g N, want %.6g N, %.3g deep", order, n, s.Count, s.Force, want, s.RelativePenetration)
			if s.Count != 2 || math.Abs(s.Force-want) > 3e-3*want || s.RelativePenetration > deepestInItself {
				t.Errorf("order %d, n %d: %+v, want one contact of %g N", order, n, s, want)
			}
			off := baseForce(t, m).Add(f)
			if off.Norm() > 1e-5*force {
				t.Errorf("order %d, n %d: base and load are off balance by %v N", order, n, off)
			}
		}
	}
}

// TestSelfContactsAreTold demands that contacts of a rod with itself be reported at both places,
// with forces that are opposite, and drawn.
func TestSelfContactsAreTold(t *testing.T) {
	testsize.SkipInShort(t)
	m := coil(t, 2, 30, "")
	run(t, m, 2)
	for i, p := range m.Ports() {
		if p.Name != "contacts" {
			continue
		}
		v := make([]float64, p.Width())
		if m.Value(i, v); v[0] < 4 || p.Labels[0] != contact.SelfName {
			t.Fatalf("%g contacts with %v", v[0], p.Labels)
		}
		for c := v[3:]; len(c) > 0 && c[0] >= 0; c = c[26:] {
			d := c[13:]
			if d[0] != 0 || !(c[1]-d[1] > 0.01) || c[2] != d[2] || c[3] != d[3] || c[7] != -d[7] || c[8] != -d[8] || c[9] != -d[9] {
				t.Errorf("a contact is %v and %v", c[:13], d[:13])
			}
		}
		var s sim.Scene
		m.Draw(&s)
		drawn := 0
		for _, a := range s.Arrows {
			if a.Name == "contact" && a.To != a.From {
				drawn++
			}
		}
		if drawn < 4 || len(s.Meshes) != 0 {
			t.Errorf("%d contact forces and %d walls are drawn", drawn, len(s.Meshes))
		}
		return
	}
	t.Error("there is no port contacts")
}

func TestRobotsThatBeginInsideThemselvesAreRefused(t *testing.T) {
	_, err := modelOf(`
rod: {length_m: 0.5, radius_m: 0.003, elements: 40, precurvature_per_m: [25, 0, 0.05]}
environment: {self_contact: true}`)
	var inside *contact.SelfInsideError
	if !errors.As(err, &inside) || !errors.Is(err, contact.ErrInsideWall) {
		t.Fatalf("error is %v, want a *contact.SelfInsideError", err)
	}
	if !(inside.Depth > 0.003) || !(inside.ArcLength[0]-inside.ArcLength[1] > 0.2) {
		t.Errorf("%+v", inside)
	}
}
