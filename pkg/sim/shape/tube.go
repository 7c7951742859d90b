package shape

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// tube is a bore about a centre line c(t): the union of the balls of radius R(t) about
// c(t). With the depth φ(t) = R(t) − |x − c(t)| of x in a ball, its distance is the greatest
// depth. The foot of x is the t at which it is taken.
type tube struct {
	segments  []segment
	samples   []sample
	ends      [2]end
	closed    bool
	certain   float64 // a foot of a depth above −certain is the only one, m
	minRadius float64 // of the inner side of the sharpest bend, m
}

// segment is a cubic piece of centre line and radius, with the coefficients of rising powers
// of the parameter from 0 to span.
type segment struct {
	span   float64
	center [4]spatial.Vec
	radius [4]float64
}

// sample is a ball on the centre line. No ball at an arc s away is deeper by more than the
// difference of bound, which is the arc length plus the change of radius.
type sample struct {
	center        spatial.Vec
	radius, bound float64
	piece         int
	at            float64 // parameter in the piece
}

// frame is a point of the centre line and its derivatives to the parameter.
type frame struct {
	c, c1, c2 spatial.Vec
	r, r1, r2 float64
}

func (p *segment) eval(t float64) (l frame) {
	a, r := &p.center, &p.radius
	l.c = a[0].AddScaled(t, a[1].AddScaled(t, a[2].AddScaled(t, a[3])))
	l.c1 = a[1].AddScaled(t, a[2].Scale(2).AddScaled(3*t, a[3]))
	l.c2 = a[2].Scale(2).AddScaled(6*t, a[3])
	l.r = r[0] + t*(r[1]+t*(r[2]+t*r[3]))
	l.r1 = r[1] + t*(2*r[2]+t*3*r[3])
	l.r2 = 2*r[2] + 6*t*r[3]
	return l
}

// foot is a place on the centre line: a parameter in a piece, and what is there.
type foot struct {
	piece int
	at    float64
	frame
	depth  float64
	beyond int // 1 or 2: the point is beyond the first or the last end, else 0
}

func (u *tube) at(p spatial.Vec, from *Hint) (at Place, ok bool) {
	f := foot{depth: math.Inf(-1)}
	known := false
	if from.Foot >= 1 && from.Foot < 1+float64(len(u.segments)) {
		i, rest := math.Modf(from.Foot - 1)
		f.piece = int(i)
		f.at = rest * u.segments[f.piece].span
		u.climb(p, &f)
		known = f.depth >= -u.certain && (f.beyond == 0 || math.IsInf(u.certain, 1))
	}
	if !known {
		u.search(p, &f)
	}
	// the fraction stays below 1, so that its integer part is the segment
	from.Foot = 1 + float64(f.piece) + min(f.at/u.segments[f.piece].span, 1-1e-9)
	if f.beyond > 0 && !u.closed {
		return u.ends[f.beyond-1].at(p)
	}
	return f.place(p)
}

// climb moves the foot to where the depth of p is greatest nearby, by Newton's method on
// ρ dφ/dt = ρ R′ + q·c′, with q = p − c of length ρ.
func (u *tube) climb(p spatial.Vec, f *foot) {
	const (
		iterations = 50
		settled    = 1e-8 // last step over the span; the error left is its square
	)
	done := false
	for k := 0; ; k++ {
		pc := &u.segments[f.piece]
		f.frame = pc.eval(f.at)
		q := p.Sub(f.c)
		rho := q.Norm()
		f.depth = f.r - rho
		if done || k == iterations {
			return
		}
		along := q.Dot(f.c1)
		slope := rho*f.r1 + along
		change := q.Dot(f.c2) - f.c1.Norm2()
		if f.r1 != 0 && rho > 0 {
			change += rho*f.r2 - f.r1*along/rho
		}
		step := math.Copysign(pc.span, slope)
		if change < 0 {
			step = max(-pc.span, min(pc.span, -slope/change))
		}
		done = math.Abs(step) <= settled*pc.span
		f.beyond = 0
		if u.move(f, step) {
			return
		}
	}
}

// move moves the foot by the step of the parameter, into the next piece at most. It reports
// whether the foot is and stays at an end of the centre line.
func (u *tube) move(f *foot, step float64) bool {
	span := u.segments[f.piece].span
	was := f.at
	f.at += step
	switch last := len(u.segments) - 1; {
	case f.at < 0 && f.piece == 0:
		f.at = 0
		if was == 0 {
			f.beyond = 1
		}
	case f.at > span && f.piece == last:
		f.at = span
		if was == span {
			f.beyond = 2
		}
	case f.at < 0:
		f.piece--
		f.at = max(0, f.at+u.segments[f.piece].span)
	case f.at > span:
		f.piece++
		f.at = min(f.at-span, u.segments[f.piece].span)
	}
	return f.beyond > 0
}

// search replaces the foot by the deepest of the whole centre line, if that is deeper.
// Samples that cannot be near a deeper one are left out.
func (u *tube) search(p spatial.Vec, best *foot) {
	s := u.samples
	depth := func(i int) float64 { return s[i].radius - p.Sub(s[i].center).Norm() }
	for i := 0; i < len(s); {
		d := depth(i)
		if i+1 < len(s) && best.depth >= d+s[i+1].bound-s[i].bound {
			i = u.after(i, s[i].bound+best.depth-d)
			continue
		}
		if (i == 0 || d >= depth(i-1)) && (i == len(s)-1 || d > depth(i+1)) {
			// about a centre of curvature there may be more than one place as deep
			for _, a := range s[max(0, i-1):min(len(s), i+2)] {
				f := foot{piece: a.piece, at: a.at}
				if u.climb(p, &f); f.depth > best.depth {
					*best = f
				}
			}
		}
		i++
	}
}

// after returns the first sample after i with a bound above the given one.
func (u *tube) after(i int, bound float64) int {
	lo, hi := i+1, len(u.samples)
	for lo < hi {
		if mid := (lo + hi) / 2; u.samples[mid].bound <= bound {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// place is what the wall is to p, whose foot is f and not beyond an open end.
func (f *foot) place(p spatial.Vec) (at Place, ok bool) {
	q := p.Sub(f.c)
	rho := q.Norm()
	if at.D = f.r - rho; rho < singularDistance*f.r {
		return at, false
	}
	out := q.Scale(1 / rho)
	at.N = out.Neg()
	at.W = across(out, -1/rho)
	if f.beyond > 0 {
		return at, true
	}
	// The foot moves with p: −φ_xt φ_xtᵀ/φ_tt.
	turn := f.c1.AddScaled(-out.Dot(f.c1), out)
	flat := turn.Norm2() / rho
	// At a centre of curvature, deep in the wall, the Hessian is infinite.
	bent := max(flat-f.r2-out.Dot(f.c2), 1e-3*flat)
	addSquare(&at.W, turn, 1/(rho*rho*bent))
	return at, true
}
