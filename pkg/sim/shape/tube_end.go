package shape

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// end is an open end of a tube. From the last circle of contact the wall continues as a lip,
// a quarter of a torus that is tangent to the wall.
type end struct {
	center spatial.Vec // of the last ball, m
	out    spatial.Vec // unit tangent out of the tube
	height float64     // of the ring of the torus above the centre, along out, m
	ring   float64     // radius of that ring, m
	lip    float64     // radius about the ring, m
}

// lipOverRadius is the radius of a lip over that of the tube.
const lipOverRadius = 0.5

// newEnd returns the end with the last point l, of which the tube extends on in the
// direction of the parameter (1) or against it (−1).
func newEnd(l *frame, direction float64) end {
	speed := l.c1.Norm()
	lip := lipOverRadius * l.r
	up := -direction * l.r1 / speed // of the direction from the centre to the circle of contact
	return end{
		center: l.c,
		out:    l.c1.Scale(direction / speed),
		height: (l.r + lip) * up,
		ring:   (l.r + lip) * math.Sqrt(1-up*up),
		lip:    lip,
	}
}

// at is what the lip is to p beyond the end.
func (e *end) at(p spatial.Vec) (at Place, ok bool) {
	q := p.Sub(e.center)
	z := q.Dot(e.out)
	side := q.AddScaled(-z, e.out)
	rho := side.Norm()
	dz, dr := z-e.height, rho-e.ring
	dist := math.Hypot(dz, dr)
	if rho < singularDistance*e.ring || dr >= 0 || dist < singularDistance*e.ring {
		return at, false
	}
	side = side.Scale(1 / rho)
	at.D = dist - e.lip
	at.N = e.out.Scale(dz/dist).AddScaled(dr/dist, side)
	addSquare(&at.W, e.out.Scale(-dr/dist).AddScaled(dz/dist, side), 1/dist)
	addSquare(&at.W, e.out.Cross(side), dr/(dist*rho))
	return at, true
}
