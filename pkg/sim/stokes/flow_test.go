package stokes_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

func mustFlow(t testing.TB, u spatial.Vec, g spatial.Mat3, p []stokes.Poiseuille, w []stokes.Womersley) *stokes.Flow {
	t.Helper()
	f, err := stokes.NewFlow(u, g, p, w)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// attitude returns a rotation that takes the body x axis to p.
func attitude(p spatial.Vec) spatial.Mat3 {
	x := p.Unit()
	y := x.Perpendicular()
	return spatial.FromColumns(x, y, x.Cross(y))
}

// A spheroid in shear returns to its attitude after (2π/γ)(r + 1/r), whatever its
// orbit (Jeffery 1922).
func TestJefferyOrbit(t *testing.T) {
	const shear = 3.0
	flow := mustFlow(t, spatial.Vec{}, spatial.Mat3{XY: shear}, nil, nil)
	for _, r := range []float64{5, 0.3} {
		b := mustBody(t, mustEllipsoid(t, r, 1, 1), 1e-3)
		rate := func(p spatial.Vec) spatial.Vec {
			rot := attitude(p)
			a := flow.At(spatial.Vec{}, 0, &spatial.Mat3{})
			return rot.Apply(b.Advection(&rot, &a).Angular).Cross(p)
		}
		period := 2 * math.Pi / shear * (r + 1/r)
		for _, start := range []spatial.Vec{{Y: 1}, {X: 0.3, Y: 0.5, Z: 0.8}} {
			p0 := start.Unit()
			p, half := p0, spatial.Vec{}
			const n = 4000
			h := period / n
			for i := range n {
				k1 := rate(p)
				k2 := rate(p.AddScaled(h/2, k1))
				k3 := rate(p.AddScaled(h/2, k2))
				k4 := rate(p.AddScaled(h, k3))
				p = p.AddScaled(h/6, k1.Add(k4)).AddScaled(h/3, k2.Add(k3))
				if i == n/2-1 {
					half = p
				}
			}
			const order4 = 1e-8 // RK4 of 4000 steps
			stokes.Near(t, "after one orbit", stokes.FlatV(p), stokes.FlatV(p0), order4)
			// half an orbit is half a turn about z
			stokes.Near(t, "after half an orbit", stokes.FlatV(half), stokes.FlatV(spatial.Vec{X: -p0.X, Y: -p0.Y, Z: p0.Z}), order4)
		}
	}
}

// Any ellipsoid turning about its z axis in shear u = γy: Jeffery's eq. 42,
// φ' = −γ(a² sin²φ + b² cos²φ)/(a² + b²), φ the angle of its x axis.
func TestTriaxialEllipsoidInShear(t *testing.T) {
	const shear, a2, b2 = 2.0, 9.0, 4.0
	b := mustBody(t, mustEllipsoid(t, 3, 2, 0.7), 1e-3)
	amb := stokes.Ambient{Gradient: spatial.Mat3{XY: shear}}
	for _, phi := range []float64{0, 0.3, 1, 1.5, 3, 5} {
		rot := spatial.ExpRot(spatial.Vec{Z: phi})
		got := b.Advection(&rot, &amb)
		sin, cos := math.Sincos(phi)
		stokes.Near(t, "turns", stokes.FlatV(got.Angular), []float64{0, 0, -shear * (a2*sin*sin + b2*cos*cos) / (a2 + b2)}, 1e-14)
		if got.Linear != (spatial.Vec{}) {
			t.Errorf("drifts with %v", got.Linear)
		}
	}
}

// The moment on the body held still, by Jeffery's eq. 36.
func TestHeldEllipsoidFeelsJefferysMoment(t *testing.T) {
	const eta = 0.7
	b := mustBody(t, mustEllipsoid(t, 3, 2, 1), eta)
	one := spatial.Identity3()
	g := spatial.Mat3{YZ: 1.3, ZY: -0.4}
	m := b.Drag(&one, &stokes.Ambient{Gradient: g}, spatial.Twist{}).Moment
	n := stokes.Demagnetization(spatial.Vec{X: 3, Y: 2, Z: 1})
	e, vorticity := 0.5*(g.YZ+g.ZY), 0.5*(g.ZY-g.YZ)
	want := 16 * math.Pi * eta * 6 / (3 * (4*2*n.Y + 1*2*n.Z)) * ((4-1)*e + (4+1)*vorticity)
	stokes.Near(t, "moment", stokes.FlatV(m), []float64{want, 0, 0}, 1e-14)
}

// Held still in straining flow, a body with coupling feels the strain load of its
// shape, and let go it moves so that nothing is left of it.
func TestHeldBodyFeelsItsStrainLoad(t *testing.T) {
	rnd := stokes.NewRand()
	random := func() spatial.Mat3 {
		return spatial.FromColumns(stokes.RandVec(rnd), stokes.RandVec(rnd), stokes.RandVec(rnd))
	}
	s := stokes.Shape{Resistance: randResistance(t), Strain: stokes.StrainMap{random(), random(), random(), random()}}
	const eta = 0.3
	b := mustBody(t, s, eta)
	e := stokes.Symmetric(random())
	e = e.Sub(spatial.Identity3().Scale(e.Trace() / 3))
	one := spatial.Identity3()
	got := b.Drag(&one, &stokes.Ambient{Gradient: e}, spatial.Twist{})
	f, m := s.Strain.Apply(&e)
	stokes.Near(t, "load", stokes.FlatV(got.Force, got.Moment), stokes.FlatV(f.Scale(eta), m.Scale(eta)), roundoff6)
}

// Drag vanishes for the free body, and is the resistance in fluid at rest.
func TestDragIsRelative(t *testing.T) {
	b := mustBody(t, stokes.MustHelix(t, stokes.Coil{Length: 4, Radius: 1, Pitch: 2, WireRadius: 0.1}), 0.3)
	rnd := stokes.NewRand()
	rot := stokes.RandRot(rnd)
	g := spatial.Outer(stokes.RandVec(rnd), stokes.RandVec(rnd))
	g = g.Sub(spatial.Identity3().Scale(g.Trace() / 3))
	amb := stokes.Ambient{Velocity: stokes.RandVec(rnd), Gradient: g}
	free := b.Advection(&rot, &amb)
	still := spatial.Twist{Linear: spatial.Vec{X: 1, Y: 2}, Angular: spatial.Vec{Z: 3}}
	want := b.Resistance.Apply(still)
	f := b.Drag(&rot, &amb, spatial.Twist{Linear: free.Linear.Sub(still.Linear), Angular: free.Angular.Sub(still.Angular)})
	stokes.Near(t, "drag", stokes.FlatV(f.Force, f.Moment), stokes.FlatV(want.Force, want.Moment), 1e-12)
	// all turned together
	a := stokes.RandRot(rnd)
	turned := a.Mul(rot)
	again := b.Advection(&turned, &stokes.Ambient{Velocity: a.Apply(amb.Velocity), Gradient: a.Mul(amb.Gradient).MulT(a)})
	stokes.Near(t, "frame indifference", stokes.FlatV(again.Linear, again.Angular), stokes.FlatV(free.Linear, free.Angular), 1e-13)
}

// Faxén in Poiseuille flow: a sphere lags by (2/3) peak a²/R²; an ellipsoid moves
// with the mean over the points ±aᵢ, exact where the flow is quadratic.
func TestFaxenInPoiseuilleFlow(t *testing.T) {
	const peak, radius = 3.0, 5.0
	axis := spatial.Vec{X: 1, Y: 2, Z: -2}
	p := stokes.Poiseuille{Axis: axis, Center: spatial.Vec{X: 1}, Radius: radius, Peak: peak}
	flow := mustFlow(t, spatial.Vec{}, spatial.Mat3{}, []stokes.Poiseuille{p}, nil)
	off := axis.Unit().Perpendicular().Scale(2)
	x := p.Center.Add(axis).Add(off)
	ball := mustBody(t, mustEllipsoid(t, 1, 1, 1), 1e-3)
	one := spatial.Identity3()
	faxen := ball.Faxen(&one)
	got := flow.At(x, 0, &faxen)
	stokes.Near(t, "sphere", stokes.FlatV(got.Velocity), stokes.FlatV(axis.Unit().Scale(peak*(1-4/(radius*radius)-2./3/(radius*radius)))), 1e-14)

	rot := stokes.RandRot(stokes.NewRand())
	egg := mustBody(t, mustEllipsoid(t, 1, 0.5, 0.7), 1e-3)
	faxen = egg.Faxen(&rot)
	got = flow.At(x, 0, &faxen)
	mean := spatial.Vec{}
	for _, d := range []spatial.Vec{rot.Col1(), rot.Col2().Scale(0.5), rot.Col3().Scale(0.7)} {
		for _, s := range []float64{1, -1} {
			mean = mean.AddScaled(1./6, flow.At(x.AddScaled(s, d), 0, &spatial.Mat3{}).Velocity)
		}
	}
	stokes.Near(t, "ellipsoid", stokes.FlatV(got.Velocity), stokes.FlatV(mean), 1e-14)
	checkGradientOf(t, flow, x, 0, radius)
	if v := flow.At(p.Center.Add(off.Scale(3)), 0, &faxen); v != (stokes.Ambient{}) {
		t.Errorf("outside of the tube: %v", v)
	}
}

// checkGradientOf compares the gradient with differences of the velocity.
func checkGradientOf(t *testing.T, f *stokes.Flow, x spatial.Vec, time, size float64) {
	t.Helper()
	h := 2e-6 * size
	d := func(e spatial.Vec) spatial.Vec {
		a := f.At(x.AddScaled(h, e), time, &spatial.Mat3{})
		b := f.At(x.AddScaled(-h, e), time, &spatial.Mat3{})
		return a.Velocity.Sub(b.Velocity).Scale(0.5 / h)
	}
	want := spatial.FromColumns(d(spatial.Vec{X: 1}), d(spatial.Vec{Y: 1}), d(spatial.Vec{Z: 1}))
	got := f.At(x, time, &spatial.Mat3{}).Gradient
	stokes.Near(t, "gradient", stokes.Flat(got), stokes.Flat(want), 1e-8)
	if tr := got.Trace(); math.Abs(tr) > 1e-12*got.Col1().Norm() {
		t.Errorf("gradient has trace %g", tr)
	}
}

func TestFlowsAddUp(t *testing.T) {
	g := spatial.Mat3{XX: 1, YY: -3, ZZ: 2, XY: 0.5}
	p := stokes.Poiseuille{Axis: spatial.Vec{Z: 1}, Radius: 4, Peak: 2}
	w := stokes.Womersley{Axis: spatial.Vec{X: 1}, Radius: 3, Peak: 1, Frequency: 2, Kinematic: 1}
	all := mustFlow(t, spatial.Vec{Y: 7}, g, []stokes.Poiseuille{p, p}, []stokes.Womersley{w})
	x, faxen := spatial.Vec{X: 0.3, Y: 0.2, Z: -0.4}, spatial.Identity3().Scale(0.01)
	one := mustFlow(t, spatial.Vec{Y: 7}, g, nil, nil).At(x, 0.1, &faxen)
	two := mustFlow(t, spatial.Vec{}, spatial.Mat3{}, []stokes.Poiseuille{p}, nil).At(x, 0.1, &faxen)
	three := mustFlow(t, spatial.Vec{}, spatial.Mat3{}, nil, []stokes.Womersley{w}).At(x, 0.1, &faxen)
	got := all.At(x, 0.1, &faxen)
	stokes.Near(t, "velocity", stokes.FlatV(got.Velocity), stokes.FlatV(one.Velocity.AddScaled(2, two.Velocity).Add(three.Velocity)), 1e-14)
	stokes.Near(t, "gradient", stokes.Flat(got.Gradient), stokes.Flat(one.Gradient.Add(two.Gradient.Scale(2)).Add(three.Gradient)), 1e-14)
	if all.IsZero() || !(&stokes.Flow{}).IsZero() {
		t.Error("Still")
	}
}

func TestFlowErrors(t *testing.T) {
	_, err := stokes.NewFlow(spatial.Vec{}, spatial.Mat3{XX: 1}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "flow gradient has trace 1 1/s") {
		t.Errorf("got %v", err)
	}
	_, err = stokes.NewFlow(spatial.Vec{X: math.Inf(1)}, spatial.Mat3{}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("got %v", err)
	}
	_, err = stokes.NewFlow(spatial.Vec{}, spatial.Mat3{}, []stokes.Poiseuille{{Radius: -1, Axis: spatial.Vec{X: 1}}}, nil)
	if err == nil || !strings.Contains(err.Error(), "Poiseuille flow 0: stokes: radius is -1 m") {
		t.Errorf("got %v", err)
	}
	ok := stokes.Womersley{Axis: spatial.Vec{X: 1}, Radius: 1e-3, Peak: 0.04, Frequency: 1.1, Kinematic: 1e-6}
	for _, c := range []struct {
		change func(*stokes.Womersley)
		want   string
	}{
		{func(w *stokes.Womersley) { w.Axis = spatial.Vec{} }, "has no direction"},
		{func(w *stokes.Womersley) { w.Frequency = 0 }, "frequency is 0 Hz"},
		{func(w *stokes.Womersley) { w.Kinematic = 1e-20 }, "Womersley number is"},
		{func(w *stokes.Womersley) { w.Phase = math.NaN() }, "phase is NaN"},
		{func(w *stokes.Womersley) { w.Peak = math.NaN() }, "peak velocity is NaN"},
	} {
		w := ok
		c.change(&w)
		if _, err := stokes.NewFlow(spatial.Vec{}, spatial.Mat3{}, nil, []stokes.Womersley{w}); err == nil || !strings.Contains(err.Error(), "pulsatile flow 0: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q in it", err, c.want)
		}
	}
}
