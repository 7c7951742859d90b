package magnetics_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

type mime struct {
	Dipoles []struct {
		M, R, B [3]float64
		GradB   [3][3]float64
	} `json:"point_dipole"`
	Soft []struct {
		B      [3]float64
		Q      [4]float64
		Volume float64
		Axial  float64    `json:"n_axi"`
		Radial float64    `json:"n_rad"`
		MSat   float64    `json:"m_sat"`
		Moment [3]float64 `json:"m_lab"`
		Torque [3]float64
		Force  [3]float64
	} `json:"soft_magnet"`
}

// MIME-VER-110 and 111: field and gradient of a dipole at six points.
func TestDipole(t *testing.T) {
	var golden mime
	magnetics.Read(t, "mime.json", &golden)
	if len(golden.Dipoles) != 6 {
		t.Fatalf("%d golden dipoles", len(golden.Dipoles))
	}
	for _, g := range golden.Dipoles {
		d := magnetics.Dipole{Moment: magnetics.Vec(g.M), Position: spatial.Vec{X: 0.5, Y: -2, Z: 1}}
		b, grad := d.At(d.Position.Add(magnetics.Vec(g.R)))
		want := mat(g.GradB)
		// the origin of 2 m costs digits of the distance of 10 mm
		magnetics.NearVec(t, "field", b, magnetics.Vec(g.B), 1e-12*magnetics.Vec(g.B).Norm())
		magnetics.NearMat(t, "gradient", grad.Mat(), want, 1e-12*math.Abs(want.ZZ+want.XZ+want.YZ)+1e-12*magnetics.Vec(g.B).Norm()/magnetics.Vec(g.R).Norm())
	}
}

// MIME-VER-112: the Earth's field adds to that of a magnet.
func TestEarthFieldSuperposes(t *testing.T) {
	earth := magnetics.Linear{B: spatial.Vec{X: 2e-5, Z: -4.5e-5}}
	d := magnetics.Dipole{Moment: spatial.Vec{Z: 1}}
	p := spatial.Vec{X: 0.01, Y: 0.02, Z: 0.03}
	f := magnetics.Field{Linear: earth, Dipoles: []magnetics.Dipole{d}}
	b, g := f.At(p, nil)
	alone, grad := d.At(p)
	magnetics.NearVec(t, "sum", b.Sub(alone), earth.B, 1e-12)
	if g != grad {
		t.Errorf("gradient %v, want that of the dipole, %v", g, grad)
	}
}

// MIME-VER-130: a cylinder magnet is a dipole from afar, and by how much it is not
// from near (35 mm × 20 mm, N45; numbers computed for reference/microrobot.md).
func TestCylinderFarField(t *testing.T) {
	c := magnetics.Cylinder{Radius: 0.0175, Length: 0.02, Remanence: 1.35}
	near(t, "moment", c.Moment(), 20.67, 0.01)
	d := magnetics.Dipole{Moment: spatial.Vec{Z: c.Moment()}}
	for _, k := range []struct{ z, excess, tol float64 }{
		{0.05, 0.118, 5e-4}, {0.1, 0.027, 5e-4}, {0.15, 0.0117, 5e-5}, {0.2, 0.0065, 5e-5},
	} {
		b, _ := c.OnAxis(k.z)
		far, _ := d.At(spatial.Vec{Z: k.z})
		near(t, "dipole over cylinder", far.Z/b-1, k.excess, k.tol)
	}
	for _, z := range []float64{0.03, 0.1, -0.05} {
		_, slope := c.OnAxis(z)
		want := derivative(func(p spatial.Vec) spatial.Vec { b, _ := c.OnAxis(p.Z); return spatial.Vec{Z: b} }, spatial.Vec{Z: z}, 1e-4)
		near(t, "cylinder slope", slope, want.ZZ, 1e-7*math.Abs(slope))
	}
	d = magnetics.Dipole{Moment: spatial.Vec{Z: 20.67}}
	axial, _ := d.At(spatial.Vec{Z: 0.15})
	equatorial, _ := d.At(spatial.Vec{X: 0.15})
	near(t, "axial", axial.Z, 1.22489e-3, 5e-9)
	near(t, "equatorial", equatorial.Z, -0.612444e-3, 5e-10)
}

// MIME-VER-132: the field below a magnet leans more the further off its axis.
func TestTiltGrowsWithOffset(t *testing.T) {
	d := magnetics.Dipole{Moment: spatial.Vec{Z: 20.67}, Position: spatial.Vec{Z: 0.15}}
	last := -1.0
	for x := 0.0; x < 0.1; x += 0.01 {
		b, _ := d.At(spatial.Vec{X: x})
		tilt := math.Atan2(math.Abs(b.X), b.Z)
		if tilt <= last {
			t.Errorf("tilt %.3g rad at x = %g m, not above %.3g", tilt, x, last)
		}
		last = tilt
	}
}

// Closed forms of the pairs of coils, R = 50 mm, 100 turns, 1 A.
func TestCoilPairs(t *testing.T) {
	const r = 0.05
	h := magnetics.Helmholtz(r, 100)
	b0, slope := h.OnAxis(0)
	near(t, "Helmholtz", b0, 1.798352571146e-3, 1e-15)
	near(t, "Helmholtz slope", slope, 0, 1e-17)
	for _, k := range []struct{ z, excess, tol float64 }{{0.1, -1.139e-4, 5e-8}, {0.25, -4.198e-3, 5e-7}} {
		b, _ := h.OnAxis(k.z * r)
		near(t, "Helmholtz off centre", b/b0-1, k.excess, k.tol)
	}
	m := magnetics.Maxwell(r, 100)
	b0, slope = m.OnAxis(0)
	near(t, "Maxwell", b0, 0, 1e-18)
	near(t, "Maxwell slope", math.Abs(slope), 3.2234921731e-2, 1e-12)

	axis := spatial.Vec{X: 2, Y: -1, Z: 2}.Scale(1. / 3)
	f := m.Near(spatial.Vec{X: 1}, axis, 2)
	if _, err := magnetics.NewGradient(f.G.Mat()); err != nil {
		t.Error(err)
	}
	near(t, "gradient along the axis", axis.Dot(f.G.Apply(axis)), 2*slope, 1e-16)
	across := spatial.Vec{X: 1, Y: 2}.Unit()
	near(t, "gradient across", across.Dot(f.G.Apply(across)), -slope, 1e-16)
	b, _ := f.At(spatial.Vec{X: 1}.AddScaled(1e-3, axis))
	magnetics.NearVec(t, "field off centre", b, axis.Scale(2e-3*slope), 1e-16)
}

// u, v, n are right-handed for every axis, u as the robot file defines it.
func TestRotatingConvention(t *testing.T) {
	for _, k := range []struct {
		axis, u spatial.Vec
	}{
		{spatial.Vec{Z: 3}, spatial.Vec{X: 1}},
		{spatial.Vec{Z: -1}, spatial.Vec{X: 1}},
		{spatial.Vec{Y: 0.1}, spatial.Vec{X: 1}},
		{spatial.Vec{X: 2}, spatial.Vec{Y: 1}},
		{spatial.Vec{X: -1}, spatial.Vec{Y: 1}},
		{spatial.Vec{X: 0.9, Y: 0.1}, spatial.Vec{X: -0.9, Y: 8.1}.Unit()}, // |n·x| = 0.994
		{spatial.Vec{X: 1, Z: 1}, spatial.Vec{X: 1, Z: -1}.Unit()},
	} {
		n := k.axis.Unit()
		r, err := magnetics.NewRotating(k.axis, 2e-3, 5, 1e-3)
		if err != nil {
			t.Fatal(err)
		}
		magnetics.NearVec(t, "at phase 0", r.At(0), k.u.Scale(2e-3).Add(n.Scale(1e-3)), 1e-18)
		magnetics.NearVec(t, "at phase π/2", r.At(math.Pi/2), n.Cross(k.u).Scale(2e-3).Add(n.Scale(1e-3)), 1e-18)
	}
	if _, err := magnetics.NewRotating(spatial.Vec{}, 1e-3, 1, 0); err == nil {
		t.Error("an axis of no length was accepted")
	}
}

// The phase is the integral of the frequency: it does not jump when the frequency
// changes, and keeps its digits over hours.
func TestPhaseIsAccumulated(t *testing.T) {
	slow, _ := magnetics.NewRotating(spatial.Vec{Z: 1}, 1e-3, 3, 0)
	fast, _ := magnetics.NewRotating(spatial.Vec{Z: 1}, 1e-3, 7, 0)
	phase := 0.0
	for range 1000 {
		phase = slow.Advance(phase, 1e-3)
	}
	before := slow.At(phase)
	magnetics.NearVec(t, "at the change", fast.At(phase), before, 0)
	near(t, "after 1 s at 3 Hz", math.Remainder(phase, 2*math.Pi), 0, 1e-12)
	phase = 0
	for range 3_600_000 { // an hour at 1 kHz
		phase = fast.Advance(phase, 1e-3)
	}
	near(t, "after an hour at 7 Hz", phase, 0, 1e-9)
}

func TestGradientChecks(t *testing.T) {
	good := spatial.Mat3{XX: 0.1, XY: 0.02, XZ: -0.03, YX: 0.02, YY: -0.04, YZ: 0.05, ZX: -0.03, ZY: 0.05, ZZ: -0.06}
	g, err := magnetics.NewGradient(good)
	if err != nil {
		t.Fatal(err)
	}
	magnetics.NearMat(t, "round trip", g.Mat(), good, 1e-17)
	d := spatial.Vec{X: 1, Y: 2, Z: 3}
	magnetics.NearVec(t, "apply", g.Apply(d), good.Apply(d), 1e-15)
	near(t, "norm", g.Norm(), math.Sqrt(0.01+0.0016+0.0036+2*(0.0004+0.0009+0.0025)), 1e-16)

	bad := good
	bad.XY = 0.03
	_, err = magnetics.NewGradient(bad)
	refused(t, "asymmetric", err, "not symmetric", "0.01 T/m")
	bad = good
	bad.ZZ = 0.06
	_, err = magnetics.NewGradient(bad)
	refused(t, "with trace", err, "trace", "0.12 T/m", "-0.06")
	bad.ZZ = math.NaN()
	_, err = magnetics.NewGradient(bad)
	refused(t, "NaN", err, "finite")
	_, err = magnetics.NewGradient(spatial.Identity3()) // what MIME's own test uses
	refused(t, "identity", err, "trace")
}

func TestFieldLimit(t *testing.T) {
	if err := magnetics.CheckField("field", spatial.Vec{X: 0.6, Z: 0.8}); err != nil {
		t.Error(err)
	}
	refused(t, "5 mT given as 5", magnetics.CheckField("field.uniform_t", spatial.Vec{Y: 5}), "field.uniform_t", "5 T", "tesla", "0.005 T")
	refused(t, "infinity", magnetics.CheckField("field", spatial.Vec{Y: math.Inf(1)}), "finite")
	near1 := magnetics.Dipole{Moment: spatial.Vec{Z: 1}}
	refused(t, "dipole in place", near1.Check("dipole 1", spatial.Vec{}), "dipole 1", "same place")
	refused(t, "dipole too near", near1.Check("dipole 1", spatial.Vec{Z: 1e-3}), "dipole 1", "tesla")
	if err := near1.Check("dipole 1", spatial.Vec{Z: 0.1}); err != nil {
		t.Error(err)
	}
}
