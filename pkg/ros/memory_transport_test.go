package ros

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
)

// memory is a Transport that keeps what is published, by topic, and can be told
// what arrives.
type memory struct {
	noServices bool
	refuse     string // Advertise and Subscribe fail for this topic

	mu       sync.Mutex
	topics   map[string]*memoryTopic
	arrivals map[string][]func(Received)
	services map[string]func(msgs.Message) msgs.Message
	done     chan struct{}
}

var _ Transport = (*memory)(nil)

func newMemory() *memory {
	return &memory{
		topics:   make(map[string]*memoryTopic),
		arrivals: make(map[string][]func(Received)),
		services: make(map[string]func(msgs.Message) msgs.Message),
		done:     make(chan struct{}),
	}
}

// memoryTopic is a Publisher that keeps its messages.
type memoryTopic struct {
	Topic
	unwanted atomic.Bool // nobody listens

	mu      sync.Mutex
	samples []*Sample
}

func (m *memory) Advertise(t Topic) (Publisher, error) {
	if t.Name == m.refuse {
		return nil, fmt.Errorf("%s is refused", t.Name)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.topics[t.Name] != nil {
		return nil, fmt.Errorf("%s is advertised twice", t.Name)
	}
	p := &memoryTopic{Topic: t}
	m.topics[t.Name] = p
	return p, nil
}

func (m *memory) Subscribe(t Topic, receive func(Received)) error {
	if t.Name == m.refuse {
		return fmt.Errorf("%s is refused", t.Name)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.arrivals[t.Name] = append(m.arrivals[t.Name], func(got Received) {
		if m := got.Message; !got.Gone && m.Type() != t.Type {
			panic(fmt.Sprintf("%s is %s, got %s", t.Name, t.Type.Name, m.Type().Name))
		}
		receive(got)
	})
	return nil
}

func (m *memory) Serve(name string, s *msgs.Service, handle Handler) error {
	if m.noServices {
		return ErrNoServices
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.services[name] = func(request msgs.Message) msgs.Message {
		if request.Type() != s.Request {
			panic(fmt.Sprintf("%s is %s, got %s", name, s.Name, request.Type().Name))
		}
		response := handle(request)()
		if response.Type() != s.Response {
			panic(fmt.Sprintf("%s is %s, answered %s", name, s.Name, response.Type().Name))
		}
		return response
	}
	return nil
}

func (m *memory) Done() <-chan struct{} { return m.done }

func (m *memory) Close() error { close(m.done); return nil }

func (p *memoryTopic) Wanted() bool { return !p.unwanted.Load() }

func (p *memoryTopic) Publish(s *Sample) {
	if got := s.Message().Type(); got != p.Type {
		panic(fmt.Sprintf("%s is %s, published %s", p.Name, p.Type.Name, got.Name))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.samples = append(p.samples, s)
}

// take returns the messages that were published since the last take.
func (p *memoryTopic) take() (got []msgs.Message) {
	for _, s := range p.takeSamples() {
		got = append(got, s.Message())
	}
	return got
}

func (p *memoryTopic) takeSamples() []*Sample {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.samples
	p.samples = nil
	return got
}

// topic returns an advertised topic.
func (m *memory) topic(t *testing.T, name string) *memoryTopic {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.topics[name] == nil {
		t.Fatalf("%s is not advertised", name)
	}
	return m.topics[name]
}

// unwanteden makes all topics unwanted.
func (m *memory) unwanteden() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.topics {
		p.unwanted.Store(true)
	}
}

// arrive delivers a message to those who subscribed to the topic.
func (m *memory) arrive(t *testing.T, topic string, message msgs.Message) {
	t.Helper()
	m.receive(t, topic, Received{Message: message})
}

// receive has what a sender does arrive on a topic.
func (m *memory) receive(t *testing.T, topic string, got Received) {
	t.Helper()
	m.mu.Lock()
	receivers := m.arrivals[topic]
	m.mu.Unlock()
	if len(receivers) != 1 {
		t.Fatalf("%s has %d subscriptions, want 1", topic, len(receivers))
	}
	receivers[0](got)
}

// call calls a service.
func (m *memory) call(t *testing.T, name string, request msgs.Message) msgs.Message {
	t.Helper()
	m.mu.Lock()
	handle := m.services[name]
	m.mu.Unlock()
	if handle == nil {
		t.Fatalf("%s is not served", name)
	}
	return handle(request)
}

// only is the single message of type M that the topic got since the last take.
func only[M msgs.Message](t *testing.T, p *memoryTopic) M {
	t.Helper()
	got := p.take()
	if len(got) != 1 {
		t.Fatalf("%s got %d messages, want 1", p.Name, len(got))
	}
	return got[0].(M)
}

// patience is how long what is to come may take, on a machine that does much else.
const patience = time.Minute

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
