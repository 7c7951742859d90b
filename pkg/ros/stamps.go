package ros

import (
	"fmt"
	"time"

	"sinew/msgs"
	"sinew/pkg/sim"
)

// headerStamp returns the time in the header of a message; 0 means that it has none, as
// messages that are sent from a terminal.
func headerStamp(m msgs.Message) time.Duration {
	if s, ok := m.(msgs.Stamped); ok {
		return time.Duration(s.HeaderStamp())
	}
	return 0
}

// stale refuses a command that its publisher has kept from before this node subscribed, or
// whose stamp is further from now than the command timeout: further from the time of this
// node's stamps and from that of the computer's clock. Without a timeout and with
// Options.AnyStamps every stamp is accepted.
//
// It also refuses what was sent before this node was enabled or resumed and only arrives now:
// who enables a robot does not mean commands that were refused until then.
//
// In lock-step, time stands still until the answer to the newest snapshot comes, however long
// that takes, and passes with every command. There, an answer is also as old as the simulated
// time that has passed since its snapshot.
func (c *commandReceiver) stale(got Received) refusal {
	if got.Latched {
		return refusal{sim.Stale, "kept by its publisher from before this node began to listen; publish it again"}
	}
	stamp, limit := headerStamp(got.Message), seconds(c.sim.Options().CommandTimeoutS)
	if stamp == 0 || limit == 0 || c.anyStamps.Load() {
		return refusal{}
	}
	const allowed = "allowed: at most command_timeout_s = %g s from this node's clock; synchronise the clocks (chrony, NTP), or set accept_stamps: any to accept every stamp"
	age := c.stamper.now() - stamp
	if others := c.stamper.computer() - stamp; others.Abs() < age.Abs() {
		age = others // a sender may stamp by the computer's clock or as the snapshot that it answers
	}
	switch {
	case age > limit && (c.stamper.simTime || stamp < c.latest.answerable(limit)):
		return refusal{sim.Stale, fmt.Sprintf("stamped %.4g s ago; "+allowed, age.Seconds(), limit.Seconds())}
	case -age > limit:
		return refusal{sim.Stale, fmt.Sprintf("stamped %.4g s in the future; "+allowed, -age.Seconds(), limit.Seconds())}
	}
	if accepting, ok := c.stamper.accepting(); ok && age > accepting {
		return refusal{sim.Stale, fmt.Sprintf("stamped %.4g s before this node was enabled or resumed; send it again", (age - accepting).Seconds())}
	}
	return refusal{}
}

// lagTolerance is how much longer than the command timeout a command may have been on its way: transports know that to about
// half a second and the time of an answer.
const lagTolerance = time.Second

// late refuses a command that a network has kept back for longer than the command timeout: who sent it has long seen that it did
// nothing. It does not depend on clocks, and stops of the robot are never late.
func (c *commandReceiver) late(got Received) refusal {
	limit := seconds(c.sim.Options().CommandTimeoutS)
	if limit == 0 || got.Lag <= limit+lagTolerance {
		return refusal{}
	}
	return refusal{sim.Stale, fmt.Sprintf("sent up to %.3g s ago, and kept back by the network; allowed: command_timeout_s + 1 s = %g s; send it again", got.Lag.Seconds(), (limit + lagTolerance).Seconds())}
}

// answers holds, in lock-step, the stamps of the snapshots that may still be answered.
type answers struct {
	stride  uint64 // simulated periods between two stamps that are kept
	period  uint64 // of the newest snapshot
	passed  uint64 // periods simulated so far, over all resets
	newest  time.Duration
	stamps  []time.Duration // ring buffer, by passed / stride
	through uint64          // passed / stride of the newest entry
}

// answerStamps is how many stamps are kept at most, so that long time-outs at high rates
// cost no more memory.
const answerStamps = 1024

// newAnswers returns nil unless in lock-step with a timeout.
func newAnswers(o sim.Options) *answers {
	if !o.Lockstep || o.CommandTimeoutS <= 0 {
		return nil
	}
	periods := uint64(min(o.CommandTimeoutS*o.ControlHz, 1e15)) + 1
	a := &answers{stride: (periods + answerStamps - 1) / answerStamps}
	a.stamps = make([]time.Duration, (periods+a.stride-1)/a.stride+1)
	return a
}

// add adds a snapshot with its stamp.
func (a *answers) add(s *sim.Snapshot, at time.Duration) {
	if s.Period > a.period {
		a.passed += s.Period - a.period
	}
	a.period = s.Period
	if a.newest == 0 {
		for i := range a.stamps {
			a.stamps[i] = at
		}
	}
	a.newest = at
	to := a.passed / a.stride
	if to-a.through > uint64(len(a.stamps)) {
		a.through = to - uint64(len(a.stamps))
	}
	for ; a.through < to; a.through++ {
		a.stamps[(a.through+1)%uint64(len(a.stamps))] = at
	}
}

// oldest returns the stamp of the oldest snapshot that is at most one timeout of simulated
// time ago.
func (a *answers) oldest() time.Duration { return a.stamps[(a.through+1)%uint64(len(a.stamps))] }
