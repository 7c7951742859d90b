package microrobot

import (
	"fmt"
	"runtime"
	"testing"

	"sinew/pkg/sim/integrate"
)

// processors lets workers see so many processors until the test ends.
func processors(t testing.TB, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// Every task of every run is done once. Its numbers are plain ones: the race detector
// sees whether runs and workers are apart.
func TestWorkers(t *testing.T) {
	processors(t, 4)
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
	processors(t, 4)
	done := 0
	w := newWorkers(4, 3*loadPerWorker)
	w.run(func(worker, _ int) { done += 1 + 10*worker })
	if w.count() != 4 || done != 4 {
		t.Errorf("%d workers, tasks came to %d", w.count(), done)
	}
}

// Below its share of the load one worker has no helpers and needs none.
func TestOneWorker(t *testing.T) {
	processors(t, 4)
	done := 0
	w := newWorkers(4, loadPerWorker-1)
	w.start()
	w.run(func(worker, _ int) { done += 1 + 10*worker })
	w.stop()
	if w.count() != 1 || done != 4 {
		t.Errorf("%d workers, tasks came to %d", w.count(), done)
	}
}

// swarms are all ways to step many robots, with the workers that they have.
var swarms = []struct {
	name, text string
	workers    int // on five processors
}{
	{"without interaction", fmt.Sprintf(spheroid6DOF, "rkmk4") + "swarm: {count: 17000, spacing_m: 1e-3, interaction: none}\n", 5},
	{"Brownian", "{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, swarm: {count: 3000, spacing_m: 1e-5, interaction: none}}", 4},
	{"aligned", `{body: {shape: {sphere_m: 1e-6}, magnet: {moment_a_m2: [1e-6, 0, 0]}}, field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.1, frequency_hz: 3}},
  swarm: {count: 5000, spacing_m: 1e-3, interaction: none}}`, 2},
	{"with interaction", hundred, 2},
	{"with contacts", `{body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [3e-10, 0, 0]}}, gravity_m_per_s2: [0, 0, 0], swarm: {count: 100, spacing_m: 1.0001e-4}}`, 2},
	{"of neodymium", fmt.Sprintf(neodymium, 6, 8e-5, ""), 1},
	{"Brownian with interaction", `{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, swarm: {count: 30, spacing_m: 1.5e-6}}`, 1},
}

// A swarm does the same, to the last bit, on one processor and on any number of them.
func TestSwarmOnManyProcessors(t *testing.T) {
	for _, k := range swarms {
		var want []integrate.Placement
		for n := 1; n <= maxWorkers; n++ {
			processors(t, n)
			m := newModel(t, k.text)
			if got := workersOf(m); n == 5 && got != k.workers {
				t.Errorf("%s: %d workers", k.name, got)
			}
			steps(t, m, 3, 1e-3)
			if want == nil {
				want = append(want, m.engine.Placements()...)
				continue
			}
			for i, x := range m.engine.Placements() {
				if x != want[i] {
					t.Fatalf("%s, on %d processors: robot %d at %v, on one at %v", k.name, n, i, x, want[i])
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
