package microrobot

import (
	"fmt"
	"runtime"
	"testing"

	"sinew/pkg/sim/integrate"
)

// processors makes teams believe in so many processors until the test ends.
func processors(t testing.TB, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// counting is a job that adds up what its tasks do. hold, if not nil, keeps helpers
// from finishing their work until it is closed.
type counting struct {
	held  [maxWorkers]int // task of each worker
	total []int
	hold  chan struct{}
	took  chan struct{} // a helper has begun to work
}

func (c *counting) load(worker, task int) { c.held[worker] = task + 1 }

func (c *counting) work(worker, task int) {
	if worker > 0 && c.hold != nil {
		select {
		case c.took <- struct{}{}:
		default:
		}
		<-c.hold
	}
	c.held[worker] *= 10
}

func (c *counting) store(worker, task int) { c.total[task] += c.held[worker] }

// Every task of every round is done once. Its numbers are plain ones: the race
// detector sees whether rounds and workers are apart.
func TestTeam(t *testing.T) {
	processors(t, 4)
	const tasks, rounds, steps = 23, 5, 200
	c := &counting{total: make([]int, tasks)}
	team := newTeam(c, tasks, 1, 3*loadPerWorker)
	if team.workers() != 4 {
		t.Fatalf("%d workers", team.workers())
	}
	for range steps {
		team.begin()
		for range rounds {
			team.do()
		}
		team.end()
	}
	for i, n := range c.total {
		if n != 10*(i+1)*rounds*steps {
			t.Errorf("task %d came to %d, want %d", i, n, 10*(i+1)*rounds*steps)
		}
	}
}

// A step does not wait for helpers that the machine has put aside at their work, nor
// do they spoil later steps when they go on.
func TestTeamDoesNotWait(t *testing.T) {
	processors(t, 4)
	const tasks, rounds = 40, 50
	c := &counting{total: make([]int, tasks), hold: make(chan struct{}), took: make(chan struct{}, maxWorkers)}
	team := newTeam(c, tasks, 1, 3*loadPerWorker)
	done := 0
	round := func() {
		team.do()
		done++
	}
	team.begin()
	for stuck := false; !stuck; round() { // until a helper has taken a task
		select {
		case <-c.took:
			stuck = true
		default:
		}
	}
	for range rounds {
		round()
	}
	team.end()
	close(c.hold)
	for range rounds {
		team.begin()
		round()
		team.end()
	}
	for i, n := range c.total {
		if n != 10*(i+1)*done {
			t.Errorf("task %d came to %d, want %d", i, n, 10*(i+1)*done)
		}
	}
}

// Below its share of the load a team has no helpers and needs none.
func TestTeamOfOne(t *testing.T) {
	processors(t, 4)
	c := &counting{total: make([]int, 4)}
	team := newTeam(c, 4, 1, loadPerWorker-1)
	team.begin()
	team.do()
	team.end()
	if team.workers() != 1 || c.total[3] != 40 {
		t.Errorf("%d workers, tasks came to %v", team.workers(), c.total)
	}
}

// swarms are all ways to step many robots, with the workers that they have.
var swarms = []struct {
	name, text string
	workers    int // on five processors
}{
	{"without interaction", fmt.Sprintf(spheroid6DOF, "rkmk4") + "swarm: {count: 17000, spacing_m: 1e-3, interaction: none}\n", 5},
	{"in heat", "{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, swarm: {count: 3000, spacing_m: 1e-5, interaction: none}}", 4},
	{"following", `{body: {shape: {sphere_m: 1e-6}, magnet: {moment_a_m2: [1e-6, 0, 0]}}, field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.1, frequency_hz: 3}},
  swarm: {count: 5000, spacing_m: 1e-3, interaction: none}}`, 2},
	{"with interaction", hundred, 2},
	{"with interaction in heat", `{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, swarm: {count: 30, spacing_m: 1.5e-6}}`, 1},
}

// A swarm does the same, to the last bit, on one processor and on several.
func TestSwarmOnManyProcessors(t *testing.T) {
	for _, k := range swarms {
		var want []integrate.Placement
		for _, n := range []int{1, 2, 5} {
			processors(t, n)
			m := newModel(t, k.text)
			if got := m.crowd.workers(); n == 5 && got != k.workers {
				t.Errorf("%s: %d workers", k.name, got)
			}
			steps(t, m, 3, 1e-3)
			if want == nil {
				want = append(want, m.crowd.x...)
				continue
			}
			for i, x := range m.crowd.x {
				if x != want[i] {
					t.Fatalf("%s, on %d processors: robot %d at %v, on one at %v", k.name, n, i, x, want[i])
				}
			}
		}
	}
}

func (c *crowd) workers() int {
	if c.pairs != nil {
		return c.pairs.team.workers()
	}
	return c.flock.team.workers()
}

// A step allocates nothing, whatever the swarm.
func TestSwarmAllocatesNothing(t *testing.T) {
	processors(t, 5)
	for _, k := range swarms {
		m := newModel(t, k.text)
		steps(t, m, 2, 1e-3)
		if n := testing.AllocsPerRun(3, func() { _ = m.Step(1e-3) }); n != 0 {
			t.Errorf("%s: %g allocations per step", k.name, n)
		}
	}
}
