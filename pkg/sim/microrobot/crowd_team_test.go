package microrobot

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"sinew/pkg/sim/integrate"
)

// processors makes teams believe in so many processors until the test ends.
func processors(t testing.TB, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// Every task of every round is done once, by workers that differ while they work.
func TestTeam(t *testing.T) {
	processors(t, 4)
	const tasks, rounds, steps = 23, 5, 200
	var count [tasks]int
	var working [maxWorkers]atomic.Bool
	team := newTeam(3*loadPerWorker, func(worker, task int) {
		if working[worker].Swap(true) {
			t.Errorf("worker %d does two tasks at once", worker)
		}
		count[task]++ // plain: the race detector sees whether rounds are apart
		working[worker].Store(false)
	})
	if team.workers() != 4 {
		t.Fatalf("%d workers", team.workers())
	}
	for range steps {
		team.begin()
		for range rounds {
			team.do(tasks)
		}
		team.end()
	}
	for i, n := range count {
		if n != rounds*steps {
			t.Errorf("task %d was done %d times, of %d", i, n, rounds*steps)
		}
	}
}

// Below its share of the load a team has no helpers and needs none.
func TestTeamOfOne(t *testing.T) {
	processors(t, 4)
	n := 0
	team := newTeam(loadPerWorker-1, func(worker, task int) { n += task })
	team.begin()
	team.do(4)
	team.end()
	if team.workers() != 1 || n != 6 {
		t.Errorf("%d workers, sum of tasks %d", team.workers(), n)
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
