package microrobot

import (
	"runtime"
	"sync/atomic"
)

// team spreads the tasks of a step over the processors. The goroutine that steps the
// model does its share and never waits for one that has not begun: where no processor
// is free it does everything. Which goroutine does a task must not matter to its
// outcome, so that results are the same bits with any number of them. It does not
// allocate.
//
// Helpers live from begin to end of a step at most, so that a model that is no longer
// used leaves none behind.
type team struct {
	work    func(worker, task int)
	helpers []helper
	open    atomic.Bool  // between begin and end
	left    atomic.Int64 // tasks that nobody has taken
	done    atomic.Int64 // tasks that are finished
}

// helper is a goroutine besides the one that steps.
type helper struct {
	run  func()
	busy atomic.Bool // it is running
}

const (
	// maxWorkers bounds the goroutines that step one model.
	maxWorkers = 8
	// loadPerWorker is how much load, in velocities of a robot or a pair in a step, one
	// processor is left alone with: some half a millisecond. A helper that the machine
	// interrupts delays the step, so that there are none where the time is not needed.
	loadPerWorker = 16_000
	// generalLoad is the load of a velocity that is not that of freely.
	generalLoad = 8
)

// newTeam returns a team for steps of the given load: at most so many workers as there
// are processors, which do work for each task; worker, from 0, tells apart the
// goroutines that do so at the same time.
func newTeam(load int, work func(worker, task int)) *team {
	n := min(1+load/loadPerWorker, runtime.GOMAXPROCS(0), maxWorkers)
	t := &team{work: work, helpers: make([]helper, n-1)}
	for i := range t.helpers {
		h := &t.helpers[i]
		h.run = func() { t.help(h, i+1) }
	}
	return t
}

// workers is how many goroutines there are at most.
func (t *team) workers() int { return 1 + len(t.helpers) }

// begin calls the helpers for a step. One that is still on its way out of the step
// before is left alone.
func (t *team) begin() {
	t.open.Store(true)
	for i := range t.helpers {
		if h := &t.helpers[i]; h.busy.CompareAndSwap(false, true) {
			go h.run()
		}
	}
}

// end sends the helpers away.
func (t *team) end() { t.open.Store(false) }

// patience is how often a waiting goroutine looks before it lets others run.
const patience = 20_000

// do has the tasks 0 to tasks−1 done, the last ones first.
func (t *team) do(tasks int) {
	t.done.Store(0)
	t.left.Store(int64(tasks))
	for t.take(0) {
	}
	for i := 0; t.done.Load() < int64(tasks); i++ {
		if i > patience {
			runtime.Gosched()
		}
	}
}

// take does a task, if there is one left.
func (t *team) take(worker int) bool {
	if t.left.Load() <= 0 {
		return false
	}
	task := t.left.Add(-1)
	if task < 0 {
		return false
	}
	t.work(worker, int(task))
	t.done.Add(1)
	return true
}

// help takes tasks until the step ends.
func (t *team) help(h *helper, worker int) {
	defer h.busy.Store(false)
	for i := 0; t.open.Load(); i++ {
		if t.take(worker) {
			i = 0
		} else if i > patience {
			runtime.Gosched()
		}
	}
}

// stages is how many velocities of a robot a step takes.
func (r *Robot) stages() int {
	switch {
	case r.kT > 0:
		return 2
	case r.method == lieEuler:
		return 1
	case r.method == rkmk4:
		return 4
	}
	return 5
}
