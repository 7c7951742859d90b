package tendon

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// bowed is a bent, twisted and moving rod of scheme Corrected, and a tendon whose last disk is at
// the tip or before it.
func bowed(t *testing.T, atTip, transverse bool) (*staggered.State, *Corrected) {
	t.Helper()
	at := []float64{0.05, 0.125, 0.2}
	r := Rod(t, 10)
	if atTip {
		at = append(at, r.Length)
	}
	route, err := NewRoute(r, at, Holes{Offset: [2]float64{0.01, -0.004}})
	if err != nil {
		t.Fatal(err)
	}
	x := staggered.New(r, staggered.Options{Scheme: staggered.Corrected})
	random := rand.New(rand.NewPCG(7, 8))
	some := func(size float64) spatial.Vec {
		return spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(size)
	}
	for i := range x.Positions() {
		if i > 0 {
			x.Positions()[i] = x.Positions()[i].Add(some(0.003))
			x.Velocities()[i] = some(0.2)
		}
	}
	for e := range x.Directors() {
		Rotate(&x.Directors()[e], some(0.2))
		x.AngularVelocities()[e] = some(3)
	}
	return x, NewCorrected(route, x, transverse)
}

// The loads are the exact gradient of tension times length: their power is minus the tension times
// the rate, which is the derivative of the length. The base wrench balances that of the rod.
func TestCorrectedLoadIsTheGradientOfTheLength(t *testing.T) {
	const tension = 7
	for _, atTip := range []bool{false, true} {
		x, c := bowed(t, atTip, false)
		length, rate := c.Length(x)
		sum, from := 0.0, x.Base.Apply(c.base)
		for i := range c.nodes {
			sum, from = sum+c.holePosition(x, i).Sub(from).Norm(), c.holePosition(x, i)
		}
		if length != sum {
			t.Errorf("length %g m, the chords have %g m", length, sum)
		}
		moved := func(dt float64) float64 {
			y, d := bowed(t, atTip, false)
			for i := range y.Positions() {
				y.Positions()[i] = y.Positions()[i].AddScaled(dt, y.Velocities()[i])
			}
			for e := range y.Directors() {
				Rotate(&y.Directors()[e], y.AngularVelocities()[e].Scale(dt))
			}
			l, _ := d.Length(y)
			return l
		}
		const dt = 1e-6
		if want := (moved(dt) - moved(-dt)) / (2 * dt); !(math.Abs(rate-want) < 1e-8) {
			t.Errorf("tip %t: rate %g m/s, the derivative is %g", atTip, rate, want)
		}
		base := c.AddLoads(x, tension)
		power, force, moment := 0.0, spatial.Vec{}, spatial.Vec{}
		for i, f := range x.Forces() {
			power += f.Dot(x.Velocities()[i])
			force, moment = force.Add(f), moment.Add(x.Positions()[i].Sub(x.Base.P).Cross(f))
		}
		for e, m := range x.Couples() {
			power += m.Dot(x.AngularVelocities()[e])
			moment = moment.Add(x.Directors()[e].World(m))
		}
		if !(math.Abs(power+tension*rate) < 1e-12) {
			t.Errorf("tip %t: power %g W, want %g", atTip, power, -tension*rate)
		}
		if d := force.Sub(base.Force).Norm() + moment.Sub(base.Moment).Norm(); !(d < 1e-12) {
			t.Errorf("tip %t: the rod takes %v and %v, the base gives %v", atTip, force, moment, base)
		}
		if u := c.holePosition(x, 0).Sub(x.Base.Apply(c.base)).Unit().Scale(-tension); !(base.Force.Sub(u).Norm() < 1e-12) {
			t.Errorf("the base gives %v, want %v", base.Force, u)
		}
	}
}

// With transverse disks, all but the last one omit the force along their normal, and nothing else.
func TestCorrectedTransverse(t *testing.T) {
	x, c := bowed(t, true, true)
	y, plain := bowed(t, true, false)
	c.AddLoads(x, 7)
	plain.AddLoads(y, 7)
	last := len(c.nodes) - 1
	for i, k := range c.nodes {
		got, all := x.Forces()[k], y.Forces()[k]
		if i == last {
			if got != all {
				t.Errorf("the last disk takes %v of %v", got, all)
			}
			continue
		}
		dir := x.Directors()
		n := dir[k-1].D3.Add(dir[k].D3).Unit()
		if d := all.AddScaled(-all.Dot(n), n).Sub(got).Norm(); !(d < 1e-13) || !(math.Abs(all.Dot(n)) > 1e-3) {
			t.Errorf("disk %d takes %v of %v, normal %v", i, got, all, n)
		}
	}
}

// LengthRate is the derivative of the length of a tendon of an implicitly stepped rod, and
// BaseWrench the wrench of its first chord on the base plate.
func TestRateOfABundle(t *testing.T) {
	const nodes, dt = 5, 1e-6
	hole, other := spatial.Vec{X: 0.01}, spatial.Vec{Y: -0.008, Z: 0.001}
	b := NewBundle([]*Route{{Nodes: []int{2, 4}, Holes: []spatial.Vec{other, hole}, Base: hole}, {Nodes: []int{1, 4}, Holes: []spatial.Vec{hole, other}, Base: other}})
	s := strain.New(Rod(t, nodes-1), strain.Options{})
	random := rand.New(rand.NewPCG(9, 9))
	bend := make([]spatial.Vec6, nodes-1)
	for i := range bend {
		for k := range bend[i] {
			bend[i][k] = 0.05 * random.NormFloat64()
		}
	}
	s.MoveNodes(bend, 1)
	// a state has two poses, the strains of all levels, then lists of vectors by node: the second
	// has velocities, the fifth angular velocities
	state := make([]float64, s.StateLen())
	s.Save(state)
	lists := state[2*12+strain.HistoryLevels*6*(nodes-1):]
	for _, list := range []int{1, 4} {
		for k := 3; k < 3*nodes; k++ { // the base stands still
			lists[3*nodes*list+k] = random.NormFloat64()
		}
	}
	s.Restore(state)
	lengths := func(dt float64) []float64 {
		pose := make([]spatial.Pose, nodes)
		for i, g := range s.Pose {
			v := s.NodeTwist(i)
			pose[i] = spatial.Pose{R: spatial.ExpRot(v.Angular.Scale(dt)).Mul(g.R), P: g.P.AddScaled(dt, v.Linear)}
		}
		b.UpdateKinematics(pose)
		return []float64{b.Length(0), b.Length(1)}
	}
	after, before := lengths(dt), lengths(-dt)
	b.UpdateKinematics(s.Pose)
	for k := range after {
		if rate, want := b.LengthRate(k, s), (after[k]-before[k])/(2*dt); !(math.Abs(rate-want) < 1e-7*math.Abs(want)) || !(math.Abs(want) > 0.01) {
			t.Errorf("tendon %d: %g m/s, the length grows by %g m/s", k, rate, want)
		}
	}
	b.SetTension(0, 3)
	b.SetTension(1, 2)
	var want spatial.Wrench
	for k, arm := range []spatial.Vec{hole, other} {
		f := s.Base.R.ApplyT(b.paths[k][0].dir).Scale(b.TensionAt(k, 0))
		want.Force, want.Moment = want.Force.Add(f), want.Moment.Add(arm.Cross(f))
	}
	if got := b.BaseWrench(&s.Base); got.Force.Sub(want.Force).Norm()+got.Moment.Sub(want.Moment).Norm() > 1e-14 || b.Tendons() != 2 {
		t.Errorf("base wrench %v, want %v", got, want)
	}
}
