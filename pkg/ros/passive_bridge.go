package ros

import (
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

// PassiveBridge is a Bridge without goroutines: it publishes when PublishPending is called
// and at no other time. It serves simulators that a program paces itself, where
// the same input must give the same messages. It publishes no diagnostics and no
// sim_stats.
type PassiveBridge struct {
	bridge *Bridge
	shot   *sim.Snapshot
	scene  sim.Scene
}

// NewPassiveBridge opens all topics and services on the transports as NewBridge
// does. The caller reports FAULT to operators.
func NewPassiveBridge(s *sim.Simulator, names *naming.Names, transports []Transport, o Options) (*PassiveBridge, error) {
	b, err := newBridge(s, names, transports, o)
	if err != nil {
		return nil, err
	}
	b.state.quiet = true
	return &PassiveBridge{bridge: b, shot: s.NewSnapshot()}, nil
}

// PublishPending publishes the snapshots that the simulator has made since the last call.
// The ring buffer holds half a second of them at 1 kHz; see sim.Stats.Missed. Any goroutine may
// call it, the simulator's too, but one at a time.
func (p *PassiveBridge) PublishPending() {
	for p.bridge.sim.Next(p.shot) {
		p.bridge.publish(p.shot)
		select {
		case stamp := <-p.bridge.scenes.due:
			p.bridge.scenes.publish(&p.scene, stamp)
		default:
		}
	}
}
