package sim

import (
	"fmt"
	"time"
)

// requestQueue passes requests from any goroutine to the loop and the answers back. Urgent
// requests, which stop the robot, have a way of their own past the queue.
type requestQueue struct {
	clock  Clock
	hz     float64 // control periods per second
	meter  *meter  // for the simulated time of answers
	urgent urgentRequests
	queue  chan queuedRequest
	// started is closed when Run begins, done when it has ended.
	started, done chan struct{}
}

// call is a Request on its way to the loop.
type call struct {
	Request
	reply chan Reply // receives the answer; capacity 1, so that the loop never waits
}

// queuedRequest is a call that waits for its control period.
type queuedRequest struct {
	call
	arrival         Arrival
	reconfiguration *pendingReconfiguration // of the verb reconfigure
}

// Requests wait startPolls times startPoll for Run to begin.
const (
	startPolls = 100
	startPoll  = 10 * time.Millisecond
)

// maxStepTime is the most simulated time that one Step may ask for, s.
const maxStepTime = 60

func newRequestQueue(c Clock, hz float64, m *meter) *requestQueue {
	q := &requestQueue{clock: c, hz: hz, meter: m, queue: make(chan queuedRequest), started: make(chan struct{}), done: make(chan struct{})}
	q.urgent.init()
	return q
}

// newCall returns a call for r.
func newCall(r Request) call { return call{r, make(chan Reply, 1)} }

// check returns what is wrong with r.
func (q *requestQueue) check(r Request) error {
	if err := r.check(); err != nil {
		return err
	}
	if most := max(1, uint64(maxStepTime*q.hz)); r.Verb == Step && r.Steps > most {
		return fmt.Errorf("step %d is %.6g s of simulated time; at most %d s, which is step %d, can be asked for at once",
			r.Steps, float64(r.Steps)/q.hz, maxStepTime, most)
	}
	return nil
}

// refusal returns the answer to a request that did not reach the loop.
func (q *requestQueue) refusal(message string) Reply {
	return Reply{Message: message, SimTime: q.meter.simTimeS()}
}

// submit passes r to the loop and waits for the answer.
func (q *requestQueue) submit(r queuedRequest) Reply {
	if !q.awaitStart() {
		return q.refusal("the simulator is not running")
	}
	select {
	case q.queue <- r:
	case <-q.done:
		return q.refusal("the simulator has stopped")
	}
	select {
	case reply := <-r.reply:
		return reply
	case <-q.done:
	}
	select {
	case reply := <-r.reply: // answered just before the end
		return reply
	default:
		return q.refusal("the simulator has stopped")
	}
}

// awaitUrgent waits for the answer to an urgent request. If Run does not begin, an EStop stays
// pending for its first control period, and the other requests are withdrawn.
func (q *requestQueue) awaitUrgent(u *urgentRequest, b *urgentBatch) Reply {
	if !q.awaitStart() {
		if u == &q.urgent.stops {
			return q.refusal("the simulator is not running; it will begin in FAULT")
		}
		u.withdraw(b, q.refusal("the simulator is not running"))
	}
	select {
	case <-b.done:
		return b.reply
	case <-q.done:
	}
	select {
	case <-b.done: // just before the end
		return b.reply
	default:
		return q.refusal("the simulator has stopped")
	}
}

// awaitStart waits for Run to begin, and reports whether it has.
func (q *requestQueue) awaitStart() bool {
	for range startPolls {
		select {
		case <-q.started:
			return true
		default:
			q.clock.SleepUntil(q.clock.Now() + startPoll)
		}
	}
	return false
}
