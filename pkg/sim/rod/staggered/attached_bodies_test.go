package staggered

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// near compares numbers to round-off.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-13*math.Max(math.Abs(a), math.Abs(b)) }

// body has a mass and inertias of the magnitude of those of softParams(4).
func body(node int) rod.AttachedBody {
	return rod.AttachedBody{Node: node, Mass: 7, Inertia: spatial.Vec{X: 0.3, Y: 0.5, Z: 0.8}}
}

// A rod in uniform motion has its own kinetic energy and that of its attached bodies, at any node.
func TestAttachedBodiesMoveAlong(t *testing.T) {
	const n = 4
	v, w := spatial.Vec{X: 1, Y: -2, Z: 0.5}, spatial.Vec{X: 3, Y: 1, Z: -2}
	for _, bodies := range [][]rod.AttachedBody{nil, {body(1)}, {body(2)}, {body(n)}, {body(2), body(n), body(2)}} {
		x := testRod(t, softParams(n), Options{Scheme: Corrected, Attached: bodies})
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

// A body needs a node other than the clamped one, and scheme Corrected.
func TestAttachedBodiesRefused(t *testing.T) {
	for _, c := range []struct {
		node   int
		scheme Scheme
		panics bool
	}{{0, Corrected, true}, {1, Corrected, false}, {4, Corrected, false}, {5, Corrected, true}, {2, Original, true}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			defer func() {
				got := recover()
				if (got != nil) != c.panics {
					t.Fatalf("panic %v", got)
				}
				if want := fmt.Sprintf("at node %d of 4", c.node); c.panics && !strings.Contains(fmt.Sprint(got), want) {
					t.Errorf("panic %v, want one that says %q", got, want)
				}
			}()
			testRod(t, softParams(4), Options{Scheme: c.scheme, Attached: []rod.AttachedBody{body(c.node)}})
		})
	}
}

// Drag proportional to mass acts on the mass of the rod and not on that of bodies, and on rotations
// only with DragRotations.
func TestDragSlowsTheRodAlone(t *testing.T) {
	const n, rate, dt = 4, 0.4, 1e-2
	v, w := spatial.Vec{X: 1}, spatial.Vec{Y: 2}
	for _, rotations := range []bool{false, true} {
		x := testRod(t, softParams(n), Options{
			Scheme: Corrected, Attached: []rod.AttachedBody{body(2), body(n)},
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
	x := testRod(t, softParams(n), Options{Scheme: Corrected, Damping: Damping{Quadratic: c}})
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
	x := testRod(t, softParams(n), Options{Scheme: Corrected, Attached: []rod.AttachedBody{body(2)}})
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
	p := softParams(3)
	p.Nodes = []float64{0.1, 0.4}
	x := testRod(t, p, Options{Scheme: Corrected})
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
