package batch

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew does a task for each of so many copies on several goroutines, which live until close:
// the caller's and helpers, that sleep between jobs. Copies are taken in parts, by whoever has
// time, since some may take longer than others.
type crew struct {
	count int64 // copies
	part  int64 // how many are taken at once

	do   func(i int)
	next atomic.Int64 // the first copy that nobody has taken
	busy sync.WaitGroup
	wake []chan struct{} // of each helper
	gone sync.WaitGroup
}

// partsPerWorker is how often a worker comes for more: enough that none waits long for the
// last, few enough that coming costs nothing beside the work.
const partsPerWorker = 16

func newCrew(count, workers int) *crew {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, count)
	c := &crew{count: int64(count), part: int64(max(1, count/(workers*partsPerWorker)))}
	for range workers - 1 {
		wake := make(chan struct{})
		c.wake = append(c.wake, wake)
		c.gone.Go(func() {
			for range wake {
				c.work()
				c.busy.Done()
			}
		})
	}
	return c
}

// run calls do for every copy, and returns when all are done.
func (c *crew) run(do func(i int)) {
	c.do = do
	c.next.Store(0)
	c.busy.Add(len(c.wake))
	for _, w := range c.wake {
		w <- struct{}{}
	}
	c.work()
	c.busy.Wait()
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
	for _, w := range c.wake {
		close(w)
	}
	c.gone.Wait()
}
