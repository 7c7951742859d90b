package ros

import (
	"fmt"
	"time"

	"sinew/msgs"
	"sinew/pkg/sim"
)

// headerStamp is the time in the header of a message; 0 means that it has none, which is
// how terminals send.
func headerStamp(m msgs.Message) time.Duration {
	if s, ok := m.(msgs.Stamped); ok {
		return time.Duration(s.HeaderStamp())
	}
	return 0
}

// stale refuses a command that was kept from before this node was there, or whose
// stamp is further from now, in the time of the stamps of this node, than a command
// may be old. In lock-step, time stands until the answer to the newest snapshot comes,
// however long that takes: that answer is as old as the snapshot, not older. Without
// a time-out and with Options.AnyStamps every stamp will do.
func (b *Bridge) stale(got Received) refusal {
	if got.Latched {
		return refusal{sim.Stale, "kept by its publisher from before this node began to listen; publish it again"}
	}
	stamp, limit := headerStamp(got.Message), seconds(b.sim.Options().CommandTimeoutS)
	if stamp == 0 || limit == 0 || b.anyStamps {
		return refusal{}
	}
	const allowed = "at most command_timeout_s = %g s is allowed; accept_stamps: any is for clocks that are not synchronised"
	switch age := b.now() - stamp; {
	case age-b.standstill() > limit:
		return refusal{sim.Stale, fmt.Sprintf("stamped %.4g s ago; "+allowed, age.Seconds(), limit.Seconds())}
	case -age > limit:
		return refusal{sim.Stale, fmt.Sprintf("stamped %.4g s in the future; "+allowed, -age.Seconds(), limit.Seconds())}
	}
	return refusal{}
}

// standstill is how long time has stood in lock-step, by the clock of the stamps.
func (b *Bridge) standstill() time.Duration {
	if b.simTime || !b.sim.Options().Lockstep {
		return 0
	}
	newest := b.latest.stamp()
	if newest == 0 { // there was no snapshot to answer
		return 0
	}
	return max(0, b.now()-newest)
}
