package microrobot

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Tests of what has no exported name.

// Without interaction each robot moves as it would alone, to the last bit.
func TestSwarmWithoutInteraction(t *testing.T) {
	alone := fmt.Sprintf(Spheroid6DOF, "rkmk4")
	m := NewModel(t, alone+"swarm: {count: 9, spacing_m: 1e-3, interaction: none}\n")
	var singles []*Model
	for _, x := range m.engine.Placements() {
		one := NewModel(t, alone)
		*one.Placement() = x
		singles = append(singles, one)
	}
	if d := m.engine.Placements()[1].P.Sub(m.engine.Placements()[0].P); d != (spatial.Vec{X: 1e-3}) {
		t.Errorf("lattice step %v", d)
	}
	const n = 50
	StepsInTest(t, m, n, 1e-3)
	all := Value(t, m, "poses")
	for i, one := range singles {
		StepsInTest(t, one, n, 1e-3)
		if m.engine.Placements()[i] != *one.Placement() {
			t.Errorf("robot %d at %v, alone at %v", i, m.engine.Placements()[i], *one.Placement())
		}
		NearVec(t, "poses", spatial.VecAt(all[7*i:]), one.Placement().P, 0)
	}
}

// Two spheres that sink side by side and one above the other are faster than one, by
// the factors 1 + 3a/4r + a³/2r³ and 1 + 3a/2r − a³/r³ of Rotne and Prager.
func TestSwarmDragsAlong(t *testing.T) {
	const text = `{body: {shape: {sphere_m: 1e-5}, load: {force_n: [%s]}}, gravity_m_per_s2: [0, 0, 0],
  swarm: {count: 2, spacing_m: 3e-5}, solver: {method: lie-euler}}`
	alone := 1e-13 / (6 * math.Pi * 8.5e-4 * 1e-5)
	for force, factor := range map[string]float64{
		"0, 0, 1e-13": 1 + 1./4 + 1./54, "1e-13, 0, 0": 1 + 1./2 - 1./27,
	} {
		m := NewModel(t, fmt.Sprintf(text, force))
		Near(t, "measured_cv", spatial.VecAt(Value(t, m, "measured_cv")).Norm()/alone, factor, 1e-12)
		before := m.engine.Placements()[1].P
		StepsInTest(t, m, 1, 1e-3)
		Near(t, "speed over that of one, force "+force, m.engine.Placements()[1].P.Sub(before).Norm()/1e-3/alone, factor, 1e-9)
	}
}

// Two magnets attract, touch, and stay a pair; the centre
// stays where it is.
func TestSwarmOfMagnetsPairs(t *testing.T) {
	m := NewModel(t, `{body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [1e-10, 0, 0]}}, gravity_m_per_s2: [0, 0, 0],
  swarm: {count: 2, spacing_m: 1.3e-4}}`)
	StepsInTest(t, m, 5000, 1e-3)
	d := m.engine.Placements()[1].P.Sub(m.engine.Placements()[0].P)
	if r := d.Norm(); r > 1e-4 || r < 0.95e-4 {
		t.Errorf("after 5 s they are %g m apart", r)
	}
	NearVec(t, "centre", m.engine.Placements()[0].P.Add(m.engine.Placements()[1].P).Scale(0.5), spatial.Vec{X: 0, Y: 0, Z: 0}.Add(
		spatial.Vec{Y: -0.65e-4, Z: -0.65e-4}), 1e-12)
}

// Brownian motion of spheres side by side keeps its correlation: kT/(6πηa) along each
// axis for one, and a³/…-terms for two; here only that both methods agree far apart.
func TestSwarmBrownian(t *testing.T) {
	const text = `{seed: %d, body: {shape: {sphere_m: 5e-7}}, gravity_m_per_s2: [0, 0, 0], fluid: {brownian: true},
  swarm: {count: 2, spacing_m: 1.5e-6}}`
	var own, cross float64
	const n = 4000
	robot := *NewModel(t, fmt.Sprintf(text, 1)).robot
	for i := range n {
		robot.file.Seed = i
		m := robot.NewModel()
		a, b := m.engine.Placements()[0].P, m.engine.Placements()[1].P
		StepsInTest(t, m, 1, 1e-4)
		a, b = m.engine.Placements()[0].P.Sub(a), m.engine.Placements()[1].P.Sub(b)
		own += (a.X*a.X + b.X*b.X) / 2
		cross += a.X * b.X
	}
	// along the line of centres at r = 3a: 3a/2r − a³/r³ = 0.463
	const dt = 5.345213e-13
	Near(t, "own mean square", own/n/(2*dt*1e-4), 1, 0.05)
	Near(t, "correlation", cross/own, 1./2-1./27, 0.05)
}

// attitude is that of a pose as ports give it.
func attitude(pose []float64) spatial.Quat {
	return spatial.Quat{X: pose[3], Y: pose[4], Z: pose[5], W: pose[6]}
}

// The velocities of all robots are how far each comes in a step, the first one's is that of
// measured_cv, and they outlive Save and Restore: of robots alone, of robots that drag each
// other along, that touch, and that are followed by implicit steps.
func TestSwarmTellsOfAllRobots(t *testing.T) {
	const drag = `{body: {orientation_xyzw: [0.5, 0.5, 0.5, 0.5], shape: {sphere_m: 1e-5}, load: {force_n: [1e-13, 0, 1e-13]}}, gravity_m_per_s2: [0, 0, 0], solver: {method: lie-euler}, swarm: {count: 5, spacing_m: 3e-5%s}%s}`
	for _, c := range []struct {
		name, text string
		from       reported
		steps      int
		dt         float64 // s
	}{
		{"alone", fmt.Sprintf(drag, ", interaction: none", ", fluid: {flow: {gradient_per_s: [0, 0, 0.1, 0, 0, 0, 0, 0, 0]}}"), fromLoads, 3, 1e-6},
		{"dragged along", fmt.Sprintf(drag, "", ""), fromLoads, 3, 1e-6},
		{"touching", `{body: {shape: {sphere_m: 25e-6}, magnet: {moment_a_m2: [3.73e-10, 0, 0]}}, gravity_m_per_s2: [0, 0, 0], swarm: {count: 3, spacing_m: 5.1e-5}}`, fromSubstep, 750, 4e-6},
		{"implicit", strings.Replace(fmt.Sprintf(Neodymium, 3, 1.5e-4, ""), "[0.01, 0, 0]", "[0.006, 0.008, 0.003]", 1), fromSubstep, 200, 1e-5},
	} {
		m := NewModel(t, c.text)
		n := m.Robots()
		before, after, v := make([]float64, 7*n), make([]float64, 7*n), make([]float64, 6*n)
		all := func(name string, m *Model, dst []float64) {
			t.Helper()
			if !m.ValueOfAll(Port(t, m, name), dst) {
				t.Fatalf("%s: all robots have no %s", c.name, name)
			}
		}
		for range c.steps {
			all("measured_cp", m, before)
			StepsInTest(t, m, 1, c.dt)
		}
		all("measured_cp", m, after)
		all("measured_cv", m, v)
		if s, ok := m.engine.(*interactingSwarm); ok && s.reported != c.from || m.last.Substeps != 1 {
			t.Errorf("%s: the case does not test what it says: %v substeps", c.name, m.last.Substeps)
		}
		for i := range n {
			want := spatial.VecAt(after[7*i:]).Sub(spatial.VecAt(before[7*i:])).Scale(1 / c.dt)
			NearVec(t, fmt.Sprintf("%s: velocity of robot %d", c.name, i), spatial.VecAt(v[6*i:]), want, 1e-6*want.Norm()+1e-14)
			turn := attitude(after[7*i:]).Mul(attitude(before[7*i:]).Conj()).Log().Scale(1 / c.dt)
			NearVec(t, fmt.Sprintf("%s: angular velocity of robot %d", c.name, i), spatial.VecAt(v[6*i+3:]), turn, 1e-6*turn.Norm()+1e-9)
		}
		if !slices.Equal(after, Value(t, m, "poses")) || !slices.Equal(v[:6], Value(t, m, "measured_cv")) {
			t.Errorf("%s: poses or the velocity of the first are not those of the ports", c.name)
		}
		if v[0] == v[6*(n-1)] && v[2] == v[6*(n-1)+2] {
			t.Errorf("%s: the first and the last move alike", c.name)
		}
		state, twin := make([]float64, m.StateLen()), NewModel(t, c.text)
		m.Save(state)
		if err := twin.Restore(state); err != nil {
			t.Fatal(err)
		}
		again := make([]float64, 6*n)
		if all("measured_cv", twin, again); !slices.Equal(v, again) {
			t.Errorf("%s: restored velocities differ", c.name)
		}
		if a := testing.AllocsPerRun(10, func() { m.ValueOfAll(Port(t, m, "measured_cv"), v) }); a != 0 {
			t.Errorf("%s: %g allocations", c.name, a)
		}
		if m.ValueOfAll(Port(t, m, "path"), after) {
			t.Errorf("%s: all robots have a path", c.name)
		}
	}
	if n := NewModel(t, `{body: {shape: {sphere_m: 1e-5}}}`).Robots(); n != 0 {
		t.Errorf("a single robot is one of %d", n)
	}
}

// Ellipsoids that tumble along walls go the same way with every step: the reaction acts
// where they touch. With bodies moved out of walls they were a quarter of the way and 2 rad
// apart, at every halving of the step.
func TestTumblingConverges(t *testing.T) {
	const body = `{body: {shape: {ellipsoid_m: [1e-3, 4e-4, 2e-4]}, density_kg_per_m3: 3000, position_m: [0, 0, %g], orientation_xyzw: [0.3, 0.5, 0.1, 0.8],
  load: {moment_nm: [0, %g, %g], frame: world}}, fluid: {viscosity_pa_s: %g}, walls: [%s]%s}`
	const (
		floor = "{plane: {}}"
		tube  = "{cylinder: {axis: [1, 0.2, 0], radius_m: 1.3e-3}}"
	)
	for _, k := range []struct {
		name, text string
		angle      float64 // rad
	}{
		{"on a floor", fmt.Sprintf(body, 1.1e-3, 4e-8, 1e-8, 0.05, floor, ""), 1e-4},
		{"in a tube", fmt.Sprintf(body, 0., 4e-8, 1e-8, 0.05, tube, ""), 1e-4},
		{"with inertia on a floor", fmt.Sprintf(body, 1.1e-3, 4e-10, 1e-10, 0.002, floor, ", dynamics: inertial, solver: {method: rkmk4}"), 1e-2},
		{"with inertia in a tube", fmt.Sprintf(body, 0., 4e-10, 1e-10, 0.002, tube, ", dynamics: inertial, solver: {method: rkmk4}"), 1e-2},
	} {
		const duration = 0.1
		run := func(dt float64) *Model {
			m := NewModel(t, k.text)
			touched := false
			for range int(math.Round(duration / dt)) {
				StepsInTest(t, m, 1, dt)
				g := Gauge(t, m, "wall_gap")
				if touched = touched || g < 1e-8; g < -1e-9 {
					t.Fatalf("%s: gap %g", k.name, g)
				}
			}
			if !touched {
				t.Errorf("%s: it does not touch the wall", k.name)
			}
			return m
		}
		a, b := run(1e-3), run(2.5e-4)
		turn, way := Angle(a.Placement().Q, b.Placement().Q), a.Placement().P.Sub(b.Placement().P).Norm()
		t.Logf("%s: %.2g rad, %.2g of the extent", k.name, turn, way/a.robot.Length())
		Near(t, k.name+": angle", turn, 0, k.angle)
		Near(t, k.name+": place, of the extent", way/a.robot.Length(), 0, k.angle)
	}
}

// Every task of every run is done once. Its numbers are plain ones: the race detector
// sees whether runs and workers are apart.
func TestWorkers(t *testing.T) {
	Processors(t, 4)
	const tasks, runs, steps = 23, 5, 200
	total := make([]int, tasks)
	var held [maxWorkers]int // task of each worker
	w := newWorkers(tasks, 3*loadPerWorker)
	job := func(worker, task int) {
		held[worker] = task + 1
		held[worker] *= 10
		total[task] += held[worker]
	}
	if w.count() != 4 {
		t.Fatalf("%d workers", w.count())
	}
	for range steps {
		w.start()
		for range runs {
			w.run(job)
		}
		w.stop()
	}
	for i, n := range total {
		if n != 10*(i+1)*runs*steps {
			t.Errorf("task %d came to %d, want %d", i, n, 10*(i+1)*runs*steps)
		}
	}
}

// A job does not wait for helpers that the machine gives no processor.
func TestWorkersWithoutHelpers(t *testing.T) {
	Processors(t, 4)
	done := 0
	w := newWorkers(4, 3*loadPerWorker)
	w.run(func(worker, _ int) { done += 1 + 10*worker })
	if w.count() != 4 || done != 4 {
		t.Errorf("%d workers, tasks came to %d", w.count(), done)
	}
}

// Below its share of the load one worker has no helpers and needs none.
func TestOneWorker(t *testing.T) {
	Processors(t, 4)
	done := 0
	w := newWorkers(4, loadPerWorker-1)
	w.start()
	w.run(func(worker, _ int) { done += 1 + 10*worker })
	w.stop()
	if w.count() != 1 || done != 4 {
		t.Errorf("%d workers, tasks came to %d", w.count(), done)
	}
}

// A swarm does the same, to the last bit, on one processor and on any number of them.
func TestSwarmOnManyProcessors(t *testing.T) {
	testsize.SkipInShort(t)
	for _, k := range Swarms {
		var want []integrate.Placement
		for n := 1; n <= maxWorkers; n++ {
			Processors(t, n)
			m := NewModel(t, k.Text)
			if got := workersOf(m); n == 5 && got != k.workers {
				t.Errorf("%s: %d workers", k.Name, got)
			}
			StepsInTest(t, m, 3, 1e-3)
			if want == nil {
				want = append(want, m.engine.Placements()...)
				continue
			}
			for i, x := range m.engine.Placements() {
				if x != want[i] {
					t.Fatalf("%s, on %d processors: robot %d at %v, on one at %v", k.Name, n, i, x, want[i])
				}
			}
		}
	}
}

func workersOf(m *Model) int {
	if s, ok := m.engine.(*interactingSwarm); ok {
		return s.workers.count()
	}
	return m.engine.(*freeSwarm).workers.count()
}
