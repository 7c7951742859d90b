package rigid_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// viscous is a linear resistance at low Reynolds number with coupling of translation and
// rotation, and gravity.
type viscous struct {
	rigid.Constant
	resistance spatial.Mat6
}

func newViscous(b *rigid.Body, scale float64) viscous {
	trans := spatial.Diag3(spatial.Vec{X: 1, Y: 1.5, Z: 2}).Scale(scale)
	turn := spatial.Mat3{XX: 0.3, XY: 0.02, YX: 0.02, YY: 0.4, ZZ: 0.5}.Scale(scale)
	couple := spatial.Mat3{XY: 0.05, YX: -0.03, ZZ: 0.1}.Scale(scale)
	return viscous{
		rigid.Constant{Body: b, Gravity: spatial.Vec{Z: -9.81}, World: spatial.Wrench{Moment: spatial.Vec{X: 0.2, Y: -0.1}}},
		spatial.Blocks6(trans, couple, couple.T(), turn),
	}
}

func (v viscous) Wrench(t float64, x integrate.Motion) spatial.Wrench {
	f := v.Constant.Wrench(t, x)
	u := spatial.Vec6Of(x.V.Linear, x.V.Angular)
	d := v.resistance.Apply(&u)
	return spatial.Wrench{Force: f.Force.Sub(d.Linear()), Moment: f.Moment.Sub(d.Angular())}
}

func (v viscous) Damping(float64, integrate.Motion) (spatial.Mat6, bool) { return v.resistance, true }

func (v viscous) VelocityIndependent() bool { return false }

// viscousMethods are all formulations of a body with drag.
func viscousMethods(b *rigid.Body, v viscous, anchor spatial.Vec) map[string]integrate.Stepper {
	all := map[string]integrate.Stepper{"splitting": integrate.NewSplitting(rigid.System[viscous]{b, v})}
	add := func(name string, trapezoidal, alpha integrate.Stepper, err error) {
		if err != nil {
			panic(err)
		}
		all["trapezoidal "+name], all["generalized-alpha "+name] = trapezoidal, alpha
	}
	{
		s := rigid.Inertial[viscous]{b, v, anchor}
		m, err := integrate.NewGeneralizedAlpha(s, 0.8)
		add("inertial", integrate.NewTrapezoidal(s), m, err)
	}
	{
		s := rigid.NewRotationVector(b, v, anchor)
		m, err := integrate.NewGeneralizedAlpha(s, 0.8)
		add("rotation vector", integrate.NewTrapezoidal(s), m, err)
	}
	{
		s := rigid.NewEulerParameters(b, v, anchor)
		m, err := integrate.NewGeneralizedAlpha(s, 0.8)
		add("Euler parameters", integrate.NewTrapezoidal(s), m, err)
	}
	{
		s := rigid.NewTaitBryan(b, v, anchor)
		m, err := integrate.NewGeneralizedAlpha(s, 0.8)
		add("Tait-Bryan", integrate.NewTrapezoidal(s), m, err)
	}
	return all
}

// With drag all methods of second order meet CG4, by their order.
func TestDrag(t *testing.T) {
	for _, pivot := range []*spatial.Vec{nil, {X: 0.1, Y: -0.2, Z: 0.15}} {
		p := rigid.Asymmetric()
		p.Pivot = pivot
		b := rigid.MustBody(t, p)
		v, anchor := newViscous(b, 1), spatial.Vec{X: 1, Y: 2, Z: 3}
		start := b.Hold(rigid.Tumble(), anchor)
		const duration = 0.3
		want := rigid.March(t, integrate.NewCG4(&integrate.CG4, rigid.System[viscous]{b, v}), duration/3000, 3000, start)
		fine := viscousMethods(b, v, anchor)
		for name, m := range viscousMethods(b, v, anchor) {
			coarse := off(rigid.March(t, m, duration/150, 150, start), want)
			d := off(rigid.March(t, fine[name], duration/300, 300, start), want)
			if order := math.Log2(coarse / d); math.Abs(order-2) > 0.1 || d > 5e-5 {
				t.Errorf("%s, pivot %v: off by %.3g, order %.2f", name, pivot, d, order)
			}
		}
	}
}

// Drag that stops the body in a ten-thousandth of a step is no trouble for implicit steps:
// with its derivative in the tangent they take few iterations. After 1 s the body sinks as
// its mobility says.
func TestStiffDrag(t *testing.T) {
	const scale, h, mostIterations = 1e5, 0.01, 6
	b := rigid.MustBody(t, rigid.Diagonal(2, [3]float64{0.1, 0.2, 0.25}))
	v := newViscous(b, scale)
	for name, m := range viscousMethods(b, v, spatial.Vec{}) {
		if name == "splitting" || name[:4] == "trap" { // explicit drag; no damping of what is stiff
			continue
		}
		x, most := rigid.Still(), 0
		for i := range 100 {
			report, err := m.Step(float64(i)*h, h, &x)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			most = max(most, report.Iterations)
		}
		if most > mostIterations {
			t.Errorf("%s: %d iterations", name, most)
		}
		// quasi-static: resistance × twist = load
		f := v.Constant.Wrench(0, x)
		rhs := spatial.Vec6Of(f.Force, f.Moment)
		want := solve6(t, v.resistance, rhs)
		got := spatial.Vec6Of(x.V.Linear, x.V.Angular)
		for i := range got {
			rigid.Near(t, name+" twist", got[i], want[i], 1e-6*2*9.81/scale)
		}
	}
}

func solve6(t *testing.T, a spatial.Mat6, b spatial.Vec6) spatial.Vec6 {
	t.Helper()
	if !integrate.SolveDense(a[:], b[:]) {
		t.Fatal("singular resistance")
	}
	return b
}

// Overdamped motion is the limit of vanishing mass, to first order in it: a tenth of the
// mass, a tenth of the distance.
func TestOverdampedLimit(t *testing.T) {
	drift := func(mass float64) spatial.Vec {
		b := rigid.MustBody(t, rigid.Diagonal(mass, [3]float64{0.1 * mass, 0.2 * mass, 0.25 * mass}))
		v := newViscous(b, 1)
		v.Gravity = spatial.Vec{Z: -1 / mass} // the same weight for every mass
		m, err := integrate.NewGeneralizedAlpha(rigid.NewRotationVector(b, v, spatial.Vec{}), 0.8)
		if err != nil {
			t.Fatal(err)
		}
		return rigid.March(t, m, 1e-3, 1000, rigid.Still()).P
	}
	overdamped := func() spatial.Vec {
		v := newViscous(rigid.MustBody(t, rigid.Diagonal(1, [3]float64{1, 1, 1})), 1)
		v.Gravity = spatial.Vec{Z: -1}
		s := creep{t, v}
		x := integrate.Placement{Q: spatial.IdentityQuat()}
		for i := range 1000 {
			x = integrate.RKMK4(s, float64(i)*1e-3, 1e-3, x)
		}
		return x.P
	}()
	a, b := drift(1e-2).Sub(overdamped).Norm(), drift(1e-3).Sub(overdamped).Norm()
	t.Logf("distance from the overdamped path: %.3g at 10 g, %.3g at 1 g", a, b)
	if ratio := a / b; math.Abs(ratio-10) > 1 {
		t.Errorf("distances %.3g and %.3g, ratio %.3g, want 10", a, b, ratio)
	}
}

// creep is the overdamped body: its drag balances its load.
type creep struct {
	t *testing.T
	v viscous
}

func (c creep) Velocity(t float64, x integrate.Placement) (v, w spatial.Vec) {
	f := c.v.Constant.Wrench(t, integrate.Motion{Placement: x})
	u := solve6(c.t, c.v.resistance, spatial.Vec6Of(f.Force, f.Moment))
	return x.Q.Apply(u.Linear()), u.Angular()
}
