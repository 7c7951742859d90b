package strain

import "sinew/pkg/sim/spatial"

// inextensibleCoords are coordinates of an element of order 4 in which a bending increment neither
// stretches nor shears it. Where shear and stretch are stiff, the mean strain is y_v = (0, 0, q)
// for every slope β, so x_v = q e − 1/12 β × x_v. A straight line in x fulfils this at its start
// only: its stretch grows with the square of the increment, and the axial stiffness turns that into
// a large force. The coordinates are q, two components of β/12, and the mean curvature for that
// slope.
type inextensibleCoords struct {
	x, y    float64     // x_v.X/x_v.Z and x_v.Y/x_v.Z, so β/12 is (y, −x, 0)
	q       float64     // m
	angular spatial.Vec // rad
}

// slopeCross returns b × w for b = (y, −x, 0).
func slopeCross(x, y float64, w *spatial.Vec) spatial.Vec {
	return spatial.Vec{X: -x * w.Z, Y: -y * w.Z, Z: x*w.X + y*w.Y}
}

// inextensibleCoordsOf returns the coordinates of the strain x.
func inextensibleCoordsOf(x *spatial.Twist) (p inextensibleCoords) {
	v, s := &x.Linear, 1/x.Linear.Z
	p.x, p.y = v.X*s, v.Y*s
	p.q = v.Z * (1 + p.x*p.x + p.y*p.y)
	p.angular = x.Angular.Add(slopeCross(p.x, p.y, &x.Angular))
	return p
}

// strain returns the strain x that has the coordinates p.
func (p *inextensibleCoords) strain() (x spatial.Twist) {
	w, s := &p.angular, 1/(1+p.x*p.x+p.y*p.y)
	z := p.q * s
	x.Linear = spatial.Vec{X: p.x * z, Y: p.y * z, Z: z}
	// (1 + [b]×)⁻¹ = (1 + b bᵀ − [b]×)/(1 + b²)
	t := p.y*w.X - p.x*w.Y
	x.Angular = spatial.Vec{X: s * (w.X + p.y*t + p.x*w.Z), Y: s * (w.Y - p.x*t + p.y*w.Z), Z: s * (w.Z - p.x*w.X - p.y*w.Y)}
	return x
}

// addInextensible returns x after the increment scale d, added in inextensible coordinates.
func addInextensible(x, d *spatial.Twist, scale float64) spatial.Twist {
	p, v, w := inextensibleCoordsOf(x), d.Linear.Scale(scale), d.Angular.Scale(scale)
	s := 1 / x.Linear.Z
	dx, dy := (v.X-p.x*v.Z)*s, (v.Y-p.y*v.Z)*s
	p.q += v.Z*(1+p.x*p.x+p.y*p.y) + 2*x.Linear.Z*(p.x*dx+p.y*dy)
	p.angular = p.angular.Add(w).Add(slopeCross(p.x, p.y, &w)).Add(slopeCross(dx, dy, &x.Angular))
	p.x += dx
	p.y += dy
	return p.strain()
}
