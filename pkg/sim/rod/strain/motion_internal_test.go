package strain

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// The base reaction balances the loads on all nodes and their inertia: the momentum balance of the
// whole rod.
func TestBaseReactionIsTheBalanceOfMomentum(t *testing.T) {
	OfOrders(t, testBaseReactionIsTheBalanceOfMomentum)
}

func testBaseReactionIsTheBalanceOfMomentum(t *testing.T, order int) {
	testBaseReaction(t, order, Everything)
	testBaseReaction(t, order, HistoryDependent())
}

func testBaseReaction(t *testing.T, order int, o Options) {
	const h, last = 0.01, 0.008
	s := Between(t, order, o, 2)
	f := integrate.NewBDF(2, h, last)
	// the levels before, which determine velocities and accelerations
	vel, pastVel, pos, past := slices.Clone(s.vel), slices.Clone(s.past.vel), slices.Clone(s.start.pos), slices.Clone(s.past.pos)
	omega, pastOmega := slices.Clone(s.omega), slices.Clone(s.past.omega)
	w := Assembled(s).Wrench
	rate, pastRate := slices.Clone(s.distributed.rate), slices.Clone(s.distributed.pastRate)
	tangents := make([]spatial.Vec, len(rate)) // t̂
	for i := range tangents {
		tangents[i] = f.Hat(s.frozen.rot[i].Col3(), s.frozen.rot[i].Mul(spatial.ExpRot(s.past.rotation[i].Neg())).Col3())
	}
	residual := slices.Clone(w)
	residual[0] = spatial.Wrench{}
	sumF, sumM := Total(s.Pose, residual)
	s.Commit()
	outer := make([]spatial.Wrench, len(s.Pose)) // external loads minus inertia
	lumped, excess := make([]float64, len(s.Pose)), make([][2]spatial.Vec, len(s.Pose))
	for i, g := range s.Pose {
		v := g.P.Sub(f.Hat(pos[i], past[i])).Scale(f.Gamma)
		if d := v.Sub(s.NodeTwist(i).Linear).Norm(); !(d < 1e-9) {
			t.Errorf("node %d: velocity off by %g m/s", i, d)
		}
		a := v.Sub(f.Hat(vel[i], pastVel[i])).Scale(f.Gamma)
		alpha := s.omega[i].Sub(f.Hat(omega[i], pastOmega[i])).Scale(f.Gamma)
		ahead := omega[i].AddScaled(0.7, omega[i].Sub(pastOmega[i]))
		j, l := s.inertia[i], &s.Loads[i]
		drag, turning := v.Scale(-o.Drag[i]-o.Quadratic[i]*v.Norm()), spatial.Vec{}
		if o.RotationalDrag != nil {
			turning = s.omega[i].Scale(-o.RotationalDrag[i])
		}
		lumped[i], excess[i][0] = s.NodeMass(i), Gravity.Sub(a)
		if order != 2 {
			excess[i][1] = g.R.Col3().Sub(tangents[i]).Scale(f.Gamma).Sub(f.Hat(rate[i], pastRate[i])).Scale(-f.Gamma)
		}
		outer[i] = spatial.Wrench{
			Force:  g.R.ApplyT(drag.Add(l.Force)).Add(l.Follower.Force),
			Moment: g.R.ApplyT(l.Moment).Add(l.Follower.Moment).Add(turning).Sub(j.Mul(alpha)).Sub(ahead.Cross(j.Mul(ahead))),
		}
	}
	outF, outM := Total(s.Pose, outer)
	for e, m := range s.distributed.elements {
		for k := range 4 {
			var force spatial.Vec // on p where k is even, else on t
			for l := range 4 {
				force = force.AddScaled(m[k][l], excess[e+l/2][l%2])
			}
			g := &s.Pose[e+k/2]
			if k%2 == 0 {
				load, _ := m.Load()
				lumped[e+k/2] -= load[k/2]
				outF, outM = outF.Add(force), outM.Add(g.P.Cross(force))
			} else {
				outM = outM.Add(g.R.Col3().Cross(force))
			}
		}
	}
	for i, g := range s.Pose { // the whole mass, or that of attached bodies
		force := excess[i][0].Scale(lumped[i])
		outF, outM = outF.Add(force), outM.Add(g.P.Cross(force))
	}
	base := s.BaseReaction()
	force := s.Base.R.Apply(base.Force)
	moment := s.Base.P.Cross(force).Add(s.Base.R.Apply(base.Moment))
	wantF, wantM := sumF.Sub(outF), sumM.Sub(outM)
	Within(t, "force of the clamp", Wrench6(spatial.Wrench{Force: force}), Wrench6(spatial.Wrench{Force: wantF}), 1e-9)
	Within(t, "moment of the clamp", Wrench6(spatial.Wrench{Force: moment}), Wrench6(spatial.Wrench{Force: wantM}), 1e-9)
}

// A rod that accelerates as a whole has the wrenches of a rod at rest under the opposite gravity, for
// elements of any lengths.
func TestAccelerationActsAsGravity(t *testing.T) { OfOrders(t, testAccelerationActsAsGravity) }

func testAccelerationActsAsGravity(t *testing.T, order int) {
	uneven := soft(t, order).Params
	uneven.Nodes = append([]float64{0.01}, uneven.Nodes...)
	other, err := rod.New(uneven)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(8, 0))
	for _, r := range []*rod.Rod{soft(t, order), other} {
		bodies := []rod.AttachedBody{{Node: 2, Mass: 0.05}}
		shift, f := some(random, 0.01), integrate.NewBDF(2, 0.01, 0.008)
		resting := New(r, Options{Gravity: shift.Scale(-f.Beta), Attached: bodies})
		moving := New(r, Options{Attached: bodies})
		for e := range resting.Strain {
			x := &resting.Strain[e]
			x.Linear, x.Angular = x.Linear.Add(some(random, 0.01)), x.Angular.Add(some(random, 0.1))
		}
		copy(moving.Strain, resting.Strain)
		resting.SetAtRest()
		moving.SetAtRest()
		resting.BeginStatic()
		moving.Target.P = moving.Base.P.Add(shift)
		moving.Begin(f, 0, make([]spatial.Wrench, len(moving.Pose)))
		want, got := Assembled(resting).Wrench, Assembled(moving).Wrench
		for i := 1; i < len(want); i++ {
			Within(t, "wrench", Wrench6(got[i]), Wrench6(want[i]), 1e-10)
		}
		resting.CommitEquilibrium()
		moving.Commit()
		Within(t, "base", Wrench6(moving.BaseReaction()), Wrench6(resting.BaseReaction()), 1e-10)
	}
}

// A step moves the base to its target and the nodes with it. A reverted step ends at its start with
// a base at rest.
func TestStepMovesTheBase(t *testing.T) { OfOrders(t, testStepMovesTheBase) }

func testStepMovesTheBase(t *testing.T, order int) {
	s, random := Moving(t, order, Everything, 3)
	before := make([]float64, s.StateLen())
	s.Save(before)
	start := s.Base
	s.Target = spatial.Pose{R: s.Base.R.Mul(spatial.ExpRot(spatial.Vec{Z: 0.1})), P: s.Base.P.Add(spatial.Vec{X: 0.01})}
	pose := slices.Clone(s.Pose)
	s.Begin(integrate.NewBDF(1, 0.01, 0), 0, make([]spatial.Wrench, len(s.Pose)))
	if s.Base != s.Target || s.Pose[0] != s.Target {
		t.Errorf("base at %v, node 0 at %v, target %v", s.Base, s.Pose[0], s.Target)
	}
	for i := 1; i < len(pose); i++ {
		want := s.Target.Mul(start.Inv()).Mul(pose[i])
		if d := want.Inv().Mul(s.Pose[i]).Log(); !(d.Linear.Norm()+d.Angular.Norm() < 1e-12) {
			t.Errorf("node %d did not move with the base: off by %v", i, d)
		}
		if d := pose[i].R.TMul(s.Pose[i].R).Log().Sub(s.stepRotation[i]).Norm(); !(d < 1e-9) {
			t.Errorf("node %d: turn %v is off by %g rad", i, s.stepRotation[i], d)
		}
	}
	s.MoveNodes(Increments(random, len(s.Strain), 0.1), 1)
	strain := slices.Clone(s.Strain)
	s.ReturnToStart()
	if slices.Equal(strain, s.Strain) || s.Pose[0] != s.Target {
		t.Error("Return leaves the strains, or moves the base")
	}
	s.MoveNodes(Increments(random, len(s.Strain), 0.1), 1)
	s.Revert()
	after := make([]float64, s.StateLen())
	s.Save(after)
	if !slices.Equal(before, after) || s.Target != start || s.Pose[2] != pose[2] {
		t.Error("a step that was given up shows in the state")
	}
}

// Extrapolate starts from the beginning of the step, whatever the iterate.
func TestExtrapolate(t *testing.T) { OfOrders(t, testExtrapolate) }

func testExtrapolate(t *testing.T, order int) {
	s, random := Moving(t, order, Everything, 4)
	now, last, older := slices.Clone(s.Strain), slices.Clone(s.past.strain), s.past.older
	s.Begin(integrate.NewBDF(2, 0.01, 0.02), 0, make([]spatial.Wrench, len(s.Pose)))
	s.MoveNodes(Increments(random, len(s.Strain), 0.1), 1)
	weights := []float64{0.5, -0.25, 0.2, 0.1, -0.3, 0.15}
	s.Extrapolate(weights)
	for e := range now {
		x := []*spatial.Twist{&now[e], &last[e]}
		for _, level := range older {
			x = append(x, &level[e])
		}
		if s.elements[e].isLinear {
			want := extrapolateCoords(x, weights)
			Within(t, "strain", sixOf(s.Strain[e]), sixOf(want), 1e-15)
			continue
		}
		var want spatial.Twist
		for k, w := range []float64{1.5, -0.5 - 0.25, 0.25 + 0.2, -0.2 + 0.1, -0.1 - 0.3, 0.3 + 0.15, -0.15} { // of the levels
			want.Linear = want.Linear.AddScaled(w, x[k].Linear)
			want.Angular = want.Angular.AddScaled(w, x[k].Angular)
		}
		Within(t, "strain", sixOf(s.Strain[e]), sixOf(want), 1e-12)
	}
	pose := slices.Clone(s.Pose)
	if s.UpdatePoses(); !slices.Equal(pose, s.Pose) {
		t.Error("the poses are not those of the strains")
	}
}

// A restored state continues as the original does, to the last bit.
func TestRestoredStateContinuesAlike(t *testing.T) { OfOrders(t, testRestoredStateContinuesAlike) }

func testRestoredStateContinuesAlike(t *testing.T, order int) {
	testRestored(t, order, EccentricOptions())
	testRestored(t, order, HistoryDependent())
}

func testRestored(t *testing.T, order int, o Options) {
	a := Between(t, order, o, 5)
	a.Commit()
	saved := make([]float64, a.StateLen())
	a.Save(saved)
	if slices.Contains(saved, 0) {
		t.Error("the state has zeros; the test shows little")
	}
	b := New(a.rod, o)
	b.Restore(saved)
	copy(b.Loads, a.Loads)
	if a.BaseReaction() != b.BaseReaction() {
		t.Error("another reaction of the base")
	}
	var wrenches [2][]spatial.Wrench
	for i, s := range []*State{a, b} {
		s.Target.P = s.Target.P.Add(spatial.Vec{X: 0.001})
		s.Begin(integrate.NewBDF(2, 0.01, 0.01), 0.5, make([]spatial.Wrench, len(s.Pose)))
		s.MoveNodes(Increments(rand.New(rand.NewPCG(1, 1)), len(s.Strain), 0.05), 1)
		wrenches[i] = Assembled(s).Wrench
		s.Commit()
	}
	if !slices.Equal(wrenches[0], wrenches[1]) {
		t.Error("other wrenches in the step after")
	}
	x, y := make([]float64, a.StateLen()), make([]float64, a.StateLen())
	a.Save(x)
	b.Save(y)
	if !slices.Equal(x, y) {
		t.Error("the restored state continues in another way")
	}
}

// A rod in rigid rotation has the energy of a rigid body, half of Σ m v² + ω·Jω, and one that is
// stretched and bent the energy of its springs.
func TestEnergyAndStrainByHand(t *testing.T) { OfUniform(t, testEnergyAndStrainByHand) }

func testEnergyAndStrainByHand(t *testing.T, order int) {
	r := soft(t, order)
	s := New(r, Options{Attached: []rod.AttachedBody{{Node: 4, Mass: 2, Inertia: spatial.Vec{X: 0.1, Y: 0.2, Z: 0.3}}}})
	if kinetic, elastic := s.Energy(); kinetic != 0 || elastic != 0 || s.MaxStrain() != 0 {
		t.Errorf("at rest: %g J and %g J, strain %g", kinetic, elastic, s.MaxStrain())
	}
	s.vel[4], s.omega[4] = spatial.Vec{X: 3, Z: 4}, spatial.Vec{X: 1, Y: 2, Z: 3}
	end := Tributary[order][4]
	half := r.LineInertia.Scale(end)
	share := end / 0.1
	if order == 4 { // of the consistent mass matrix
		share = 13. / 35
	}
	want := 0.5*(2+r.ElementMass*share)*25 + 0.5*((0.1+half.X)+4*(0.2+half.Y)+9*(0.3+half.Z))
	if kinetic, _ := s.Energy(); !(math.Abs(kinetic/want-1) < 1e-12) {
		t.Errorf("kinetic energy %g J, want %g", kinetic, want)
	}
	if order == 4 { // as a cantilever the last element turns about its inner node
		s.vel[4], s.omega[4], s.distributed.rate[4], s.distributed.rate[3] = spatial.Vec{X: 0.1}, spatial.Vec{}, spatial.Vec{X: 1}, spatial.Vec{X: 1}
		want = 0.5 * (2 + r.ElementMass/3 + r.ElementMass/105) * 0.01 // and the element before, of which the end turns
		if kinetic, _ := s.Energy(); !(math.Abs(kinetic/want-1) < 1e-12) {
			t.Errorf("kinetic energy of an element in rotation %g J, want %g", kinetic, want)
		}
	}
	const l, radius = 0.1, 0.02
	k := r.Stiffness
	for _, c := range []struct {
		linear, angular spatial.Vec // strain
		energy, most    float64     // J/m; largest strain
	}{
		{spatial.Vec{X: 0.3, Y: -0.4}, spatial.Vec{}, k.Shear.X*0.09 + k.Shear.Y*0.16, 0.5},
		{spatial.Vec{Z: -0.2}, spatial.Vec{}, k.Shear.Z * 0.04, 0.2},
		{spatial.Vec{}, spatial.Vec{X: -3, Y: 4}, k.Bend.X*9 + k.Bend.Y*16, 5 * radius},
		{spatial.Vec{}, spatial.Vec{Z: -6}, k.Bend.Z * 36, 6 * radius},
	} {
		s.Reset()
		s.Strain[2].Linear = s.Strain[2].Linear.AddScaled(l, c.linear)
		s.Strain[2].Angular = s.Strain[2].Angular.AddScaled(l, c.angular)
		if _, elastic := s.Energy(); !(math.Abs(elastic-0.5*l*c.energy) < 1e-9*elastic) {
			t.Errorf("strain %v %v: %g J, want %g", c.linear, c.angular, elastic, 0.5*l*c.energy)
		}
		if got := s.MaxStrain(); !(math.Abs(got-c.most) < 1e-12) {
			t.Errorf("strain %v %v: largest %g, want %g", c.linear, c.angular, got, c.most)
		}
	}
}
