package stokes

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

func mustHelix(t testing.TB, c Coil) Shape {
	t.Helper()
	s, err := Helix(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The reference solves Lighthill's equations on segments as long as their cut-off.
// Halving the segments moves its coupling by 1.4 %, because those equations are
// ill-posed for short waves, its drag and torque by 0.4 %. Ours move by 0.1 %.
func TestHelixAgainstLighthill(t *testing.T) {
	var g struct {
		Rows []struct {
			Length float64 `json:"L_over_R"`
			Pitch  float64 `json:"lambda_over_R"`
			Wire   float64 `json:"a_over_R"`
			SBT    struct{ D, F, T float64 }
		}
	}
	readJSON(t, "helix_resistance.json", &g)
	if len(g.Rows) != 5 {
		t.Fatalf("%d rows", len(g.Rows))
	}
	for _, row := range g.Rows {
		c := Coil{Length: row.Length, Radius: 1, Pitch: row.Pitch, WireRadius: row.Wire}
		s := mustHelix(t, c)
		w := c.wire()
		r := s.Resistance
		close1(t, "drag", r.Trans.XX, row.SBT.D, 0.004)
		close1(t, "coupling", r.Coupling.XX, row.SBT.F, 0.012)
		// the reference leaves out the spin of the wire
		close1(t, "torque", r.Rot.XX-w.spin().XX, row.SBT.T, 0.004)
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestHelixSwimsAlongItsAngularVelocity(t *testing.T) {
	c := Coil{Length: 20, Radius: 1, Pitch: 6, WireRadius: 1. / 16}
	right := mustHelix(t, c).Resistance
	c.LeftHanded = true
	left := mustHelix(t, c).Resistance
	if v := -right.Coupling.XX / right.Trans.XX; v < 0.2 || v > 0.3 {
		t.Errorf("right-handed: %g radii per radian, want 0.26", v)
	}
	// the mirror image in the xy plane: x and y translations keep their sign, of
	// rotations only that about z
	mirror := spatial.Vec{X: 1, Y: 1, Z: -1}
	turn := mirror.Neg()
	want := Resistance{
		Trans:    spatial.Diag3(mirror).Mul(right.Trans).Mul(spatial.Diag3(mirror)),
		Coupling: spatial.Diag3(mirror).Mul(right.Coupling).Mul(spatial.Diag3(turn)),
		Rot:      spatial.Diag3(turn).Mul(right.Rot).Mul(spatial.Diag3(turn)),
	}
	near(t, "mirror image", flatR(left), flatR(want), 1e-10)
}

// The points converge, at first order because of the wire's ends: short coils, whose
// ends count most, across their axis.
func TestHelixConverges(t *testing.T) {
	c := Coil{Length: 10, Radius: 1, Pitch: 5, WireRadius: 0.1}
	axial := func(n int) []float64 {
		w := c.wire()
		w.length, w.n = w.step*float64(w.n), n
		w.step, w.advance = w.length/float64(n), c.Length/float64(n)
		w.turn = 2 * math.Pi * w.advance / c.Pitch
		l := w.solve()
		return []float64{l[0].Force.X, l[3].Force.X, l[3].Moment.X, l[1].Force.Y, l[4].Moment.Y, l[4].Force.Y}
	}
	n := c.wire().n
	best := axial(4 * n)
	got, coarser := axial(n), axial(n/2)
	for i := range best {
		close1(t, "fine", got[i], best[i], 5e-3)
		close1(t, "coarse", coarser[i], best[i], 1.1e-2)
		if i < 3 { // along the axis
			close1(t, "fine, along the axis", got[i], best[i], 2.5e-3)
		}
	}
}

// Block Levinson against the equations that it solves.
func TestToeplitzSolves(t *testing.T) {
	c := Coil{Length: 3, Radius: 1, Pitch: 2, WireRadius: 0.1}
	w := c.wire()
	k := w.kernel()
	s := newToeplitz(k)
	for i := range w.n {
		p, _ := w.point(i)
		s.extend(field(p))
	}
	for i := range w.n {
		p, _ := w.point(i)
		want := field(p)
		var got [motions]spatial.Vec
		for j := range w.n {
			m := k[max(i-j, j-i)]
			if j > i {
				m = m.T()
			}
			for n := range got {
				got[n] = got[n].Add(m.Apply(s.x[j][n]))
			}
		}
		near(t, "T x", flatV(got[:]...), flatV(want[:]...), 1e-10)
	}
}

// A coil of hardly any radius is a rod. Tirado and García de la Torre, J. Chem.
// Phys. 71 (1979) 2581 and 73 (1980) 1986, fitted cylinders of p = length/diameter
// from 2 to 30.
func TestStretchedHelixIsARod(t *testing.T) {
	const p = 20.0
	const length = 2 * p
	s := mustHelix(t, Coil{Length: length, Radius: 2, Pitch: 2e5, WireRadius: 1})
	// about the middle of the wire, which passes y = 2
	r := s.Resistance.At(spatial.Vec{Y: 2})
	ln := math.Log(p)
	const ends = 0.035 // what the form of the ends makes
	close1(t, "along", r.Trans.XX, 2*math.Pi*length/(ln-0.207+0.980/p-0.133/p/p), ends)
	close1(t, "across", r.Trans.YY, 4*math.Pi*length/(ln+0.839+0.185/p+0.233/p/p), ends)
	close1(t, "tumbling", r.Rot.ZZ, math.Pi*length*length*length/(3*(ln-0.662+0.917/p-0.050/p/p)), 0.055)
	close1(t, "spinning", r.Rot.XX, 4*math.Pi*length, 0.03)
}

// In straining flow a rod turns as an ellipsoid of nearly the same slenderness: at
// almost the whole strain rate, the less the thicker it is. It does not drift.
func TestStretchedHelixTurnsWithStrain(t *testing.T) {
	const p = 20.0
	s := mustHelix(t, Coil{Length: 2 * p, Radius: 2, Pitch: 2e5, WireRadius: 1})
	b := mustBody(t, s, 1e-3)
	one := spatial.Identity3()
	// seen from the middle of the rod
	e := spatial.Mat3{XY: 1, YX: 1}
	got := b.Advection(&one, &Ambient{Gradient: e})
	if bretherton := got.Angular.Z; !(bretherton > 0.985 && bretherton < 1) {
		t.Errorf("turns at %g of the strain rate; an ellipsoid of this ratio at %g", bretherton, (p*p-1)/(p*p+1))
	}
	// the middle goes with the fluid there: u(y = 2) = (2, 0, 0)
	middle := got.Linear.Add(got.Angular.Cross(spatial.Vec{Y: 2}))
	near(t, "middle", flatV(middle), []float64{2, 0, 0}, 1e-6)
}

// Held still, a coil symmetric under half a turn about y feels in stretching flow
// along x no force along x or z and no moment about them.
func TestHelixStrainHasItsSymmetry(t *testing.T) {
	s := mustHelix(t, Coil{Length: 4, Radius: 1, Pitch: 3, WireRadius: 0.1})
	f, m := s.Strain.Apply(&spatial.Mat3{XX: 1, YY: -0.5, ZZ: -0.5})
	near(t, "force", flatV(f), []float64{0, f.Y, 0}, 1e-9)
	near(t, "moment", flatV(m), []float64{0, m.Y, 0}, 1e-9)
	if f.Y == 0 || m.Y == 0 {
		t.Error("nothing at all")
	}
}

func TestHelixGeometry(t *testing.T) {
	// two and a half turns: the centroid is off the axis
	c := Coil{Length: 5, Radius: 1, Pitch: 2, WireRadius: 0.05}
	s := mustHelix(t, c)
	long := 5 * math.Hypot(1, math.Pi)
	close1(t, "volume", s.Volume, math.Pi*0.05*0.05*long, 1e-14)
	near(t, "extent", flat(s.Extent), flat(spatial.Diag3(spatial.Vec{X: 2.55 * 2.55, Y: 1.05 * 1.05, Z: 1.05 * 1.05})), 1e-14)
	phi := 2.5 * math.Pi
	near(t, "centroid", flatV(s.Centroid), flatV(spatial.Vec{Y: math.Sin(phi) / phi}), 1e-4)
	// about the axis: every point at the radius, and the section's own
	j := s.Inertia(1).XX / s.Volume
	if j < 1 || j > 1+0.05*0.05 {
		t.Errorf("radius of gyration squared about the axis %g", j)
	}
}

func TestHelixErrors(t *testing.T) {
	good := Coil{Length: 1e-4, Radius: 1e-5, Pitch: 4e-5, WireRadius: 1e-6}
	for _, c := range []struct {
		name   string
		change func(*Coil)
		want   string
	}{
		{"no length", func(c *Coil) { c.Length = 0 }, "length is 0 m"},
		{"thick wire", func(c *Coil) { c.WireRadius = 6e-6 }, "wire radius 6e-06 m is above half the helix radius 1e-05 m"},
		{"tight", func(c *Coil) { c.Pitch = 1e-6 }, "turns of the helix overlap"},
		{"long", func(c *Coil) { c.Length = 1 }, "it must be at most"},
		{"not a number", func(c *Coil) { c.Pitch = math.NaN() }, "pitch is NaN m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := good
			c.change(&bad)
			if _, err := Helix(bad); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

func BenchmarkHelix(b *testing.B) {
	for b.Loop() {
		mustHelix(b, Coil{Length: 20, Radius: 1, Pitch: 4, WireRadius: 1. / 16})
	}
}
