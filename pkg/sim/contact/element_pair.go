package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// piece is an element of the rod as what another one may touch.
type piece struct {
	length    float64    // m
	radius    [2]float64 // of the surface at its ends, m
	stiffness float64    // of contact, N/m
	mass      float64    // that contact moves, kg

	// A ball with the centre line of the present shape in it.
	center spatial.Vec
	extent float64 // m
}

// widest is the largest radius of the surface.
func (p *piece) widest() float64 { return max(p.radius[0], p.radius[1]) }

// thinnest is the smallest radius of the surface.
func (p *piece) thinnest() float64 { return min(p.radius[0], p.radius[1]) }

// dampingWith is what damps an impact of two pieces critically, N s/m.
func (p *piece) dampingWith(o *piece) float64 {
	return 2 * math.Sqrt(min(p.stiffness, o.stiffness)*p.mass*o.mass/(p.mass+o.mass))
}

// enclose puts the ball round the control points of the centre line, which it stays among.
func (p *piece) enclose(from, to *frame) {
	b, c := from.p.AddScaled(p.length/3, from.t), to.p.AddScaled(-p.length/3, to.t)
	p.center = from.p.Add(b).Add(c).Add(to.p).Scale(0.25)
	far := 0.0
	for _, x := range [4]spatial.Vec{from.p, b, c, to.p} {
		far = max(far, x.Sub(p.center).Norm2())
	}
	p.extent = math.Sqrt(far)
}

// bow is how far the centre line is at most from the chord.
func (p *piece) bow(from, to *frame) float64 {
	chord := to.p.Sub(from.p)
	b := from.t.Scale(p.length).Sub(chord).Norm2()
	c := to.t.Scale(p.length).Sub(chord).Norm2()
	return 0.25 * math.Sqrt(max(b, c))
}

// couple is half an element of the rod and another element that are near one another. They
// touch at one place of each, where their surfaces are nearest; so the forces on them are equal
// and opposite, on one line, and across both.
//
// Where the two are parallel, nothing is nearest. Then a share middle of the radius, which
// the gap is larger by at the ends of an element than in its middle, decides. Where they are
// bent away from one another, or along one another, either of two places may be. Then that of
// the state is what counts in a step, and where it is no least gap the gap is larger by as much
// as makes it grow to all sides: otherwise the force would jump from one place to the other
// between the iterations.
type couple struct {
	a, b       int // elements, a farther from the base
	half       int // of a: 0 or 1
	from, with *piece
	law        NormalLaw

	closing
	tested   bool    // else the gap is beyond alert, and that is all that is known of it
	open     float64 // distance of the surfaces at the places where they touch, m
	distance float64 // of the centre lines there, m
	normal   spatial.Vec
	on       [2]place // of a and b

	// Second derivatives of the gap with respect to the shares of the two places, m.
	curve [3]float64 // aa, ab, bb

	// State: held are the shares where it would touch, if tested, and bind the second derivative
	// of what the gap is larger by beside them, m.
	holds   bool
	held    [2]float64
	bind    float64
	pressed float64 // normal force at the end of the last step, N
}

// middle is the share of the radius that decides where parallel elements touch.
const middle = 2e-3

// place is one on an element.
type place struct {
	share      float64
	free       bool // not held at an end of the element
	at         spatial.Vec
	d1, d2     spatial.Vec // derivatives with respect to the share, m
	from, to   weights     // of the position
	alongFrom  weights     // of d1
	alongTo    weights
	taper      float64 // derivative of the radius, m
	radius     float64 // m
	centred    float64 // by which the gap is larger than in the middle, m
	centredFor float64 // its derivative, m
}

// put puts the place to a share of an element.
func (p *place) put(x float64, e *piece, from, to *frame) {
	p.share = x
	p.from, p.to = weightsAt(x, e.length)
	p.alongFrom, p.alongTo = slopesAt(x, e.length)
	p.at = mix(p.from, p.to, from, to)
	s := stretch{length: e.length}
	p.d1, p.d2 = s.derivatives(x, from, to)
	p.taper = e.radius[1] - e.radius[0]
	p.radius = e.radius[0] + x*p.taper
	k := e.centring()
	p.centred, p.centredFor = 0.5*k*(x-0.5)*(x-0.5), k*(x-0.5)
}

// centring is the second derivative of what decides where parallel elements touch, m.
func (p *piece) centring() float64 { return 8 * middle * p.thinnest() }

// thickness is the distance of the centre lines where the two touch, at most.
func (q *couple) thickness() float64 { return q.from.widest() + q.with.widest() }

// alert is the gap beyond which no place is looked for: what comes nearer within a step does
// without that of the state. The force begins within it, however thin the rod is.
func (q *couple) alert() float64 { return max(0.25*q.thickness(), q.law.ActivationGap) }

// bite is how much nearer than to touch the two may come at once.
func (q *couple) bite() float64 { return 0.5 * (q.from.thinnest() + q.with.thinnest()) }

// hold finds where the two are nearest in the state, the nodes of which are there.
func (q *couple) hold(nodes []frame) {
	q.holds, q.bind = false, 0
	q.look(nodes)
	q.heldGap = q.gap
	if q.holds = q.tested; !q.holds {
		return
	}
	q.held = [2]float64{q.on[0].share, q.on[1].share}
	mean, half := 0.5*(q.curve[0]+q.curve[2]), 0.5*(q.curve[0]-q.curve[2])
	least, want := mean-math.Sqrt(half*half+q.curve[1]*q.curve[1]), min(q.from.centring(), q.with.centring())
	q.bind = max(0, want-least)
	q.curve[0], q.curve[2] = q.curve[0]+q.bind, q.curve[2]+q.bind
}

// look finds where the two are nearest, of nodes that are there.
func (q *couple) look(nodes []frame) {
	a0, a1, b0, b1 := &nodes[q.a], &nodes[q.a+1], &nodes[q.b], &nodes[q.b+1]
	x, y := q.ofChords(a0, a1, b0, b1)
	far := mixed(a0, a1, x).Sub(mixed(b0, b1, y)).Norm()
	q.gap = far - q.from.bow(a0, a1) - q.with.bow(b0, b1) - q.from.widest() - q.with.widest()
	if q.tested = !(q.gap > q.alert()); !q.tested {
		return
	}
	if q.holds {
		x, y = q.held[0], q.held[1]
	}
	q.nearest(x, y, a0, a1, b0, b1)
}

// ends returns the shares between which the place on a is.
func (q *couple) ends() (from, to float64) { return 0.5 * float64(q.half), 0.5 * float64(q.half+1) }

func mixed(from, to *frame, x float64) spatial.Vec {
	return from.p.AddScaled(x, to.p.Sub(from.p))
}

// ofChords returns the shares at which the chords of the two are nearest.
func (q *couple) ofChords(a0, a1, b0, b1 *frame) (x, y float64) {
	u, v, d := a1.p.Sub(a0.p), b1.p.Sub(b0.p), a0.p.Sub(b0.p)
	size := q.thickness()
	k, m := size*q.from.centring(), size*q.with.centring()
	// d + u x − v y, about x = y = ½
	d = d.AddScaled(0.5, u).AddScaled(-0.5, v)
	f := bowl{aa: u.Norm2() + k, ab: -u.Dot(v), bb: v.Norm2() + m, a: d.Dot(u), b: -d.Dot(v)}
	from, to := q.ends()
	dx, dy := f.lowest(from-0.5, to-0.5, -0.5, 0.5)
	return 0.5 + dx, 0.5 + dy
}

// bowl is ½ (aa x² + 2 ab x y + bb y²) + a x + b y, convex.
type bowl struct{ aa, ab, bb, a, b float64 }

func (f *bowl) at(x, y float64) float64 {
	return 0.5*(f.aa*x*x+f.bb*y*y) + f.ab*x*y + f.a*x + f.b*y
}

// lowest returns where it is lowest among x0 ≤ x ≤ x1, y0 ≤ y ≤ y1.
func (f *bowl) lowest(x0, x1, y0, y1 float64) (x, y float64) {
	det := f.aa*f.bb - f.ab*f.ab
	x, y = (f.ab*f.b-f.bb*f.a)/det, (f.ab*f.a-f.aa*f.b)/det
	if x0 <= x && x <= x1 && y0 <= y && y <= y1 {
		return x, y
	}
	least := math.Inf(1)
	try := func(u, v float64) {
		if now := f.at(u, v); now < least {
			least, x, y = now, u, v
		}
	}
	for _, u := range [2]float64{x0, x1} {
		try(u, max(y0, min(y1, -(f.b+f.ab*u)/f.bb)))
	}
	for _, v := range [2]float64{y0, y1} {
		try(max(x0, min(x1, -(f.a+f.ab*v)/f.aa)), v)
	}
	return x, y
}

// nearest finds the places from where those of the chords are: by Newton's method for half the
// square of the distance, which for straight elements needs one step.
func (q *couple) nearest(x, y float64, a0, a1, b0, b1 *frame) {
	const steps, halvings, tolerance = 30, 6, 1e-7 // of a step, which leaves its square
	a, b := &q.on[0], &q.on[1]
	from, to := q.ends()
	q.put(x, y, a0, a1, b0, b1)
	for range steps {
		f := q.model()
		dx, dy := f.lowest(from-a.share, to-a.share, -b.share, 1-b.share)
		x, y, before, share := a.share, b.share, q.gap, 1.0
		if max(math.Abs(dx), math.Abs(dy)) < tolerance {
			q.put(x+dx, y+dy, a0, a1, b0, b1)
			break
		}
		for range halvings {
			q.put(x+share*dx, y+share*dy, a0, a1, b0, b1)
			if q.gap <= before+1e-14*q.distance {
				break
			}
			share /= 2
		}
	}
	q.finish()
}

// put puts the places to shares and measures the gap there.
func (q *couple) put(x, y float64, a0, a1, b0, b1 *frame) {
	a, b := &q.on[0], &q.on[1]
	from, to := q.ends()
	a.put(max(from, min(to, x)), q.from, a0, a1)
	b.put(max(0, min(1, y)), q.with, b0, b1)
	q.normal = a.at.Sub(b.at)
	q.distance = q.normal.Norm()
	q.normal = q.normal.Scale(1 / max(q.distance, math.SmallestNonzeroFloat64))
	q.open = q.distance - a.radius - b.radius
	q.gap = q.open + a.centred + b.centred
	if q.bind > 0 {
		dx, dy := a.share-q.held[0], b.share-q.held[1]
		q.gap += 0.5 * q.bind * (dx*dx + dy*dy)
	}
}

// model is the gap near the places, to second order and times the distance, made convex.
func (q *couple) model() bowl {
	a, b := &q.on[0], &q.on[1]
	d, n := q.distance, q.normal
	f := bowl{
		aa: a.d1.Norm2() + d*(n.Dot(a.d2)+q.from.centring()+q.bind), ab: -a.d1.Dot(b.d1),
		bb: b.d1.Norm2() + d*(q.with.centring()+q.bind-n.Dot(b.d2)),
		a:  d * (n.Dot(a.d1) - a.taper + a.centredFor + q.bind*(a.share-q.held[0])),
		b:  d * (-n.Dot(b.d1) - b.taper + b.centredFor + q.bind*(b.share-q.held[1])),
	}
	floor := 0.25 * q.thickness() * min(q.from.centring(), q.with.centring())
	mean, half := 0.5*(f.aa+f.bb), 0.5*(f.aa-f.bb)
	if least := mean - math.Sqrt(half*half+f.ab*f.ab); least < floor {
		f.aa, f.bb = f.aa+floor-least, f.bb+floor-least
	}
	return f
}

// finish takes the second derivatives of the gap at the places.
func (q *couple) finish() {
	a, b := &q.on[0], &q.on[1]
	n := q.normal
	na, nb := n.Dot(a.d1), n.Dot(b.d1)
	q.curve = [3]float64{
		(a.d1.Norm2()-na*na)/q.distance + n.Dot(a.d2) + q.from.centring() + q.bind,
		-(a.d1.Dot(b.d1) - na*nb) / q.distance,
		(b.d1.Norm2()-nb*nb)/q.distance - n.Dot(b.d2) + q.with.centring() + q.bind,
	}
	from, to := q.ends()
	a.free, b.free = a.share > from && a.share < to, b.share > 0 && b.share < 1
}

// change returns, to first order, by how much the gap changes with increments of the nodes,
// which begin with node 1.
func (q *couple) change(rod *strain.State, eta []spatial.Vec6) float64 {
	a, b := &q.on[0], &q.on[1]
	return q.normal.Dot(wayOf(rod, q.a, a.from, a.to, eta).Sub(wayOf(rod, q.b, b.from, b.to, eta)))
}

// column adds to x the derivative, by the increments of the nodes, of v·(A − B) + va·A′ − vb·B′,
// where A and B are the positions of the two places and A′ and B′ their derivatives along them.
func (q *couple) column(rod *strain.State, v, va, vb spatial.Vec, x []spatial.Vec6) {
	a, b := &q.on[0], &q.on[1]
	addGradient(rod, q.a, v, va, a.from, a.alongFrom, x)
	addGradient(rod, q.a+1, v, va, a.to, a.alongTo, x)
	addGradient(rod, q.b, v.Neg(), vb.Neg(), b.from, b.alongFrom, x)
	addGradient(rod, q.b+1, v.Neg(), vb.Neg(), b.to, b.alongTo, x)
}

// addGradient adds what a node contributes by its weights in a position and its derivative.
func addGradient(rod *strain.State, node int, v, va spatial.Vec, w, along weights, x []spatial.Vec6) {
	if node == 0 {
		return
	}
	r := &rod.Pose[node].R
	lin := r.ApplyT(v.Scale(w.position).AddScaled(along.position, va))
	ang := tangent.Cross(r.ApplyT(v.Scale(w.tangent).AddScaled(along.tangent, va)))
	y := &x[node-1]
	*y = spatial.Vec6Of(y.Linear().Add(lin), y.Angular().Add(ang))
}
