package ros2

import (
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

// graph tells others which endpoints of the participant belong to the node. It
// hears which endpoints their nodes have, and whether one has the same name.
//
// Up to Humble the identifiers in its messages have 24 bytes, from Iron on 16,
// with the same topic and type. A message of the wrong form breaks the
// receiver's list of nodes, so each reader gets the form of its release, which shows
// in whether it announces a type hash.
type graph struct {
	participant *rtps.Participant
	node        string // absolute name
	warnings    *warnings
	writer      *rtps.Writer
	nodes       nodes

	mu   sync.Mutex
	info rmw_dds_common.ParticipantEntitiesInfo // always has one node
}

// Payloads of the writer, by index; see rtps.Writer.WriteVariants.
const (
	ironForm   = iota // 16 bytes
	humbleForm        // 24 bytes
)

// openGraph tells of the node, as yet without endpoints.
func openGraph(p *rtps.Participant, node string, w *warnings) (*graph, error) {
	namespace, name, err := splitNode(node)
	if err != nil {
		return nil, err
	}
	g := &graph{participant: p, node: node, warnings: w, nodes: newNodes(p.GUID(), node)}
	g.info.Gid = gidOf(p.GUID())
	g.info.NodeEntitiesInfoSeq = []rmw_dds_common.NodeEntitiesInfo{{NodeNamespace: namespace, NodeName: name}}

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
	if err != nil {
		return nil, err
	}
	return g, g.announce()
}

func formFor(reader rtps.Endpoint) int {
	if _, found := typeHash(reader.UserData); found {
		return ironForm
	}
	return humbleForm
}

// addWriter tells that the node has one more publisher.
func (g *graph) addWriter(id rtps.GUID) error {
	return g.add(&g.info.NodeEntitiesInfoSeq[0].WriterGidSeq, id)
}

// addReaders tells that the node has one more subscription.
func (g *graph) addReaders(ids []rtps.GUID) error {
	return g.add(&g.info.NodeEntitiesInfoSeq[0].ReaderGidSeq, ids...)
}

// addPair tells that the node has one more service or client.
func (g *graph) addPair(writer, reader rtps.GUID) error {
	n := &g.info.NodeEntitiesInfoSeq[0]
	g.mu.Lock()
	n.WriterGidSeq = append(n.WriterGidSeq, gidOf(writer))
	g.mu.Unlock()
	return g.add(&n.ReaderGidSeq, reader)
}

func (g *graph) add(to *[]rmw_dds_common.Gid, ids ...rtps.GUID) error {
	g.mu.Lock()
	for _, id := range ids {
		*to = append(*to, gidOf(id))
	}
	g.mu.Unlock()
	return g.announce()
}

// announce sends what there is now, in both forms.
func (g *graph) announce() error {
	g.mu.Lock()
	defer g.mu.Unlock()
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
	same := slices.ContainsFunc(info.NodeEntitiesInfoSeq, func(n rmw_dds_common.NodeEntitiesInfo) bool {
		return joinNode(n.NodeNamespace, n.NodeName) == g.node
	})
	if same {
		g.warnings.add(warning{"another node has the same name; both act on the same topics. Give one another name or namespace", ""},
			zap.String("node", g.node), zap.Stringer("writer", s.Writer))
	}
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
