package tendon_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// shaken is a rod of scheme Original with displaced nodes and directors, and a tendon through three
// of its nodes.
func shaken(t *testing.T) (*staggered.State, *tendon.Original, *tendon.Route) {
	t.Helper()
	const mass = 0.003
	r := tendon.Rod(t, 10)
	route, err := tendon.NewRoute(r, []float64{0.05, 0.125, 0.2}, tendon.Holes{Offset: [2]float64{0.01, -0.004}})
	if err != nil {
		t.Fatal(err)
	}
	o, err := tendon.NewOriginal(route, r, mass)
	if err != nil {
		t.Fatal(err)
	}
	x := staggered.New(r, staggered.Options{Scheme: staggered.Original})
	random := rand.New(rand.NewPCG(3, 4))
	some := func(size float64) spatial.Vec {
		return spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(size)
	}
	for i := range x.Positions() {
		x.Positions()[i] = x.Positions()[i].Add(some(0.003))
		x.Velocities()[i] = some(0.2)
	}
	for e := range x.Directors() {
		tendon.Rotate(&x.Directors()[e], some(0.2))
		x.AngularVelocities()[e] = some(3)
	}
	return x, o, route
}

// holes returns the positions of the tendon in the base plate and the disks.
func holes(x *staggered.State, route *tendon.Route) (all []spatial.Vec) {
	for _, k := range append([]int{0}, route.Nodes...) {
		all = append(all, x.Positions()[k].Add(x.Directors()[k].Rot().Apply(route.Base)))
	}
	return all
}

// The length is that of the chords from the base plate on, and the rate its derivative.
func TestOriginalLength(t *testing.T) {
	x, o, route := shaken(t)
	at := func(dt float64) (sum float64) {
		pos, dir := x.Positions(), x.Directors()
		for i := range pos {
			pos[i] = pos[i].AddScaled(dt, x.Velocities()[i])
		}
		for e := range dir {
			tendon.Rotate(&dir[e], x.AngularVelocities()[e].Scale(dt))
		}
		h := holes(x, route)
		for i := range h[1:] {
			sum += h[i+1].Sub(h[i]).Norm()
		}
		return sum
	}
	length, rate := o.Length(x)
	if want := at(0); math.Abs(length-want) > 1e-15 {
		t.Errorf("length %.17g m, want %.17g", length, want)
	}
	const dt = 1e-5
	after := at(dt)
	before := at(-2 * dt)
	if want := (after - before) / (2 * dt); !(math.Abs(rate-want) <= 1e-7*math.Abs(want)) {
		t.Errorf("the length grows at %.12g m/s, want %.12g", rate, want)
	}
}

// Both chords and its weight act on each disk; the couple acts on the element before it, and the
// base wrench is that of the first chord.
func TestOriginalLoad(t *testing.T) {
	const tension, tolerance = 7, 1e-14
	x, o, route := shaken(t)
	h := holes(x, route)
	for i := range x.Forces() {
		x.Forces()[i] = spatial.Vec{X: 0.1 * float64(i)} // to which those of the tendon are added
	}
	pull := func(i int) (u spatial.Vec) { // of the chord that ends at hole i
		if i < len(h) {
			u = h[i].Sub(h[i-1]).Unit().Scale(tension)
		}
		return u
	}
	force, couple := make([]spatial.Vec, 11), make([]spatial.Vec, 10)
	for i := range force {
		force[i].X = 0.1 * float64(i)
	}
	for i, k := range route.Nodes {
		f := pull(i + 2).Sub(pull(i + 1))
		force[k] = force[k].Add(f).Sub(spatial.Vec{Z: 0.003 * 9.80665})
		couple[k-1] = route.Base.Cross(x.Directors()[k-1].Rot().ApplyT(f))
	}
	base := o.AddLoads(x, tension)
	for i, want := range force {
		if d := x.Forces()[i].Sub(want).Norm(); !(d <= tolerance) {
			t.Errorf("node %d: force %v, want %v", i, x.Forces()[i], want)
		}
	}
	for i, want := range couple {
		if d := x.Couples()[i].Sub(want).Norm(); !(d <= tolerance) {
			t.Errorf("element %d: couple %v, want %v", i, x.Couples()[i], want)
		}
	}
	arm := h[0].Sub(x.Positions()[0])
	if d := base.Force.Add(pull(1)).Norm(); !(d <= tolerance) {
		t.Errorf("the base pulls with %v, want %v", base.Force, pull(1).Neg())
	}
	if d := base.Moment.Add(arm.Cross(pull(1))).Norm(); !(d <= tolerance) {
		t.Errorf("the base turns with %v, want %v", base.Moment, arm.Cross(pull(1)).Neg())
	}
}
