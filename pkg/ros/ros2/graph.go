package ros2

import (
	"fmt"
	"slices"
	"sync"

	"go.uber.org/zap"

	"sinew/msgs/rmw_dds_common"
	"sinew/pkg/ros/rtps"
)

// graphTopic has no prefix, since it is a topic of the middleware of ROS 2.
const graphTopic = "ros_discovery_info"

// graphDepth bounds the graph messages that wait: each participant sends one when it is discovered,
// so that many may arrive at once.
const graphDepth = 128

// graph publishes which endpoints belong to which node of the participant. It receives the
// endpoints of other nodes and warns of nodes with the same name.
//
// Up to Humble the identifiers in the messages have 24 bytes, from Iron on 16, with the same topic
// and type. A message of the wrong form breaks the receiver's list of nodes. Each reader therefore
// gets the form of its release, which is known by whether it announces a type hash.
type graph struct {
	participant *rtps.Participant
	warnings    *warnings
	writer      *rtps.Writer
	nodes       nodes

	mu   sync.Mutex
	info rmw_dds_common.ParticipantEntitiesInfo
	held bool // changes are not announced
}

// Payloads of the writer, by index; see rtps.Writer.WriteVariants.
const (
	ironForm   = iota // 16 bytes
	humbleForm        // 24 bytes
)

// openGraph opens the graph of a participant without nodes.
func openGraph(p *rtps.Participant, w *warnings) (*graph, error) {
	g := &graph{participant: p, warnings: w, nodes: newNodes(p.GUID())}
	g.info.Gid = gidOf(p.GUID())

	var err error
	t := rmw_dds_common.ParticipantEntitiesInfoType
	g.writer, err = p.NewWriter(rtps.WriterOptions{
		Topic: graphTopic, Type: t.DDSName, UserData: endpointData(t.Hash),
		QoS:     rtps.QoS{Reliable: true, TransientLocal: true, Depth: 1},
		Variant: formFor,
	})
	if err != nil {
		return nil, err
	}
	_, err = p.NewReader(rtps.ReaderOptions{
		Topic: graphTopic, Type: t.DDSName, UserData: endpointData(t.Hash),
		QoS:     rtps.QoS{Reliable: true, TransientLocal: true, Depth: graphDepth},
		Receive: g.receive,
	})
	return g, err
}

func formFor(reader rtps.Endpoint) int {
	if _, found := typeHash(reader.UserData); found {
		return ironForm
	}
	return humbleForm
}

// addNode adds and announces a node without endpoints.
func (g *graph) addNode(node string) error {
	namespace, name, err := splitNode(node)
	if err != nil {
		return err
	}
	g.mu.Lock()
	taken := g.find(node) != nil
	if !taken {
		g.info.NodeEntitiesInfoSeq = append(g.info.NodeEntitiesInfoSeq, rmw_dds_common.NodeEntitiesInfo{NodeNamespace: namespace, NodeName: name})
	}
	g.mu.Unlock()
	if taken {
		return fmt.Errorf("ROS 2: node %s: this program has a node of this name already", node)
	}
	return g.announce()
}

// removeNode removes a node with all its endpoints, and announces that.
func (g *graph) removeNode(node string) error {
	g.mu.Lock()
	g.info.NodeEntitiesInfoSeq = slices.DeleteFunc(g.info.NodeEntitiesInfoSeq, func(n rmw_dds_common.NodeEntitiesInfo) bool {
		return joinNode(n.NodeNamespace, n.NodeName) == node
	})
	g.mu.Unlock()
	g.nodes.removeOwn(node)
	return g.announce()
}

// find returns a node of the participant, nil if there is none of this name. The caller holds mu.
func (g *graph) find(node string) *rmw_dds_common.NodeEntitiesInfo {
	for i := range g.info.NodeEntitiesInfoSeq {
		if n := &g.info.NodeEntitiesInfoSeq[i]; joinNode(n.NodeNamespace, n.NodeName) == node {
			return n
		}
	}
	return nil
}

// addWriter adds and announces a publisher of a node.
func (g *graph) addWriter(node string, id rtps.GUID) error { return g.add(node, []rtps.GUID{id}, nil) }

// addReaders adds and announces a subscription of a node.
func (g *graph) addReaders(node string, ids []rtps.GUID) error { return g.add(node, nil, ids) }

// addPair adds and announces a service or client of a node.
func (g *graph) addPair(node string, writer, reader rtps.GUID) error {
	return g.add(node, []rtps.GUID{writer}, []rtps.GUID{reader})
}

func (g *graph) add(node string, writers, readers []rtps.GUID) error {
	g.nodes.own(node, writers, readers)
	g.mu.Lock()
	if n := g.find(node); n != nil { // otherwise the node has ended
		for _, id := range writers {
			n.WriterGidSeq = append(n.WriterGidSeq, gidOf(id))
		}
		for _, id := range readers {
			n.ReaderGidSeq = append(n.ReaderGidSeq, gidOf(id))
		}
	}
	g.mu.Unlock()
	return g.announce()
}

// hold delays announcements until release.
func (g *graph) hold() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = true
}

func (g *graph) release() error {
	g.mu.Lock()
	g.held = false
	g.mu.Unlock()
	return g.announce()
}

// announce sends the present list in both forms.
func (g *graph) announce() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held {
		return nil
	}
	payloads := [...][]byte{ironForm: g.info.AppendCDR(nil), humbleForm: g.info.AppendCDRGid24(nil)}
	return g.writer.WriteVariants(payloads[:]...)
}

// receive updates the nodes of other participants. It warns of a node with the same name: ROS 2
// allows that, but their topics are then mixed.
func (g *graph) receive(s rtps.Sample) {
	if s.Writer.Prefix == g.participant.GUID().Prefix {
		return
	}
	info, err := parseGraph(s.Payload)
	if err != nil {
		g.warnings.add(warning{"participant's list of nodes not understood", ""}, zap.Error(err), zap.Stringer("writer", s.Writer))
		return
	}
	g.nodes.learn(s.Writer.Prefix, info, g.participant.Remotes)
	for _, n := range info.NodeEntitiesInfoSeq {
		if name := joinNode(n.NodeNamespace, n.NodeName); g.has(name) {
			g.warnings.add(warning{"another node has the same name; both act on the same topics. Give one another name or namespace", ""},
				zap.String("node", name), zap.Stringer("writer", s.Writer))
		}
	}
}

// has reports whether the participant has a node of this name.
func (g *graph) has(node string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.find(node) != nil
}

// parseGraph reads a graph message of either form. Each form ends with its last list, and remaining
// bytes are an error, so that one form cannot be mistaken for the other.
func parseGraph(payload []byte) (*rmw_dds_common.ParticipantEntitiesInfo, error) {
	info := new(rmw_dds_common.ParticipantEntitiesInfo)
	err := info.ParseCDR(payload)
	if err != nil && info.ParseCDRGid24(payload) == nil {
		return info, nil
	}
	return info, err
}

// gidOf returns the identifier of an entity in ROS 2: its GUID.
func gidOf(g rtps.GUID) (gid rmw_dds_common.Gid) {
	copy(gid.Data[:], g.Prefix[:])
	copy(gid.Data[len(g.Prefix):], g.Entity[:])
	return gid
}
