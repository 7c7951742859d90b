package observer_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

var draws = flag.Int("draws", 16, "number of robots of TestCoverage")

const drawnRobot = `
rod: {length_m: %.4g, radius_m: 0.0005, elements: 10, element_order: 4, youngs_modulus_pa: %.4g, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, damping: {kelvin_voigt_s: 0.002}}
base: {direction: %s, normal: [0, 1, 0]}
tendons:
  - {name: tendon_1, offset_m: [ 0.008, 0], disks: {count: 10, first_m: 0.011, last_m: 0.11, mass_kg: 0.0003}, tension_n: %.3g}
  - {name: tendon_2, offset_m: [0,  0.008], disks: {count: 10, first_m: 0.011, last_m: 0.11, mass_kg: 0}, tension_n: %.3g}
gravity_m_per_s2: [0, 0, -9.81]
solver: {step_s: 0.001}
initial_state: equilibrium
sensors:
  - {name: tracker, rate_hz: %d, latency_s: %.3g, pose: {position_error: {noise: %.3g}, rotation_error: {noise: %.3g}}}
  - {name: base, rate_hz: 500, load_cell: {base: true, force_error: {noise: %.3g}, torque_error: {noise: %.3g}}}
%sobserver: {force: {walk_n: %.4g, steady_s: %g, changing_s: %g, anywhere: %t}}
seed: %d
`

// Mean durations of what the force of a draw does, s, and how much less it walks when it is steady.
const (
	steady, changing = 0.5, 0.05
	steadyWalk       = 0.01
)

// coverage counts how often intervals hold.
type coverage struct {
	sync.Mutex
	in, all map[string]int
	squares float64 // of innovations over what is expected, summed
	lost    int     // draws that lost track and began again
}

func (c *coverage) count(what string, difference, deviation float64) {
	c.all[what]++
	if math.Abs(difference) < 1.96*deviation {
		c.in[what]++
	}
}

// Robots, sensors, forces and their places are drawn at random, every fourth at the tip. The 95 % intervals of the force, its place and the tip hold the truth in 95 % of
// them, and innovations are as large as expected. Draws that begin again, and say so, are counted apart.
func TestCoverage(t *testing.T) {
	c := coverage{in: map[string]int{}, all: map[string]int{}}
	t.Run("draws", func(t *testing.T) {
		for k := range *draws {
			t.Run(fmt.Sprint(k), func(t *testing.T) {
				t.Parallel()
				draw(t, uint64(k), &c)
			})
		}
	})
	n := *draws - c.lost
	t.Logf("lost %d of %d; innovations %.2f of what is expected", c.lost, *draws, c.squares/float64(n))
	for what, all := range c.all {
		share := float64(c.in[what]) / float64(all)
		t.Logf("%s: %.1f %% of %d", what, 100*share, all)
		// components of one draw depend on each other, and so the draws count
		if slack := 4 * math.Sqrt(0.95*0.05/float64(n)); math.Abs(share-0.95) > 0.02+slack {
			t.Errorf("%s: 95 %% intervals hold in %.1f %% of %d", what, 100*share, all)
		}
	}
	if mean := c.squares / float64(n); mean < 0.8 || mean > 1.4 {
		t.Errorf("squares of innovations are %.2f of what is expected", mean)
	}
	if c.lost*10 > *draws {
		t.Errorf("%d of %d draws lost track", c.lost, *draws)
	}
}

// drawRobot draws a robot with sensors, and how much its force walks.
func drawRobot(random *rand.Rand, seed uint64, anywhere bool) (text string, walk, length float64) {
	between := func(a, b float64) float64 { return a + (b-a)*random.Float64() }
	log := func(a, b float64) float64 { return a * math.Pow(b/a, random.Float64()) }
	strain := ""
	if random.Float64() < 0.5 {
		strain = fmt.Sprintf("  - {name: fibre, rate_hz: 100, strain: {stations_m: [0.01, 0.03, 0.05, 0.07, 0.09], error: {noise: %.3g}}}\n", log(0.01, 0.3))
	}
	l, e := between(0.12, 0.3), log(4e10, 2e11)
	scale := e * math.Pi / 4 * math.Pow(0.0005, 4) / (l * l) // N, bends the rod by a third of its length
	walk = scale * log(0.1, 1)
	return fmt.Sprintf(drawnRobot, l, e, []string{"[1, 0, 0]", "[0, 0, 1]", "[0, 0, -1]", "[0.6, 0, 0.8]"}[random.IntN(4)], between(0, 2), between(0, 2),
		[]int{40, 100, 250}[random.IntN(3)], between(0, 0.03), log(1e-4, 1e-3), log(1e-3, 1e-2), log(0.003, 0.03)*scale, log(0.003, 0.03)*scale*l, strain,
		walk, steady, changing, anywhere, seed+1), walk, l
}

func draw(t *testing.T, seed uint64, c *coverage) {
	random := rand.New(rand.NewPCG(seed, 7))
	anywhere := seed%4 > 0
	text, walk, length := drawRobot(random, seed, anywhere)
	_, robot, o, err := observe([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	const dt, every = 0.001, 5
	at := length * (0.3 + 0.7*random.Float64())
	if !anywhere {
		at = length
	}
	var force spatial.Vec
	changes := true
	for step := range 600 {
		if step%every == 0 {
			s := walk * math.Sqrt(every*dt)
			if changes {
				changes = random.Float64() > every*dt/changing
			} else {
				changes = random.Float64() < every*dt/steady
			}
			if !changes {
				s *= steadyWalk
			}
			force = force.Add(spatial.Vec{X: s * random.NormFloat64(), Y: s * random.NormFloat64(), Z: s * random.NormFloat64()})
		}
		robot.Disturb([]sim.PointForce{{ArcLength: at, Force: force}})
		if err := o.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
	c.Lock()
	defer c.Unlock()
	if o.Restarts() > 0 {
		c.lost++
		return
	}
	m, d := o.Force()
	for i, x := range []float64{force.X, force.Y, force.Z} {
		c.count("force", m[i]-x, d[i])
	}
	if anywhere {
		c.count("place", m[3]-at, d[3])
	}
	i := slices.IndexFunc(robot.Ports(), func(p sim.Port) bool { return p.Name == "measured_cp" })
	v := make([]float64, robot.Ports()[i].Width())
	robot.Value(i, v)
	p, covariance := o.Tip()
	for i, x := range []float64{p.X, p.Y, p.Z} {
		c.count("tip", v[i]-x, math.Sqrt(covariance[i][i]))
	}
	_, _, squares := o.Innovations()
	for _, x := range squares {
		c.squares += x / float64(len(squares))
	}
	t.Logf("force %.4f at %.4f m of %.3f: %.4f ± %.4f, innovations %.2f", force, at, length, m, d, squares)
}
