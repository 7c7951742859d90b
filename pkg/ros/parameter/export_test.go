package parameter

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
)

// Unexported names for the external tests.
const (
	Discovery = discovery
	MaxEvents = maxEvents
	MaxNames  = maxNames
)

var (
	Convert     = convert
	Descriptor  = descriptor
	Equal       = equal
	Flat        = flat
	FromServer  = fromServer
	Marker      = marker
	Same        = same
	ServerValue = serverValue
)

// owner is a node with parameters: b.rate is at most 10, the others are as they are.
type owner struct {
	mu      sync.Mutex
	Values  map[string]any
	Applied [][]string // names that were applied together
}

func NewOwner() *owner {
	return &owner{Values: map[string]any{
		"a": int64(7), "b.rate": 1.5, "b.offset": []float64{1, 2, 3}, "b.c.name": "rod", "b.c.on": true, "b.c.words": []string{}, "inf": math.Inf(1),
	}}
}

func (o *owner) List() (list []Parameter) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, v := range o.Values {
		p := Parameter{Name: name, Value: v, Description: "of " + name}
		switch name {
		case "b.rate":
			p.Bounded, p.Min, p.Max, p.Constraints = true, 0, 10, "(0, 10] Hz"
		case "a":
			p.Fixed, p.Bounded, p.Min, p.Max = "fixed while the robot runs", true, 1, 2000
		}
		list = append(list, p)
	}
	return list
}

var ErrRate = errors.New("b.rate: 11 Hz is out of range; allowed: (0, 10] Hz")

func (o *owner) Apply(values []Assignment) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, v := range values {
		if x, ok := v.Value.(float64); ok && v.Name == "b.rate" && !(x > 0 && x <= 10) {
			return ErrRate
		}
	}
	var names []string
	for _, v := range values {
		o.Values[v.Name] = v.Value
		names = append(names, v.Name)
	}
	o.Applied = append(o.Applied, names)
	return nil
}

// Network is a transport that keeps services and what is published.
type Network struct {
	ros.Transport
	Services    map[string]ros.Handler
	Mu          sync.Mutex
	WantedValue bool
	HeardValue  bool
	sent        []*rcl_interfaces.ParameterEvent
}

func (n *Network) Serve(name string, _ *msgs.Service, handle ros.Handler) error {
	n.Services[name] = handle
	return nil
}

func (n *Network) Advertise(t ros.Topic) (ros.Publisher, error) {
	if t.Name != "/parameter_events" || t.Type != rcl_interfaces.ParameterEventType {
		return nil, fmt.Errorf("topic %s of %s", t.Name, t.Type.Name)
	}
	return n, nil
}

func (n *Network) HasSubscribers() bool {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	return n.WantedValue
}

func (n *Network) Publish(s *ros.Sample) {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	n.sent = append(n.sent, s.Message().(*rcl_interfaces.ParameterEvent))
}

func (n *Network) Events() []*rcl_interfaces.ParameterEvent {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	return slices.Clone(n.sent)
}

// Ros1 is a network without the types of ROS 2.
type Ros1 struct{ ros.Transport }

func (Ros1) Serve(string, *msgs.Service, ros.Handler) error {
	return fmt.Errorf("ROS 1: %w", ros.ErrUnknownType)
}

func (Ros1) Advertise(ros.Topic) (ros.Publisher, error) {
	return nil, fmt.Errorf("ROS 1: %w", ros.ErrUnknownType)
}

// ServeInTest makes a table on a network that is served beside one of ROS 1.
func ServeInTest(t *testing.T) (*Table, *Network, *observer.ObservedLogs) {
	t.Helper()
	o := NewOwner()
	core, logged := observer.New(zap.InfoLevel)
	table := NewTable(Options{List: o.List, Apply: o.Apply, Now: func() time.Duration { return 0 }, Log: zap.New(core)})
	n := &Network{Services: map[string]ros.Handler{}, WantedValue: true}
	names, err := naming.NewNames("left", naming.Args{Namespace: "/lab"}, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if err := Serve(table, names, []ros.Transport{Ros1{}, n}); err != nil {
		t.Fatal(err)
	}
	return table, n, logged
}

// ParameterInTest makes what ros2 param set sends.
func ParameterInTest(name string, v any) rcl_interfaces.Parameter {
	m := message(v)
	switch v := v.(type) {
	case []int64:
		m = rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindIntegerArray, IntegerArrayValue: v}
	case []byte:
		m = rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindByteArray, ByteArrayValue: v}
	case []bool:
		m = rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindBoolArray, BoolArrayValue: v}
	}
	return rcl_interfaces.Parameter{Name: name, Value: m}
}
