package magnetics

import (
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// fieldMap is the field of coils at the points of a grid, as measured or computed, with axes of any
// spacing. Between the points each component is a cubic Hermite polynomial along each axis, whose slopes
// at the points are those of parabolas through three of them: it takes the values of the grid, its first derivatives
// are continuous, and its error is of third order. The gradient is that of the polynomial without
// its curl and divergence, which a static field does not have. Outside of the grid the field goes on
// linearly from the nearest point of the border.
type fieldMap struct {
	axes   [3][]float64    // of the points, m, ascending
	values [][]spatial.Vec // by coil, T/A; z is the fastest
	offset []spatial.Vec   // without current, T; nil: none
}

// stencil is what the points of a grid are to a place in it: weights along each axis, and those of the derivative.
type stencil struct {
	first [3]int // number of the first point along an axis
	n     [3]int // number of points
	w, d  [3][4]float64
	from  spatial.Vec // from the nearest point of the grid's box, m
}

// at returns the stencil of p.
func (m *fieldMap) at(p spatial.Vec) (s stencil) {
	x := [3]float64{p.X, p.Y, p.Z}
	var from [3]float64
	for k, axis := range &m.axes {
		inside := min(max(x[k], axis[0]), axis[len(axis)-1])
		from[k] = x[k] - inside
		s.first[k], s.n[k] = hermite(axis, inside, &s.w[k], &s.d[k])
	}
	s.from = spatial.Vec{X: from[0], Y: from[1], Z: from[2]}
	return s
}

// hermite sets the weights of value and derivative at x of the cubic through up to four points of an axis, and
// returns the number of the first point and how many they are.
func hermite(axis []float64, x float64, w, d *[4]float64) (first, n int) {
	const most = 4
	n = min(most, len(axis))
	if n == 1 {
		w[0] = 1
		return 0, 1
	}
	cell, found := slices.BinarySearch(axis, x)
	if !found || cell == len(axis)-1 {
		cell--
	}
	first = min(max(cell-1, 0), len(axis)-n)
	h := axis[cell+1] - axis[cell]
	t := (x - axis[cell]) / h
	u := 1 - t
	w[cell-first] += (1 + 2*t) * u * u
	w[cell+1-first] += t * t * (3 - 2*t)
	d[cell-first] -= 6 * t * u / h
	d[cell+1-first] += 6 * t * u / h
	addSlope := func(node int, value, derivative float64) {
		at, weights := slopeWeights(axis, node)
		for k, c := range weights {
			if c != 0 {
				w[at+k-first] += value * c
				d[at+k-first] += derivative * c
			}
		}
	}
	addSlope(cell, h*t*u*u, u*(1-3*t))
	addSlope(cell+1, -h*t*t*u, t*(3*t-2))
	return first, n
}

// slopeWeights returns the weights with which three points, from at on, make the slope of their parabola at a
// point of the axis, or of two points that of their line.
func slopeWeights(axis []float64, node int) (at int, w [3]float64) {
	if len(axis) == 2 {
		h := axis[1] - axis[0]
		return 0, [3]float64{-1 / h, 1 / h}
	}
	at = min(max(node-1, 0), len(axis)-3)
	a, b, c, x := axis[at], axis[at+1], axis[at+2], axis[node]
	return at, [3]float64{
		(2*x - b - c) / ((a - b) * (a - c)), (2*x - a - c) / ((b - a) * (b - c)), (2*x - a - b) / ((c - a) * (c - b)),
	}
}

// addAll adds field and gradient at p under the currents (A).
func (m *fieldMap) addAll(b *spatial.Vec, g *Gradient, p spatial.Vec, currents []float64) {
	s := m.at(p)
	if m.offset != nil {
		m.add(b, g, &s, m.offset, 1)
	}
	for i, current := range currents {
		if current != 0 {
			m.add(b, g, &s, m.values[i], current)
		}
	}
}

// add adds current times field and gradient of the values.
func (m *fieldMap) add(b *spatial.Vec, g *Gradient, s *stencil, values []spatial.Vec, current float64) {
	value, x, y, z := m.jacobian(s, values)
	own := fieldGradient(&m.axes, x, y, z)
	*b = b.AddScaled(current, value.Add(own.Apply(s.from)))
	*g = g.AddScaled(current, own)
}

// jacobian returns the interpolated value, and its derivatives to x, y and z.
func (m *fieldMap) jacobian(s *stencil, values []spatial.Vec) (value, x, y, z spatial.Vec) {
	ny, nz := len(m.axes[1]), len(m.axes[2])
	for i := range s.n[0] {
		for j := range s.n[1] {
			row := values[((s.first[0]+i)*ny+s.first[1]+j)*nz+s.first[2]:]
			var along, slope spatial.Vec
			for k := range s.n[2] {
				along = along.AddScaled(s.w[2][k], row[k])
				slope = slope.AddScaled(s.d[2][k], row[k])
			}
			value = value.AddScaled(s.w[0][i]*s.w[1][j], along)
			x = x.AddScaled(s.d[0][i]*s.w[1][j], along)
			y = y.AddScaled(s.w[0][i]*s.d[1][j], along)
			z = z.AddScaled(s.w[0][i]*s.w[1][j], slope)
		}
	}
	return value, x, y, z
}

// fieldGradient returns the symmetric part without trace of the derivatives to x, y and z. A plane of points
// has none across it: there they follow from the others.
func fieldGradient(axes *[3][]float64, x, y, z spatial.Vec) Gradient {
	switch {
	case len(axes[0]) == 1:
		x = spatial.Vec{X: -y.Y - z.Z, Y: y.X, Z: z.X}
	case len(axes[1]) == 1:
		y = spatial.Vec{X: x.Y, Y: -x.X - z.Z, Z: z.Y}
	case len(axes[2]) == 1:
		z = spatial.Vec{X: x.Z, Y: y.Z, Z: -x.X - y.Y}
	}
	third := (x.X + y.Y + z.Z) / 3
	return Gradient{XX: x.X - third, YY: y.Y - third, XY: (x.Y + y.X) / 2, XZ: (x.Z + z.X) / 2, YZ: (y.Z + z.Y) / 2}
}

// box returns the corners of the grid, m.
func (m *fieldMap) box() (lower, upper spatial.Vec) {
	end := func(last bool) (v [3]float64) {
		for k, axis := range &m.axes {
			if v[k] = axis[0]; last {
				v[k] = axis[len(axis)-1]
			}
		}
		return v
	}
	lo, hi := end(false), end(true)
	return spatial.Vec{X: lo[0], Y: lo[1], Z: lo[2]}, spatial.Vec{X: hi[0], Y: hi[1], Z: hi[2]}
}

// slopeStep returns the length of central differences of the gradient, m: a part of the shortest spacing.
func (m *fieldMap) slopeStep() float64 {
	const share = 1e-3
	shortest := math.Inf(1)
	for _, axis := range &m.axes {
		for i := 1; i < len(axis); i++ {
			shortest = min(shortest, axis[i]-axis[i-1])
		}
	}
	return share * shortest
}

// curlShare returns how much of the derivatives in the middles of cells is curl and divergence, which static
// fields do not have, and how much of the field that changes over the size of the grid, as root mean squares.
func (m *fieldMap) curlShare(values []spatial.Vec) (ofGradient, ofField float64) {
	lo, hi := m.box()
	size := hi.Sub(lo).Norm()
	rest, gradient, field := 0.0, 0.0, 0.0
	middle := func(axis []float64, i int) float64 {
		return (axis[min(i, len(axis)-1)] + axis[min(i+1, len(axis)-1)]) / 2
	}
	for i := range max(1, len(m.axes[0])-1) {
		for j := range max(1, len(m.axes[1])-1) {
			for k := range max(1, len(m.axes[2])-1) {
				s := m.at(spatial.Vec{X: middle(m.axes[0], i), Y: middle(m.axes[1], j), Z: middle(m.axes[2], k)})
				value, x, y, z := m.jacobian(&s, values)
				g := fieldGradient(&m.axes, x, y, z).Mat()
				for a, d := range [3]spatial.Vec{x, y, z} {
					if len(m.axes[a]) > 1 {
						row := g.Apply([3]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}[a])
						rest += d.Sub(row).Norm2()
						gradient += d.Norm2()
					}
				}
				field += value.Norm2()
			}
		}
	}
	if gradient == 0 || field == 0 {
		return 0, 0
	}
	return math.Sqrt(rest / gradient), size * math.Sqrt(rest/field)
}
