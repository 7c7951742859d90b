package microrobot

import (
	"runtime"
	"sync/atomic"
)

// workers does the tasks of a job on several goroutines: the caller's and helpers. Which
// of them does a task must not matter to what comes out, so that results have the same
// bits on any number of processors. Nothing allocates.
//
// Helpers live from start to stop at most, so that a model that is no longer used leaves
// none behind, and look for tasks all the time: starting or waking a goroutine takes up
// to 50 µs, and a step of a swarm with interaction has eight jobs of as long. A job waits
// for tasks that a helper has begun, but not for helpers that have no processor.
type workers struct {
	tasks   int64
	helpers []helper
	open    atomic.Bool // between start and stop

	job  func(worker, task int)
	next atomic.Int64 // the next task of the job
	done atomic.Int64 // how many tasks of the job are done
}

// helper is a goroutine besides the caller's.
type helper struct {
	run     func()
	running atomic.Bool
}

const (
	// maxWorkers bounds the goroutines that step one model.
	maxWorkers = 8
	// loadPerWorker is how much load, in velocities of a robot or a pair in a step, one
	// processor is left alone with: a quarter to half a millisecond.
	loadPerWorker = 16_000
	// generalLoad is the load of a velocity that inUniformField does not give.
	generalLoad = 8
	// maxLooks is how often a goroutine polls before it yields.
	maxLooks = 10_000
)

// newWorkers returns workers for jobs of so many tasks, in steps of the given load. There
// are at most as many of them as processors.
func newWorkers(tasks, load int) *workers {
	n := min(1+load/loadPerWorker, runtime.GOMAXPROCS(0), maxWorkers)
	w := &workers{tasks: int64(tasks), helpers: make([]helper, n-1)}
	w.next.Store(w.tasks)
	for i := range w.helpers {
		h := &w.helpers[i]
		h.run = func() { w.help(h, i+1) }
	}
	return w
}

// count returns how many goroutines there are at most.
func (w *workers) count() int { return 1 + len(w.helpers) }

// start wakes the helpers for a step. A helper that has not seen the end of the last step
// continues.
func (w *workers) start() {
	w.open.Store(true)
	for i := range w.helpers {
		if h := &w.helpers[i]; h.running.CompareAndSwap(false, true) {
			go h.run()
		}
	}
}

// stop sends the helpers away.
func (w *workers) stop() { w.open.Store(false) }

// run has all tasks of the job done.
func (w *workers) run(job func(worker, task int)) {
	w.job = job
	w.done.Store(0)
	w.next.Store(0) // from here on helpers take tasks
	w.work(0)
	for looks := 0; w.done.Load() < w.tasks; looks++ {
		if looks > maxLooks {
			runtime.Gosched()
		}
	}
}

// work does tasks until all are taken and reports whether it did any.
func (w *workers) work(worker int) (worked bool) {
	for w.next.Load() < w.tasks {
		task := w.next.Add(1) - 1
		if task >= w.tasks {
			break
		}
		w.job(worker, int(task))
		w.done.Add(1)
		worked = true
	}
	return worked
}

// help does tasks until the step ends.
func (w *workers) help(h *helper, worker int) {
	for looks := 0; w.open.Load(); looks++ {
		if w.work(worker) {
			looks = 0
		} else if looks > maxLooks {
			runtime.Gosched()
		}
	}
	h.running.Store(false)
}
