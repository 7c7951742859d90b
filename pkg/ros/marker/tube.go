package marker

import (
	"math"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/sim/spatial"
)

// A tube is drawn with few triangles, for clients encode each vertex: 4320
// vertices cost a millisecond per subscriber.
const (
	tubeSides = 8
	maxRings  = 61
)

// tubeTriangles gives the corners, three per triangle, of a closed round tube
// about the points. Corners lie on the radius, which is one or one per point; seen from
// outside, each triangle runs counter-clockwise. Long lines are thinned to maxRings
// points. A line without length gives nothing.
func tubeTriangles(line []spatial.Vec, radius ...float64) []geometry_msgs.Point {
	at := thin(withoutRepeats(line), maxRings)
	if len(at) < 2 {
		return nil
	}
	points := make([]spatial.Vec, len(at))
	for i, k := range at {
		points[i] = line[k]
	}
	r := func(i int) float64 {
		if len(radius) == 1 {
			return radius[0]
		}
		return radius[at[i]]
	}
	corners := make([]geometry_msgs.Point, 0, 6*tubeSides*(len(points)-1)+2*3*(tubeSides-2))
	add := func(a, b, c spatial.Vec) {
		corners = append(corners, point(a), point(b), point(c))
	}
	frame := newRingFrame(direction(points, 0))
	below := frame.ring(points[0], r(0))
	for k := 2; k < tubeSides; k++ {
		add(below[0], below[k], below[k-1])
	}
	for i := 1; i < len(points); i++ {
		frame = frame.turned(direction(points, i))
		above := frame.ring(points[i], r(i))
		for k := range tubeSides {
			l := (k + 1) % tubeSides
			add(below[k], below[l], above[l])
			add(below[k], above[l], above[k])
		}
		below = above
	}
	for k := 2; k < tubeSides; k++ {
		add(below[0], below[k-1], below[k])
	}
	return corners
}

// ringFrame is an orthonormal frame on the centre line: normal, binormal and
// tangent are right-handed.
type ringFrame struct{ normal, binormal, tangent spatial.Vec }

// newRingFrame takes as normal the coordinate axis farthest from the tangent,
// made perpendicular to it.
func newRingFrame(tangent spatial.Vec) ringFrame {
	axis := spatial.Vec{X: 1}
	x, y, z := math.Abs(tangent.X), math.Abs(tangent.Y), math.Abs(tangent.Z)
	if y <= x && y <= z {
		axis = spatial.Vec{Y: 1}
	} else if z <= x {
		axis = spatial.Vec{Z: 1}
	}
	normal := axis.AddScaled(-axis.Dot(tangent), tangent).Unit()
	return ringFrame{normal, tangent.Cross(normal), tangent}
}

// turned carries the frame to a new tangent by the smallest rotation, so that
// the triangles do not twist about the line.
func (f ringFrame) turned(tangent spatial.Vec) ringFrame {
	normal := f.normal.AddScaled(-f.normal.Dot(tangent), tangent)
	if normal.Norm() < 1e-3 { // the line turned by a right angle: no normal is better than another
		return newRingFrame(tangent)
	}
	normal = normal.Unit()
	return ringFrame{normal, tangent.Cross(normal), tangent}
}

// ring gives the corners around p, counter-clockwise about the tangent.
func (f ringFrame) ring(p spatial.Vec, radius float64) (corners [tubeSides]spatial.Vec) {
	for k := range corners {
		s, c := math.Sincos(2 * math.Pi * float64(k) / tubeSides)
		corners[k] = p.AddScaled(radius*c, f.normal).AddScaled(radius*s, f.binormal)
	}
	return corners
}

// direction is the unit tangent at point i: along the only segment at the ends,
// half-way between the two segments elsewhere.
func direction(points []spatial.Vec, i int) spatial.Vec {
	var t spatial.Vec
	if i > 0 {
		t = t.Add(points[i].Sub(points[i-1]).Unit())
	}
	if i < len(points)-1 {
		t = t.Add(points[i+1].Sub(points[i]).Unit())
	}
	if t.Norm() < 1e-6 { // the line turns back on itself
		return points[i].Sub(points[i-1]).Unit()
	}
	return t.Unit()
}

// withoutRepeats returns the indices of the points but those that are where the point
// before is.
func withoutRepeats(points []spatial.Vec) []int {
	kept := make([]int, 0, len(points))
	for i, p := range points {
		if n := len(kept); n == 0 || p != points[kept[n-1]] {
			kept = append(kept, i)
		}
	}
	return kept
}

// thin keeps at most n, evenly, with both ends.
func thin(all []int, n int) []int {
	if len(all) <= n {
		return all
	}
	kept := make([]int, n)
	for i := range kept {
		kept[i] = all[i*(len(all)-1)/(n-1)]
	}
	return kept
}

func point(p spatial.Vec) geometry_msgs.Point { return geometry_msgs.Point{X: p.X, Y: p.Y, Z: p.Z} }
