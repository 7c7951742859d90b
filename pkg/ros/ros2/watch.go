package ros2

import (
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// watch tells the operator what goes wrong on the network.
type watch struct {
	log      *zap.Logger
	warnings *warnings
	quit     chan struct{}

	mu     sync.Mutex
	topics map[rtps.GUID]ros.Topic // of the node's endpoints
}

func newWatch(log *zap.Logger, q *warnings) *watch {
	return &watch{log: log, warnings: q, quit: make(chan struct{}), topics: map[rtps.GUID]ros.Topic{}}
}

// opening makes endpoints for a topic and remembers which topic they are for,
// before any event about them is looked at.
func (w *watch) opening(t ros.Topic, open func() ([]rtps.GUID, error)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	endpoints, err := open()
	for _, g := range endpoints {
		w.topics[g] = t
	}
	return err
}

func (w *watch) topic(endpoint rtps.GUID) (ros.Topic, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, ok := w.topics[endpoint]
	return t, ok
}

// event is rtps.Options.Notify.
func (w *watch) event(e rtps.Event) {
	switch e.Kind {
	case rtps.ParticipantFound, rtps.ParticipantLost:
		w.log.Debug("ROS 2 "+e.Kind.String(), zap.String("name", e.Name), zap.Stringer("guid", e.Remote.GUID), zap.String("reason", e.Reason))
	case rtps.Incompatible:
		if t, ok := w.topic(e.Local); ok {
			w.warnings.add(warning{"incompatible quality of service or type: no messages are exchanged", t.Name},
				zap.String("reason", e.Reason), zap.Stringer("with", e.Remote.GUID))
		}
	case rtps.Matched:
		w.compareTypes(e)
	}
}

// compareTypes warns of a peer whose message type has the same name and another
// definition: its messages will be misread or refused.
func (w *watch) compareTypes(e rtps.Event) {
	t, ok := w.topic(e.Local)
	theirs, found := typeHash(e.Remote.UserData)
	if ok && found && isHash(theirs) && theirs != t.Type.Hash {
		w.warnings.add(warning{"peer has another definition of the message type", t.Name},
			zap.String("type", t.Type.ROS2Name), zap.String("ours", t.Type.Hash), zap.String("theirs", theirs))
	}
}

// run reports, now and then, what the participant had to refuse.
func (w *watch) run(stats func() rtps.Stats) {
	ticker := time.NewTicker(warnPause)
	defer ticker.Stop()
	last := stats()
	for {
		select {
		case <-w.quit:
			return
		case <-ticker.C:
			now := stats()
			w.compareStats(last, now)
			last = now
		}
	}
}

func (w *watch) compareStats(last, now rtps.Stats) {
	for _, c := range [...]struct {
		text      string
		last, now uint64
	}{
		{"malformed datagrams dropped", last.Malformed, now.Malformed},
		{"too many participants, some are ignored", last.RefusedParticipants, now.RefusedParticipants},
		{"too many endpoints, some are ignored", last.RefusedEndpoints, now.RefusedEndpoints},
		{"too large messages dropped", last.RefusedSamples, now.RefusedSamples},
		{"too many incomplete messages, some are dropped", last.RefusedBuffers, now.RefusedBuffers},
	} {
		if c.now > c.last {
			w.warnings.add(warning{c.text, ""}, zap.Uint64("count", c.now-c.last))
		}
	}
}

func (w *watch) close() { close(w.quit) }
