package ros

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
)

// Memory is a Transport that keeps what is published, by topic, and delivers
// what a test gives to Arrive.
type Memory struct {
	noServices bool
	Refuse     string // Advertise and Subscribe fail for this topic

	mu       sync.Mutex
	Topics   map[string]*memoryTopic
	arrivals map[string][]func(Received)
	services map[string]func(msgs.Message) msgs.Message
	done     chan struct{}
}

var _ Transport = (*Memory)(nil)

func NewMemory() *Memory {
	return &Memory{
		Topics:   make(map[string]*memoryTopic),
		arrivals: make(map[string][]func(Received)),
		services: make(map[string]func(msgs.Message) msgs.Message),
		done:     make(chan struct{}),
	}
}

// memoryTopic is a Publisher that keeps its messages.
type memoryTopic struct {
	Topic
	Unwanted atomic.Bool // no subscriber

	mu      sync.Mutex
	samples []*Sample
}

func (m *Memory) Advertise(t Topic) (Publisher, error) {
	if t.Name == m.Refuse {
		return nil, fmt.Errorf("%s is refused", t.Name)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Topics[t.Name] != nil {
		return nil, fmt.Errorf("%s is advertised twice", t.Name)
	}
	p := &memoryTopic{Topic: t}
	m.Topics[t.Name] = p
	return p, nil
}

func (m *Memory) Subscribe(t Topic, receive func(Received)) error {
	if t.Name == m.Refuse {
		return fmt.Errorf("%s is refused", t.Name)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.arrivals[t.Name] = append(m.arrivals[t.Name], func(got Received) {
		if m := got.Message; !got.SenderLeft && m.Type() != t.Type {
			panic(fmt.Sprintf("%s is %s, got %s", t.Name, t.Type.Name, m.Type().Name))
		}
		receive(got)
	})
	return nil
}

func (m *Memory) Serve(name string, s *msgs.Service, handle Handler) error {
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

func (m *Memory) Done() <-chan struct{} { return m.done }

func (m *Memory) Close() error { close(m.done); return nil }

func (p *memoryTopic) HasSubscribers() bool { return !p.Unwanted.Load() }

func (p *memoryTopic) Publish(s *Sample) {
	if got := s.Message().Type(); got != p.Type {
		panic(fmt.Sprintf("%s is %s, published %s", p.Name, p.Type.Name, got.Name))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.samples = append(p.samples, s)
}

// Take returns the messages that were published since the last take.
func (p *memoryTopic) Take() (got []msgs.Message) {
	for _, s := range p.TakeSamples() {
		got = append(got, s.Message())
	}
	return got
}

func (p *memoryTopic) TakeSamples() []*Sample {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.samples
	p.samples = nil
	return got
}

// Topic returns an advertised topic.
func (m *Memory) Topic(t *testing.T, name string) *memoryTopic {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Topics[name] == nil {
		t.Fatalf("%s is not advertised", name)
	}
	return m.Topics[name]
}

// unwanteden makes all topics unwanted.
func (m *Memory) unwanteden() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.Topics {
		p.Unwanted.Store(true)
	}
}

// Arrive delivers a message to those who subscribed to the topic.
func (m *Memory) Arrive(t *testing.T, topic string, message msgs.Message) {
	t.Helper()
	m.Receive(t, topic, Received{Message: message})
}

// Receive has what a sender does arrive on a topic.
func (m *Memory) Receive(t *testing.T, topic string, got Received) {
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
func (m *Memory) call(t *testing.T, name string, request msgs.Message) msgs.Message {
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
	got := p.Take()
	if len(got) != 1 {
		t.Fatalf("%s got %d messages, want 1", p.Name, len(got))
	}
	return got[0].(M)
}

// Patience is how long what is to come may take, on a machine that does much else.
const Patience = time.Minute

// Eventually waits until a condition holds.
func Eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", Patience, what)
		}
	}
}
