package ros2

import (
	"encoding/binary"
	"slices"
	"testing"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/rtps"
)

// Unexported names for the external tests.
const (
	CycloneVariable  = cycloneVariable
	DefaultDepth     = defaultDepth
	DetachedForm     = detachedForm
	GraphTopic       = graphTopic
	HashKey          = hashKey
	MaxCallerWaiting = maxCallerWaiting
	MaxInterfaces    = maxInterfaces
	MaxRequest       = maxRequest
	MaxStaticPeers   = maxStaticPeers
	MaxTopic         = maxTopic
	RequestSuffix    = requestSuffix
	ResolveTimeout   = resolveTimeout
)

var (
	CheckInterface   = checkInterface
	EndpointData     = endpointData
	FastVariables    = fastVariables
	IsHash           = isHash
	JoinNode         = joinNode
	LastHalf         = lastHalf
	Mangle           = mangle
	Offered          = offered
	ParseGraph       = parseGraph
	ParsePeers       = parsePeers
	ParseRequest     = parseRequest
	RequestForms     = requestForms
	ServiceQoS       = serviceQoS
	SplitNode        = splitNode
	WarnOfInterfaces = warnOfInterfaces
	TypeHash         = typeHash
)

// PairOfNodes are two nodes of one participant.
func PairOfNodes(t *testing.T) (c *Context, left, right *Transport) {
	t.Helper()
	c, err := Join(Options{Node: "fleet", Discovery: Discovery{Domain: Domain}, Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	if left, err = c.NewNode("/lab/left", nil); err != nil {
		t.Fatal(err)
	}
	if right, err = c.NewNode("/lab/right", nil); err != nil {
		t.Fatal(err)
	}
	return c, left, right
}

// The client of these tests, and its reader of replies.
var (
	ClientWriter = rtps.GUID{Prefix: [12]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Entity: [4]byte{0, 0, 0x12, 3}}
	clientReader = rtps.GUID{Prefix: ClientWriter.Prefix, Entity: [4]byte{0, 0, 0x13, 4}}
)

// JoinInTest joins the parts of a payload behind the header of little-endian CDR.
func JoinInTest(parts ...[]byte) []byte {
	return append([]byte{0, 1, 0, 0}, slices.Concat(parts...)...)
}

func Little(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }

// Identity is a sample identity in plain CDR.
func Identity(g rtps.GUID, n int64) []byte {
	b := append(append([]byte{}, g.Prefix[:]...), g.Entity[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(n>>32))
	return binary.LittleEndian.AppendUint32(b, uint32(n))
}

var GraphType = rmw_dds_common.ParticipantEntitiesInfoType

// HearGraph subscribes to ros_discovery_info as a node of a release does.
func HearGraph(t *testing.T, userData []byte, parse func(*rmw_dds_common.ParticipantEntitiesInfo, []byte) error) *Collector[*rmw_dds_common.ParticipantEntitiesInfo] {
	t.Helper()
	c := new(Collector[*rmw_dds_common.ParticipantEntitiesInfo])
	_, err := Foreign(t).NewReader(rtps.ReaderOptions{
		Topic: graphTopic, Type: GraphType.DDSName, UserData: userData,
		QoS: rtps.QoS{Reliable: true, TransientLocal: true, Depth: 100},
		Receive: func(s rtps.Sample) {
			info := new(rmw_dds_common.ParticipantEntitiesInfo)
			if err := parse(info, s.Payload); err != nil {
				t.Errorf("the message is not in this release's form: %v\n%x", err, s.Payload)
			}
			c.Add(info)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Echo answers a step with its number of steps as the simulated time.
func Echo(m msgs.Message) msgs.Message {
	return &sinew_msgs.StepResponse{Success: true, SimTime: float64(m.(*sinew_msgs.StepRequest).Steps)}
}
