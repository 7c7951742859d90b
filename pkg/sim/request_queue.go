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

// Do passes r to the loop, which handles it between two control periods, and
// returns the answer. It waits at most a control period and, for Step, 30 s,
// 10 ms per control period or twice the simulated time, whichever is longest.
//
// EStop overtakes every other request, and from the call on no command is accepted. Requests
// from before it that have not been done are refused, because they would undo the stop. Pause
// and Disable overtake what would make the robot go on: Enable, Resume and Step. If Run has
// not begun within a second, or has ended, the answer says so.
func (s *Simulator) Do(r Request) Reply { return s.Ask(r)() }

// Ask is Do in two parts, for requests that arrive one after the other and wait elsewhere.
// Ask itself does not wait: it puts r in the order of arrival, and an urgent request becomes
// pending at once. The function that it returns must be called; it does the rest, and waits
// as Do does.
func (s *Simulator) Ask(r Request) func() Reply {
	q := s.requests
	if err := q.check(r); err != nil {
		return func() Reply { return q.refusal(err.Error()) }
	}
	if r.Verb == TakeCommand {
		reply := s.takeCommand()
		return func() Reply { return reply }
	}
	if u := q.urgent.of(r.Verb); u != nil {
		b := u.ask()
		s.snapshots.notifyReaders()
		return func() Reply { return q.awaitUrgent(u, b) }
	}
	at := s.Arrival()
	return func() Reply { return q.submit(queuedRequest{call: newCall(r), arrival: at}) }
}

// Arrival returns the position of a request that arrives now, for DoAt, which is called when
// the request has been read.
func (s *Simulator) Arrival() Arrival { return s.requests.urgent.arrival() }

// DoAt is Do for a request that has arrived earlier.
func (s *Simulator) DoAt(at Arrival, r Request) Reply {
	if s.requests.urgent.of(r.Verb) != nil || r.Verb == TakeCommand || s.requests.check(r) != nil {
		return s.Do(r)
	}
	return s.requests.submit(queuedRequest{call: newCall(r), arrival: at})
}

// DoInLoop is Do for the clock of the simulator, which the loop calls between two control
// periods: r is done when it returns. A Step, which takes control periods, is refused.
func (s *Simulator) DoInLoop(r Request) Reply {
	if err := s.requests.check(r); err != nil {
		return s.requests.refusal(err.Error())
	}
	if r.Verb == Step || r.Verb == TakeCommand {
		return s.requests.refusal(r.Verb.String() + " cannot be done by the clock")
	}
	defer s.loop.showOutcome()
	if u := s.requests.urgent.of(r.Verb); u != nil {
		b := u.ask()
		s.loop.serveUrgent()
		return b.reply
	}
	c := newCall(r)
	s.loop.handleQueued(queuedRequest{call: c, arrival: s.Arrival()})
	return <-c.reply
}

// EStop asks for an emergency stop and does not wait for it. From the call on no
// command is accepted, and the state is FAULT within a control period.
func (s *Simulator) EStop() {
	s.requests.urgent.stops.ask()
	s.snapshots.notifyReaders()
}
