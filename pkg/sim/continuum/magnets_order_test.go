package continuum_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// halfMagnetised is a soft rod of which the front is magnetised, obliquely, in a field.
func halfMagnetised(t testing.TB, rod, field string, n, order int) *robotfile.Continuum {
	t.Helper()
	return parse(t, fmt.Sprintf(`{rod: {length_m: 0.05, density_kg_per_m3: 1100, youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, elements: %d, element_order: %d, %s},
  gravity_m_per_s2: [0, 0, 0], magnets: [{name: front, from_m: 0.02, to_m: 0.05, magnetization_a_per_m: [5e3, 0, 6e4]}], field: {%s}}`, n, order, rod, field))
}

// fieldsOfRods are fields that bend such a rod far.
var fieldsOfRods = map[string]string{
	"uniform":                "uniform_t: [-1e-3, 2e-3, 3e-3]",
	"gradient":               "uniform_t: [0, 1e-3, 2e-3], gradient_t_per_m: [0.04, -0.03, 0.05, -0.02, 0.06], gradient_center_m: [0.02, 0, 0.01]",
	"beside a strong magnet": "dipoles: [{position_m: [0.03, 0.06, 0.06], moment_a_m2: [3, 5, 8]}]",
}

// What is magnetised over a stretch bends a rod with the order of its elements: halving them
// divides the error by 16, of a rod that tapers too, and in motion.
func TestMagnetisedStretchesAreOfFourthOrder(t *testing.T) {
	for shape, rod := range map[string]string{"uniform rod": "radius_m: 0.0005", "thick rod": "radius_m: 0.002",
		"cone": "sections: [{length_m: 0.05, radius_m: [0.0007, 0.0004]}]"} {
		for name, field := range fieldsOfRods {
			if shape == "thick rod" {
				field = map[string]string{"uniform": "uniform_t: [-4e-3, 8e-3, 12e-3]"}[name]
				if field == "" {
					continue
				}
			}
			at := func(n, order int) spatial.Vec {
				return tipPose(inEquilibrium(t, halfMagnetised(t, rod, field, n, order))).P
			}
			limit := at(160, 4)
			miss := func(n, order int) float64 { return at(n, order).Sub(limit).Norm() / 0.05 }
			few, more, second := miss(10, 4), miss(20, 4), miss(20, 2)
			order := math.Log2(few / more)
			t.Logf("%s, %s: %.3g and %.3g L at 10 and 20 elements, order %.2f; %.3g L at 40; %.3g L with 20 of order 2; tip at %.3g L", shape, name, few, more, order, miss(40, 4), second, limit.Scale(20))
			if !(order > 3.6) || !(second > 20*more) {
				t.Errorf("%s, %s: %.3g and %.3g L at 10 and 20 elements, order %.2f, %.3g L with 20 of order 2; want order 4 and a twentieth of that",
					shape, name, few, more, order, second)
			}
		}
	}
}

// In a field that changes, too.
func TestMagnetisedStretchesAreOfFourthOrderInMotion(t *testing.T) {
	const steps = 40
	tips := func(n, order int) (all []spatial.Vec) {
		f := halfMagnetised(t, "radius_m: 0.0005, damping: {kelvin_voigt_s: 2e-3}",
			"uniform_t: [0, 0, 1e-3], rotating: {axis: [1, 0, 0], amplitude_t: 4e-3, frequency_hz: 8}, dipoles: [{position_m: [0.03, 0.06, 0.06], moment_a_m2: [1, 2, 3]}]", n, order)
		m := newModel(t, f)
		converged(continuumtest.Of(t, m))
		for range steps {
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			all = append(all, tipPose(m).P)
		}
		return all
	}
	limit := tips(80, 4)
	miss := func(n, order int) float64 {
		sum := 0.0
		for i, p := range tips(n, order) {
			sum += p.Sub(limit[i]).Norm2()
		}
		return math.Sqrt(sum/steps) / 0.05
	}
	few, more, second := miss(10, 4), miss(20, 4), miss(20, 2)
	order := math.Log2(few / more)
	t.Logf("rms %.3g and %.3g L with 10 and 20 elements, order %.2f; %.3g L with 20 of order 2", few, more, order, second)
	if !(order > 3.6) || !(second > 10*more) {
		t.Errorf("rms %.3g and %.3g L with 10 and 20 elements, order %.2f; %.3g L with 20 of order 2; want order 4 and a tenth of that", few, more, order, second)
	}
}

// Borders of what is magnetised are nodes, wherever they are.
func TestBordersOfMagnetsAreNodes(t *testing.T) {
	f := parse(t, `{rod: {length_m: 0.05, radius_m: 0.0005, density_kg_per_m3: 1100, youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, elements: 9},
  magnets: [{name: front, from_m: 0.0173, to_m: 0.0391, magnetization_a_per_m: [0, 0, 6e4]}]}`)
	m := newModel(t, f)
	for _, s := range []float64{0.0173, 0.0391} {
		mesh := partsOf(m).System.Rod
		if got := mesh.ArcLengths[mesh.NearestNode(s)]; math.Abs(got-s) > 1e-15 {
			t.Errorf("the node at the border %g m is at %.17g m", s, got)
		}
	}
	sum := spatial.Vec{}
	nodes, middles := m.Robot().Moments()
	for _, list := range [][]spatial.Vec{nodes, middles} {
		for _, moment := range list {
			sum = sum.Add(moment)
		}
	}
	if want := 6e4 * math.Pi * 0.0005 * 0.0005 * (0.0391 - 0.0173); math.Abs(sum.Z-want) > 1e-12*want {
		t.Errorf("%.17g A m² in all, want %.17g", sum.Z, want)
	}
}

// threeStretches is a soft rod of which three stretches are magnetised, across one another and
// along the rod, and a small magnet is at its middle: what they do to one another bends it far.
func threeStretches(t testing.TB, n, order int) *robotfile.Continuum {
	t.Helper()
	return parse(t, fmt.Sprintf(`{rod: {length_m: 0.05, radius_m: 0.0005, density_kg_per_m3: 1100, youngs_modulus_pa: 1e5, shear_modulus_pa: 3.5e4, elements: %d, element_order: %d, damping: {kelvin_voigt_s: 2e-3}},
  gravity_m_per_s2: [0, 0, 0], magnets_interact: true, magnets: [
  {name: base, from_m: 0.005, to_m: 0.015, magnetization_a_per_m: [15e4, 5e4, 9e4]},
  {name: small, at_m: 0.02, moment_a_m2: [2e-4, -1e-4, 3e-4]},
  {name: middle, from_m: 0.025, to_m: 0.035, magnetization_a_per_m: [5e4, -15e4, 15e4]},
  {name: front, from_m: 0.04, to_m: 0.05, magnetization_a_per_m: [-8e4, 12e4, 18e4]}]}`, n, order))
}

// Magnetised stretches act on one another with the order of the elements, too.
func TestMutualMagnetsAreOfFourthOrder(t *testing.T) {
	at := func(n, order int) spatial.Vec { return tipPose(inEquilibrium(t, threeStretches(t, n, order))).P }
	limit := at(160, 4)
	miss := func(n, order int) float64 { return at(n, order).Sub(limit).Norm() / 0.05 }
	few, more, second := miss(20, 4), miss(40, 4), miss(40, 2)
	order := math.Log2(few / more)
	t.Logf("%.3g and %.3g L at 20 and 40 elements, order %.2f; %.3g L with 40 of order 2; tip at %.3g L", few, more, order, second, limit.Scale(20))
	if !(order > 3.8) || !(second > 100*more) {
		t.Errorf("%.3g and %.3g L at 20 and 40 elements, order %.2f, %.3g L with 40 of order 2; want order 4 and a hundredth of that", few, more, order, second)
	}
	if apart := limit.Sub(spatial.Vec{X: 0.05}).Norm() / 0.05; apart < 0.09 {
		t.Errorf("magnets move the tip by %.3g L: the test shows little", apart)
	}
}

// In motion, too.
func TestMutualMagnetsAreOfFourthOrderInMotion(t *testing.T) {
	const steps = 40
	tips := func(n, order int) (all []spatial.Vec) {
		m := newModel(t, threeStretches(t, n, order))
		converged(continuumtest.Of(t, m))
		for range steps {
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			all = append(all, tipPose(m).P)
		}
		return all
	}
	limit := tips(80, 4)
	miss := func(n, order int) float64 {
		sum := 0.0
		for i, p := range tips(n, order) {
			sum += p.Sub(limit[i]).Norm2()
		}
		return math.Sqrt(sum/steps) / 0.05
	}
	few, more, second := miss(10, 4), miss(20, 4), miss(20, 2)
	order := math.Log2(few / more)
	t.Logf("rms %.3g and %.3g L with 10 and 20 elements, order %.2f; %.3g L with 20 of order 2", few, more, order, second)
	if !(order > 3.6) || !(second > 10*more) {
		t.Errorf("rms %.3g and %.3g L with 10 and 20 elements, order %.2f; %.3g L with 20 of order 2; want order 4 and a tenth of that", few, more, order, second)
	}
}

// What magnetised stretches do to one another has a potential, of which it is the gradient with
// elements of either order; the tangent is that of the wrenches but for what slopes of two
// elements take at once.
func TestMutualStretchesAreDerivatives(t *testing.T) {
	for order, exact := range map[int]float64{2: 1e-8, 4: 5e-4} {
		m := newModel(t, threeStretches(t, 10, order))
		e, random := continuumtest.Of(t, m), rand.New(rand.NewPCG(4, 0))
		vec := func(s float64) spatial.Vec {
			return spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(s)
		}
		e.System.State.BeginStatic()
		for i := range e.System.State.Strain {
			e.System.State.Strain[i].Angular = e.System.State.Strain[i].Angular.Add(vec(0.2))
		}
		e.System.State.UpdatePoses()
		for range 5 {
			eta, other := make([]spatial.Vec6, 10), make([]spatial.Vec6, 10)
			for i := range eta {
				eta[i], other[i] = spatial.Vec6Of(vec(2e-3), vec(1)), spatial.Vec6Of(vec(2e-3), vec(1))
			}
			moved := func(scale float64, what func() float64) float64 {
				e.System.State.MoveNodes(eta, scale)
				defer e.System.State.Undo()
				assembledAt(e)
				return what()
			}
			slope := func(what func() float64) float64 { // to the fourth order
				const h = 3e-4
				return (8*(moved(h, what)-moved(-h, what)) - moved(2*h, what) + moved(-2*h, what)) / (12 * h)
			}
			fall := -slope(e.System.Merit)
			change := -slope(func() float64 { work, _ := workOf(e, other); return work })
			assembledAt(e)
			if work, size := workOf(e, eta); math.Abs(work-fall) > 1e-8*size {
				t.Errorf("order %d: work %.12g J, the potential falls by %.12g J", order, work, fall)
			}
			if got, size := resisted(e, eta, other); math.Abs(got-change) > exact*size {
				t.Errorf("order %d: tangent %.12g, differences give %.12g, of terms of %.3g", order, got, change, size)
			}
		}
	}
}

// assembledAt assembles the equations at the present strains.
func assembledAt(e *continuumtest.Robot) {
	e.System.UpdateKinematics()
	e.System.Assemble(0)
}

// workOf is the work of the assembled wrenches along increments, and the sum of its terms
// whatever their signs.
func workOf(e *continuumtest.Robot, eta []spatial.Vec6) (work, size float64) {
	for i := range eta {
		w := &e.System.Wrenches()[i+1]
		for _, part := range [2]float64{w.Force.Dot(eta[i].Linear()), w.Moment.Dot(eta[i].Angular())} {
			work += part
			size += math.Abs(part)
		}
	}
	return work, size
}

// resisted is otherᵀ K eta of the assembled tangent, and the sum of its terms whatever their
// signs.
func resisted(e *continuumtest.Robot, eta, other []spatial.Vec6) (sum, size float64) {
	add := func(left, right *spatial.Vec6, k *spatial.Mat6) {
		for r, y := range k.Apply(right) {
			sum += left[r] * y
			size += math.Abs(left[r] * y)
		}
	}
	for i := range eta {
		k, skew, _ := e.System.TangentBlock(i+1, i+1)
		add(&other[i], &eta[i], &k)
		add(&other[i], &eta[i], &skew)
		for j := i + 1; j < len(eta); j++ {
			if k, _, ok := e.System.TangentBlock(i+1, j+1); ok {
				add(&other[i], &eta[j], &k)
				add(&eta[i], &other[j], &k)
			}
		}
	}
	return sum, size
}

// The base holds nothing against what magnetised stretches do to one another, at rest and in
// motion.
func TestMutualStretchesBalance(t *testing.T) {
	for _, order := range orders() {
		m := inEquilibrium(t, threeStretches(t, 20, order))
		e, largest := continuumtest.Of(t, m), 0.0
		for i := range e.System.State.Strain {
			largest = max(largest, e.System.Rod.Stiffness.Bend.X*e.System.State.Strain[i].Angular.Norm()/0.0025)
		}
		for what, move := range map[string]func(){"at rest": func() {}, "in motion": func() { run(t, m, 0.05) }} {
			move()
			if w := baseWrench(m); w.Force.Norm() > 1e-8*largest/0.05 || w.Moment.Norm() > 1e-8*largest {
				t.Errorf("order %d, %s: the base holds %v against moments of %.3g N m", order, what, w, largest)
			}
		}
	}
}

// BenchmarkMutualStretches tells how many iterations robots take on which magnetised stretches act on one another: back to an
// equilibrium 1e-3 and 1e-5 rad away, and in a step of motion. Elements of order 4 take as many as those of order 2, unless the
// stretches bend the rod so far that what the tangent leaves out counts; in motion it never does.
func BenchmarkMutualStretches(b *testing.B) {
	for _, c := range []struct {
		young float64
		order int
	}{{2e6, 2}, {2e6, 4}, {3e5, 4}, {1e5, 4}} {
		b.Run(fmt.Sprintf("E=%g/order=%d", c.young, c.order), func(b *testing.B) {
			f := threeStretches(b, 20, c.order)
			f.Rod.YoungsModulus, f.Rod.ShearModulus = c.young, 0.35*c.young
			still, kicks, took := implicitOf(b, f), [...]float64{1e-3, 1e-5}, [2]int{}
			if err := still.Model.Equilibrate(); err != nil {
				b.Fatal(err)
			}
			moving := newModel(b, f)
			for b.Loop() {
				for i, kick := range kicks {
					for k := range still.System.State.Strain {
						still.System.State.Strain[k].Angular.X += kick
						still.System.State.Strain[k].Angular.Y -= kick
					}
					still.System.State.UpdatePoses()
					still.System.UpdateKinematics()
					if err := still.Model.Equilibrate(); err != nil {
						b.Fatal(err)
					}
					took[i] = still.Report().Iterations
				}
				step(b, moving, 1e-3, 1)
			}
			for i, kick := range kicks {
				b.ReportMetric(float64(took[i]), fmt.Sprintf("iterations/%g-rad", kick))
			}
			b.ReportMetric(gaugeOf(moving, "newton_iterations_mean"), "iterations/step")
		})
	}
}
