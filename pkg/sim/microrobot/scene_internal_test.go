package microrobot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Tests of what has no exported name.

// The wire of a right-handed helix turns with its advance along x, y toward z.
func TestDrawnHelix(t *testing.T) {
	for sense, sign := range map[string]float64{"right": 1, "left": -1} {
		m := NewModel(t, fmt.Sprintf(`{body: {shape: {helix: {length_m: 240e-6, radius_m: 30e-6, pitch_m: 80e-6, wire_radius_m: 8e-6, handedness: %s}}}}`, sense))
		var s sim.Scene
		m.Draw(&s)
		p := s.Tubes[0].Points
		middle, quarter := p[helixPoints/2], p[helixPoints/2+5] // 20 µm on: a quarter turn
		k := m.robot.drawingScale
		NearVec(t, sense+" middle", middle, spatial.Vec{Y: 30e-6 * k}, 1e-12)
		NearVec(t, sense+" quarter turn on", quarter, spatial.Vec{X: 20e-6 * k, Z: sign * 30e-6 * k}, 1e-12)
	}
}

// The trail remembers the newest points, in order, and starts anew after a restore.
func TestTrail(t *testing.T) {
	var w trail
	for i := range 3 * trailPoints {
		w.extend(spatial.Vec{X: float64(i)}, 0.5)
	}
	points := make([]spatial.Vec, trailPoints)
	w.put(points)
	for i, p := range points {
		if want := float64(2*trailPoints + i); p.X != want {
			t.Fatalf("point %d is %g, want %g", i, p.X, want)
		}
	}
	for _, x := range []float64{0.1, 0.2, 0.2} { // one point, which moves on
		w.extend(spatial.Vec{X: float64(3*trailPoints-1) + x}, 0.5)
	}
	w.put(points)
	if d := points[trailPoints-1].X - points[trailPoints-2].X; math.Abs(d-0.2) > 1e-9 {
		t.Errorf("the newest point is %g on", d)
	}
	w.reset()
	w.extend(spatial.Vec{Y: 1}, 0.5)
	w.put(points)
	if points[0] != points[trailPoints-1] || points[0] != (spatial.Vec{Y: 1}) {
		t.Errorf("after forgetting: %v to %v", points[0], points[trailPoints-1])
	}
}

// What is sketched of measured poses is what the model draws that is there, but the field and the path, which were not
// measured.
func TestSketch(t *testing.T) {
	for name, text := range map[string]string{
		"helix in a vessel": `{body: {shape: {helix: {length_m: 240e-6, radius_m: 30e-6, pitch_m: 80e-6, wire_radius_m: 8e-6}}, magnet: {moment_a_m2: [0, 2e-10, 0]}},
  walls: [{cylinder: {axis: [1, 0, 0], radius_m: 1e-3}}, {plane: {point_m: [0, 0, -5e-4]}}], field: {uniform_t: [1e-3, 0, 2e-3]}}`,
		"swarm": `{body: {shape: {ellipsoid_m: [2e-4, 1e-4, 1e-4]}, magnet: {moment_a_m2: [0, 2e-10, 0]}}, swarm: {count: 3, spacing_m: 1e-3, interaction: none}, field: {uniform_t: [1e-3, 0, 2e-3]}}`,
		"soft":  `{body: {shape: {sphere_m: 1e-4}, soft: {volume_m3: 4e-12, susceptibility: 1, saturation_a_per_m: 5e5}}, field: {uniform_t: [1e-3, 0, 2e-3]}}`,
	} {
		m := NewModel(t, text)
		StepsInTest(t, m, 20, 1e-3)
		var want, got sim.Scene
		m.Draw(&want)
		var poses []spatial.Pose
		for _, x := range m.engine.Placements() {
			poses = append(poses, spatial.Pose{R: x.Q.Rot(), P: x.P})
		}
		m.robot.Sketch(&got, poses, nil)
		moment := want.Arrows[1:]
		if name == "soft" { // its moment is the field's
			moment = nil
		}
		if got.Scale != want.Scale || !sameTubes(got.Tubes, want.Tubes) || len(got.Disks) != len(want.Disks) || len(got.Spheres) != len(want.Spheres) || len(got.Arrows) != len(moment) || len(got.Polylines) > 0 {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
			continue
		}
		for i, s := range got.Spheres {
			NearVec(t, name, s.Pose.P, want.Spheres[i].Pose.P, 1e-12)
			NearVec(t, name, s.Pose.R.Col1(), want.Spheres[i].Pose.R.Col1(), 1e-12)
			NearVec(t, name, s.SemiAxes, want.Spheres[i].SemiAxes, 1e-15)
		}
		for i, a := range got.Arrows {
			NearVec(t, name, a.To, moment[i].To, 1e-12)
		}
	}
}

// sameTubes reports whether tubes are the same apart from round-off.
func sameTubes(a, b []sim.Tube) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || len(a[i].Points) != len(b[i].Points) || a[i].Radius != b[i].Radius {
			return false
		}
		for k := range a[i].Points {
			if a[i].Points[k].Sub(b[i].Points[k]).Norm() > 1e-12 {
				return false
			}
		}
	}
	return true
}

// leastGap returns the least gap of two robots over their diameter.
func leastGap(m *Model) float64 {
	least, d := math.Inf(1), m.robot.Length()
	x := m.engine.Placements()
	for i := range x {
		for j := range i {
			least = math.Min(least, x[i].P.Sub(x[j].P).Norm()/d-1)
		}
	}
	return least
}

// spread returns the root of the mean squared distance of the robots from their middle, m.
func spread(m *Model) float64 {
	x := m.engine.Placements()
	var sum, middle spatial.Vec
	for i := range x {
		sum = sum.Add(x[i].P)
	}
	middle = sum.Scale(1 / float64(len(x)))
	s := 0.0
	for i := range x {
		s += x[i].P.Sub(middle).Norm2()
	}
	return math.Sqrt(s / float64(len(x)))
}

// beads are swarms whose magnets and thermal motion bring them together within the time.
var beads = []struct {
	name, text string
	time       float64 // s
	differs    float64 // how much the spread may differ from that with the shortest step, of it
}{
	// two beads at 5.7 kA/m flew 40 to 2000 diameters apart
	{"two of 5.7 kA/m", `{body: {shape: {sphere_m: 25e-6}, magnet: {moment_a_m2: [3.73e-10, 0, 0]}}, gravity_m_per_s2: [0, 0, 0],
  swarm: {count: 2, spacing_m: 1.3e-4}}`, 0.1, 1e-9},
	// these were refused
	{"two of neodymium", fmt.Sprintf(Neodymium, 2, 1.5e-4, ""), 0.01, 1e-6},
	{"ten of neodymium", fmt.Sprintf(Neodymium, 10, 1.5e-4, ""), 0.005, 1e-3},
	{"27 of neodymium, Brownian", fmt.Sprintf(Neodymium, 27, 1.5e-4, ", fluid: {brownian: true}"), 0.001, 0.03},
	// these jumped by 75 µm at once
	{"27 of 1 µm, Brownian", `{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, swarm: {count: 27, spacing_m: 1.02e-6}}`, 0.01, 0.05},
}

// Beads that touch stay apart and stay together, whatever the step.
func TestBeadsTouch(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	for _, k := range beads {
		if testing.Short() && k.differs == 0.03 {
			continue
		}
		var want float64
		for _, dt := range []float64{1e-4, 5e-4, 1e-3} {
			m := NewModel(t, k.text)
			start := spread(m)
			least, most := math.Inf(1), 0.0
			for range int(math.Round(k.time / dt)) {
				before := m.Placement().P
				StepsInTest(t, m, 1, dt)
				least = math.Min(least, leastGap(m))
				most = math.Max(most, m.Placement().P.Sub(before).Norm()/m.robot.Length())
			}
			t.Logf("%s, steps of %g ms: gap at least %.2g diameters, spread %.7g m, was %.4g m", k.name, 1e3*dt, least, spread(m), start)
			if least < -1e-3 {
				t.Errorf("%s, steps of %g ms: they overlap by %g of a diameter", k.name, 1e3*dt, -least)
			}
			if want == 0 {
				want = spread(m)
			}
			Near(t, fmt.Sprintf("%s, steps of %g ms: spread", k.name, 1e3*dt), spread(m)/want, 1, k.differs)
			if u := Gauge(t, m, "unconverged_steps"); u != 0 {
				t.Errorf("%g unconverged steps", u)
			}
		}
	}
}

// Beads of neodymium of 50 µm in 10 mT, two and ten on a lattice, become a straight chain
// along the field, whatever the step: on the way they overlap by 0.1 % of a diameter at
// most, then they stay where they are, report no motion, and turn as one with a field that
// turns.
func TestBeadsBecomeAChain(t *testing.T) {
	for _, k := range []struct {
		count int
		rate  float64 // tolerance, rad/s: velocities are those of the last substep, in order 1
	}{{2, 0.1}, {10, 0.15}} {
		for _, dt := range []float64{1e-4, 5e-4, 1e-3} {
			t.Run(fmt.Sprintf("%d in steps of %g ms", k.count, 1e3*dt), func(t *testing.T) {
				becomeChain(t, k.count, dt, k.rate)
			})
		}
	}
}

func becomeChain(t *testing.T, count int, dt, rate float64) {
	const diameter, tolerance = 5e-5, 1e-9 // m
	m := NewModel(t, fmt.Sprintf(Neodymium, count, 1.5e-4, ""))
	least := math.Inf(1)
	follow := func(time float64) []spatial.Vec {
		for range int(math.Round(time / dt)) {
			StepsInTest(t, m, 1, dt)
			least = math.Min(least, leastGap(m))
		}
		return inOrder(m)
	}
	chain := follow(0.01)
	for i := range count - 1 {
		NearVec(t, fmt.Sprintf("bead %d to %d", i, i+1), chain[i+1].Sub(chain[i]), spatial.Vec{X: diameter}, tolerance)
	}
	for i, p := range follow(0.01) {
		NearVec(t, fmt.Sprintf("bead %d, 10 ms later", i), p, chain[i], tolerance)
	}
	if v, w := m.engine.Velocity(); v.Norm() > 1e-12 || w.Norm() > 1e-6 {
		t.Errorf("at rest it moves at %v, %v", v, w)
	}
	Command(t, m, "rotating_field", 0, 0, 1, 0.01, 5, 0)
	chain = follow(0.05)
	for i := range count - 1 {
		d := chain[i+1].Sub(chain[i])
		Near(t, fmt.Sprintf("direction of bead %d to %d after a quarter of a turn", i, i+1), math.Atan2(d.Y, d.X), math.Pi/2, 0.02)
		Near(t, fmt.Sprintf("distance of bead %d to %d, diameters", i, i+1), d.Norm()/diameter, 1, 1e-3)
	}
	Near(t, "rate", Value(t, m, "measured_cv")[5], 2*math.Pi*5, rate)
	if least < -1e-3 {
		t.Errorf("they overlap by %g of a diameter", -least)
	}
	t.Logf("gap at least %.2g diameters, %.6g diameters from end to end", least, chain[count-1].Sub(chain[0]).Norm()/diameter)
}

// inOrder returns where the robots are, by the place along the moment of the first one.
func inOrder(m *Model) []spatial.Vec {
	x := m.engine.Placements()
	along := x[0].Q.Apply(spatial.Vec{X: 1})
	var at []spatial.Vec
	for i := range x {
		at = append(at, x[i].P)
	}
	slices.SortFunc(at, func(a, b spatial.Vec) int { return cmp.Compare(along.Dot(a), along.Dot(b)) })
	return at
}

// Thermal motion of two beads that touch is reflected: the mean gap after a step is that
// of the absolute value of normal motion, σ √(2/π), and not half of it.
func TestThermalContactIsReflected(t *testing.T) {
	const text = `{body: {shape: {sphere_m: 5e-6}}, gravity_m_per_s2: [0, 0, 0], fluid: {brownian: true}, swarm: {count: 2, spacing_m: 1e-5}}`
	robot := *NewModel(t, text).robot
	const n, dt = 4000, 1e-4
	sum := 0.0
	for i := range n {
		robot.file.Seed = i
		m := robot.NewModel()
		StepsInTest(t, m, 1, dt)
		sum += leastGap(m) * 1e-5
	}
	c := NewModel(t, text).engine.(*interactingSwarm)
	sigma := math.Sqrt(2 * c.motion.constants.thermal * dt * c.fluid.Opening(1, 0, 1e-5))
	Near(t, "mean gap over σ", sum/n/sigma, math.Sqrt(2/math.Pi), 4*math.Sqrt((1-2/math.Pi)/n))
}
