package stokes_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// Water at body temperature: the values of the reference notes.
const (
	waterViscosity = 8.5e-4
	bodyKT         = stokes.Boltzmann * 310.15
)

func TestDiffusionOfSpheres(t *testing.T) {
	for _, c := range []struct{ a, trans, rot float64 }{
		{0.5e-6, 5.345213e-13, 1.603564},
		{5e-6, 5.345213e-14, 1.603564e-3},
	} {
		s, err := stokes.Sphere(c.a)
		if err != nil {
			t.Fatal(err)
		}
		b := mustBody(t, s, waterViscosity)
		stokes.Close1(t, "translation", bodyKT*b.Mobility.Trans.XX, c.trans, 2e-7)
		stokes.Close1(t, "rotation", bodyKT*b.Mobility.Rot.ZZ, c.rot, 2e-7)
	}
}

// walk moves the body for n steps of h by thermal loads alone, as a Lie-Euler
// stepper does, and returns where it is and how it is turned.
func walk(b *stokes.Body, noise *stokes.Noise, kT, h float64, n int) (x spatial.Vec, q spatial.Quat) {
	q = spatial.IdentityQuat()
	for range n {
		v := b.Mobility.Apply(b.Thermal.ThermalWrench(noise, kT, h))
		x = x.AddScaled(h, q.Apply(v.Linear))
		q = q.Mul(spatial.ExpQuat(v.Angular.Scale(h)))
	}
	return x, q.Normalized()
}

// mean keeps the mean of a sample and its standard error.
type mean struct{ n, sum, squares float64 }

func (m *mean) add(v float64) { m.n++; m.sum += v; m.squares += v * v }

// near2SE fails unless the mean is within 2 standard errors of want, which 95 % of
// seeds do, and the scatter small enough to tell.
func (m *mean) near2SE(t *testing.T, what string, want, tell float64) {
	t.Helper()
	got := m.sum / m.n
	se := math.Sqrt((m.squares/m.n - got*got) / m.n)
	if !(math.Abs(got-want) <= 2*se) {
		t.Errorf("%s: %g, want %g: %.2f standard errors off", what, got, want, (got-want)/se)
	}
	if !(se <= tell*math.Abs(want)) {
		t.Errorf("%s: standard error %g of %g tells nothing", what, se, want)
	}
}

// Mean square displacement 6Dt, and ⟨cos θ⟩ = e^{−2 D_r t}.
func TestBrownianSphere(t *testing.T) {
	s, _ := stokes.Sphere(0.5e-6)
	b := mustBody(t, s, waterViscosity)
	const h, n, robots = 0.005, 40, 8000
	const time = h * n
	var msd, cos mean
	for i := range robots {
		noise := stokes.NewNoise(1, uint64(i))
		x, q := walk(b, &noise, bodyKT, h, n)
		msd.add(x.Norm2())
		cos.add(q.Apply(spatial.Vec{Z: 1}).Z)
	}
	msd.near2SE(t, "mean square displacement", 6*bodyKT*b.Mobility.Trans.XX*time, 0.01)
	cos.near2SE(t, "decorrelation", math.Exp(-2*bodyKT*b.Mobility.Rot.XX*time), 0.01)
}

// A spheroid's axis decorrelates by tumbling alone, and in the end it diffuses as
// fast every way: 6 mean(D) t, though its diffusion is not that of a sphere.
func TestBrownianSpheroid(t *testing.T) {
	b := mustBody(t, mustEllipsoid(t, 1e-6, 0.25e-6, 0.25e-6), waterViscosity)
	d := b.Mobility
	const h, n, robots = 0.002, 50, 8000
	const time = h * n
	var msd, cos mean
	for i := range robots {
		noise := stokes.NewNoise(2, uint64(i))
		x, q := walk(b, &noise, bodyKT, h, n)
		msd.add(x.Norm2())
		cos.add(q.Apply(spatial.Vec{X: 1}).X)
	}
	msd.near2SE(t, "mean square displacement", 2*bodyKT*d.Trans.Trace()*time, 0.01)
	cos.near2SE(t, "decorrelation", math.Exp(-2*bodyKT*d.Rot.YY*time), 0.01)
}

// A body with coupling moves with the covariance 2kT M, cross terms included.
func TestThermalWrenchIsCorrelated(t *testing.T) {
	r := randResistance(t)
	l, _ := r.Factor()
	m, err := r.Mobility()
	if err != nil {
		t.Fatal(err)
	}
	if m.Coupling.XX*m.Coupling.XX < 1e-3*m.Trans.XX*m.Rot.XX {
		t.Fatal("hardly any coupling to test")
	}
	const kT, h, samples = 0.7, 0.01, 40000
	noise := stokes.NewNoise(1, 1)
	sum := mat.NewSymDense(6, nil)
	for range samples {
		v := m.Apply(l.ThermalWrench(&noise, kT, h))
		sum.SymRankOne(sum, 1, mat.NewVecDense(6, stokes.FlatV(v.Linear, v.Angular)))
	}
	full := m.Matrix()
	worst := 0.0
	for i := range 6 {
		for j := range i + 1 {
			want := full[6*i+j]
			se := math.Sqrt((full[7*i]*full[7*j] + want*want) / samples)
			worst = max(worst, math.Abs(sum.At(i, j)/samples*h/(2*kT)-want)/se)
		}
	}
	if worst > 3 { // expected of 21 normal numbers: 2
		t.Errorf("an entry of the covariance is %.2f standard errors off", worst)
	}
}

// Above a floor a settling sphere keeps Boltzmann's distribution e^{−G(h−a)/kT},
// though its mobility changes with height: the midpoint scheme that ThermalWrench
// describes supplies the drift. Without, at the same step, the sphere sticks to the
// floor: mean height 0.15.
func TestBarometricHeightAboveAWall(t *testing.T) {
	const a, kT, g = 1.0, 1.0, 1.0 // scale height kT/g = a
	const h, eta = 0.2, 1 / (6 * math.Pi)
	w := stokes.MustWalls(t, floor, nil, 0)
	hull := stokes.Hull{Ellipsoid: spatial.Identity3()}
	weight := spatial.Wrench{Force: spatial.Vec{Z: -g}}
	var height mean
	const robots, steps, settle = 400, 600, 100
	for i := range robots {
		noise := stokes.NewNoise(5, uint64(i))
		x := spatial.Vec{Z: a + kT/g*-math.Log((float64(i)+0.5)/robots)} // from the distribution itself
		sum := 0.0
		for k := range steps {
			r := w.Resistance(x, a, eta)
			l, _ := r.Factor()
			load := l.ThermalWrench(&noise, kT, h)
			load.Force = load.Force.Add(weight.Force)
			m := w.Mobility(x, a, eta)
			half := w.PushOut(x.AddScaled(h/2, m.Apply(load).Linear), &hull)
			m = w.Mobility(half, a, eta)
			x = w.PushOut(x.AddScaled(h, m.Apply(load).Linear), &hull)
			if k >= settle {
				sum += x.Z - a
			}
		}
		height.add(sum / (steps - settle))
	}
	t.Logf("mean height %.4f over %d robots", height.sum/height.n, robots)
	height.near2SE(t, "mean height over the scale height", kT/g, 0.04)
}

func TestNoiseRepeats(t *testing.T) {
	a, b := stokes.NewNoise(7, 1), stokes.NewNoise(7, 1)
	for range 10 {
		if u, v := a.Vec(), b.Vec(); u != v {
			t.Fatalf("equal seeds give %v and %v", u, v)
		}
	}
	saved := a
	u := a.Normal()
	if v := saved.Normal(); u != v {
		t.Errorf("a copy continues with %g instead of %g", v, u)
	}
	other := stokes.NewNoise(7, 2)
	if other.Normal() == b.Normal() {
		t.Error("streams of one seed repeat each other")
	}
	// the generator is part of the contract: replays of old recordings rely on it
	first := stokes.NewNoise(1, 0)
	stokes.Near(t, "first numbers", []float64{first.Normal(), first.Normal()}, firstNormals[:], 1e-15)
}

func TestStepDoesNotAllocate(t *testing.T) {
	b := mustBody(t, stokes.MustHelix(t, stokes.Coil{Length: 4, Radius: 1, Pitch: 2, WireRadius: 0.1}), 0.3)
	flow := mustFlow(t, spatial.Vec{X: 1}, spatial.Mat3{XY: 1},
		[]stokes.Poiseuille{{Axis: spatial.Vec{X: 1}, Radius: 9, Peak: 1}},
		[]stokes.Womersley{{Axis: spatial.Vec{X: 1}, Radius: 9, Peak: 1, Frequency: 1, Kinematic: 1}})
	weight := stokes.NewWeight(3, spatial.Vec{X: 0.1}, &b.Shape, 1)
	noise := stokes.NewNoise(1, 2)
	rot := stokes.RandRot(stokes.NewRand())
	x := spatial.Vec{}
	stokes.NoAllocs(t, "step", func() {
		faxen := b.Faxen(&rot)
		a := flow.At(x, 0.1, &faxen)
		carried := b.Advection(&rot, &a)
		load := weight.Wrench(rot.ApplyT(spatial.Vec{Z: -9.8}))
		thermal := b.Thermal.ThermalWrench(&noise, 1, 1e-3)
		load.Force, load.Moment = load.Force.Add(thermal.Force), load.Moment.Add(thermal.Moment)
		v := b.Mobility.Apply(load)
		x = x.AddScaled(1e-9, v.Linear.Add(carried.Linear))
	})
}

func BenchmarkMobilityApply(b *testing.B) {
	body := mustBody(b, mustEllipsoid(b, 3, 2, 1), 1)
	l := spatial.Wrench{Force: spatial.Vec{X: 1}, Moment: spatial.Vec{Y: 1}}
	for b.Loop() {
		t := body.Mobility.Apply(l)
		l.Force.X += 1e-9 * t.Linear.X
	}
}

func BenchmarkThermalWrench(b *testing.B) {
	body := mustBody(b, mustEllipsoid(b, 3, 2, 1), 1)
	noise := stokes.NewNoise(1, 2)
	for b.Loop() {
		body.Thermal.ThermalWrench(&noise, 1, 1)
	}
}

func BenchmarkCarriedByShear(b *testing.B) {
	body := mustBody(b, mustEllipsoid(b, 3, 2, 1), 1)
	flow := mustFlow(b, spatial.Vec{}, spatial.Mat3{XY: 1}, nil, nil)
	rot := stokes.RandRot(stokes.NewRand())
	for b.Loop() {
		a := flow.At(spatial.Vec{}, 0, &spatial.Mat3{})
		body.Advection(&rot, &a)
	}
}

// firstNormals are the first numbers of NewNoise(1, 0).
var firstNormals = [2]float64{-0.8024826241110656, 0.424707052949676}
