package microrobot

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Without interaction each robot moves as it would alone, to the last bit.
func TestSwarmWithoutInteraction(t *testing.T) {
	alone := fmt.Sprintf(spheroid6DOF, "rkmk4")
	m := newModel(t, alone+"swarm: {count: 9, spacing_m: 1e-3, interaction: none}\n")
	var singles []*Model
	for _, x := range m.engine.Placements() {
		one := newModel(t, alone)
		*one.placement() = x
		singles = append(singles, one)
	}
	if d := m.engine.Placements()[1].P.Sub(m.engine.Placements()[0].P); d != (spatial.Vec{X: 1e-3}) {
		t.Errorf("lattice step %v", d)
	}
	const n = 50
	steps(t, m, n, 1e-3)
	all := value(t, m, "poses")
	for i, one := range singles {
		steps(t, one, n, 1e-3)
		if m.engine.Placements()[i] != *one.placement() {
			t.Errorf("robot %d at %v, alone at %v", i, m.engine.Placements()[i], *one.placement())
		}
		nearVec(t, "poses", spatial.VecAt(all[7*i:]), one.placement().P, 0)
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
		m := newModel(t, fmt.Sprintf(text, force))
		near(t, "measured_cv", spatial.VecAt(value(t, m, "measured_cv")).Norm()/alone, factor, 1e-12)
		before := m.engine.Placements()[1].P
		steps(t, m, 1, 1e-3)
		near(t, "speed over that of one, force "+force, m.engine.Placements()[1].P.Sub(before).Norm()/1e-3/alone, factor, 1e-9)
	}
}

// Two magnets attract, touch, and stay a pair; the centre
// stays where it is.
func TestSwarmOfMagnetsPairs(t *testing.T) {
	m := newModel(t, `{body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [1e-10, 0, 0]}}, gravity_m_per_s2: [0, 0, 0],
  swarm: {count: 2, spacing_m: 1.3e-4}}`)
	steps(t, m, 5000, 1e-3)
	d := m.engine.Placements()[1].P.Sub(m.engine.Placements()[0].P)
	if r := d.Norm(); r > 1e-4 || r < 0.95e-4 {
		t.Errorf("after 5 s they are %g m apart", r)
	}
	nearVec(t, "centre", m.engine.Placements()[0].P.Add(m.engine.Placements()[1].P).Scale(0.5), spatial.Vec{X: 0, Y: 0, Z: 0}.Add(
		spatial.Vec{Y: -0.65e-4, Z: -0.65e-4}), 1e-12)
}

// A hundred magnets in a rotating field: momentum of interaction cancels, saving and
// restoring is exact, nothing allocates.
const hundred = `{body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [1e-11, 0, 0]}}, gravity_m_per_s2: [0, 0, 0],
  field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.005, frequency_hz: 2}}, swarm: {count: 100, spacing_m: 3e-4}}`

func TestSwarmOfHundred(t *testing.T) {
	m, twin := newModel(t, hundred), newModel(t, hundred)
	steps(t, m, 3, 1e-3)
	state := make([]float64, m.StateLen())
	m.Save(state)
	if err := twin.Restore(state); err != nil {
		t.Fatal(err)
	}
	steps(t, m, 3, 1e-3)
	steps(t, twin, 3, 1e-3)
	for i := range m.engine.Placements() {
		if m.engine.Placements()[i] != twin.engine.Placements()[i] {
			t.Fatalf("robot %d: %v after restoring, %v", i, twin.engine.Placements()[i], m.engine.Placements()[i])
		}
	}
	if n := testing.AllocsPerRun(3, func() { _ = m.Step(1e-3) }); n != 0 {
		t.Errorf("%g allocations per step", n)
	}
}

// Brownian motion of spheres side by side keeps its correlation: kT/(6πηa) along each
// axis for one, and a³/…-terms for two; here only that both methods agree far apart.
func TestSwarmBrownian(t *testing.T) {
	const text = `{seed: %d, body: {shape: {sphere_m: 5e-7}}, gravity_m_per_s2: [0, 0, 0], fluid: {brownian: true},
  swarm: {count: 2, spacing_m: 1.5e-6}}`
	var own, cross float64
	const n = 4000
	robot := *newModel(t, fmt.Sprintf(text, 1)).robot
	for i := range n {
		robot.file.Seed = i
		m := robot.NewModel()
		a, b := m.engine.Placements()[0].P, m.engine.Placements()[1].P
		steps(t, m, 1, 1e-4)
		a, b = m.engine.Placements()[0].P.Sub(a), m.engine.Placements()[1].P.Sub(b)
		own += (a.X*a.X + b.X*b.X) / 2
		cross += a.X * b.X
	}
	// along the line of centres at r = 3a: 3a/2r − a³/r³ = 0.463
	const dt = 5.345213e-13
	near(t, "own mean square", own/n/(2*dt*1e-4), 1, 0.05)
	near(t, "correlation", cross/own, 1./2-1./27, 0.05)
}

func TestSwarmRefusals(t *testing.T) {
	const sphere = "body: {shape: {sphere_m: 1e-4}}, "
	for _, k := range []struct{ text, words string }{
		{"{body: {shape: {ellipsoid_m: [1e-4, 1e-4, 1e-5]}}, swarm: {count: 2, spacing_m: 1e-3}}", "interaction full,spheres"},
		{"{" + sphere + "swarm: {count: 2, spacing_m: 1e-4}}", "spacing_m,0.0002 m"},
		{"{" + sphere + "swarm: {count: 301, spacing_m: 1e-3}, fluid: {brownian: true}}", "count = 301,300"},
		{"{" + sphere + "swarm: {count: 2, spacing_m: 1e-3}, solver: {method: cg4}}", "cg4,rkmk4"},
		{"{body: {shape: {sphere_m: 1e-4}, position_m: [0, 0, 3e-4]}, walls: [{plane: {}}], swarm: {count: 8, spacing_m: 3e-4}}", "without walls"},
		{"{body: {shape: {sphere_m: 1e-4}, position_m: [0, 0, 2e-4]}, walls: [{plane: {}}], swarm: {count: 8, spacing_m: 3e-4, interaction: none}}", "inside a wall"},
		{"{body: {shape: {sphere_m: 1e-4}, soft: {volume_m3: 1e-12, susceptibility: 9}}, swarm: {count: 2, spacing_m: 1e-3}}", "permanent"},
	} {
		_, err := New(parse(t, k.text), nil)
		if err == nil {
			t.Errorf("%s was accepted", k.text)
			continue
		}
		for _, w := range strings.Split(k.words, ",") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("the error %q does not mention %q", err, w)
			}
		}
	}
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
		{"implicit", strings.Replace(fmt.Sprintf(neodymium, 3, 1.5e-4, ""), "[0.01, 0, 0]", "[0.006, 0.008, 0.003]", 1), fromSubstep, 200, 1e-5},
	} {
		m := newModel(t, c.text)
		n := m.Robots()
		before, after, v := make([]float64, 7*n), make([]float64, 7*n), make([]float64, 6*n)
		all := func(name string, m *Model, dst []float64) {
			t.Helper()
			if !m.ValueOfAll(port(t, m, name), dst) {
				t.Fatalf("%s: all robots have no %s", c.name, name)
			}
		}
		for range c.steps {
			all("measured_cp", m, before)
			steps(t, m, 1, c.dt)
		}
		all("measured_cp", m, after)
		all("measured_cv", m, v)
		if s, ok := m.engine.(*interactingSwarm); ok && s.reported != c.from || m.last.Substeps != 1 {
			t.Errorf("%s: the case does not test what it says: %v substeps", c.name, m.last.Substeps)
		}
		for i := range n {
			want := spatial.VecAt(after[7*i:]).Sub(spatial.VecAt(before[7*i:])).Scale(1 / c.dt)
			nearVec(t, fmt.Sprintf("%s: velocity of robot %d", c.name, i), spatial.VecAt(v[6*i:]), want, 1e-6*want.Norm()+1e-14)
			turn := attitude(after[7*i:]).Mul(attitude(before[7*i:]).Conj()).Log().Scale(1 / c.dt)
			nearVec(t, fmt.Sprintf("%s: angular velocity of robot %d", c.name, i), spatial.VecAt(v[6*i+3:]), turn, 1e-6*turn.Norm()+1e-9)
		}
		if !slices.Equal(after, value(t, m, "poses")) || !slices.Equal(v[:6], value(t, m, "measured_cv")) {
			t.Errorf("%s: poses or the velocity of the first are not those of the ports", c.name)
		}
		if v[0] == v[6*(n-1)] && v[2] == v[6*(n-1)+2] {
			t.Errorf("%s: the first and the last move alike", c.name)
		}
		state, twin := make([]float64, m.StateLen()), newModel(t, c.text)
		m.Save(state)
		if err := twin.Restore(state); err != nil {
			t.Fatal(err)
		}
		again := make([]float64, 6*n)
		if all("measured_cv", twin, again); !slices.Equal(v, again) {
			t.Errorf("%s: restored velocities differ", c.name)
		}
		if a := testing.AllocsPerRun(10, func() { m.ValueOfAll(port(t, m, "measured_cv"), v) }); a != 0 {
			t.Errorf("%s: %g allocations", c.name, a)
		}
		if m.ValueOfAll(port(t, m, "path"), after) {
			t.Errorf("%s: all robots have a path", c.name)
		}
	}
	if n := newModel(t, `{body: {shape: {sphere_m: 1e-5}}}`).Robots(); n != 0 {
		t.Errorf("a single robot is one of %d", n)
	}
}
