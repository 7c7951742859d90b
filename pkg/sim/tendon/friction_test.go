package tendon

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// bent returns a tendon through three disks on an arc and the poses of its nodes. It turns by the
// same angle at both passed disks.
func bent(turn float64) (*Bundle, []spatial.Pose) {
	hole := spatial.Vec{X: 0.01}
	b := NewBundle([]*Route{{Nodes: []int{1, 2, 3}, Holes: []spatial.Vec{hole, hole, hole}, Base: hole}})
	pose := []spatial.Pose{spatial.IdentityPose()}
	for i := range 3 {
		pose = append(pose, pose[i].Mul(spatial.Exp(spatial.Twist{Linear: spatial.Vec{Z: 0.02}, Angular: spatial.Vec{Y: turn}})))
	}
	b.UpdateKinematics(pose)
	return b, pose
}

func tensions(b *Bundle, t float64) []float64 {
	b.SetTension(0, t)
	return []float64{b.TensionAt(0, 0), b.TensionAt(0, 1), b.TensionAt(0, 2)}
}

func TestSlidingFollowsTheCapstanLaw(t *testing.T) {
	const mu, turn = 0.3, 0.2
	b, _ := bent(turn)
	f := NewFriction(b, 0, mu, Bristle{1, 1e-5})
	e := math.Exp(mu * turn)
	f.SetSlidingShares(true)
	if rate := f.SlidingExponent(true); rate != -mu {
		t.Errorf("rate %g, want %g", rate, -mu)
	}
	within(t, "pull", tensions(b, 2), []float64{2, 2 / e, 2 / (e * e)}, 1e-14)
	f.SetSlidingShares(false)
	within(t, "release", tensions(b, 2), []float64{2, 2 * e, 2 * e * e}, 1e-14)
	f.ClearShares()
	within(t, "free", tensions(b, 2), []float64{2, 2, 2}, 0)
}

// held returns the tensions along the tendon for tension t at the base.
func held(f *Friction, t float64) []float64 {
	b := f.bundle
	b.SetTension(f.tendon, t)
	f.UpdateTensions()
	got := make([]float64, len(b.order[f.tendon]))
	for i := range got {
		got[i] = b.TensionAt(f.tendon, i)
	}
	return got
}

func TestBristlesStickSlipAndReverse(t *testing.T) {
	const mu, turn, displacement = 0.3, 0.2, 1e-5
	b, pose := bent(turn)
	f := NewFriction(b, 0, mu, Bristle{1, displacement})
	f.Begin(2)
	within(t, "unstrained", held(f, 2), []float64{2, 2, 2}, 0)

	// the end of the tendon approaches by z: both disks stick
	const z = 1e-6
	b.chords[b.order[0][2]].length -= z
	f.Commit()
	f.Begin(2)
	stick := 1 - math.Sinh(mu*turn)*z/displacement // a tenth of the limit at each disk, of the tension before it
	within(t, "sticking", held(f, 2), []float64{2, 2 * stick, 2 * stick * stick}, 1e-9)

	// much nearer: both slip toward the motor
	b.chords[b.order[0][2]].length -= 1e-3
	f.Commit()
	f.Begin(2)
	e := math.Exp(mu * turn)
	within(t, "slipping", held(f, 2), []float64{2, 2 / e, 2 / (e * e)}, 1e-12)

	// and back: they slip in the other direction, with the same history after Restore
	saved := make([]float64, f.StateLen())
	f.Save(saved)
	g := NewFriction(b, 0, mu, Bristle{1, displacement})
	g.Restore(saved)
	g.Begin(2)
	b.chords[b.order[0][2]].length += 2e-3
	g.Commit()
	g.Begin(2) // the limits of what came back hold from here on
	b.chords[b.order[0][2]].length += 1e-3
	within(t, "reversed", held(g, 2), []float64{2, 2 * e, 2 * e * e}, 1e-12)

	b.UpdateKinematics(pose)
	g.Begin(0)
	within(t, "slack", held(g, 0), []float64{0, 0, 0}, 0)
}

func TestTransverseForcesHaveNoNormalPart(t *testing.T) {
	b, pose := bent(0.2)
	b.SetTension(0, 3)
	q, pair := equations(4, 3)
	b.Assemble(pose, &q, pair)
	full := append([]spatial.Wrench(nil), q.Wrench...)
	b.OmitNormalForces(pose, q.Wrench)
	for i := 1; i <= 2; i++ { // the tendon passes nodes 1 and 2
		w := q.Wrench[i]
		if math.Abs(w.Force.Z) > 1e-15 || math.Abs(w.Moment.Y) > 1e-16 {
			t.Errorf("node %d: force %v, moment %v, want neither normal force nor its moment", i, w.Force, w.Moment)
		}
		if w.Force.X != full[i].Force.X {
			t.Errorf("node %d: transverse force %g changed from %g", i, w.Force.X, full[i].Force.X)
		}
	}
	if q.Wrench[3] != full[3] {
		t.Error("at its last disk a tendon pulls with all its force")
	}
}

func TestAllWrenchesOfATendonBalance(t *testing.T) {
	b, pose := bent(0.7)
	b.SetTension(0, 3)
	q, pair := equations(4, 3)
	b.Assemble(pose, &q, pair)
	var force, moment spatial.Vec
	for i, w := range q.Wrench {
		c := pose[i].Coadjoint(w)
		force, moment = force.Add(c.Force), moment.Add(c.Moment)
	}
	if force.Norm() > 1e-14 || moment.Norm() > 1e-15 {
		t.Errorf("a tendon is inside the robot, but its wrenches sum to %v, %v", force, moment)
	}
	base := b.BaseWrench(&pose[0])
	got, want := spatial.Vec6Of(base.Force, base.Moment), spatial.Vec6Of(q.Wrench[0].Force, q.Wrench[0].Moment)
	within(t, "base", got[:], want[:], 1e-14)
}

// A tendon sticks between the limits of sliding and slips at both. The bristle forces are the
// gradient of their energy, and a reverted step restores them.
func TestBristlesBetweenTheirLimits(t *testing.T) {
	const mu, turn, displacement = 0.3, 0.2, 1e-5
	b, _ := bent(turn)
	f := NewFriction(b, 0, mu, Bristle{1, displacement})
	copy(f.deflection, []float64{3e-6, -2e-6})
	f.Begin(2)
	length := &b.chords[b.order[0][2]].length
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
	within(t, "bristles after one step", f.deflection, []float64{7e-6, 2e-6}, 1e-9)
	before, after := make([]float64, f.StateLen()), make([]float64, f.StateLen())
	f.Save(before)
	f.Begin(1)
	f.Revert()
	f.Save(after)
	within(t, "a step that is given up", after, before, 0)
	other := NewFriction(b, 0, mu, Bristle{1, displacement})
	f.Begin(1) // sets the shares, which belong to the bundle
	other.Restore(before)
	other.Save(after)
	within(t, "a state restored", after, before, 0)
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
	b, _ := bent(turn)
	f := NewFriction(b, 0, mu, all...)
	f.Begin(tension)
	length := &b.chords[b.order[0][1]].length // beyond the first disk alone
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
		within(t, "first loading", []float64{drop(x)}, []float64{first(x)}, 1e-9)
	}
	top := drop(3e-5)
	back := drop(2e-5)
	inner := []float64{drop(2.5e-5), drop(2e-5), drop(3e-5)}
	within(t, "where the loop closes", inner[1:], []float64{back, top}, 1e-9)
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
	within(t, "shares", []float64{sum}, []float64{1}, 1e-15)
}

// With history, friction is that of sliding after a long motion and follows the deflections
// otherwise. It does not depend on the tension, and stays without normal force.
func TestSharesOfSlidingAndSticking(t *testing.T) {
	const mu, turn, displacement = 0.3, 0.2, 1e-5
	b, _ := bent(turn)
	f := NewFriction(b, 0, mu, Bristle{1, displacement})
	end, e := &b.chords[b.order[0][2]].length, math.Exp(mu*turn)
	f.commitDistalLengths()
	f.UpdateShares()
	within(t, "as it was put in", tensions(b, 2), []float64{2, 2, 2}, 0)
	*end -= 1e-3
	f.UpdateShares()
	within(t, "pulled far", tensions(b, 2), []float64{2, 2 / e, 2 / (e * e)}, 1e-14)
	f.CommitEquilibrium(2)
	bend := 2 / (e + 1) * displacement // where slipping begins
	within(t, "deflections that slip", f.deflection, []float64{bend, bend}, 1e-12)
	const back = 1.2e-5
	*end += back
	f.UpdateShares()
	stick := 1 - math.Sinh(mu*turn)*(bend-back)/displacement
	for _, tension := range []float64{1e-9, 2, 1e5} {
		within(t, "let go a little", tensions(b, tension), []float64{tension, tension * stick, tension * stick * stick}, 1e-9)
	}
	f.CommitEquilibrium(0)
	within(t, "deflections of a slack tendon", f.deflection, []float64{bend, bend}, 1e-12)
	*end += 1e-3
	f.UpdateShares()
	within(t, "let go far", tensions(b, 2), []float64{2, 2 * e, 2 * e * e}, 1e-14)
}
