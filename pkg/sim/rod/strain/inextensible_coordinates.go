package strain

import "sinew/pkg/sim/spatial"

// Increments of an element of order 4 are added to other coordinates than x, in which those
// that bend it neither stretch nor shear it. An element that is stiff in shear and stretch has
// a mean strain y_v = (0, 0, q), whatever its slope β, so that x_v = q e − 1/12 β × x_v. Along a
// straight line in x that held at its beginning only: what the rod is stretched along it grows
// with the square of the increment, and its stiffness makes much of little. The coordinates
// are q and two of β/12, and the mean curvature that belongs to that slope.
type inextensibleCoords struct {
	x, y    float64     // of x_v over its third component: β/12 is (y, −x, 0)
	q       float64     // m
	angular spatial.Vec // rad
}

// across returns b × w, with b = (y, −x, 0) of the coordinates x and y.
func slopeCross(x, y float64, w *spatial.Vec) spatial.Vec {
	return spatial.Vec{X: -x * w.Z, Y: -y * w.Z, Z: x*w.X + y*w.Y}
}

// pathOf returns the coordinates of x.
func inextensibleCoordsOf(x *spatial.Twist) (p inextensibleCoords) {
	v, s := &x.Linear, 1/x.Linear.Z
	p.x, p.y = v.X*s, v.Y*s
	p.q = v.Z * (1 + p.x*p.x + p.y*p.y)
	p.angular = x.Angular.Add(slopeCross(p.x, p.y, &x.Angular))
	return p
}

// at returns x of the coordinates.
func (p *inextensibleCoords) strain() (x spatial.Twist) {
	w, s := &p.angular, 1/(1+p.x*p.x+p.y*p.y)
	z := p.q * s
	x.Linear = spatial.Vec{X: p.x * z, Y: p.y * z, Z: z}
	// (1 + [b]×)⁻¹ = (1 + b bᵀ − [b]×)/(1 + b²)
	t := p.y*w.X - p.x*w.Y
	x.Angular = spatial.Vec{X: s * (w.X + p.y*t + p.x*w.Z), Y: s * (w.Y - p.x*t + p.y*w.Z), Z: s * (w.Z - p.x*w.X - p.y*w.Y)}
	return x
}

// moved returns x moved by scale d along its path.
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
