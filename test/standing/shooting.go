package standing

import "math"

// Planar is a rod that bends in the plane of x and z (up) under dead and follower loads at its tip, its weight and
// a payload: the boundary value problem of a Cosserat rod that shears and stretches.
type Planar struct {
	Length             float64 // m
	Bend, Axial, Shear float64 // N m², N, N
	Lean               float64 // of the base from upright, about y, rad
	Line, Tip          float64 // weight of the rod, N/m, and of the payload, N
	Force              [2]float64
	Follower           [2]float64 // along d1 and d3 of the tip, N
	Moment             float64    // about y, N m
}

// Equilibria returns where the tips of all equilibria are (x and z, m) of which the tip turns by up to a turn and a half from the
// base: integrated from the tip, whose angle is the one unknown, to the base.
func (p *Planar) Equilibria() (tips [][2]float64) {
	const steps = 6000
	miss := func(angle float64) float64 { end, _ := p.shoot(p.Lean + angle); return end - p.Lean }
	last := miss(-3 * math.Pi)
	for i := 1; i <= steps; i++ {
		a, b := 3*math.Pi*(2*float64(i-1)/steps-1), 3*math.Pi*(2*float64(i)/steps-1)
		now := miss(b)
		if last == 0 || last*now < 0 {
			low, high, sign := a, b, last
			for range 60 {
				m := (low + high) / 2
				if v := miss(m); v*sign > 0 {
					low = m
				} else {
					high = m
				}
			}
			_, tip := p.shoot(p.Lean + low)
			tips = append(tips, tip)
		}
		last = now
	}
	return tips
}

// shoot integrates from a tip at angle to the base, by the classical Runge-Kutta method, and returns the angle there and where the tip is
// from there.
func (p *Planar) shoot(angle float64) (base float64, tip [2]float64) {
	const n = 200
	sin, cos := math.Sincos(angle)
	force := [2]float64{
		p.Force[0] + p.Follower[0]*cos + p.Follower[1]*sin,
		p.Force[1] - p.Follower[0]*sin + p.Follower[1]*cos - p.Tip,
	}
	// slope is how angle, moment and position change toward the base, at a distance from the tip.
	slope := func(at float64, y [4]float64) [4]float64 {
		nx, nz := force[0], force[1]-p.Line*at
		sin, cos := math.Sincos(y[0])
		q, t := nx*cos-nz*sin, nx*sin+nz*cos
		q, t = q/p.Shear, 1+t/p.Axial
		x, z := q*cos+t*sin, -q*sin+t*cos // r'
		// About y: m' + z' nx − x' nz = 0, and toward the base all changes sign.
		return [4]float64{-y[1] / p.Bend, z*nx - x*nz, -x, -z}
	}
	y, h := [4]float64{angle, p.Moment, 0, 0}, p.Length/n
	at := func(y, k [4]float64, h float64) [4]float64 {
		for i := range y {
			y[i] += h * k[i]
		}
		return y
	}
	for i := range n {
		s := float64(i) * h
		k1 := slope(s, y)
		k2 := slope(s+h/2, at(y, k1, h/2))
		k3 := slope(s+h/2, at(y, k2, h/2))
		k4 := slope(s+h, at(y, k3, h))
		for j := range y {
			y[j] += h / 6 * (k1[j] + 2*k2[j] + 2*k3[j] + k4[j])
		}
	}
	return y[0], [2]float64{-y[2], -y[3]}
}
