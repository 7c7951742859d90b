package ros2

import (
	"maps"
	"slices"
	"sync"

	"sinew/msgs/rmw_dds_common"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// Bounds on the writers and readers of other nodes that are stored: of one participant and of all.
// Discovery has the same bounds.
const (
	maxParticipantEndpoints = 5120
	maxKnownEndpoints       = 40960
)

// prefix identifies a participant.
type prefix = [12]byte

// nodes maps writers and readers to nodes. It is safe for concurrent use.
type nodes struct {
	participant prefix // of this program

	mu    sync.RWMutex
	mine  map[rtps.GUID]string            // names of its nodes, by writer or reader
	known map[prefix]map[rtps.GUID]string // names of other participants' nodes, by writer or reader
	count int                             // number of those in known
}

func newNodes(own rtps.GUID) nodes {
	return nodes{participant: own.Prefix, mine: map[rtps.GUID]string{}, known: map[prefix]map[rtps.GUID]string{}}
}

// own adds writers and readers of a node of this program.
func (n *nodes) own(node string, endpoints ...[]rtps.GUID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, g := range slices.Concat(endpoints...) {
		n.mine[g] = node
	}
}

// removeOwn removes a node of this program.
func (n *nodes) removeOwn(node string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.DeleteFunc(n.mine, func(_ rtps.GUID, name string) bool { return name == node })
}

// sender returns the node of a writer or reader, as far as it is known.
func (n *nodes) sender(endpoint rtps.GUID) ros.Sender {
	s := ros.Sender{Endpoint: gidOf(endpoint).Data}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if endpoint.Prefix == n.participant {
		s.Node = n.mine[endpoint]
		return s
	}
	s.Node = n.known[endpoint.Prefix][endpoint]
	return s
}

// learn replaces the nodes of a participant by those that it announces. remotes lists the present
// participants; when a new one is added, those that are gone are removed.
func (n *nodes) learn(from prefix, info *rmw_dds_common.ParticipantEntitiesInfo, remotes func() []rtps.Remote) {
	var present map[prefix]bool
	n.mu.RLock()
	_, met := n.known[from]
	n.mu.RUnlock()
	if !met {
		present = map[prefix]bool{from: true}
		for _, r := range remotes() {
			present[r.GUID.Prefix] = true
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for p := range n.known {
		if p == from || !met && !present[p] {
			n.count -= len(n.known[p])
			delete(n.known, p)
		}
	}
	endpoints := map[rtps.GUID]string{}
	for _, node := range info.NodeEntitiesInfoSeq {
		name := joinNode(node.NodeNamespace, node.NodeName)
		if _, _, err := splitNode(name); err != nil {
			continue
		}
		for _, gid := range slices.Concat(node.WriterGidSeq, node.ReaderGidSeq) {
			if g := guidOf(gid); g.Prefix == from && len(endpoints) < maxParticipantEndpoints && n.count+len(endpoints) < maxKnownEndpoints {
				endpoints[g] = name
			}
		}
	}
	n.known[from] = endpoints
	n.count += len(endpoints)
}

// guidOf is the inverse of gidOf.
func guidOf(gid rmw_dds_common.Gid) (g rtps.GUID) {
	copy(g.Entity[:], gid.Data[copy(g.Prefix[:], gid.Data[:]):])
	return g
}
