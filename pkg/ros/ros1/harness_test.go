package ros1

import (
	"context"
	"encoding/binary"
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/bluenviron/goroslib/v2"
	ggeometry "github.com/bluenviron/goroslib/v2/pkg/msgs/geometry_msgs"
	gstd "github.com/bluenviron/goroslib/v2/pkg/msgs/std_msgs"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/naming"
)

const loopback = "127.0.0.1"

// patience is how long anything that happens at all may take to happen on a
// loaded machine.
const patience = time.Minute

// Master is a master that can be killed and started again at its address.
type Master struct {
	*testing.T
	Address string
	running *master.Master
}

func StartMaster(t *testing.T) *Master {
	t.Helper()
	m := &Master{T: t, Address: "127.0.0.1:0"}
	m.Start()
	u, err := url.Parse(m.running.URI())
	if err != nil {
		t.Fatal(err)
	}
	m.Address = u.Host
	t.Cleanup(m.Kill)
	return m
}

func (m *Master) Start() {
	m.Helper()
	var err error
	if m.running, err = master.Start(m.Address, master.Options{}); err != nil {
		m.Fatal(err)
	}
}

func (m *Master) Kill() {
	if m.running != nil {
		m.running.Close()
		m.running = nil
	}
}

func (m *Master) RosMaster() naming.Master {
	host, p, _ := net.SplitHostPort(m.Address)
	n, _ := strconv.Atoi(p)
	return naming.Master{Host: host, Port: n}
}

// Lookup asks for a node's slave URI, "" if the master does not know it.
func (m *Master) Lookup(node string) string {
	uri, err := masterclient.Client{URI: m.RosMaster().URI(), Caller: "/test"}.LookupNode(context.Background(), node)
	if err != nil {
		return ""
	}
	return uri
}

// Subscribes reports whether the master knows that a node subscribes to a topic. A node
// registers its topics one after another, so that the master may know it before.
func (m *Master) Subscribes(node, topic string) bool {
	state, err := masterclient.Client{URI: m.RosMaster().URI(), Caller: "/test"}.SystemState(context.Background())
	return err == nil && slices.Contains(state.Subscribers[topic], node)
}

// Join makes a transport that is closed with the test.
func (m *Master) Join(node string) *Transport {
	m.Helper()
	return m.joinWith(node, usual.frozen/20)
}

// joinWith is join with a time after which subscribers are cut that take nothing.
func (m *Master) joinWith(node string, frozen time.Duration) *Transport {
	m.Helper()
	t, err := start(Options{Node: node, Master: m.RosMaster()}, timing{watch: usual.watch / 5, frozen: frozen})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() {
		count := ticks()
		err := t.Close()
		if n := count(); err != nil && n > int(closeTime/time.Millisecond)/2 {
			m.Errorf("%v, though this machine gave another goroutine %d times a processor", err, n)
		}
	})
	return t
}

// ticks begins to count how often a goroutine gets a processor in time that asks for one at
// 1 kHz, and returns what ends that.
func ticks() (count func() int) {
	end, ended := make(chan struct{}), make(chan int)
	go func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-end:
				ended <- n
				return
			case <-tick.C:
			}
		}
	}()
	return func() int { close(end); return <-ended }
}

// Peer makes another node, which is goroslib's own and knows nothing of this
// package.
func (m *Master) Peer(name string) *goroslib.Node {
	m.Helper()
	n, err := goroslib.NewNode(goroslib.NodeConf{
		Name: name, MasterAddress: m.Address, Host: loopback,
		LogDestinations: goroslib.LogDestinationCallback, ReadTimeout: patience,
	})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(n.Close)
	return n
}

// Collector keeps what a subscriber receives.
type Collector[T any] struct {
	mu   sync.Mutex
	list []T
}

func (c *Collector[T]) Add(v T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, v)
}

func (c *Collector[T]) All() []T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]T(nil), c.list...)
}

// last returns the newest; any is false without one.
func (c *Collector[T]) last() (v T, any bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.list); n > 0 {
		return c.list[n-1], true
	}
	return v, false
}

func (c *Collector[T]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = nil
}

// Poses subscribes a peer to a topic of PoseStamped and collects the sequence
// numbers.
func (m *Master) Poses(n *goroslib.Node, topic string) *Collector[uint32] {
	m.Helper()
	c := &Collector[uint32]{}
	m.PosesTo(c, n, topic)
	return c
}

// PosesTo is poses with a collector that is there already.
func (m *Master) PosesTo(c *Collector[uint32], n *goroslib.Node, topic string) {
	m.Helper()
	s, err := goroslib.NewSubscriber(goroslib.SubscriberConf{
		Node: n, Topic: topic,
		Callback: func(p *ggeometry.PoseStamped) { c.Add(p.Header.Seq) },
	})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(s.Close)
}

// Tensions makes a peer publish a topic of Float64MultiArray.
func (m *Master) Tensions(n *goroslib.Node, topic string) func(...float64) {
	m.Helper()
	p, err := goroslib.NewPublisher(goroslib.PublisherConf{Node: n, Topic: topic, Msg: &gstd.Float64MultiArray{}})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(p.Close)
	return func(v ...float64) { p.Write(&gstd.Float64MultiArray{Data: v}) }
}

func PoseTopic(name string) ros.Topic {
	return ros.Topic{Name: name, Type: geometry_msgs.PoseStampedType}
}

// Advertise opens a topic of PoseStamped.
func (m *Master) Advertise(t *Transport, topic ros.Topic) ros.Publisher {
	m.Helper()
	p, err := t.Advertise(topic)
	if err != nil {
		m.Fatal(err)
	}
	return p
}

// Command subscribes a transport to a topic of Float64MultiArray and collects
// the first number of each message.
func (m *Master) Command(t *Transport, topic string) *Collector[float64] {
	m.Helper()
	c := &Collector[float64]{}
	err := t.Subscribe(ros.Topic{Name: topic, Type: std_msgs.Float64MultiArrayType}, func(v ros.Received) {
		c.Add(v.Message.(*std_msgs.Float64MultiArray).Data[0])
	})
	if err != nil {
		m.Fatal(err)
	}
	return c
}

// Header is a connection header with any fields.
type Header map[string]string

// Append appends the header in wire form.
func (h Header) Append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for _, name := range slices.Sorted(maps.Keys(h)) {
		dst = msgs.AppendString(dst, name+"="+h[name])
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}

// Eventually waits until a condition holds.
func Eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	within(t, patience, what, holds)
}

func within(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// Promptly checks that something takes no longer than a limit, the best of a few times: what
// the machine takes from one of them it does not take from all.
func Promptly(t *testing.T, what string, limit time.Duration, once func() time.Duration) {
	t.Helper()
	least := once()
	for i := 0; i < 9 && least > limit; i++ {
		least = min(least, once())
	}
	if least > limit {
		t.Errorf("%s took %v at least, want %v at most", what, least, limit)
	}
}

// lags reports whether a subscriber, that has got something, is half a queue behind what was
// published up to a number: on a busy machine it does not run for as long as that.
func lags(published uint32, got *Collector[uint32]) bool {
	last, any := got.last()
	return any && published-last > subscriberQueue/2
}

// Stream publishes poses at 1 kHz until it is stopped, and returns the longest time that
// Publish took. It waits for subscribers that the machine keeps from reading.
func Stream(p ros.Publisher, subscribers ...*Collector[uint32]) (stop func() time.Duration) {
	end, ended := make(chan struct{}), make(chan time.Duration)
	go func() {
		var longest time.Duration
		published := uint32(0)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-end:
				ended <- longest
				return
			case <-tick.C:
			}
			if slices.ContainsFunc(subscribers, func(c *Collector[uint32]) bool { return lags(published, c) }) {
				continue
			}
			begin := time.Now()
			p.Publish(ros.NewSample(&geometry_msgs.PoseStamped{}))
			longest = max(longest, time.Since(begin))
			published++
		}
	}()
	return func() time.Duration { close(end); return <-ended }
}

// NoGaps checks that sequence numbers follow each other.
func NoGaps(t *testing.T, who string, seq []uint32) {
	t.Helper()
	for i := 1; i < len(seq); i++ {
		if seq[i] != seq[i-1]+1 {
			t.Fatalf("%s: message %d follows %d", who, seq[i], seq[i-1])
		}
	}
}
