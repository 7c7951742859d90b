package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// AddInteraction adds to dst what each sphere's load makes the others do, without
// their motion under their own: for bodies that are no spheres but act on each
// other as if they were. Only with the mobilities of the spheres themselves, as in
// Motions, is the whole sure to be positive definite.
//
// It does one part of the given number of parts of all pairs: different parts may be
// done at once, with other dst.
//
// It visits each pair once, the sphere i with a chunk of those before it in three
// passes, which keeps the numbers of each pass in registers.
func (s *Swarm) AddInteraction(dst []spatial.Twist, x []spatial.Vec, loads []spatial.Wrench, part, parts int) {
	s.mustMatch(len(dst), len(x), len(loads))
	var buffer [64]link
	for i := part; i < len(x); i += parts {
		var t spatial.Twist
		for first := 0; first < i; first += len(buffer) {
			last := min(first+len(buffer), i)
			links := buffer[:last-first]
			if overlaps := s.connect(links, x[i], s.radii[i], x[first:last], s.radii[first:last]); overlaps {
				s.addOverlaps(dst, x, loads, i, first, last)
			}
			gather(&t, links, loads[first:last])
			scatter(dst[first:last], links, &loads[i])
		}
		dst[i].Linear = dst[i].Linear.Add(t.Linear)
		dst[i].Angular = dst[i].Angular.Add(t.Angular)
	}
}

// link is the interaction of two spheres apart, r from the second to the first: as
// pair, with tr = rt and rr = −tr/2.
type link struct {
	r, turn        spatial.Vec // turn = tr r
	tt, th, rr, rh float64
}

// connect sets links to those of the sphere of radius a at xi with those at x, and
// to nothing where the spheres overlap, which it reports.
func (s *Swarm) connect(links []link, xi spatial.Vec, a float64, x []spatial.Vec, radii []float64) (overlaps bool) {
	x, radii = x[:len(links)], radii[:len(links)]
	for j := range links {
		b := radii[j]
		r := xi.Sub(x[j])
		r2 := r.Norm2()
		if sum := a + b; r2 < sum*sum {
			links[j] = link{}
			overlaps = true
			continue
		}
		q := 1 / r2 // as apart
		g := s.scale * math.Sqrt(q)
		k, g3 := (a*a+b*b)*q, g*q
		links[j] = link{r: r, turn: r.Scale(g3), tt: g + g*k*(1./3), th: g3 - g3*k, rr: -0.5 * g3, rh: 1.5 * g3 * q}
	}
	return overlaps
}

// addOverlaps adds the interaction of sphere i with those from first to last that
// overlap it.
func (s *Swarm) addOverlaps(dst []spatial.Twist, x []spatial.Vec, loads []spatial.Wrench, i, first, last int) {
	for j := first; j < last; j++ {
		r := x[i].Sub(x[j])
		r2 := r.Norm2()
		if sum := s.radii[i] + s.radii[j]; r2 >= sum*sum {
			continue
		}
		p := overlapping(math.Sqrt(r2), s.radii[i], s.radii[j]).times(s.scale)
		dst[i] = p.add(dst[i], r, &loads[j])
		p = p.flip()
		dst[j] = p.add(dst[j], r.Neg(), &loads[i])
	}
}

// gather adds to t what the loads do to the first sphere of the links.
func gather(t *spatial.Twist, links []link, loads []spatial.Wrench) {
	v, w := t.Linear, t.Angular
	loads = loads[:len(links)]
	for j := range links {
		c, l := &links[j], &loads[j]
		f, m, r := l.Force, l.Moment, c.r
		kf := c.th * (r.X*f.X + r.Y*f.Y + r.Z*f.Z)
		km := c.rh * (r.X*m.X + r.Y*m.Y + r.Z*m.Z)
		tt, rr, u := c.tt, c.rr, c.turn
		v.X += tt*f.X + kf*r.X + m.Y*u.Z - m.Z*u.Y
		v.Y += tt*f.Y + kf*r.Y + m.Z*u.X - m.X*u.Z
		v.Z += tt*f.Z + kf*r.Z + m.X*u.Y - m.Y*u.X
		w.X += rr*m.X + km*r.X + f.Y*u.Z - f.Z*u.Y
		w.Y += rr*m.Y + km*r.Y + f.Z*u.X - f.X*u.Z
		w.Z += rr*m.Z + km*r.Z + f.X*u.Y - f.Y*u.X
	}
	t.Linear, t.Angular = v, w
}

// scatter adds to dst what the load l on the first sphere of the links does to the
// others, from which r points the other way.
func scatter(dst []spatial.Twist, links []link, l *spatial.Wrench) {
	f, m := l.Force, l.Moment
	dst = dst[:len(links)]
	for j := range links {
		c, d := &links[j], &dst[j]
		r := c.r
		kf := c.th * (r.X*f.X + r.Y*f.Y + r.Z*f.Z)
		km := c.rh * (r.X*m.X + r.Y*m.Y + r.Z*m.Z)
		tt, rr, u := c.tt, c.rr, c.turn
		d.Linear.X += tt*f.X + kf*r.X - m.Y*u.Z + m.Z*u.Y
		d.Linear.Y += tt*f.Y + kf*r.Y - m.Z*u.X + m.X*u.Z
		d.Linear.Z += tt*f.Z + kf*r.Z - m.X*u.Y + m.Y*u.X
		d.Angular.X += rr*m.X + km*r.X - f.Y*u.Z + f.Z*u.Y
		d.Angular.Y += rr*m.Y + km*r.Y - f.Z*u.X + f.X*u.Z
		d.Angular.Z += rr*m.Z + km*r.Z - f.X*u.Y + f.Y*u.X
	}
}
