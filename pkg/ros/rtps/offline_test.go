package rtps

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"

	"sinew/pkg/ros/rtps/wire"
)

// record is a link that goes nowhere and remembers what was sent last.
type record struct {
	mu    sync.Mutex
	bytes int // in all
	last  [][]byte
}

const remembered = 64

func (r *record) send(_ netip.AddrPort, b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes += len(b)
	r.last = append(r.last, append([]byte(nil), b...))
	if len(r.last) > remembered {
		r.last = r.last[1:]
	}
}

func (r *record) multicast(netip.AddrPort, []byte, netip.Addr) {}

// Sent reads the remembered submessages of one kind.
func (r *record) Sent(kind byte) (all []wire.Submessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.last {
		_, scan, err := wire.Open(m)
		for err == nil {
			var s wire.Submessage
			if s, err = scan.Next(); err == nil && s.Kind == kind {
				all = append(all, s)
			}
		}
	}
	return all
}

// offline is a participant without sockets: inject gives it datagrams.
func offline(t testing.TB, o Options) (*Participant, *record) {
	t.Helper()
	r := new(record)
	o.NoMulticast = true
	return unconnected(t, o, r, (*engine).run), r
}

// unconnected is a participant whose datagrams go to a link of the test, and
// whose engine is driven by run.
func unconnected(t testing.TB, o Options, l link, run func(*engine)) *Participant {
	t.Helper()
	o.wrap = func(link) link { return l }
	o, err := o.filled()
	if err != nil {
		t.Fatal(err)
	}
	p := &Participant{closing: make(chan struct{}), done: make(chan struct{}), own: new(atomic.Pointer[host])}
	p.guid = GUID{Prefix: wire.Prefix{1}, Entity: wire.EntityParticipant}
	p.udp = &udp{packets: make(chan *packet), quit: make(chan struct{})}
	p.e = p.newEngine(o, surveyHost(nil))
	go func() {
		run(p.e)
		close(p.done)
	}()
	p.call(p.e.startSEDP)
	t.Cleanup(func() { p.Close() })
	return p
}

// Attacker makes messages of one participant.
type Attacker struct {
	T      testing.TB
	To     *Participant
	Prefix wire.Prefix
	at     netip.AddrPort // attackerAddress without one
	vendor wire.Vendor
	beats  uint32
	seq    [2]int64
}

var AttackerAddress = netip.MustParseAddrPort("127.0.0.1:9")

// Inject hands over a message whose submessages build makes.
func (a *Attacker) Inject(build func(*wire.Builder)) {
	a.To.e.packets <- newPacket(a.address(), a.message(build))
}

func (a *Attacker) address() netip.AddrPort {
	if a.at.IsValid() {
		return a.at
	}
	return AttackerAddress
}

func (a *Attacker) message(build func(*wire.Builder)) []byte {
	var b wire.Builder
	b.Header(wire.Header{Version: wire.ThisVersion, Prefix: a.Prefix})
	build(&b)
	return b.Bytes
}

// Settle waits until everything injected has been handled.
func (a *Attacker) Settle() {
	if err := a.To.call(func() {}); err != nil {
		a.T.Fatal(err)
	}
}

func (a *Attacker) Announce() { a.Inject(a.announcement) }

func (a *Attacker) announcement(m *wire.Builder) {
	at := []wire.Locator{wire.LocatorOf(a.address())}
	var b wire.Builder
	b.Participant(&wire.ParticipantData{
		GUID: GUID{Prefix: a.Prefix, Entity: wire.EntityParticipant}, Version: wire.ThisVersion, Vendor: a.vendor, Domain: wire.NoDomain,
		Builtin: 0x3f | wire.HasMessageWriter, Metatraffic: at, Default: at, Lease: wire.Forever,
	})
	m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: 1, Payload: b.Bytes})
}

// Endpoint announces a writer or reader and gives its GUID.
func (a *Attacker) Endpoint(id wire.EntityID, topic string) GUID {
	q := QoS{Reliable: true, Depth: 1}
	g := GUID{Prefix: a.Prefix, Entity: id}
	d := q.describe(g, topic, "T", nil)
	var b wire.Builder
	b.Endpoint(&d)
	i := 1
	if id.IsWriter() {
		i = 0
	}
	a.seq[i]++
	a.Inject(func(m *wire.Builder) {
		m.Data(wire.Data{Reader: sedpPairs[i].reader, Writer: sedpPairs[i].writer, Sequence: a.seq[i], Payload: b.Bytes})
		a.beats++
		m.Heartbeat(wire.Heartbeat{Reader: sedpPairs[i].reader, Writer: sedpPairs[i].writer, First: 1, Last: a.seq[i], Count: a.beats, Final: true})
	})
	return g
}

// Attack announces a participant with a writer and a reader of topic "x".
func Attack(t testing.TB, p *Participant) *Attacker {
	a := &Attacker{T: t, To: p, Prefix: wire.Prefix{0xba, 0xd}}
	a.Announce()
	a.Endpoint(HostileWriter, "x")
	a.Endpoint(HostileReader, "x")
	a.Settle()
	return a
}

var (
	HostileWriter = wire.EntityID{0, 0, 1, wire.KindWriterNoKey}
	HostileReader = wire.EntityID{0, 0, 2, wire.KindReaderNoKey}
)

func (a *Attacker) Heartbeat(first, last int64) {
	a.beats++
	h := wire.Heartbeat{Writer: HostileWriter, First: first, Last: last, Count: a.beats}
	a.Inject(func(m *wire.Builder) { m.Heartbeat(h) })
}

func (a *Attacker) Data(n int64, payload []byte) {
	a.Inject(func(m *wire.Builder) { m.Data(wire.Data{Writer: HostileWriter, Sequence: n, Payload: payload}) })
}
