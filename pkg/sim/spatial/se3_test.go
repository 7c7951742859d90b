package spatial_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/spatial"
)

// checkpoint is the tolerance of the high-precision numbers in testdata.
const checkpoint = 1e-14

// seriesError is the relative error of a′ in the numbers themselves: at
// θ = 0.496 they come from a series that ends at s⁵, ours at s⁷.
const seriesError = 6e-11

type se3Golden struct {
	ExpLog []struct {
		Xi   [6]float64
		R    [9]float64
		P    [3]float64
		LogR [3]float64 `json:"log_R"`
	} `json:"exp_log"`
	Tinv []struct {
		Xi    [6]float64
		AEven [9]float64 `json:"A_even"`
		BEven [9]float64 `json:"B_even"`
		A     float64    `json:"a"`
		C4    float64    `json:"c4"`
		App   float64    `json:"a_pp"`
	} `json:"tinv_even_blocks"`
}

func readGolden(t *testing.T) (g se3Golden) {
	t.Helper()
	b, err := os.ReadFile("testdata/se3.json")
	if err == nil {
		err = json.Unmarshal(b, &g)
	}
	if err != nil || len(g.ExpLog) == 0 || len(g.Tinv) == 0 {
		t.Fatalf("testdata/se3.json: %v, %d and %d cases", err, len(g.ExpLog), len(g.Tinv))
	}
	return g
}

func twistOf(x [6]float64) spatial.Twist {
	return spatial.Twist{spatial.Vec{x[0], x[1], x[2]}, spatial.Vec{x[3], x[4], x[5]}}
}

func TestExpAndLogCheckpoints(t *testing.T) {
	for _, c := range readGolden(t).ExpLog {
		x := twistOf(c.Xi)
		g := spatial.Exp(x)
		near(t, "R", flat3(g.R), c.R[:], 4e-16)
		near(t, "p", flatV(g.P), c.P[:], 4e-16)
		near(t, "Log", flatT(g.Log()), c.Xi[:], 3e-15)
		near(t, "LogStep", flatV(g.R.LogStep()), c.Xi[3:], 3e-15)
	}
}

func TestEvenBlocksCheckpoints(t *testing.T) {
	for _, c := range readGolden(t).Tinv {
		e := spatial.EvenOf(twistOf(c.Xi))
		near(t, "A", flat3(e.A), c.AEven[:], checkpoint)
		near(t, "B", flat3(e.B), c.BEven[:], checkpoint)
		near(t, "a", []float64{e.A0}, []float64{c.A}, checkpoint)
		near(t, "a′", []float64{e.A1}, []float64{-c.C4}, seriesError*math.Abs(c.C4))
		near(t, "a″", []float64{e.A2}, []float64{c.App}, 10*seriesError*math.Abs(c.App))
	}
}

func TestExpInvDiffAgainstDifferences(t *testing.T) {
	r := newRand()
	for _, a := range []float64{0, 1e-7, 0.1, 0.45, 0.55, 1.5, 2.8} {
		x := spatial.Twist{randVec(r, 1), randAxis(r).Scale(a)}
		eta := spatial.Twist{randVec(r, 1), randVec(r, 1)}
		at := func(h float64) []float64 {
			d := spatial.Twist{eta.Linear.Scale(h), eta.Angular.Scale(h)}
			return flatT(spatial.Exp(x).Mul(spatial.Exp(d)).Log())
		}
		p, m := at(diffStep), at(-diffStep)
		for i := range p {
			p[i] = (p[i] - m[i]) / (2 * diffStep)
		}
		near(t, "T⁻¹ η", flatT(spatial.ExpInvDiff(x, eta)), p, 20*diffTol)
	}
}

func TestPoseExpLogRoundTrip(t *testing.T) {
	r := newRand()
	for _, a := range angles {
		x := spatial.Twist{randVec(r, 1), randAxis(r).Scale(a)}
		near(t, "Log(Exp)", flatT(spatial.Exp(x).Log()), flatT(x), 1e-14)
	}
}

func TestAdjointsAreMorphismsAndKeepPower(t *testing.T) {
	r := newRand()
	for range 200 {
		g := spatial.Exp(spatial.Twist{randVec(r, 1), randVec(r, 1)})
		h := spatial.Exp(spatial.Twist{randVec(r, 1), randVec(r, 1)})
		x, y := spatial.Twist{randVec(r, 1), randVec(r, 1)}, spatial.Twist{randVec(r, 1), randVec(r, 1)}
		f := spatial.Wrench{randVec(r, 1), randVec(r, 1)}
		near(t, "Ad(gh)", flatT(g.Mul(h).Adjoint(x)), flatT(g.Adjoint(h.Adjoint(x))), 1e-13)
		near(t, "Ad⁻¹", flatT(g.AdjointInv(g.Adjoint(x))), flatT(x), 1e-14)
		c := g.CoadjointInv(g.Coadjoint(f))
		near(t, "coadjoint", append(flatV(c.Force), flatV(c.Moment)...), append(flatV(f.Force), flatV(f.Moment)...), 1e-14)
		power := func(f spatial.Wrench, x spatial.Twist) float64 {
			return f.Force.Dot(x.Linear) + f.Moment.Dot(x.Angular)
		}
		near(t, "power", []float64{power(g.Coadjoint(f), g.Adjoint(x))}, []float64{power(f, x)}, 1e-13)
		near(t, "power of ad", []float64{power(spatial.AdT(x, f), y)}, []float64{power(f, spatial.Ad(x, y))}, 1e-13)
		// g exp(x) g⁻¹ = exp(Ad(g) x)
		left, right := g.Mul(spatial.Exp(x)).Mul(g.Inv()), spatial.Exp(g.Adjoint(x))
		near(t, "conjugation R", flat3(left.R), flat3(right.R), 1e-13)
		near(t, "conjugation p", flatV(left.P), flatV(right.P), 1e-13)
	}
}
