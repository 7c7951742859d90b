package stokes_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

func TestHelixSwimsAlongItsAngularVelocity(t *testing.T) {
	c := stokes.Coil{Length: 20, Radius: 1, Pitch: 6, WireRadius: 1. / 16}
	right := stokes.MustHelix(t, c).Resistance
	c.LeftHanded = true
	left := stokes.MustHelix(t, c).Resistance
	if v := -right.Coupling.XX / right.Trans.XX; v < 0.2 || v > 0.3 {
		t.Errorf("right-handed: %g radii per radian, want 0.26", v)
	}
	// the mirror image in the xy plane: x and y translations keep their sign, of
	// rotations only that about z
	mirror := spatial.Vec{X: 1, Y: 1, Z: -1}
	turn := mirror.Neg()
	want := stokes.Resistance{
		Trans:    spatial.Diag3(mirror).Mul(right.Trans).Mul(spatial.Diag3(mirror)),
		Coupling: spatial.Diag3(mirror).Mul(right.Coupling).Mul(spatial.Diag3(turn)),
		Rot:      spatial.Diag3(turn).Mul(right.Rot).Mul(spatial.Diag3(turn)),
	}
	stokes.Near(t, "mirror image", stokes.FlatR(left), stokes.FlatR(want), 1e-10)
}

// A coil of hardly any radius is a rod. Tirado and García de la Torre, J. Chem.
// Phys. 71 (1979) 2581 and 73 (1980) 1986, fitted cylinders of p = length/diameter
// from 2 to 30.
func TestStretchedHelixIsARod(t *testing.T) {
	const p = 20.0
	const length = 2 * p
	s := stokes.MustHelix(t, stokes.Coil{Length: length, Radius: 2, Pitch: 2e5, WireRadius: 1})
	// about the middle of the wire, which passes y = 2
	r := s.Resistance.At(spatial.Vec{Y: 2})
	ln := math.Log(p)
	const ends = 0.035 // what the form of the ends makes
	stokes.Close1(t, "along", r.Trans.XX, 2*math.Pi*length/(ln-0.207+0.980/p-0.133/p/p), ends)
	stokes.Close1(t, "across", r.Trans.YY, 4*math.Pi*length/(ln+0.839+0.185/p+0.233/p/p), ends)
	stokes.Close1(t, "tumbling", r.Rot.ZZ, math.Pi*length*length*length/(3*(ln-0.662+0.917/p-0.050/p/p)), 0.055)
	stokes.Close1(t, "spinning", r.Rot.XX, 4*math.Pi*length, 0.03)
}

// In straining flow a rod turns as an ellipsoid of nearly the same slenderness: at
// almost the whole strain rate, the less the thicker it is. It does not drift.
func TestStretchedHelixTurnsWithStrain(t *testing.T) {
	const p = 20.0
	s := stokes.MustHelix(t, stokes.Coil{Length: 2 * p, Radius: 2, Pitch: 2e5, WireRadius: 1})
	b := mustBody(t, s, 1e-3)
	one := spatial.Identity3()
	// seen from the middle of the rod
	e := spatial.Mat3{XY: 1, YX: 1}
	got := b.Advection(&one, &stokes.Ambient{Gradient: e})
	if bretherton := got.Angular.Z; !(bretherton > 0.985 && bretherton < 1) {
		t.Errorf("turns at %g of the strain rate; an ellipsoid of this ratio at %g", bretherton, (p*p-1)/(p*p+1))
	}
	// the middle goes with the fluid there: u(y = 2) = (2, 0, 0)
	middle := got.Linear.Add(got.Angular.Cross(spatial.Vec{Y: 2}))
	stokes.Near(t, "middle", stokes.FlatV(middle), []float64{2, 0, 0}, 1e-6)
}

// Held still, a coil symmetric under half a turn about y feels in stretching flow
// along x no force along x or z and no moment about them.
func TestHelixStrainHasItsSymmetry(t *testing.T) {
	s := stokes.MustHelix(t, stokes.Coil{Length: 4, Radius: 1, Pitch: 3, WireRadius: 0.1})
	f, m := s.Strain.Apply(&spatial.Mat3{XX: 1, YY: -0.5, ZZ: -0.5})
	stokes.Near(t, "force", stokes.FlatV(f), []float64{0, f.Y, 0}, 1e-9)
	stokes.Near(t, "moment", stokes.FlatV(m), []float64{0, m.Y, 0}, 1e-9)
	if f.Y == 0 || m.Y == 0 {
		t.Error("nothing at all")
	}
}

func TestHelixGeometry(t *testing.T) {
	// two and a half turns: the centroid is off the axis
	c := stokes.Coil{Length: 5, Radius: 1, Pitch: 2, WireRadius: 0.05}
	s := stokes.MustHelix(t, c)
	long := 5 * math.Hypot(1, math.Pi)
	stokes.Close1(t, "volume", s.Volume, math.Pi*0.05*0.05*long, 1e-14)
	stokes.Near(t, "hull", stokes.Flat(s.Hull.Ellipsoid), stokes.Flat(spatial.Diag3(spatial.Vec{X: 2.55 * 2.55, Y: 1.05 * 1.05, Z: 1.05 * 1.05})), 1e-14)
	phi := 2.5 * math.Pi
	stokes.Near(t, "centroid", stokes.FlatV(s.Centroid), stokes.FlatV(spatial.Vec{Y: math.Sin(phi) / phi}), 1e-4)
	// about the axis: every point at the radius, and the section's own
	j := s.Inertia(1).XX / s.Volume
	if j < 1 || j > 1+0.05*0.05 {
		t.Errorf("radius of gyration squared about the axis %g", j)
	}
}

func TestHelixErrors(t *testing.T) {
	good := stokes.Coil{Length: 1e-4, Radius: 1e-5, Pitch: 4e-5, WireRadius: 1e-6}
	for _, c := range []struct {
		name   string
		change func(*stokes.Coil)
		want   string
	}{
		{"no length", func(c *stokes.Coil) { c.Length = 0 }, "length is 0 m"},
		{"thick wire", func(c *stokes.Coil) { c.WireRadius = 6e-6 }, "wire radius 6e-06 m is above half the helix radius 1e-05 m"},
		{"tight", func(c *stokes.Coil) { c.Pitch = 1e-6 }, "turns of the helix overlap"},
		{"long", func(c *stokes.Coil) { c.Length = 1 }, "it must be at most"},
		{"not a number", func(c *stokes.Coil) { c.Pitch = math.NaN() }, "pitch is NaN m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := good
			c.change(&bad)
			if _, err := stokes.Helix(bad); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

func BenchmarkHelix(b *testing.B) {
	for b.Loop() {
		stokes.MustHelix(b, stokes.Coil{Length: 20, Radius: 1, Pitch: 4, WireRadius: 1. / 16})
	}
}
