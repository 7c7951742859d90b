package mesh

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Lips of open ends.
const (
	lipOverRadius = 0.5 // as at tubes
	lipRows       = 6   // rows of quadrangles of a quarter of a circle
)

// addLips extends the wall at every open end by a lip that turns outward from the free side, and
// returns the rims. Normals point to the free side.
func (s *surface) addLips(loops []loop) (rims []Rim) {
	for i := range loops {
		rims = append(rims, s.addLip(&loops[i]))
	}
	return rims
}

func (s *surface) addLip(l *loop) Rim {
	n := len(l.points)
	r := lipOverRadius * l.radius
	rim := Rim{Center: l.center, Axis: l.axis, Lip: r}
	outward := make([]spatial.Vec, n)
	for i := range outward {
		// along the loop, over two edges to either side, as its corners are rough
		along := s.points[l.points[(i+2)%n]].Sub(s.points[l.points[(i+n-2)%n]])
		if n < 5 {
			along = s.points[l.points[(i+1)%n]].Sub(s.points[l.points[(i+n-1)%n]])
		}
		w := along.Cross(l.axis)
		if w.Norm() < 1e-6*l.radius {
			w = s.points[l.points[i]].Sub(l.center)
			w = w.AddScaled(-w.Dot(l.axis), l.axis)
		}
		outward[i] = w.Unit()
		rim.Ring = append(rim.Ring, s.points[l.points[i]].AddScaled(r, outward[i]))
	}
	row := l.points
	for k := range lipRows {
		sin, cos := math.Sincos(math.Pi / 2 * float64(k+1) / lipRows)
		further := make([]int32, n)
		for i := range further {
			p := s.points[l.points[i]]
			further[i] = int32(len(s.points))
			s.points = append(s.points, p.AddScaled(r*sin, l.axis).AddScaled(r*(1-cos), outward[i]))
		}
		for i := range row {
			j := (i + 1) % n
			s.triangles = append(s.triangles, [3]int32{row[j], row[i], further[i]}, [3]int32{row[j], further[i], further[j]})
		}
		row = further
	}
	return rim
}
