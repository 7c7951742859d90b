package batch

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// workerPool does a task for each of so many copies on several goroutines, which live until close:
// the caller's and helpers, that sleep between jobs which are not close to one another. Copies
// are taken in parts, by whoever has time, since some may take longer than others.
type workerPool struct {
	count int64 // copies
	chunk int64 // how many are taken at once

	do      func(i int)
	next    atomic.Int64 // the first copy that nobody has taken
	job     counter      // counts jobs, and ends helpers
	done    counter      // counts what helpers have done
	closed  bool         // set before the last job: there are no more
	running sync.WaitGroup

	helpers int64
}

// chunksPerWorker is how often a worker comes for more: enough that none waits long for the
// last, few enough that coming costs nothing beside the work.
const chunksPerWorker = 32

func newWorkerPool(count, workers int) *workerPool {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, count)
	c := &workerPool{count: int64(count), chunk: int64(max(1, count/(workers*chunksPerWorker))), helpers: int64(workers - 1)}
	c.job.init()
	c.done.init()
	for range c.helpers {
		c.running.Go(c.workUntilClosed)
	}
	return c
}

// workUntilClosed works at one job after the other.
func (c *workerPool) workUntilClosed() {
	for job := int64(1); ; job++ {
		c.job.wait(job)
		if c.closed {
			return
		}
		c.work()
		c.done.add()
	}
}

// run calls do for every copy, and returns when all are done.
func (c *workerPool) run(do func(i int)) {
	if c.closed {
		panic("batch: stepped after Close")
	}
	c.do = do
	c.next.Store(0)
	c.job.add()
	c.work()
	c.done.wait(c.job.count.Load() * c.helpers)
	c.do = nil
}

// work takes copies until there are no more.
func (c *workerPool) work() {
	for {
		end := c.next.Add(c.chunk)
		begin := end - c.chunk
		if begin >= c.count {
			return
		}
		for i := begin; i < min(end, c.count); i++ {
			c.do(int(i))
		}
	}
}

// close ends the helpers.
func (c *workerPool) close() {
	c.closed = true
	c.job.add()
	c.running.Wait()
}

// counter is a count that goroutines wait for.
type counter struct {
	count   atomic.Int64
	waiting atomic.Int64 // how many wait for the condition
	mutex   sync.Mutex
	changed *sync.Cond
}

// spins is how often a goroutine looks for a change before it sleeps, some 0.1 ms: to fall asleep and
// to be woken takes as long, on a processor that has gone to sleep as well.
const spins = 1000

func (s *counter) init() { s.changed = sync.NewCond(&s.mutex) }

// add counts one more.
func (s *counter) add() {
	s.count.Add(1)
	if s.waiting.Load() > 0 {
		s.mutex.Lock()
		s.changed.Broadcast()
		s.mutex.Unlock()
	}
}

// wait returns when so many are counted.
func (s *counter) wait(want int64) {
	for range spins {
		if s.count.Load() >= want {
			return
		}
		runtime.Gosched()
	}
	s.mutex.Lock()
	s.waiting.Add(1)
	for s.count.Load() < want {
		s.changed.Wait()
	}
	s.waiting.Add(-1)
	s.mutex.Unlock()
}
