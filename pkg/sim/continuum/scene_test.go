package continuum_test

import (
	"math"
	"reflect"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// drawn returns the scene of a silicone robot of 10 elements with other tendons.
func drawn(t *testing.T, edit func(m *continuum.Model)) (*continuum.Model, *sim.Scene) {
	t.Helper()
	f := silicone(10)
	f.Tendons[1].Limits.MaxTension = 0
	m := newModel(t, f)
	edit(m)
	s := new(sim.Scene)
	m.Draw(s)
	return m, s
}

// Every attribute of the straight robot's drawing is what the documents say.
func TestSceneAttributes(t *testing.T) {
	const radius = 0.0055
	_, s := drawn(t, func(m *continuum.Model) { command(t, m, "servo_jf", 5, 5) })
	along := func(x float64) spatial.Vec { return spatial.Vec{X: x} }

	tube := sim.Tube{Name: "backbone", Radius: radius, Color: sim.Color{R: 0.75, G: 0.78, B: 0.82, A: 1}}
	for k := range 11 {
		tube.Points = append(tube.Points, along(0.025*float64(k)))
	}
	if len(s.Tubes) != 1 || !near(s.Tubes[0].Points, tube.Points) {
		t.Fatalf("tubes %+v, want %+v", s.Tubes, tube)
	}
	if s.Tubes[0].Points = tube.Points; !reflect.DeepEqual(s.Tubes[0], tube) {
		t.Errorf("tube %+v, want %+v", s.Tubes[0], tube)
	}

	if len(s.Disks) != 10 {
		t.Fatalf("%d disks", len(s.Disks))
	}
	for i, d := range s.Disks {
		if !near([]spatial.Vec{d.Pose.P, d.Pose.R.Col3()}, []spatial.Vec{along(0.025 * float64(i+1)), along(1)}) {
			t.Errorf("disk %d at %+v", i, d.Pose)
		}
		// the rim is a quarter beyond the farther hole
		if math.Abs(d.Radius-1.25*0.015) > 1e-15 || math.Abs(d.Thickness-0.12*1.25*0.015) > 1e-15 || d.Color != (sim.Color{R: 0.30, G: 0.34, B: 0.40, A: 0.8}) {
			t.Errorf("disk %d: %+v", i, d)
		}
	}

	// d1 is world z, d2 is world −y
	for k, want := range []struct {
		sim.Polyline
		hole spatial.Vec
	}{
		{sim.Polyline{Name: "up", Width: 0.3 * radius, Color: sim.Color{R: 0.05 + 0.9/4, G: 0.35 - 0.25/4, B: 0.95 - 0.85/4, A: 1}}, spatial.Vec{Z: 0.015}},
		{sim.Polyline{Name: "left", Width: 0.3 * radius, Color: sim.Color{R: 0.05, G: 0.35, B: 0.95, A: 1}}, spatial.Vec{Y: 0.012}}, // no limit, no share of it
	} {
		got := s.Polylines[k]
		for i := range 11 {
			want.Points = append(want.Points, along(0.025*float64(i)).Add(want.hole))
		}
		if got.Name != want.Name || math.Abs(got.Width-want.Width) > 1e-15 || !near(got.Points, want.Points) {
			t.Errorf("tendon %+v, want %+v", got, want)
		}
		a, b := got.Color, want.Color
		for i, d := range []float32{a.R - b.R, a.G - b.G, a.B - b.B, a.A - b.A} {
			if math.Abs(float64(d)) > 1e-6 {
				t.Errorf("tendon %s: component %d of the colour %v, want %v", got.Name, i, a, b)
			}
		}
	}
}

// Springs are lines from their sections of the rod to their points in the world, behind the tendons, also of a shape that was measured.
func TestSceneOfSprings(t *testing.T) {
	f := silicone(10)
	f.Solver.Method = robotfile.Implicit
	anchors := []spatial.Vec{{X: 0.3, Z: 0.1}, {Y: -0.2}}
	f.Springs = []robotfile.RodSpring{
		{Name: "tether", At: 0.25, Point: anchors[0], Stiffness: 1, RestLength: 0.1},
		{At: 0.1, Point: anchors[1], Stiffness: 2},
	}
	m := newModel(t, f)
	if err := m.Step(1e-3); err != nil {
		t.Fatal(err)
	}
	var drawn, sketched sim.Scene
	m.Draw(&drawn)
	parts, _ := m.Parts()
	pose := parts.System.State.Pose
	m.Robot().Sketch(&sketched, nil, pose, nil, nil)
	for what, s := range map[string]*sim.Scene{"drawn": &drawn, "sketched": &sketched} {
		if len(s.Polylines) != len(f.Tendons)+2 {
			t.Fatalf("%s: %d lines, want %d tendons and 2 springs", what, len(s.Polylines), len(f.Tendons))
		}
		for i, at := range []int{10, 4} {
			line := &s.Polylines[len(f.Tendons)+i]
			if name := []string{"tether", "spring"}[i]; line.Name != name || !near(line.Points, []spatial.Vec{pose[at].P, anchors[i]}) || line.Width <= 0 || line.Color.A != 1 {
				t.Errorf("%s: %+v, want %s from %v to %v", what, line, name, pose[at].P, anchors[i])
			}
		}
	}
}

// Beyond its limit a tendon is as red as at its limit.
func TestSceneOfATautTendon(t *testing.T) {
	_, s := drawn(t, func(m *continuum.Model) { command(t, m, "servo_jf", 40, 0) })
	if c := s.Polylines[0].Color; math.Abs(float64(c.R)-0.95) > 1e-6 || math.Abs(float64(c.G)-0.1) > 1e-6 || math.Abs(float64(c.B)-0.1) > 1e-6 {
		t.Errorf("colour %v at twice the limit, want that of the limit", c)
	}
}

// The arrow is as long as the force would bend a cantilever, F L³/3EI, and no longer
// than the rod.
func TestSceneArrow(t *testing.T) {
	tip := spatial.Vec{X: 0.25}
	for _, c := range []struct {
		name  string
		force [3]float64
		axes  float64
		to    func(bend float64) spatial.Vec
	}{
		{"none", [3]float64{}, 0, func(float64) spatial.Vec { return tip }},
		{"world axes", [3]float64{0, 0.03, 0.04}, 0, func(bend float64) spatial.Vec { return tip.Add(spatial.Vec{Y: 0.03 * bend, Z: 0.04 * bend}) }},
		{"tip axes", [3]float64{0.04, 0.03, 0}, 1, func(bend float64) spatial.Vec { return tip.Add(spatial.Vec{Y: -0.03 * bend, Z: 0.04 * bend}) }},
		{"far too much", [3]float64{0, 0, -1e6}, 0, func(float64) spatial.Vec { return tip.Sub(spatial.Vec{Z: 0.25}) }},
	} {
		_, s := drawn(t, func(m *continuum.Model) {
			command(t, m, "external_wrench", c.force[0], c.force[1], c.force[2], 0, 0, 0, c.axes)
		})
		stiffness := 16598637 * math.Pi / 4 * math.Pow(0.0055, 4)
		want := sim.Arrow{Name: "external_force", From: tip, To: c.to(math.Pow(0.25, 3) / (3 * stiffness)), Radius: 0.3 * 0.0055, Color: sim.Color{R: 0.95, G: 0.60, B: 0.10, A: 1}}
		got := s.Arrows[0]
		if len(s.Arrows) != 1 || got.Name != want.Name || got.Color != want.Color || math.Abs(got.Radius-want.Radius) > 1e-15 ||
			!near([]spatial.Vec{got.From, got.To}, []spatial.Vec{want.From, want.To}) {
			t.Errorf("%s: arrows %+v, want %+v", c.name, s.Arrows, want)
		}
	}
}

// A scene is drawn into what is there, whatever it held.
func TestSceneIsDrawnAnew(t *testing.T) {
	m, want := drawn(t, func(*continuum.Model) {})
	again := &sim.Scene{
		Tubes: make([]sim.Tube, 3), Disks: make([]sim.Disk, 2), Polylines: make([]sim.Polyline, 5), Arrows: make([]sim.Arrow, 2),
	}
	again.Tubes[0].Points = make([]spatial.Vec, 40)
	m.Draw(again)
	if !reflect.DeepEqual(again, want) {
		t.Errorf("drawn over another scene: %+v, want %+v", again, want)
	}
}

// near reports whether points are the same but for round-off.
func near(a, b []spatial.Vec) bool {
	for i := range b {
		if len(a) != len(b) || !(a[i].Sub(b[i]).Norm() <= 1e-14) {
			return false
		}
	}
	return len(a) == len(b)
}

// What is sketched of measured nodes is what the model draws that has them there, but tensions, which were not measured.
func TestSketch(t *testing.T) {
	f := silicone(10)
	f.Solver.Method = robotfile.Implicit
	e := implicitOf(t, f)
	command(t, e.Model, "servo_jf", 5, 2)
	step(t, e.Model, 1e-3, 5)
	s := new(sim.Scene)
	e.Draw(s)
	nodes, robot := e.System.State.Pose, e.Robot()
	var got sim.Scene
	robot.Sketch(&got, nil, nodes, []spatial.Vec{{}, {X: 1}}, nil)
	if !reflect.DeepEqual(got.Tubes, s.Tubes) || !reflect.DeepEqual(got.Disks, s.Disks) || len(got.Arrows) > 0 || len(got.Polylines) != len(s.Polylines) {
		t.Errorf("%+v, want %+v", got, s)
	}
	muted := sim.Color{R: 0.50, G: 0.50, B: 0.55, A: 1}
	for k, line := range got.Polylines {
		if !reflect.DeepEqual(line.Points, s.Polylines[k].Points) || line.Color != muted {
			t.Errorf("tendon %d: %+v, want %+v", k, line, s.Polylines[k])
		}
	}
	robot.Sketch(&got, nil, nodes[3:6], []spatial.Vec{nodes[3].P, nodes[4].P, nodes[5].P}, nil)
	if len(got.Tubes) != 1 || len(got.Tubes[0].Points) != 3 || got.Tubes[0].Radius != 0.0055 || len(got.Disks)+len(got.Polylines) > 0 {
		t.Errorf("of three points: %+v", got)
	}
	robot.Sketch(&got, nodes[10:], nil, nil, nil)
	if len(got.Disks) != 2 || got.Disks[0].Pose != e.System.Rod.Base || got.Disks[1].Pose != nodes[10] || got.Disks[1].Radius != 0.0055 || len(got.Tubes)+len(got.Polylines) > 0 {
		t.Errorf("of the tip: %+v", got)
	}
	if robot.Sketch(&got, nil, nil, nil, nil); len(got.Disks)+len(got.Tubes) > 0 {
		t.Errorf("of nothing: %+v", got)
	}
}
