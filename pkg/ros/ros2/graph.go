package ros2

import (
	"fmt"
	"slices"
	"sync"

	"go.uber.org/zap"

	"sinew/msgs/rmw_dds_common"
	"sinew/pkg/ros/rtps"
)

// graphTopic has no prefix, since it is no topic of ROS but of its middleware.
const graphTopic = "ros_discovery_info"

// graphDepth is how many graph messages may wait: each participant sends one when
// it is met, so that many may come at once.
const graphDepth = 128

// graph tells others which endpoints of the participant belong to which of its nodes. It
// hears which endpoints their nodes have, and whether one has the same name.
//
// Up to Humble the identifiers in its messages have 24 bytes, from Iron on 16,
// with the same topic and type. A message of the wrong form breaks the
// receiver's list of nodes, so each reader gets the form of its release, which shows
// in whether it announces a type hash.
type graph struct {
	participant *rtps.Participant
	warnings    *warnings
	writer      *rtps.Writer
	nodes       nodes

	mu   sync.Mutex
	info rmw_dds_common.ParticipantEntitiesInfo
	held bool // news is not sent
}

// Payloads of the writer, by index; see rtps.Writer.WriteVariants.
const (
	ironForm   = iota // 16 bytes
	humbleForm        // 24 bytes
)

// openGraph tells of a participant, as yet without nodes.
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

// addNode tells of a node, as yet without endpoints.
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

// removeNode tells that a node has ended, with all its endpoints.
func (g *graph) removeNode(node string) error {
	g.mu.Lock()
	g.info.NodeEntitiesInfoSeq = slices.DeleteFunc(g.info.NodeEntitiesInfoSeq, func(n rmw_dds_common.NodeEntitiesInfo) bool {
		return joinNode(n.NodeNamespace, n.NodeName) == node
	})
	g.mu.Unlock()
	g.nodes.forgetOwn(node)
	return g.announce()
}

// find returns a node of the participant, nil when there is none of this name. The caller holds mu.
func (g *graph) find(node string) *rmw_dds_common.NodeEntitiesInfo {
	for i := range g.info.NodeEntitiesInfoSeq {
		if n := &g.info.NodeEntitiesInfoSeq[i]; joinNode(n.NodeNamespace, n.NodeName) == node {
			return n
		}
	}
	return nil
}

// addWriter tells that a node has one more publisher.
func (g *graph) addWriter(node string, id rtps.GUID) error { return g.add(node, []rtps.GUID{id}, nil) }

// addReaders tells that a node has one more subscription.
func (g *graph) addReaders(node string, ids []rtps.GUID) error { return g.add(node, nil, ids) }

// addPair tells that a node has one more service or client.
func (g *graph) addPair(node string, writer, reader rtps.GUID) error {
	return g.add(node, []rtps.GUID{writer}, []rtps.GUID{reader})
}

func (g *graph) add(node string, writers, readers []rtps.GUID) error {
	g.nodes.own(node, writers, readers)
	g.mu.Lock()
	if n := g.find(node); n != nil { // otherwise it has ended
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

// hold keeps news from being sent until release.
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

// announce sends what there is now, in both forms.
func (g *graph) announce() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held {
		return nil
	}
	payloads := [...][]byte{ironForm: g.info.AppendCDR(nil), humbleForm: g.info.AppendCDRGid24(nil)}
	return g.writer.WriteVariants(payloads[:]...)
}

// receive learns the nodes of other participants. It looks for one of the same name:
// ROS 2 allows that, but their topics then mix.
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

// has reports whether a node of this name is of the participant.
func (g *graph) has(node string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.find(node) != nil
}

// parseGraph reads a graph message of either form. Both end with their last
// list and what is left over is an error, so one cannot pass for the other.
func parseGraph(payload []byte) (*rmw_dds_common.ParticipantEntitiesInfo, error) {
	info := new(rmw_dds_common.ParticipantEntitiesInfo)
	err := info.ParseCDR(payload)
	if err != nil && info.ParseCDRGid24(payload) == nil {
		return info, nil
	}
	return info, err
}

// gidOf returns the identifier by which ROS 2 knows an entity: its GUID.
func gidOf(g rtps.GUID) (gid rmw_dds_common.Gid) {
	copy(gid.Data[:], g.Prefix[:])
	copy(gid.Data[len(g.Prefix):], g.Entity[:])
	return gid
}
