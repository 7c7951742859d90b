package microrobot

import (
	"runtime"
	"sync/atomic"
)

// job is work in independent tasks. A worker does one in three parts, of which the
// second touches nothing but what is the worker's own.
type job interface {
	load(worker, task int)  // takes along what the task needs
	work(worker, task int)  // does it
	store(worker, task int) // makes what came out the task's
}

// team spreads the tasks of a job over the processors. Who does a task must not matter
// to what comes out, so that results have the same bits with any number of them.
//
// The goroutine that steps the model, worker 0, does its share and does not wait for
// one that the machine has put aside: it does again what a helper has worked on for
// too long, and what the helper comes up with later is thrown away. Helpers live from
// begin to end of a step at most, so that a model that is no longer used leaves none
// behind. Nothing allocates.
type team struct {
	job      job
	helpers  []helper
	tasks    []atomic.Uint64 // of each the number of the job, times phases, plus its phase
	round    uint64          // the number of the job, times phases
	patience int             // looks at a task before worker 0 does it again
	open     atomic.Bool     // between begin and end
	left     atomic.Int64    // tasks before this one may be free
}

// The phases of a task. A task that is being worked on may be taken away from the
// worker; one that is loaded or stored may not.
const (
	done uint64 = iota
	free
	working
	loading // or storing
)

// phases is how many phases there are.
const phases = 4

// helper is a goroutine besides the one that steps.
type helper struct {
	run     func()
	running atomic.Bool
}

const (
	// maxWorkers bounds the goroutines that step one model.
	maxWorkers = 8
	// loadPerWorker is how much load, in velocities of a robot or a pair in a step, one
	// processor is left alone with: some half a millisecond.
	loadPerWorker = 16_000
	// generalLoad is the load of a velocity that is not that of freely.
	generalLoad = 8
	// looksPerLoad is how often one can look at a task during a velocity or two.
	looksPerLoad = 100
)

// newTeam returns a team for a job of so many tasks of the given load, and for steps
// of the given load, which may take several jobs. It has at most so many workers as
// there are processors.
func newTeam(j job, tasks, taskLoad, load int) *team {
	n := min(1+load/loadPerWorker, runtime.GOMAXPROCS(0), maxWorkers)
	t := &team{job: j, helpers: make([]helper, n-1), tasks: make([]atomic.Uint64, tasks), patience: looksPerLoad * taskLoad}
	for i := range t.helpers {
		h := &t.helpers[i]
		h.run = func() { t.help(h, i+1) }
	}
	return t
}

// workers is how many goroutines there are at most.
func (t *team) workers() int { return 1 + len(t.helpers) }

// begin calls the helpers for a step. One that is still at work on another is left
// alone.
func (t *team) begin() {
	t.open.Store(true)
	for i := range t.helpers {
		if h := &t.helpers[i]; h.running.CompareAndSwap(false, true) {
			go h.run()
		}
	}
}

// end sends the helpers away.
func (t *team) end() { t.open.Store(false) }

// do has all tasks done, the last ones first.
func (t *team) do() {
	t.round += phases
	for i := range t.tasks {
		t.tasks[i].Store(t.round | free)
	}
	t.left.Store(int64(len(t.tasks)))
	for t.next(0) {
	}
	for i := range t.tasks {
		t.finish(i)
	}
}

// next does a task, if one may be left.
func (t *team) next(worker int) bool {
	if t.left.Load() <= 0 {
		return false
	}
	i := int(t.left.Add(-1))
	if i < 0 {
		return false
	}
	if word := t.tasks[i].Load(); word%phases == free {
		t.try(worker, i, word)
	}
	return true
}

// try does task i if its word is still the given one.
func (t *team) try(worker, i int, word uint64) {
	round := word - word%phases
	task := &t.tasks[i]
	if !task.CompareAndSwap(word, round|loading) {
		return
	}
	t.job.load(worker, i)
	task.Store(round | working)
	t.job.work(worker, i)
	if !task.CompareAndSwap(round|working, round|loading) {
		return // worker 0 has done it
	}
	t.job.store(worker, i)
	task.Store(round | done)
}

// finish returns when task i is done.
func (t *team) finish(i int) {
	for looks := 0; ; looks++ {
		word := t.tasks[i].Load()
		switch phase := word % phases; {
		case phase == done:
			return
		case phase == free, phase == working && looks > t.patience:
			t.try(0, i, word)
		case looks > t.patience:
			runtime.Gosched()
		}
	}
}

// help takes tasks until the step ends.
func (t *team) help(h *helper, worker int) {
	const patience = 10_000 // looks before others may run
	for looks := 0; t.open.Load(); looks++ {
		if t.next(worker) {
			looks = 0
		} else if looks > patience {
			runtime.Gosched()
		}
	}
	h.running.Store(false)
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
