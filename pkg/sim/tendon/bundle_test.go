package tendon

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// kernelTolerance is relative to the largest entry of a row.
const kernelTolerance = 1e-12

type segmentGolden struct {
	T, Length float64
	PA        [3]float64 `json:"p_a"`
	PB        [3]float64 `json:"p_b"`
	RA        [3]float64 `json:"r_a"`
	RB        [3]float64 `json:"r_b"`
	TurnA     [3]float64 `json:"rotvec_a"`
	TurnB     [3]float64 `json:"rotvec_b"`
	WA        [6]float64 `json:"w_a"`
	WB        [6]float64 `json:"w_b"`
}

func vec(a [3]float64) spatial.Vec { return spatial.Vec{X: a[0], Y: a[1], Z: a[2]} }

// within fails unless got equals want to tol of the largest entry of want.
func within(t *testing.T, what string, got, want []float64, tol float64) {
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

// complete returns the full matrix whose symmetric part has the lower triangle
// of m and whose skew part is that of the wrench f.
func complete(m spatial.Mat6, f spatial.Wrench) spatial.Mat6 {
	s, c := spatial.Skew(f.Force).Scale(-0.5), spatial.Skew(f.Moment).Scale(-0.5)
	k := spatial.Blocks6(spatial.Mat3{}, s, s, c)
	for i := range 6 {
		for j := range i + 1 {
			k[6*i+j] += m[6*i+j]
			if i != j {
				k[6*j+i] += m[6*i+j]
			}
		}
	}
	return k
}

// equations returns storage for n nodes and the coupling blocks of pairs.
func equations(n, pairs int) (q strain.Equations, pair []*spatial.Mat6) {
	q = strain.Equations{Wrench: make([]spatial.Wrench, n), Skew: make([]spatial.Wrench, n)}
	for range n {
		q.Diag = append(q.Diag, new(spatial.Mat6))
		q.Next = append(q.Next, new(spatial.Mat6))
	}
	for range pairs {
		pair = append(pair, new(spatial.Mat6))
	}
	return q, pair
}

func TestSegmentCheckpoint(t *testing.T) {
	var raw struct {
		segmentGolden
		KAA [6][6]float64 `json:"K_aa"`
		KAB [6][6]float64 `json:"K_ab"`
		KBB [6][6]float64 `json:"K_bb"`
	}
	data, err := os.ReadFile("testdata/segment.json")
	if err == nil {
		err = json.Unmarshal(data, &raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	g := raw.segmentGolden
	pose := []spatial.Pose{
		spatial.IdentityPose(),
		{R: spatial.ExpRot(vec(g.TurnA)), P: vec(g.PA)},
		{R: spatial.ExpRot(vec(g.TurnB)), P: vec(g.PB)},
	}
	b := NewBundle([]*Route{{Nodes: []int{1, 2}, Holes: []spatial.Vec{vec(g.RA), vec(g.RB)}, Base: spatial.Vec{X: 0.1}}})
	q, pair := equations(3, 2)
	b.chords[b.order[0][1]].tension = g.T // the chord from the base stays slack
	b.UpdateKinematics(pose)
	b.Assemble(pose, &q, pair)
	within(t, "length", []float64{b.chords[b.order[0][1]].length}, []float64{g.Length}, kernelTolerance)
	wa, wb := spatial.Vec6Of(q.Wrench[1].Force, q.Wrench[1].Moment), spatial.Vec6Of(q.Wrench[2].Force, q.Wrench[2].Moment)
	within(t, "w_a", wa[:], g.WA[:], kernelTolerance)
	within(t, "w_b", wb[:], g.WB[:], kernelTolerance)
	kaa, kbb, kab := complete(*q.Diag[1], q.Wrench[1]), complete(*q.Diag[2], q.Wrench[2]), pair[1]
	for i := range 6 {
		within(t, "K_aa", kaa[6*i:6*i+6], raw.KAA[i][:], kernelTolerance)
		within(t, "K_bb", kbb[6*i:6*i+6], raw.KBB[i][:], kernelTolerance)
		within(t, "K_ab", kab[6*i:6*i+6], raw.KAB[i][:], kernelTolerance)
	}
}

func TestTensionWrenches(t *testing.T) {
	r := [4]spatial.Vec{{X: 0.01}, {X: 0.008, Y: 0.001}, {X: 0.006, Y: 0.003}, {Y: 0.009, Z: 0.001}}
	b := NewBundle([]*Route{{Nodes: []int{1, 2, 4}, Holes: r[1:], Base: r[0]}})
	pose := make([]spatial.Pose, 5)
	g := spatial.IdentityPose()
	for i := range pose {
		pose[i] = g
		g = g.Mul(spatial.Exp(spatial.Twist{Linear: spatial.Vec{X: 0.001, Z: 0.02}, Angular: spatial.Vec{X: 0.2, Y: -0.1, Z: 0.05}}))
	}
	q, pair := equations(5, 3)
	b.SetTension(0, 3)
	b.UpdateKinematics(pose)
	b.Assemble(pose, &q, pair)
	grad := make([]spatial.Vec6, 4)
	b.AddTensionWrenches(0, pose, false, grad)
	for i := range grad {
		w := spatial.Vec6Of(q.Wrench[i+1].Force, q.Wrench[i+1].Moment)
		for j := range w {
			if d := math.Abs(w[j] + 3*grad[i][j]); !(d < 1e-14) {
				t.Errorf("node %d component %d: wrench %v, −T push %v", i+1, j, w[j], -3*grad[i][j])
			}
		}
	}
	if b.WeightedLength(0) != b.Length(0) {
		t.Errorf("without friction the reach is %v, the length %v", b.WeightedLength(0), b.Length(0))
	}
}
