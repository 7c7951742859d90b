package tendon

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

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
	q, pair := Equations(3, 2)
	b.paths[0][1].tension = g.T // the chord from the base stays slack
	b.UpdateKinematics(pose)
	b.Assemble(pose, &q, pair)
	Within(t, "length", []float64{b.paths[0][1].length}, []float64{g.Length}, kernelTolerance)
	wa, wb := spatial.Vec6Of(q.Wrench[1].Force, q.Wrench[1].Moment), spatial.Vec6Of(q.Wrench[2].Force, q.Wrench[2].Moment)
	Within(t, "w_a", wa[:], g.WA[:], kernelTolerance)
	Within(t, "w_b", wb[:], g.WB[:], kernelTolerance)
	kaa, kbb, kab := complete(*q.Diag[1], q.Wrench[1]), complete(*q.Diag[2], q.Wrench[2]), pair[1]
	for i := range 6 {
		Within(t, "K_aa", kaa[6*i:6*i+6], raw.KAA[i][:], kernelTolerance)
		Within(t, "K_bb", kbb[6*i:6*i+6], raw.KBB[i][:], kernelTolerance)
		Within(t, "K_ab", kab[6*i:6*i+6], raw.KAB[i][:], kernelTolerance)
	}
}

// held returns the tensions along the tendon for tension t at the base.
func held(f *Friction, t float64) []float64 {
	f.path.SetTension(t)
	f.UpdateTensions()
	got := make([]float64, len(f.path))
	for i := range got {
		got[i] = f.path.Tension(i)
	}
	return got
}

func TestBristlesStickSlipAndReverse(t *testing.T) {
	const mu, turn, displacement = 0.3, 0.2, 1e-5
	b, pose := Bent(turn)
	f := NewFriction(b.Path(0), Everywhere(mu), Bristle{1, displacement})
	f.Begin(2)
	Within(t, "unstrained", held(f, 2), []float64{2, 2, 2}, 0)

	// the end of the tendon approaches by z: both disks stick
	const z = 1e-6
	b.paths[0][2].length -= z
	f.Commit()
	f.Begin(2)
	stick := 1 - math.Sinh(mu*turn)*z/displacement // a tenth of the limit at each disk, of the tension before it
	Within(t, "sticking", held(f, 2), []float64{2, 2 * stick, 2 * stick * stick}, 1e-9)

	// much nearer: both slip toward the motor
	b.paths[0][2].length -= 1e-3
	f.Commit()
	f.Begin(2)
	e := math.Exp(mu * turn)
	Within(t, "slipping", held(f, 2), []float64{2, 2 / e, 2 / (e * e)}, 1e-12)

	// and back: they slip in the other direction, with the same history after Restore
	saved := make([]float64, f.StateLen())
	f.Save(saved)
	g := NewFriction(b.Path(0), Everywhere(mu), Bristle{1, displacement})
	g.Restore(saved)
	g.Begin(2)
	b.paths[0][2].length += 2e-3
	g.Commit()
	g.Begin(2) // the limits of what came back hold from here on
	b.paths[0][2].length += 1e-3
	Within(t, "reversed", held(g, 2), []float64{2, 2 * e, 2 * e * e}, 1e-12)

	b.UpdateKinematics(pose)
	g.Begin(0)
	Within(t, "slack", held(g, 0), []float64{0, 0, 0}, 0)
}

// A tendon sticks between the limits of sliding and slips at both. The bristle forces are the
// gradient of their energy, and a reverted step restores them.
func TestBristlesBetweenTheirLimits(t *testing.T) {
	const mu, turn, displacement = 0.3, 0.2, 1e-5
	b, _ := Bent(turn)
	f := NewFriction(b.Path(0), Everywhere(mu), Bristle{1, displacement})
	copy(f.deflection, []float64{3e-6, -2e-6})
	f.Begin(2)
	length := &b.paths[0][2].length
	for _, c := range []struct {
		nearer float64 // displacement of the tendon's end, m
		sticks bool
	}{{0, true}, {1e-6, true}, {-1e-6, true}, {5e-5, false}, {-5e-5, false}} {
		*length -= c.nearer
		at := held(f, 2)
		drops := []float64{at[0] - at[1], at[1] - at[2]}
		for j, d := range drops {
			if f.IsSticking(j) != c.sticks {
				t.Errorf("%g m nearer: disk %d sticks %t", c.nearer, j, !c.sticks)
			}
			limits := []float64{f.minDrop[j], f.maxDrop[j]}
			k := 0.0
			if c.sticks {
				k = (limits[1] - limits[0]) / (2 * displacement)
			}
			if f.StickStiffness(j) != k {
				t.Errorf("disk %d: stiffness %g N/m, want %g", j, f.StickStiffness(j), k)
			}
			if !c.sticks && math.Abs(d-limits[map[bool]int{false: 0, true: 1}[c.nearer > 0]]) > 1e-12 {
				t.Errorf("%g m nearer: disk %d holds %g N, limits %g", c.nearer, j, d, limits)
			}
		}
		const h = 1e-9
		*length += h
		rise := f.Potential()
		*length -= 2 * h
		rise -= f.Potential()
		*length += h
		if want := -(drops[0] + drops[1]); !(math.Abs(rise/(2*h)-want) < 1e-5) {
			t.Errorf("%g m nearer: the energy rises by %g N, the disks hold %g N", c.nearer, rise/(2*h), -want)
		}
		*length += c.nearer
	}
	*length -= 4e-6
	f.Commit()
	Within(t, "bristles after one step", f.deflection, []float64{7e-6, 2e-6}, 1e-9)
	before, after := make([]float64, f.StateLen()), make([]float64, f.StateLen())
	f.Save(before)
	f.Begin(1)
	f.Revert()
	f.Save(after)
	Within(t, "a step that is given up", after, before, 0)
	other := NewFriction(b.Path(0), Everywhere(mu), Bristle{1, displacement})
	f.Begin(1) // sets the shares, which belong to the bundle
	other.Restore(before)
	other.Save(after)
	Within(t, "a state restored", after, before, 0)
}

// Several bristles slip one after the other: the drop of tension over the motion of the tendon
// follows Masing's rules, and a small loop closes at its reversal point.
func TestBristlesFollowMasing(t *testing.T) {
	const mu, turn, tension = 0.3, 0.2, 2
	all := []Bristle{{2, 1e-5}, {1, 4e-5}, {1, 1e-4}}
	limit := tension * (1 - math.Exp(-mu*turn)) // toward the motor; times e^(mu turn) in the other direction
	first := func(x float64) (sum float64) {
		for _, b := range all {
			sum += b.Share / 4 * math.Sinh(mu*turn) * tension * min(1, x/b.Displacement)
		}
		return min(sum, limit)
	}
	b, _ := Bent(turn)
	f := NewFriction(b.Path(0), Everywhere(mu), all...)
	f.Begin(tension)
	length := &b.paths[0][1].length // beyond the first disk alone
	start := *length
	drop := func(x float64) float64 {
		*length = start - x
		held(f, tension)
		d := f.tensionDrop[0] + f.tensionDrop[1] + f.tensionDrop[2]
		f.Commit()
		f.Begin(tension)
		return d
	}
	for _, x := range []float64{2e-6, 5e-6, 8e-6} { // all stick
		Within(t, "first loading", []float64{drop(x)}, []float64{first(x)}, 1e-9)
	}
	top := drop(3e-5)
	back := drop(2e-5)
	inner := []float64{drop(2.5e-5), drop(2e-5), drop(3e-5)}
	Within(t, "where the loop closes", inner[1:], []float64{back, top}, 1e-9)
	const h = 1e-9
	pull := func(x float64) float64 {
		*length = start - x
		return tension - held(f, tension)[1]
	}
	for _, x := range []float64{2e-5, 3.2e-5, 6e-5, 1e-3} { // fewer and fewer stick, in the end none
		slope := (pull(x+h) - pull(x-h)) / (2 * h)
		if pull(x); !(math.Abs(f.StickStiffness(0)-slope) < 1e-5*(1+slope)) || f.IsSticking(0) != (slope > 1) {
			t.Errorf("at %g m the drop rises by %g N/m, the bristles that stick have %g; sticks: %t", x, slope, f.StickStiffness(0), f.IsSticking(0))
		}
	}
	if !(top-back > 1.5*(drop(4e-5)-top)) {
		t.Error("no loop: the way back is no stiffer than the way on")
	}
	if far := drop(1e-3); !(math.Abs(far/limit-1) < 1e-9) {
		t.Errorf("all slip at %g N, want %g", far, limit)
	}
	var sum float64
	for _, x := range f.Bristles {
		sum += x.Share
	}
	Within(t, "shares", []float64{sum}, []float64{1}, 1e-15)
}

// With history, friction is that of sliding after a long motion and follows the deflections
// otherwise. It does not depend on the tension, and stays without normal force.
func TestSharesOfSlidingAndSticking(t *testing.T) {
	const mu, turn, displacement = 0.3, 0.2, 1e-5
	b, _ := Bent(turn)
	f := NewFriction(b.Path(0), Everywhere(mu), Bristle{1, displacement})
	end, e := &b.paths[0][2].length, math.Exp(mu*turn)
	f.commitDistalLengths()
	f.UpdateShares(1)
	Within(t, "as it was put in", Tensions(b, 2), []float64{2, 2, 2}, 0)
	*end -= 1e-3
	f.UpdateShares(1)
	Within(t, "pulled far", Tensions(b, 2), []float64{2, 2 / e, 2 / (e * e)}, 1e-14)
	f.CommitEquilibrium(2)
	bend := 2 / (e + 1) * displacement // where slipping begins
	Within(t, "deflections that slip", f.deflection, []float64{bend, bend}, 1e-12)
	const back = 1.2e-5
	*end += back
	f.UpdateShares(1)
	stick := 1 - math.Sinh(mu*turn)*(bend-back)/displacement
	for _, tension := range []float64{1e-9, 2, 1e5} {
		Within(t, "let go a little", Tensions(b, tension), []float64{tension, tension * stick, tension * stick * stick}, 1e-9)
	}
	f.CommitEquilibrium(0)
	Within(t, "deflections of a slack tendon", f.deflection, []float64{bend, bend}, 1e-12)
	*end += 1e-3
	f.UpdateShares(1)
	Within(t, "let go far", Tensions(b, 2), []float64{2, 2 * e, 2 * e * e}, 1e-14)
}
