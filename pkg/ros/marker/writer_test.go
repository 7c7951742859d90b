package marker_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros/marker"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

func vec(x, y, z float64) geometry_msgs.Vector3 { return geometry_msgs.Vector3{X: x, Y: y, Z: z} }

// straight lines along every axis, where a poor choice of normal would show.
func straight(n int, d spatial.Vec) []spatial.Vec {
	points := make([]spatial.Vec, n)
	for i := range points {
		points[i] = d.Scale(float64(i))
	}
	return points
}

func toVec(p geometry_msgs.Point) spatial.Vec { return spatial.Vec(p) }

// A corner lies on the radius about a point of the line, in the plane that halves
// the angle between the segments there.
func TestTubeCornersLieOnTheRadius(t *testing.T) {
	const radius, roundOff = 0.02, 1e-12
	for name, points := range map[string][]spatial.Vec{
		"helix":   marker.Helix(41),
		"along x": straight(3, spatial.Vec{X: 1}), "along y": straight(3, spatial.Vec{Y: 1}),
		"along z": straight(3, spatial.Vec{Z: 1}), "back": straight(3, spatial.Vec{X: -1, Y: -1e-9}),
	} {
		corners := marker.TubeTriangles(points, radius)
		if want := 6*marker.TubeSides*(len(points)-1) + 6*(marker.TubeSides-2); len(corners) != want {
			t.Fatalf("%s: %d corners, want %d", name, len(corners), want)
		}
		for _, c := range corners {
			off := math.Inf(1)
			for i, p := range points {
				r := toVec(c).Sub(p)
				before, after := p.Sub(points[max(i-1, 0)]), points[min(i+1, len(points)-1)].Sub(p)
				tangent := spatial.Vec{}
				for _, segment := range []spatial.Vec{before, after} {
					if segment != (spatial.Vec{}) {
						tangent = tangent.Add(segment.Unit())
					}
				}
				off = min(off, math.Abs(r.Norm()-radius)+math.Abs(r.Dot(tangent)))
			}
			if off > roundOff {
				t.Fatalf("%s: corner %v is %g off every ring", name, c, off)
			}
		}
	}
}

// Every edge is walked once each way, so that the surface is closed and its
// triangles agree on which side is out; the enclosed volume then is positive if
// that side is the outside.
func TestTubeIsClosedAndFacesOutwards(t *testing.T) {
	const radius = 0.02
	for name, points := range map[string][]spatial.Vec{"helix": marker.Helix(41), "straight": straight(2, spatial.Vec{Z: 1})} {
		corners := marker.TubeTriangles(points, radius)
		edges := make(map[[2]geometry_msgs.Point]int)
		volume, length := 0.0, 0.0
		for i := 0; i < len(corners); i += 3 {
			a, b, c := corners[i], corners[i+1], corners[i+2]
			edges[[2]geometry_msgs.Point{a, b}]++
			edges[[2]geometry_msgs.Point{b, c}]++
			edges[[2]geometry_msgs.Point{c, a}]++
			volume += toVec(a).Dot(toVec(b).Cross(toVec(c))) / 6
		}
		for e, n := range edges {
			if n != 1 || edges[[2]geometry_msgs.Point{e[1], e[0]}] != 1 {
				t.Fatalf("%s: edge %v is walked %d times, and back %d times; want 1 and 1", name, e, n, edges[[2]geometry_msgs.Point{e[1], e[0]}])
			}
		}
		for i := 1; i < len(points); i++ {
			length += points[i].Sub(points[i-1]).Norm()
		}
		octagon := marker.TubeSides / 2 * math.Sin(2*math.Pi/marker.TubeSides) * radius * radius
		if want := octagon * length; math.Abs(volume/want-1) > 0.01 { // rings are not parallel in a bend
			t.Errorf("%s: volume %g, want %g", name, volume, want)
		}
	}
}

func TestTubeDegenerateLines(t *testing.T) {
	p, q := spatial.Vec{X: 1}, spatial.Vec{X: 2}
	if got := marker.TubeTriangles([]spatial.Vec{p, p, p}, 1); got != nil {
		t.Errorf("a point gave %d corners", len(got))
	}
	if a, b := marker.TubeTriangles([]spatial.Vec{p, p, q, q}, 1), marker.TubeTriangles([]spatial.Vec{p, q}, 1); len(a) != len(b) {
		t.Errorf("repeated points gave %d corners, want %d", len(a), len(b))
	}
	for _, c := range marker.TubeTriangles([]spatial.Vec{p, q, p}, 1) { // turns back
		if !spatial.IsFinite(c.X + c.Y + c.Z) {
			t.Fatalf("a line that turns back gave corner %v", c)
		}
	}
	long := marker.TubeTriangles(marker.Helix(5000), 0.02)
	if want := 6*marker.TubeSides*(marker.MaxRings-1) + 6*(marker.TubeSides-2); len(long) != want {
		t.Errorf("5000 points gave %d corners, want %d", len(long), want)
	}
	if len(long) != 2916 { // clients encode each vertex
		t.Errorf("a long line has %d corners, want 2916", len(long))
	}
	if end := toVec(long[len(long)-1]).Sub(marker.Helix(5000)[4999]).Norm(); math.Abs(end-0.02) > 1e-12 {
		t.Errorf("thinning lost the end of the line: the last corner is %g away", end)
	}
}

func TestMarkersShowTheScene(t *testing.T) {
	var w marker.Writer
	m := w.Message(marker.EveryShape(), 4, msgs.At(1000*time.Second)).Markers
	if len(m) != 7 || m[0].Action != visualization_msgs.MarkerDeleteall {
		t.Fatalf("first drawing has %d markers, want a DELETEALL and 6 shapes", len(m))
	}
	tilted := geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1, Y: 2, Z: 3}, Orientation: geometry_msgs.Quaternion{X: 0.5, Y: 0.5, Z: 0.5, W: 0.5}}
	for i, want := range []struct {
		ns     string
		id     int32
		kind   int32
		pose   geometry_msgs.Pose
		scale  geometry_msgs.Vector3
		points int
	}{
		{"rod", 0, visualization_msgs.MarkerTriangleList, marker.Identity(), vec(1, 1, 1), 6*8*4 + 6*6},
		{"disks", 0, visualization_msgs.MarkerCylinder, tilted, vec(0.04, 0.04, marker.Thinnest), 0},
		{"disks", 1, visualization_msgs.MarkerCylinder, tilted, vec(0.04, 0.04, 0.001), 0},
		{"body", 0, visualization_msgs.MarkerSphere, tilted, vec(2, 4, 6), 0},
		{"tendons", 0, visualization_msgs.MarkerLineStrip, marker.Identity(), vec(0.001, 0, 0), 4},
		{"field", 0, visualization_msgs.MarkerArrow, marker.Identity(), vec(0.1, 0.2, 0.4), 2},
	} {
		g := m[i+1]
		if g.Ns != want.ns || g.ID != want.id || g.Kind != want.kind || g.Action != visualization_msgs.MarkerAdd ||
			g.Pose != want.pose || g.Scale != want.scale || len(g.Points) != want.points {
			t.Errorf("marker %d is %s/%d kind %d action %d pose %+v scale %+v with %d points, want %+v",
				i, g.Ns, g.ID, g.Kind, g.Action, g.Pose, g.Scale, len(g.Points), want)
		}
		if g.Header != (std_msgs.Header{Seq: 4, Stamp: msgs.At(1000 * time.Second), FrameID: "world"}) {
			t.Errorf("marker %d has header %+v", i, g.Header)
		}
	}
	if c := m[1].Color; c.B != 1 || c.A != 0.5 || c.R != 0 {
		t.Errorf("tube has colour %+v", c)
	}
}

// A tube with a radius at each point is as thick as it says there, also where points are
// left out.
func TestTubeOfChangingRadius(t *testing.T) {
	points := straight(3, spatial.Vec{X: 1})
	points = append(points[:2], points[1:]...) // one twice
	radii := []float64{0.3, 0.2, 9, 0.1}
	for _, c := range marker.TubeTriangles(points, radii...) {
		for i, p := range points {
			if r := toVec(c).Sub(p); math.Abs(r.X) < 1e-12 && i != 2 && math.Abs(r.Norm()-radii[i]) > 1e-12 {
				t.Fatalf("corner %v is %g from point %d, want %g", c, r.Norm(), i, radii[i])
			}
		}
	}
	scene := sim.Scene{Tubes: []sim.Tube{{Name: "rod", Points: points, Radius: 5, Radii: radii}}}
	m := (&marker.Writer{}).Message(&scene, 0, 0)
	if got, want := m.Markers[len(m.Markers)-1].Points, marker.TubeTriangles(points, radii...); !slices.Equal(got, want) {
		t.Error("the marker of a tube does not have its radii")
	}
}
