package staggered

import (
	"math"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// near compares numbers to round-off.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-13*math.Max(math.Abs(a), math.Abs(b)) }

// A rod in uniform motion has its own kinetic energy and that of its attached bodies, at any node.
func TestAttachedBodiesMoveAlong(t *testing.T) {
	const n = 4
	v, w := spatial.Vec{X: 1, Y: -2, Z: 0.5}, spatial.Vec{X: 3, Y: 1, Z: -2}
	for _, bodies := range [][]rod.AttachedBody{nil, {Body(1)}, {Body(2)}, {Body(n)}, {Body(2), Body(n), Body(2)}} {
		x := Rod(t, SoftParams(n), Options{Scheme: Corrected, Attached: bodies})
		for k := range x.vel[1:] {
			x.vel[k+1] = v
		}
		for e := range x.omega {
			x.omega[e] = w
		}
		mass := x.ElementMass * (n - 0.5) // the clamped node rests
		inertia := x.LineInertia.Scale(x.Length)
		for _, b := range bodies {
			mass += b.Mass
			inertia = inertia.Add(b.Inertia)
		}
		want := 0.5*mass*v.Norm2() + 0.5*w.Dot(inertia.Mul(w))
		if got, elastic := x.Energy(); !near(got, want) || elastic > 1e-20 || !near(x.KineticEnergy(), want) {
			t.Errorf("%v: kinetic energy %.17g and %.17g, elastic %.3g; want %.17g and none", bodies, got, x.KineticEnergy(), elastic, want)
		}
	}
}

// Drag proportional to mass acts on the mass of the rod and not on that of bodies, and on rotations
// only with DragRotations.
func TestDragSlowsTheRodAlone(t *testing.T) {
	const n, rate, dt = 4, 0.4, 1e-2
	v, w := spatial.Vec{X: 1}, spatial.Vec{Y: 2}
	for _, rotations := range []bool{false, true} {
		x := Rod(t, SoftParams(n), Options{
			Scheme: Corrected, Attached: []rod.AttachedBody{Body(2), Body(n)},
			Damping: Damping{Drag: rate, DragRotations: rotations},
		})
		for k := 1; k <= n; k++ { // a translation without strain, far from the base
			x.pos[k].X++
			x.vel[k] = v
		}
		x.pos[0].X++
		for e := range x.omega {
			x.omega[e] = w
		}
		before := append([]spatial.Vec(nil), x.vel...)
		x.Kick(dt)
		own := x.ElementMass
		for k, share := range map[int]float64{1: 1, 2: own / (own + 7), 3: 1, n: 0.5 * own / (0.5*own + 7)} {
			if want := before[k].X * math.Exp(-rate*share*dt); !near(x.vel[k].X, want) {
				t.Errorf("node %d slows from %g to %.17g m/s, want %.17g", k, before[k].X, x.vel[k].X, want)
			}
		}
		want := w.Y
		if rotations {
			want *= math.Exp(-rate * dt)
		}
		for e := 1; e < n; e++ { // element 0 is bent relative to the base by round-off alone, but it rotates
			if !near(x.omega[e].Y, want) {
				t.Errorf("rotations %t: element %d slows to %.17g rad/s, want %.17g", rotations, e, x.omega[e].Y, want)
			}
		}
	}
}

// Quadratic drag on a free node reduces the velocity v to v/(1 + c |v| t/m), for any time.
func TestQuadraticDrag(t *testing.T) {
	const n, c, speed = 4, 30.0, 2.0
	x := Rod(t, SoftParams(n), Options{Scheme: Corrected, Damping: Damping{Quadratic: c}})
	for _, dt := range []float64{1e-3, 10} {
		x.Reset()
		for k := 1; k <= n; k++ {
			x.vel[k] = spatial.Vec{X: speed}
		}
		x.dragQuadratic(dt)
		want := speed / (1 + c*speed*dt*x.ElementLength/x.ElementMass)
		for k := 1; k <= n; k++ { // the last node has half the length and half the mass
			if !near(x.vel[k].X, want) {
				t.Errorf("after %g s node %d has %.17g m/s, want %.17g", dt, k, x.vel[k].X, want)
			}
		}
		if x.vel[0] != (spatial.Vec{}) {
			t.Errorf("the clamped node moves with %v", x.vel[0])
		}
	}
}

// An elastic link along the present loads adds k/m of what it moves to the squared frequencies.
func TestStiffeningBound(t *testing.T) {
	const n, k = 4, 50.0
	x := Rod(t, SoftParams(n), Options{Scheme: Corrected, Attached: []rod.AttachedBody{Body(2)}})
	x.force[0] = spatial.Vec{X: 1} // the base does not move
	if got := x.StiffeningBound(k); got != 0 {
		t.Errorf("a link to the base raises frequencies by %g", got)
	}
	x.force[2], x.force[n] = spatial.Vec{X: 0.6, Z: 0.8}, spatial.Vec{Y: -2}
	x.couple[1], x.couple[3] = spatial.Vec{Y: 0.1}, spatial.Vec{X: 0.2, Z: 0.3}
	own := x.LineInertia.Scale(x.ElementLength)
	want := k * (1/(x.ElementMass+7) + 4/(0.5*x.ElementMass) + 0.01/(own.Y+0.25) + 0.04/own.X + 0.09/own.Z)
	if got := x.StiffeningBound(k); !near(got, want) {
		t.Errorf("stiffening %.17g, want %.17g", got, want)
	}
}

// Constants of elements of 0.1, 0.3 and 0.6 m, whose middles are at 0.05, 0.25 and 0.7 m.
func TestUnequalElementsByHand(t *testing.T) {
	p := SoftParams(3)
	p.Nodes = []float64{0.1, 0.4}
	x := Rod(t, p, Options{Scheme: Corrected})
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) < 1e-14) {
			t.Errorf("%s: %.17g, want %.17g", what, got, want)
		}
	}
	near("first domain", x.voronoiLength[0], 0.2)
	near("second domain", x.voronoiLength[1], 0.45)
	near("share of element 0 in node 1", x.AdjacentElements(1).LeftShare, 0.75)
	near("share of element 2 in node 2", x.AdjacentElements(2).RightShare, 1./3)
	near("turn of the end", x.AdjacentElements(3).RightShare, math.Sqrt(1+0.6/0.9))
	moment := spatial.Vec{Z: 1}
	for s, want := range map[float64][3]float64{0.15: {0.5, 0.5, 0}, 0.2: {0.25, 0.75, 0}, 0.25: {0, 1, 0}, 0.34: {0, 0.8, 0.2}, 0.61: {0, 0.2, 0.8}} {
		x.ClearLoads()
		x.AddLoadAt(s, spatial.Wrench{Moment: moment}, false)
		for e, c := range x.couple {
			near("moment on an element", c.Z, want[e])
		}
	}
}

// apart returns the largest difference of two sets of axes.
func apart(a, b Directors) float64 {
	return max(a.D1.Sub(b.D1).Norm(), a.D2.Sub(b.D2).Norm(), a.D3.Sub(b.D3).Norm())
}

// Rotations and relative rotations of directors equal those of package spatial on both sides of the
// bound of every series.
func TestRotationsOfDirectors(t *testing.T) {
	axis := spatial.Vec{X: 0.6, Y: -0.48, Z: 0.64}
	from := directorsOf(spatial.Quat{W: 0.5, X: 0.1, Y: -0.7, Z: 0.5}.Normalized().Rot())
	for _, angle := range []float64{0, 1e-9, 1e-3, 0.03, 0.0316, 0.0317, 0.1, 0.14, 0.142, 0.19, 0.2, 0.21, 0.49, 0.51, 1, 2.5, 3.1} {
		u := axis.Scale(angle)
		want := directorsOf(from.Rot().Mul(spatial.ExpRot(u)))
		turned := from
		turned.rotate(u, 0)
		if d := apart(turned, want); d > 1e-15*(3+angle) {
			t.Errorf("a turn by %g is off by %.3g", angle, d)
		}
		if d := apart(directorsOf(from.Rot().Mul(expRotation(u))), want); d > 1e-15*(3+angle) {
			t.Errorf("the rotation by %g is off by %.3g", angle, d)
		}
		if d := relativeRotation(&from, &turned).Sub(u).Norm(); d > 3e-15/(math.Pi-angle) {
			t.Errorf("between axes that are %g apart there is a rotation that is off by %.3g", angle, d)
		}
		if h := angle / 2; angle >= 1e-3 {
			want := (1 - h/math.Tan(h)) / (angle * angle)
			if got := inverseJacobianCoef(angle * angle); math.Abs(got-want) > 3e-16/(angle*angle) {
				t.Errorf("the coefficient of the Jacobian at %g is %.17g, want %.17g", angle, got, want)
			}
		}
	}
	if got := inverseJacobianCoef(0); got != 1./12 {
		t.Errorf("the coefficient of the Jacobian at 0 is %.17g", got)
	}
}

// PyElastica's axes of rotation are too short by 1e-14 over the angle, once per drift; those of
// scheme Corrected are not.
func TestShortAxesOfRotation(t *testing.T) {
	const offset = 0.05
	for _, angle := range []float64{0.02, 0.3} {
		d := directorsOf(spatial.Identity3())
		d.rotate(spatial.Vec{Z: angle}, offset)
		g := angle / (angle + offset)
		if got, want := d.D1, (spatial.Vec{X: 1 - (1-math.Cos(angle))*g*g, Y: math.Sin(angle) * g}); got.Sub(want).Norm() > 1e-15 {
			t.Errorf("turned by %g, axis 1 is %v, want %v", angle, got, want)
		}
	}
	still := directorsOf(spatial.Identity3())
	still.rotate(spatial.Vec{}, offset)
	if still != directorsOf(spatial.Identity3()) {
		t.Errorf("no turn gives %v", still)
	}
	const small = 1e-13 // in each of two drifts
	for scheme, want := range map[Scheme]float64{Original: 2 * small / 1.1, Corrected: 2 * small} {
		x := Rod(t, SoftParams(2), Options{Scheme: scheme})
		x.omega[1] = spatial.Vec{Z: 1}
		x.Drift(small)
		x.Drift(small)
		for _, look := range []string{"looked at", "caught up"} {
			if look == "caught up" {
				x.ApplyPendingDrift()
			}
			if got := x.Directors()[1].D1.Y; math.Abs(got-want) > 1e-3*want {
				t.Errorf("scheme %d, %s: turned by %.4g, want %.4g", scheme, look, got, want)
			}
		}
	}
}

// A load at any arc length of a straight rod has the right force and moment about the base, without
// the part of the clamp.
func TestLoadsKeepTheirResultant(t *testing.T) {
	w := spatial.Wrench{Force: spatial.Vec{X: 2, Y: -1, Z: 0.5}, Moment: spatial.Vec{X: 0.3, Y: 0.2, Z: -0.7}}
	for i, n := range []int{1, 2, 5, 4} {
		p := SoftParams(n)
		if i == 3 {
			p.Nodes = []float64{0.09, 0.3, 0.55}
		}
		x := Rod(t, p, Options{Scheme: Corrected})
		for _, s := range []float64{0, 0.07, 0.1, 0.5, 0.62, 0.93, 1} {
			x.ClearLoads()
			x.AddLoadAt(s, w, false)
			var force, moment spatial.Vec
			for k, f := range x.force {
				force = force.Add(f)
				moment = moment.Add(x.pos[k].Cross(f))
			}
			for e, c := range x.couple {
				moment = moment.Add(x.dir[e].World(c))
			}
			// part of the moment; below the first element centre the clamp has the rest
			part := math.Min(1, s*2/x.Lengths[0])
			want := (spatial.Vec{Z: s}).Cross(w.Force).Add(w.Moment.Scale(part))
			if force.Sub(w.Force).Norm() > 1e-14 || moment.Sub(want).Norm() > 1e-14 {
				t.Errorf("n = %d, s = %g: force %v, moment %v, want %v and %v", n, s, force, moment, w.Force, want)
			}
		}
	}
}

// AddTipLoad equals AddLoadAt the end.
func TestTipLoadIsALoadAtTheEnd(t *testing.T) {
	w := spatial.Wrench{Force: spatial.Vec{X: 2, Y: -1, Z: 0.5}, Moment: spatial.Vec{X: 0.3, Y: 0.2, Z: -0.7}}
	run := func(load func(*State)) *State {
		x := Rod(t, SoftParams(6), Options{Scheme: Corrected})
		disturb(x, 0.1, 2)
		load(x)
		return x
	}
	a := run(func(x *State) { x.AddLoadAt(1, w, false) })
	b := run(func(x *State) { x.AddTipLoad(w, false) })
	for e := range a.couple {
		if a.couple[e].Sub(b.couple[e]).Norm() > 1e-14 || a.force[e+1].Sub(b.force[e+1]).Norm() > 1e-14 {
			t.Errorf("element %d: %v and %v", e, a.couple[e], b.couple[e])
		}
	}
	// in the axes of the end, the force rotates with it
	c := run(func(x *State) { x.AddTipLoad(w, true) })
	want := c.NodePose(6).R.Apply(w.Force)
	if d := c.force[6].Sub(want).Norm(); d > 1e-14 {
		t.Errorf("body force off by %.3g", d)
	}
}
