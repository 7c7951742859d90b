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
	team := newTeam(4, func(worker, task int) {
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

// A team of one has no helpers and needs none.
func TestTeamOfOne(t *testing.T) {
	n := 0
	team := newTeam(0, func(worker, task int) { n += task })
	team.begin()
	team.do(4)
	team.end()
	if team.workers() != 1 || n != 6 {
		t.Errorf("%d workers, sum of tasks %d", team.workers(), n)
	}
}

// swarms is where the number of processors could show.
var swarms = []struct{ name, text string }{
	{"1000 without interaction", fmt.Sprintf(spheroid6DOF, "rkmk4") + "swarm: {count: 1000, spacing_m: 1e-3, interaction: none}\n"},
	{"700 in heat", "{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, swarm: {count: 700, spacing_m: 1e-5, interaction: none}}"},
	{"600 that follow", `{body: {shape: {sphere_m: 1e-6}, magnet: {moment_a_m2: [1e-6, 0, 0]}}, field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.1, frequency_hz: 3}},
  swarm: {count: 600, spacing_m: 1e-3, interaction: none}}`},
	{"100 with interaction", hundred},
	{"70 with interaction in heat", `{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, swarm: {count: 70, spacing_m: 1.5e-6}}`},
}

// A swarm does the same, to the last bit, on one processor and on several.
func TestSwarmOnManyProcessors(t *testing.T) {
	for _, k := range swarms {
		var want []integrate.Placement
		for _, n := range []int{1, 2, 5} {
			processors(t, n)
			m := newModel(t, k.text)
			steps(t, m, 4, 1e-3)
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

// A step allocates nothing, whatever the swarm.
func TestSwarmAllocatesNothing(t *testing.T) {
	for _, k := range swarms {
		m := newModel(t, k.text)
		steps(t, m, 2, 1e-3)
		if n := testing.AllocsPerRun(3, func() { _ = m.Step(1e-3) }); n != 0 {
			t.Errorf("%s: %g allocations per step", k.name, n)
		}
	}
}
