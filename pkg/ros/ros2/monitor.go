package ros2

import (
	"fmt"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// endpoint is a writer or reader of a node.
type endpoint struct {
	topic    ros.Topic
	warnings *warnings // of the node
}

// monitor logs problems of the network and of endpoints.
type monitor struct {
	log      *zap.Logger
	warnings *warnings // those that concern no endpoint
	quit     chan struct{}

	mu        sync.Mutex
	nodes     *nodes                               // names of the peers; nil before the node has joined
	endpoints map[rtps.GUID]endpoint               // of the nodes
	ended     map[rtps.GUID]func(writer rtps.GUID) // called when a writer ends, by reader
}

func newMonitor(log *zap.Logger, l *warnings) *monitor {
	return &monitor{log: log, warnings: l, quit: make(chan struct{}), endpoints: map[rtps.GUID]endpoint{}, ended: map[rtps.GUID]func(rtps.GUID){}}
}

// opening makes endpoints for a topic and stores their topic before any event about them is
// handled. Warnings about them are logged by w.
func (m *monitor) opening(t ros.Topic, w *warnings, open func() ([]rtps.GUID, error)) (made []rtps.GUID, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	made, err = open()
	for _, g := range made {
		m.endpoints[g] = endpoint{t, w}
	}
	return made, err
}

// removeEndpoints removes endpoints of a node that has been closed.
func (m *monitor) removeEndpoints(gone []rtps.GUID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, g := range gone {
		delete(m.endpoints, g)
		delete(m.ended, g)
	}
}

// watch registers a function that is called with the writers that end, for some readers.
func (m *monitor) watch(readers []rtps.GUID, ended func(writer rtps.GUID)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, g := range readers {
		m.ended[g] = ended
	}
}

func (m *monitor) endpoint(g rtps.GUID) (endpoint, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.endpoints[g]
	return e, ok
}

// event implements rtps.Options.Notify.
func (m *monitor) event(e rtps.Event) {
	switch e.Kind {
	case rtps.ParticipantFound, rtps.ParticipantLost:
		m.log.Debug("ROS 2 "+e.Kind.String(), zap.String("name", e.Name), zap.Stringer("guid", e.Remote.GUID), zap.String("reason", e.Reason))
	case rtps.Contested:
		m.warnings.add(warning{text: "two participants have the same GUID; the second one is ignored: restart it (cloned containers or machines may have equal host and process ids)"},
			zap.String("name", e.Name), zap.Stringer("guid", e.Remote.GUID), zap.String("where", e.Reason))
	case rtps.Forged:
		m.warnings.add(warning{text: "ignored datagrams: their source address is not one that the participant announces; if its host has that address, let its DDS use all network interfaces; if not, they are forged"},
			zap.String("name", e.Name), zap.Stringer("guid", e.Remote.GUID), zap.String("where", e.Reason))
	case rtps.Incompatible:
		if own, ok := m.endpoint(e.Local); ok {
			m.addNamed(own, "endpoint not matched (see reason): no messages are exchanged with it", e.Remote.GUID,
				zap.String("reason", e.Reason), zap.Stringer("with", e.Remote.GUID))
		}
	case rtps.Lagging:
		m.logLag(e)
	case rtps.Matched:
		m.compareTypes(e)
	case rtps.Unmatched:
		m.mu.Lock()
		ended := m.ended[e.Local]
		m.mu.Unlock()
		if ended != nil {
			ended(e.Remote.GUID)
		}
	}
}

// logLag logs a warning about a subscriber that does not receive all messages of a topic.
func (m *monitor) logLag(e rtps.Event) {
	own, ok := m.endpoint(e.Local)
	if !ok {
		return
	}
	node, _ := m.nodeOf(e.Remote.GUID)
	own.warnings.add(warning{"subscriber is too slow: messages to it are dropped", own.topic.Name},
		zap.String("node", node), zap.Stringer("guid", e.Remote.GUID), zap.String("reason", e.Reason))
}

// nodeOf returns the name of the node of a remote endpoint, and whether it may become known.
func (m *monitor) nodeOf(g rtps.GUID) (name string, unknown bool) {
	m.mu.Lock()
	nodes := m.nodes
	m.mu.Unlock()
	if nodes == nil || g == (rtps.GUID{}) {
		return "", false
	}
	name = nodes.sender(g).Node
	return name, name == ""
}

// nameDelay is how long a warning waits for the name of the other node, which arrives behind the
// announcement of its endpoints. Participants that are no ROS nodes have none.
const nameDelay = time.Second

// addNamed logs a warning about a topic with the name of the node of a remote endpoint.
func (m *monitor) addNamed(own endpoint, text string, g rtps.GUID, fields ...zap.Field) {
	write, ok := own.warnings.pass(warning{text, own.topic.Name})
	if !ok {
		return
	}
	named := func() {
		node, _ := m.nodeOf(g)
		write(append(fields, zap.String("node", node))...)
	}
	if _, unknown := m.nodeOf(g); unknown {
		time.AfterFunc(nameDelay, named) // one for each warningPeriod and topic at most
		return
	}
	named()
}

// name sets the names of peers that the graph has received.
func (m *monitor) name(n *nodes) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nodes = n
}

// compareTypes logs a warning about a peer whose message type has the same name and another
// definition: its messages would be misread or refused.
func (m *monitor) compareTypes(e rtps.Event) {
	own, ok := m.endpoint(e.Local)
	theirs, found := typeHash(e.Remote.UserData)
	if ok && found && isHash(theirs) && theirs != own.topic.Type.Hash {
		m.addNamed(own, "message definitions differ: messages with this peer may be misread; rebuild both sides with the same package version", e.Remote.GUID,
			zap.String("type", own.topic.Type.ROS2Name), zap.String("ours", own.topic.Type.Hash), zap.String("theirs", theirs))
	}
}

// run logs, periodically, what the participant had to refuse.
func (m *monitor) run(limits rtps.Limits, stats func() rtps.Stats) {
	ticker := time.NewTicker(warningPeriod)
	defer ticker.Stop()
	last := stats()
	for {
		select {
		case <-m.quit:
			return
		case <-ticker.C:
			now := stats()
			m.compareStats(limits, last, now)
			last = now
		}
	}
}

func (m *monitor) compareStats(limits rtps.Limits, last, now rtps.Stats) {
	for _, c := range [...]struct {
		text      string
		last, now uint64
	}{
		{"malformed datagrams dropped", last.Malformed, now.Malformed},
		{fmt.Sprintf("more than %d participants in this domain: some are ignored; use another ROS_DOMAIN_ID", limits.Participants), last.RefusedParticipants, now.RefusedParticipants},
		{fmt.Sprintf("limit of remote endpoints reached (%d in this domain, %d of a participant, %d matched with one of this node): some are ignored; use another ROS_DOMAIN_ID or fewer nodes", limits.Endpoints, limits.Endpoints/8, limits.Matches), last.RefusedEndpoints, now.RefusedEndpoints},
		{fmt.Sprintf("messages above %d bytes dropped", limits.SampleBytes), last.RefusedSamples, now.RefusedSamples},
		{"too many incomplete messages, some are dropped", last.RefusedBuffers, now.RefusedBuffers},
	} {
		if c.now > c.last {
			m.warnings.add(warning{c.text, ""}, zap.Uint64("count", c.now-c.last))
		}
	}
}

func (m *monitor) close() { close(m.quit) }
