package magnetics_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// Soft magnets where MIME is right: linear, or saturated along an axis. It takes the
// susceptibility as infinite.
func TestSoftMagnetOfMIME(t *testing.T) {
	var golden mime
	magnetics.Read(t, "mime.json", &golden)
	if len(golden.Soft) != 4 {
		t.Fatalf("%d golden soft magnets", len(golden.Soft))
	}
	for _, g := range golden.Soft {
		ms := g.MSat
		if ms == 0 {
			ms = math.Inf(1)
		}
		r, err := magnetics.SoftEllipsoid(g.Volume, math.Inf(1), ms, spatial.Vec{X: g.Axial, Y: g.Radial, Z: g.Radial})
		if err != nil {
			t.Fatal(err)
		}
		rot := spatial.Quat{W: g.Q[0], X: g.Q[1], Y: g.Q[2], Z: g.Q[3]}.Rot()
		b := magnetics.Vec(g.B)
		m := rot.Apply(r.Moment(rot.ApplyT(b)))
		magnetics.NearVec(t, "moment", m.Scale(1/g.Volume), magnetics.Vec(g.Moment), 1e-12*magnetics.Vec(g.Moment).Norm())
		w := magnetics.Load(m, b, magnetics.Gradient{})
		magnetics.NearVec(t, "torque", w.Moment, magnetics.Vec(g.Torque), 1e-12*g.Volume*magnetics.Vec(g.Moment).Norm()*b.Norm())
		magnetics.NearVec(t, "force", w.Force, magnetics.Vec(g.Force), 0)
	}
}

// demag2 are the demagnetisation factors of a prolate spheroid of aspect ratio 2.
var demag2 = spatial.Vec{X: 0.173563997533964, Y: 0.413218001233018, Z: 0.413218001233018}

// Check numbers of reference/microrobot.md for that spheroid, 1e-15 m³, field at 45°
// to the axis: linear for χ = 1e4 and ∞, and saturated (Abbott 2007).
func TestSoftMagnetNumbers(t *testing.T) {
	const volume, ms = 1e-15, 1.19e6
	at45 := func(b float64) spatial.Vec { return spatial.Vec{X: b * math.Sqrt2 / 2, Y: b * math.Sqrt2 / 2} }
	for _, k := range []struct {
		name           string
		chi, ms, b     float64
		moment, torque float64
		phi            float64 // of the moment from the long axis; 0: not given
		tol            float64
	}{
		{"linear, χ 1e4", 1e4, math.Inf(1), 0.01, 35145.46 * volume, 1.32847e-13, 0, 5e-6},
		{"linear, χ ∞", math.Inf(1), math.Inf(1), 0.01, 0, 1.32955e-13, 0, 5e-6},
		{"saturated 1 T", math.Inf(1), ms, 1, ms * volume, 2.010606e-10, 0.615625, 5e-7},
		{"saturated 2 T", math.Inf(1), ms, 2, ms * volume, 2.099173e-10, 0, 5e-7},
		{"far saturated", math.Inf(1), ms, 1e6, ms * volume, 2.132350e-10, 0, 5e-7},
	} {
		r, err := magnetics.SoftEllipsoid(volume, k.chi, k.ms, demag2)
		if err != nil {
			t.Fatal(err)
		}
		b := at45(k.b)
		m := r.Moment(b)
		if k.moment != 0 {
			near(t, k.name+": moment", m.Norm(), k.moment, k.tol*k.moment)
		}
		if k.phi != 0 {
			near(t, k.name+": angle", math.Atan2(m.Y, m.X), k.phi, k.tol)
		}
		near(t, k.name+": torque toward the long axis", m.Cross(b).Z, k.torque, k.tol*k.torque+1e-16*m.Norm()*b.Norm())
	}
}

// Abbott's equation for the angle of a saturated body of revolution, and the onset of
// saturation at Ms Na Nr/√(Na² sin²θ + Nr² cos²θ).
func TestSaturationOfRevolution(t *testing.T) {
	const ms = 1.19e6
	na, nr := demag2.X, demag2.Y
	r, _ := magnetics.SoftEllipsoid(1, math.Inf(1), ms, demag2)
	for _, th := range []float64{0, 0.1, math.Pi / 4, 1.2, math.Pi / 2} {
		s, c := math.Sincos(th)
		onset := ms * na * nr / math.Sqrt(na*na*s*s+nr*nr*c*c)
		for _, k := range []float64{0.5, 0.999999, 1.000001, 1.5, 10, 1e3} {
			h := k * onset
			m := r.Moment(spatial.Vec{X: magnetics.Mu0 * h * c, Y: magnetics.Mu0 * h * s})
			if k < 1 {
				near(t, "linear", m.Norm(), k*ms, 1e-9*ms)
				continue
			}
			near(t, "saturated", m.Norm(), ms, 1e-9*ms)
			phi := math.Atan2(m.Y, m.X)
			near(t, "angle equation", (nr-na)*ms*math.Sin(2*phi), 2*h*math.Sin(th-phi), 1e-8*h)
		}
	}
	if b := magnetics.Mu0 * ms * na * nr / math.Sqrt((na*na+nr*nr)/2); math.Abs(b-0.33841) > 5e-6 {
		t.Errorf("onset at 45° %.6g T, want 0.33841", b)
	}
}

// A triaxial body: the moment is the minimum of the energy among neighbours with the
// same bound.
func TestSaturationMinimisesEnergy(t *testing.T) {
	const ms = 1e6
	n := spatial.Vec{X: 0.156300698829271, Y: 0.267154040262005, Z: 0.576545260908724}
	r, err := magnetics.SoftEllipsoid(1, 50, ms, n)
	if err != nil {
		t.Fatal(err)
	}
	d := n.Add(spatial.Vec{X: 0.02, Y: 0.02, Z: 0.02})
	for _, h := range []spatial.Vec{{X: 1e5, Y: 2e5, Z: -1e5}, {X: 4e5, Y: 5e5, Z: 6e5}, {X: -1e4, Y: 2e6, Z: 1e6}} {
		energy := func(m spatial.Vec) float64 { return 0.5*m.Dot(d.Mul(m)) - m.Dot(h) }
		m := r.Moment(h.Scale(magnetics.Mu0))
		if m.Norm() > ms*(1+1e-12) {
			t.Errorf("|M| = %g A/m, above %g", m.Norm(), ms)
		}
		least := energy(m)
		for _, e := range []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: 1, Y: -1}, {Y: 1, Z: 1}, {X: 1, Z: -1}} {
			for _, s := range []float64{-100, 100} {
				other := m.AddScaled(s, e)
				if k := other.Norm(); k > ms {
					other = other.Scale(ms / k)
				}
				if energy(other) < least-1e-12*math.Abs(least) {
					t.Errorf("H = %v: energy at %v is below that of the moment %v", h, other, m)
				}
			}
		}
	}
}

// The bound on the stiffness holds, and is met by a permanent magnet.
func TestStiffness(t *testing.T) {
	soft, _ := magnetics.SoftEllipsoid(1e-15, 1e4, 1.19e6, demag2)
	hard := magnetics.Permanent(spatial.Vec{X: 3e-10, Y: 4e-10})
	for _, b := range []float64{1e-3, 0.1, 0.3, 0.6, 1} {
		for name, r := range map[string]*magnetics.Response{"soft": &soft, "hard": &hard} {
			torque := func(th float64) float64 {
				s, c := math.Sincos(th)
				f := spatial.Vec{X: b * c, Y: b * s}
				return r.Moment(f).Cross(f).Z
			}
			steepest := 0.0
			for th := 0.0; th < math.Pi; th += 0.001 {
				steepest = math.Max(steepest, math.Abs(torque(th+1e-6)-torque(th-1e-6))/2e-6)
			}
			if k := r.Stiffness(b); steepest > k*(1+1e-5) {
				t.Errorf("%s at %g T: slope %.4g above the bound %.4g", name, b, steepest, k)
			} else if (name == "hard" || b < 0.1) && steepest < 0.99*k {
				t.Errorf("%s at %g T: slope %.4g, the bound %.4g is loose", name, b, steepest, k)
			}
		}
	}
}

func TestSoftMagnetRefusals(t *testing.T) {
	inf := math.Inf(1)
	for _, k := range []struct {
		word            string
		volume, chi, ms float64
		n               spatial.Vec
	}{
		{"volume", 0, 1, inf, demag2}, {"susceptibility", 1, -1, inf, demag2}, {"saturation", 1, 1, 0, demag2},
		{"add up to 1", 1, 1, inf, spatial.Vec{X: 0.2, Y: 0.3, Z: 0.3}},
	} {
		_, err := magnetics.SoftEllipsoid(k.volume, k.chi, k.ms, k.n)
		refused(t, k.word, err, k.word)
	}
}

func TestResponsesDoNotAllocate(t *testing.T) {
	r, _ := magnetics.SoftEllipsoid(1e-15, 1e4, 1.19e6, demag2)
	var sum spatial.Vec
	if n := testing.AllocsPerRun(100, func() { sum = sum.Add(r.Moment(spatial.Vec{X: 1, Y: 1})) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
