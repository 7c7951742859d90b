package boundary

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Resolution is the number of panels between an edge of a body and the distance from it that is the
// smallest half-width of the body. The panels become smaller toward the edges.
type Resolution int

// grading is the exponent of the distances of panels from an edge of the body, where the density
// grows without bound, about as the distance to the power of −0.46. It makes the error of a resistance
// of order 2.5.
const grading = 2.5

// Extrapolate returns the loads of a surface that are extrapolated from the resolutions 3 and 4,
// and the largest change of a resistance by that, over the resistance. It fails as Surface.Solve does.
func Extrapolate(surface func(Resolution) *Surface) (loads *Loads, change float64, err error) {
	const coarse, fine = 3, 4
	first, err := surface(coarse).Solve()
	if err != nil {
		return nil, 0, err
	}
	if loads, err = surface(fine).Solve(); err != nil {
		return nil, 0, err
	}
	gain := 1 / (math.Pow(float64(fine)/coarse, grading) - 1)
	for i := range loads.Wrench {
		for j := range loads.Wrench[i] {
			d := gain * (loads.Wrench[i][j] - first.Wrench[i][j])
			if loads.Wrench[i][j] += d; i == j {
				change = max(change, math.Abs(d/loads.Wrench[i][j]))
			}
		}
	}
	loads.Second = loads.Second.Add(loads.Second.Sub(first.Second).Scale(gain))
	return loads, change, nil
}

// divide returns where the panels of a length from the middle (0) to an edge end, in multiples of
// its half. near is the distance from the edge that has n panels.
func (n Resolution) divide(half, near float64) (ends []float64) {
	count := math.Ceil(float64(n) * math.Pow(half/near, 1/grading))
	for k := range int(count) + 1 {
		ends = append(ends, 1-math.Pow(1-float64(k)/count, grading))
	}
	return ends
}

// Cuboid returns the surface of a cuboid with the half-widths a (m) along the axes, whose centre is the
// reference point.
func (n Resolution) Cuboid(a spatial.Vec) *Surface {
	s := &Surface{Mirrors: [3]bool{true, true, true}}
	half := [3]float64{a.X, a.Y, a.Z}
	near := min(a.X, a.Y, a.Z)
	var ends [3][]float64
	for i, h := range half {
		ends[i] = n.divide(h, near)
	}
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		at := func(u, v float64) spatial.Vec {
			return axis(i).Scale(half[i]).AddScaled(half[j]*u, axis(j)).AddScaled(half[k]*v, axis(k))
		}
		for p := range ends[j][1:] {
			for q := range ends[k][1:] {
				u1, u2, v1, v2 := ends[j][p], ends[j][p+1], ends[k][q], ends[k][q+1]
				s.Panels = append(s.Panels, Panel{at(u1, v1), at(u2, v1), at(u2, v2), at(u1, v2)})
			}
		}
	}
	return s
}

// Cylinder returns the surface of a cylinder of the given half-length and radius (m) around the x axis,
// whose centre is the reference point. Its section is a regular polygon of the area of the circle.
func (n Resolution) Cylinder(half, radius float64) *Surface {
	s := &Surface{Mirrors: [3]bool{true, true, true}}
	near := min(half, radius)
	lengths, radii := n.divide(half, near), n.divide(radius, near)
	sectors := int(n) + 2 // of a quarter
	turn := math.Pi / 2 / float64(sectors)
	corner := radius * math.Sqrt(turn/math.Sin(turn))
	at := func(x, r float64, k int) spatial.Vec {
		sin, cos := math.Sincos(turn * float64(k))
		return spatial.Vec{X: half * x, Y: corner * r * cos, Z: corner * r * sin}
	}
	for k := range sectors {
		for i := range lengths[1:] {
			s.Panels = append(s.Panels, Panel{at(lengths[i], 1, k), at(lengths[i+1], 1, k), at(lengths[i+1], 1, k+1), at(lengths[i], 1, k+1)})
		}
		for i := range radii[1:] {
			p := Panel{at(1, radii[i], k), at(1, radii[i+1], k), at(1, radii[i+1], k+1), at(1, radii[i], k+1)}
			if i == 0 {
				p = p[:3] // a triangle in the middle
				p[0] = spatial.Vec{X: half}
			}
			s.Panels = append(s.Panels, p)
		}
	}
	return s
}
