package strain

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// kernelTolerance is relative to the largest entry of a block or wrench.
const kernelTolerance = 1e-12

func twist(x [6]float64) spatial.Twist {
	return spatial.Twist{
		Linear:  spatial.Vec{X: x[0], Y: x[1], Z: x[2]},
		Angular: spatial.Vec{X: x[3], Y: x[4], Z: x[5]},
	}
}

func Wrench6(w spatial.Wrench) []float64 {
	v := spatial.Vec6Of(w.Force, w.Moment)
	return v[:]
}

// Within fails unless got equals want to tol of the largest entry of want.
func Within(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	scale, worst := 0.0, 0.0
	for i := range want {
		scale = math.Max(scale, math.Abs(want[i]))
		if d := math.Abs(got[i] - want[i]); !(d <= worst) {
			worst = d
		}
	}
	if !(worst <= tol*scale) {
		t.Errorf("%s = %.15g, want %.15g: off by %.3g, tolerance %.3g", what, got, want, worst, tol*scale)
	}
}

// nitinol is a wire with elements of 20 mm.
func nitinol(t *testing.T, elements int) *rod.Rod {
	t.Helper()
	r, err := rod.New(rod.Params{
		Length: 0.02 * float64(elements), Elements: elements, Section: rod.Circle(0.0005),
		Material: rod.Material{YoungsModulus: 60e9, ShearModulus: 60e9 / 2.6, Density: 6450, ShearCorrection: rod.CircleShearCorrection},
		Base:     spatial.IdentityPose(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type elementGolden struct {
	K, Sigma []float64
	Xi       [6]float64
	Energy   float64
	FA       []float64 `json:"f_a"`
	FB       []float64 `json:"f_b"`
	Tangent  struct {
		AA, AB, BA, BB [6][6]float64
	} `json:"tangent_exact"`
}

// skewPart is −½ [[0, [F]×], [[F]×, [C]×]], the skew part of a diagonal block.
func skewPart(f spatial.Wrench) spatial.Mat6 {
	s, c := spatial.Skew(f.Force).Scale(-0.5), spatial.Skew(f.Moment).Scale(-0.5)
	return spatial.Blocks6(spatial.Mat3{}, s, s, c)
}

// complete returns the full matrix whose symmetric part has the lower triangle
// of m and whose skew part is that of the wrench f.
func complete(m spatial.Mat6, f spatial.Wrench) []float64 {
	s := skewPart(f)
	for i := range 6 {
		for j := range i + 1 {
			low := m[6*i+j]
			m[6*i+j], m[6*j+i] = low+s[6*i+j], low+s[6*j+i]
		}
	}
	return m[:]
}

func flat(m [6][6]float64) (f []float64) {
	for _, r := range m {
		f = append(f, r[:]...)
	}
	return f
}

func TestElementCheckpoints(t *testing.T) {
	var g elementGolden
	b, err := os.ReadFile("testdata/element.json")
	if err == nil {
		err = json.Unmarshal(b, &g)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := nitinol(t, 1)
	e := newElement(r, 0, 0)
	Within(t, "K", []float64{r.Stiffness.Shear.X, r.Stiffness.Shear.Y, r.Stiffness.Shear.Z, r.Stiffness.Bend.X, r.Stiffness.Bend.Y, r.Stiffness.Bend.Z}, g.K, kernelTolerance)

	x := twist(g.Xi)
	ev := spatial.EvenOf(x)
	var k stiffness
	n, m := e.stressAndStiffness(&x, new(linearStrain), 0, nil, &k)
	Within(t, "σ", Wrench6(spatial.Wrench{Force: n, Moment: m}), g.Sigma, kernelTolerance)
	Within(t, "energy", []float64{e.energy(&x)}, []float64{g.Energy}, kernelTolerance)
	fa, fb := nodalWrenches(&ev, &x, n, m)
	Within(t, "f_a", Wrench6(fa), g.FA, kernelTolerance)
	Within(t, "f_b", Wrench6(fb), g.FB, kernelTolerance)

	var aa, ab, bb spatial.Mat6
	motion := spatial.Exp(x)
	k.tangent(&ev, &motion, &x, n, m, &fa, &fb, &aa, &ab, &bb)
	Within(t, "K_aa", complete(aa, fa), flat(g.Tangent.AA), kernelTolerance)
	Within(t, "K_ab", ab[:], flat(g.Tangent.AB), kernelTolerance)
	Within(t, "K_bb", complete(bb, fb), flat(g.Tangent.BB), kernelTolerance)
	for i := range 6 {
		for j := range 6 {
			Within(t, "K_ba", []float64{g.Tangent.BA[j][i]}, []float64{ab[6*i+j]}, 1e-9)
		}
	}
	// the moment rows are small compared with the force rows, so compare them separately
	full := complete(aa, fa)
	for i := range 6 {
		Within(t, "row of K_aa", full[6*i:6*i+6], g.Tangent.AA[i][:], kernelTolerance)
		Within(t, "row of K_ab", ab[6*i:6*i+6], g.Tangent.AB[i][:], kernelTolerance)
	}
}

func BenchmarkElement(b *testing.B) {
	for _, order := range []int{2, 4} {
		b.Run(fmt.Sprintf("order=%d", order), func(b *testing.B) { benchmarkElement(b, order) })
	}
}

func benchmarkElement(b *testing.B, order int) {
	r, _ := rod.New(rod.Params{Length: 0.02, Elements: 1, Order: order, Section: rod.Circle(0.0005),
		Material: rod.Material{YoungsModulus: 60e9, ShearModulus: 60e9 / 2.6, Density: 6450, ShearCorrection: 1}, Base: spatial.IdentityPose()})
	e := newElement(r, 0, 0)
	x := twist([6]float64{0.0004, -0.0003, 0.0201, 0.15, -0.10, 0.05})
	var aa, ab, bb spatial.Mat6
	var k stiffness
	var hat linearStrain
	var o condensedElement
	for b.Loop() {
		ev := spatial.EvenOf(x)
		if e.isLinear {
			e.condenseSlope(&x, &hat, 0, &o)
		}
		n, m := e.stressAndStiffness(&x, &hat, 0, &o, &k)
		fa, fb := nodalWrenches(&ev, &x, n, m)
		g := spatial.Exp(x)
		k.tangent(&ev, &g, &x, n, m, &fa, &fb, &aa, &ab, &bb)
	}
}
