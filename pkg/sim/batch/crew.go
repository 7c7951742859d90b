package batch

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew does a task for each of so many copies on several goroutines, which live until close:
// the caller's and helpers, that sleep between jobs which are not close to one another. Copies
// are taken in parts, by whoever has time, since some may take longer than others.
type crew struct {
	count int64 // copies
	part  int64 // how many are taken at once

	do   func(i int)
	next atomic.Int64 // the first copy that nobody has taken
	job  signal       // counts jobs, and ends helpers
	done signal       // counts what helpers have done
	over bool         // set before the last job: there are no more
	gone sync.WaitGroup

	helpers int64
}

// partsPerWorker is how often a worker comes for more: enough that none waits long for the
// last, few enough that coming costs nothing beside the work.
const partsPerWorker = 32

func newCrew(count, workers int) *crew {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, count)
	c := &crew{count: int64(count), part: int64(max(1, count/(workers*partsPerWorker))), helpers: int64(workers - 1)}
	c.job.init()
	c.done.init()
	for range c.helpers {
		c.gone.Go(c.help)
	}
	return c
}

// help works at one job after the other.
func (c *crew) help() {
	for job := int64(1); ; job++ {
		c.job.wait(job)
		if c.over {
			return
		}
		c.work()
		c.done.add()
	}
}

// run calls do for every copy, and returns when all are done.
func (c *crew) run(do func(i int)) {
	if c.over {
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
func (c *crew) work() {
	for {
		end := c.next.Add(c.part)
		begin := end - c.part
		if begin >= c.count {
			return
		}
		for i := begin; i < min(end, c.count); i++ {
			c.do(int(i))
		}
	}
}

// close ends the helpers.
func (c *crew) close() {
	c.over = true
	c.job.add()
	c.gone.Wait()
}

// signal is a count that goroutines wait for.
type signal struct {
	count   atomic.Int64
	asleep  atomic.Int64 // how many wait for the condition
	mutex   sync.Mutex
	changed *sync.Cond
}

// looks is how often a goroutine looks for a change before it sleeps, some 0.1 ms: to fall asleep and
// to be woken takes as long, on a processor that has gone to sleep as well.
const looks = 1000

func (s *signal) init() { s.changed = sync.NewCond(&s.mutex) }

// add counts one more.
func (s *signal) add() {
	s.count.Add(1)
	if s.asleep.Load() > 0 {
		s.mutex.Lock()
		s.changed.Broadcast()
		s.mutex.Unlock()
	}
}

// wait returns when so many are counted.
func (s *signal) wait(want int64) {
	for range looks {
		if s.count.Load() >= want {
			return
		}
		runtime.Gosched()
	}
	s.mutex.Lock()
	s.asleep.Add(1)
	for s.count.Load() < want {
		s.changed.Wait()
	}
	s.asleep.Add(-1)
	s.mutex.Unlock()
}
