package standing

import (
	"fmt"
	"math"
)

// Arch is a rod in the plane of x and z that is clamped upright at the origin, of constant curvature without stress, with a dead force at an
// arc length and two springs at its tip: one along x and one along z as long as they are, both without stress at the stress-free tip.
type Arch struct {
	Length             float64 // m
	Bend, Axial, Shear float64 // N m², N, N
	Curvature          float64 // without stress, about y, 1/m
	At                 float64 // arc length of the force, m
	Direction          [2]float64
	Anchors            [2][2]float64 // of the springs of the tip, m
	Stiffness          [2]float64    // N/m
}

// LimitLoads returns the extremes of the force (N) along the path of equilibria from the stress-free shape, up to so many, by shooting from the
// base. Force and moment there and the load are the unknowns; the path through them is followed by arc length, scaled by Bend.
func (a *Arch) LimitLoads(count int) (loads []float64, err error) {
	const arc, steps = 0.25, 4000
	free := a.shoot(archPoint{}).tip
	x := archPoint{}
	tangent := a.tangent(x, free, archPoint{0, 0, 0, 1})
	for range steps {
		next, err := a.step(x, tangent, arc, free)
		if err != nil {
			return loads, err
		}
		after := a.tangent(next, free, tangent)
		if after[3]*tangent[3] < 0 {
			low, high := 0., arc
			var at archPoint
			for range 50 {
				middle := (low + high) / 2
				if at, err = a.step(x, tangent, middle, free); err != nil {
					return loads, err
				}
				if a.tangent(at, free, tangent)[3]*tangent[3] > 0 {
					low = middle
				} else {
					high = middle
				}
			}
			if loads = append(loads, at[3]*a.scale()[3]); len(loads) == count {
				return loads, nil
			}
		}
		x, tangent = next, after
	}
	return loads, fmt.Errorf("%d limit loads in %d steps", len(loads), steps)
}

// archPoint is force along x and z and moment at the base and the load, in units of scale.
type archPoint [4]float64

func (a *Arch) scale() archPoint {
	f := a.Bend / (a.Length * a.Length)
	return archPoint{f, f, f * a.Length, f}
}

// miss is by how much the tip is out of balance, in units of scale.
func (a *Arch) miss(x archPoint, free [2]float64) (m [3]float64) {
	end, scale := a.shoot(x), a.scale()
	m = [3]float64{end.force[0], end.force[1], end.moment}
	for i, anchor := range a.Anchors {
		pull := a.pull(i, end.tip, free, anchor)
		m[0] -= pull[0]
		m[1] -= pull[1]
	}
	for i := range m {
		m[i] /= scale[i]
	}
	return m
}

// slopes are the derivatives of miss, by differences.
func (a *Arch) slopes(x archPoint, free [2]float64) (k [4][5]float64) {
	const difference = 1e-5
	for j := range x {
		up, down := x, x
		up[j] += difference
		down[j] -= difference
		u, d := a.miss(up, free), a.miss(down, free)
		for i := range u {
			k[i][j] = (u[i] - d[i]) / (2 * difference)
		}
	}
	return k
}

// tangent is the direction of the path at a point, of unit length, toward that before.
func (a *Arch) tangent(x archPoint, free [2]float64, before archPoint) archPoint {
	k := a.slopes(x, free)
	copy(k[3][:], before[:])
	k[3][4] = 1
	t := archPoint(eliminate(k))
	size := math.Sqrt(t[0]*t[0] + t[1]*t[1] + t[2]*t[2] + t[3]*t[3])
	for i := range t {
		t[i] /= size
	}
	return t
}

// step finds the point of the path at a length along the tangent.
func (a *Arch) step(from, tangent archPoint, arc float64, free [2]float64) (archPoint, error) {
	x := from
	for i := range x {
		x[i] += arc * tangent[i]
	}
	for range 30 {
		k, m := a.slopes(x, free), a.miss(x, free)
		copy(k[3][:], tangent[:])
		along := arc
		for i := range x {
			along -= (x[i] - from[i]) * tangent[i]
		}
		k[0][4], k[1][4], k[2][4], k[3][4] = -m[0], -m[1], -m[2], along
		size := 0.0
		for i, d := range eliminate(k) {
			x[i] += d
			size = max(size, math.Abs(d))
		}
		if size < 1e-9 {
			return x, nil
		}
	}
	return x, fmt.Errorf("shooting of an arch does not converge at a load of %g", x[3]*a.scale()[3])
}

// pull is the force of a spring on the tip: along it, of its stiffness and what it is longer than at the stress-free tip.
func (a *Arch) pull(i int, tip, free, anchor [2]float64) [2]float64 {
	rest := math.Hypot(free[0]-anchor[0], free[1]-anchor[1])
	d := [2]float64{tip[0] - anchor[0], tip[1] - anchor[1]}
	l := math.Hypot(d[0], d[1])
	f := -a.Stiffness[i] * (l - rest) / l
	return [2]float64{f * d[0], f * d[1]}
}

// eliminate solves four linear equations with partial pivoting.
func eliminate(k [4][5]float64) (x [4]float64) {
	for c := range 4 {
		p := c
		for r := c + 1; r < 4; r++ {
			if math.Abs(k[r][c]) > math.Abs(k[p][c]) {
				p = r
			}
		}
		k[c], k[p] = k[p], k[c]
		for r := c + 1; r < 4; r++ {
			f := k[r][c] / k[c][c]
			for j := c; j < 5; j++ {
				k[r][j] -= f * k[c][j]
			}
		}
	}
	for c := 3; c >= 0; c-- {
		x[c] = k[c][4]
		for j := c + 1; j < 4; j++ {
			x[c] -= k[c][j] * x[j]
		}
		x[c] /= k[c][c]
	}
	return x
}

// archEnd is where a shot ends.
type archEnd struct {
	tip, loaded [2]float64 // m
	force       [2]float64 // that the rod needs at its tip, N
	moment      float64    // N m
}

// shoot integrates from the base to the tip by the classical Runge-Kutta method. The internal force of a section acts from the part
// beyond on the part before.
func (a *Arch) shoot(p archPoint) archEnd {
	const n = 100
	x := p
	for i, f := range a.scale() {
		x[i] *= f
	}
	nx, nz := x[0], x[1]
	// angle about y from the z axis, moment, x, z
	slope := func(y [4]float64) [4]float64 {
		sin, cos := math.Sincos(y[0])
		q, t := nx*cos-nz*sin, nx*sin+nz*cos
		q, t = q/a.Shear, 1+t/a.Axial
		dx, dz := q*cos+t*sin, -q*sin+t*cos
		return [4]float64{a.Curvature + y[1]/a.Bend, dx*nz - dz*nx, dx, dz}
	}
	add := func(y, k [4]float64, h float64) [4]float64 {
		for i := range y {
			y[i] += h * k[i]
		}
		return y
	}
	y := [4]float64{0, x[2], 0, 0}
	var end archEnd
	for _, part := range [...]float64{a.At, a.Length - a.At} {
		h := part / n
		for range n {
			k1 := slope(y)
			k2 := slope(add(y, k1, h/2))
			k3 := slope(add(y, k2, h/2))
			k4 := slope(add(y, k3, h))
			for j := range y {
				y[j] += h / 6 * (k1[j] + 2*k2[j] + 2*k3[j] + k4[j])
			}
		}
		if end.loaded == [2]float64{} {
			end.loaded = [2]float64{y[2], y[3]}
			nx, nz = nx-x[3]*a.Direction[0], nz-x[3]*a.Direction[1]
		}
	}
	end.tip, end.force, end.moment = [2]float64{y[2], y[3]}, [2]float64{nx, nz}, y[1]
	return end
}
