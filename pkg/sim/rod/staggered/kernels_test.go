package staggered

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// originalTolerance is the relative agreement with PyElastica's kernels, over the largest entry of
// a field. An independent program reached 5e-14.
const originalTolerance = 1e-12

func ReadJSON(t testing.TB, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

type vectors [][3]float64

func (v vectors) at(i int) spatial.Vec { return spatial.Vec{X: v[i][0], Y: v[i][1], Z: v[i][2]} }

// rodState is a state in the golden files; the rows of directors are d1, d2, d3.
type rodState struct {
	Position, Velocity, Omega vectors
	Directors                 []vectors
}

func (s *rodState) set(x *State) {
	for k := range x.pos {
		x.pos[k], x.vel[k] = s.Position.at(k), s.Velocity.at(k)
	}
	for e := range x.dir {
		d := s.Directors[e]
		x.dir[e] = Directors{d.at(0), d.at(1), d.at(2)}
		x.omega[e] = s.Omega.at(e)
	}
}

type kernelsFile struct {
	Params struct {
		N   int     `json:"n_elements"`
		L   float64 `json:"base_length"`
		R   float64 `json:"base_radius"`
		Rho float64 `json:"density"`
		E   float64 `json:"youngs_modulus"`
		G   float64 `json:"shear_modulus"`
	}
	Damping struct {
		Constant float64 `json:"damping_constant"`
		Step     float64 `json:"time_step"`
	}
	Const struct {
		Mass, Volume []float64
		Lengths      []float64 `json:"rest_lengths"`
		J            vectors   `json:"J_diag"`
		Shear        []float64 `json:"shear_diag"`
		Bend         []float64 `json:"bend_diag"`
	}
	State0  rodState
	Kernels struct {
		Lengths, Dilatation []float64
		VoronoiDilatation   []float64 `json:"voronoi_dilatation"`
		Sigma, Kappa        vectors
		Stress              vectors `json:"internal_stress"`
		Couple              vectors `json:"internal_couple"`
		Forces              vectors `json:"internal_forces"`
		Torques             vectors `json:"internal_torques"`
	}
	Damper struct {
		Translational float64
		Rotational    []float64 `json:"rotational_per_axis"`
	}
}

func goldenRod(t testing.TB, f *kernelsFile, opt Options) *State {
	t.Helper()
	p := f.Params
	return Rod(t, rod.Params{
		Length: p.L, Elements: p.N, Section: rod.Circle(p.R),
		Material: rod.Material{YoungsModulus: p.E, ShearModulus: p.G, Density: p.Rho, ShearCorrection: rod.CircleShearCorrection, Law: rod.VolumePreserving},
		Base:     spatial.Pose{R: spatial.FromColumns(spatial.Vec{Z: 1}, spatial.Vec{Y: -1}, spatial.Vec{X: 1})},
	}, opt)
}

func Rod(t testing.TB, p rod.Params, opt Options) *State {
	t.Helper()
	r, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return New(r, opt)
}

func checkVectors(t *testing.T, what string, n int, got func(int) spatial.Vec, want vectors) {
	t.Helper()
	if len(want) != n {
		t.Fatalf("%s: %d values, want %d", what, n, len(want))
	}
	var scale, worst float64
	for i := range want {
		w := want.at(i)
		scale = math.Max(scale, math.Max(math.Abs(w.X), math.Max(math.Abs(w.Y), math.Abs(w.Z))))
		worst = math.Max(worst, got(i).Sub(w).Norm())
	}
	if !(worst <= originalTolerance*scale) {
		t.Errorf("%s: off by %.3g of the largest entry %.3g", what, worst/scale, scale)
	}
}

func checkNumbers(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= originalTolerance*math.Abs(want[i])) {
			t.Errorf("%s[%d] = %.17g, want %.17g", what, i, got[i], want[i])
		}
	}
}

func list(v spatial.Vec) []float64 { return []float64{v.X, v.Y, v.Z} }

func TestConstantsAreThoseOfPyElastica(t *testing.T) {
	var f kernelsFile
	ReadJSON(t, "kernels_n10.json", &f)
	x := goldenRod(t, &f, Options{Scheme: Original})
	checkNumbers(t, "mass", x.mass, f.Const.Mass)
	checkNumbers(t, "length", []float64{x.ElementLength}, f.Const.Lengths[:1])
	checkNumbers(t, "J", list(x.inertia[3]), f.Const.J[0][:])
	checkNumbers(t, "shear stiffness", list(x.Stiffness.Shear), f.Const.Shear)
	checkNumbers(t, "bending stiffness", list(x.Stiffness.Bend), f.Const.Bend)
	checkNumbers(t, "volume", []float64{x.Section.Area * x.ElementLength}, f.Const.Volume[:1])
}

func TestKernelsAreThoseOfPyElastica(t *testing.T) {
	var f kernelsFile
	ReadJSON(t, "kernels_n10.json", &f)
	x := goldenRod(t, &f, Options{Scheme: Original})
	f.State0.set(x)
	x.evaluate()
	k, n, l := &f.Kernels, f.Params.N, x.ElementLength
	checkNumbers(t, "length", x.length, k.Lengths)
	var stretch, voronoi []float64
	for e, s := range x.length {
		stretch = append(stretch, s/l)
		if e > 0 {
			voronoi = append(voronoi, (x.length[e-1]+s)/(2*l))
		}
	}
	checkNumbers(t, "dilatation", stretch, k.Dilatation)
	checkNumbers(t, "Voronoi dilatation", voronoi, k.VoronoiDilatation)
	checkVectors(t, "sigma", n, func(e int) spatial.Vec { return x.sigma[e] }, k.Sigma)
	checkVectors(t, "kappa", n-1, func(i int) spatial.Vec { return x.kappa[i] }, k.Kappa)
	checkVectors(t, "stress", n, func(e int) spatial.Vec { return x.Stiffness.Shear.Mul(x.sigma[e]) }, k.Stress)
	checkVectors(t, "couple", n-1, func(i int) spatial.Vec { return x.Stiffness.Bend.Mul(x.kappa[i]) }, k.Couple)
}

// A kick of 1 s adds the accelerations to the velocities, and so gives the internal loads: F = m a
// and T = J α/e.
func TestInternalLoadsAreThoseOfPyElastica(t *testing.T) {
	var f kernelsFile
	ReadJSON(t, "kernels_n10.json", &f)
	x := goldenRod(t, &f, Options{Scheme: Original})
	f.State0.set(x)
	x.nodesOriginal(1, 1)
	x.elementsOriginal(1, 1, false)
	checkVectors(t, "internal forces", f.Params.N+1, func(k int) spatial.Vec {
		return x.vel[k].Sub(f.State0.Velocity.at(k)).Scale(x.mass[k])
	}, f.Kernels.Forces)
	checkVectors(t, "internal torques", f.Params.N, func(e int) spatial.Vec {
		a := x.omega[e].Sub(f.State0.Omega.at(e))
		return x.inertia[e].Mul(a).Scale(x.ElementLength / x.length[e])
	}, f.Kernels.Torques)
}

func TestDamperFactorsAreThoseOfPyElastica(t *testing.T) {
	var f kernelsFile
	ReadJSON(t, "kernels_n10.json", &f)
	x := goldenRod(t, &f, Options{Scheme: Original, Damping: Damping{Legacy: f.Damping.Constant, LegacyStep: f.Damping.Step}})
	checkNumbers(t, "translation", []float64{x.damper.translation(1)}, []float64{f.Damper.Translational})
	checkNumbers(t, "rotation", list(x.damper.legacySpin(1)), f.Damper.Rotational)
	for _, e := range []float64{0.3, 0.7, 0.98, 1.05, 1.2, 2.5} {
		got := x.damper.legacySpin(e)
		want := []float64{math.Pow(f.Damper.Rotational[0], e), math.Pow(f.Damper.Rotational[1], e), math.Pow(f.Damper.Rotational[2], e)}
		checkNumbers(t, "rotation of a stretched element", list(got), want)
	}
}

// An elliptic section uses the branch with one exponential per axis.
func TestLegacyDamperOfAnyInertia(t *testing.T) {
	var f kernelsFile
	ReadJSON(t, "kernels_n10.json", &f)
	x := goldenRod(t, &f, Options{Scheme: Corrected, Damping: Damping{Legacy: 0.1, LegacyStep: 1e-5}})
	i := x.LineInertia
	x.Rod.LineInertia = spatial.Vec{X: i.X, Y: 2 * i.X, Z: 3 * i.X}
	c := newDamper(x.Rod, x.opt.Damping)
	rate := x.ElementMass / x.ElementLength * 0.1 * 1e-5 / i.X
	checkNumbers(t, "factors", list(c.legacySpin(1.1)), []float64{math.Exp(-1.1 * rate), math.Exp(-1.1 * rate / 2), math.Exp(-1.1 * rate / 3)})
}
