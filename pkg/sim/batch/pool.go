package batch

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// workerPool runs a task for each copy on the caller's goroutine and on helpers, which live until
// close and sleep if the next job does not follow soon. Workers take copies in chunks dynamically,
// since some take longer than others.
type workerPool struct {
	count int64 // copies
	chunk int64 // number of copies that a worker takes at once

	do      func(i int)
	next    atomic.Int64 // the first copy that no worker has taken
	job     counter      // number of jobs; wakes helpers
	done    counter      // number of jobs that helpers have finished
	closed  bool         // set before the last wake-up: the helpers end
	running sync.WaitGroup

	helpers int64
}

// chunksPerWorker balances the load: enough chunks that no worker waits long for the last one,
// few enough that taking them costs little.
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

// workUntilClosed is the goroutine of a helper.
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

// counter is an event count with spinning waiters.
type counter struct {
	count   atomic.Int64
	waiting atomic.Int64 // number of goroutines that wait for the condition
	mutex   sync.Mutex
	changed *sync.Cond
}

// spins is the number of polls before a goroutine sleeps, about 0.1 ms: sleeping and waking take as
// long, including the wake-up of an idle processor.
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

// wait returns when the count has reached want.
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
