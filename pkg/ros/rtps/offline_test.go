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

// sent reads the remembered submessages of one kind.
func (r *record) sent(kind byte) (all []wire.Submessage) {
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

// attacker makes messages of one participant.
type attacker struct {
	t      testing.TB
	to     *Participant
	prefix wire.Prefix
	at     netip.AddrPort // attackerAddress without one
	vendor wire.Vendor
	beats  uint32
	seq    [2]int64
}

var attackerAddress = netip.MustParseAddrPort("127.0.0.1:9")

// inject hands over a message whose submessages build makes.
func (a *attacker) inject(build func(*wire.Builder)) {
	a.to.e.packets <- newPacket(a.address(), a.message(build))
}

func (a *attacker) address() netip.AddrPort {
	if a.at.IsValid() {
		return a.at
	}
	return attackerAddress
}

func (a *attacker) message(build func(*wire.Builder)) []byte {
	var b wire.Builder
	b.Header(wire.Header{Version: wire.ThisVersion, Prefix: a.prefix})
	build(&b)
	return b.Bytes
}

// settle waits until everything injected has been handled.
func (a *attacker) settle() {
	if err := a.to.call(func() {}); err != nil {
		a.t.Fatal(err)
	}
}

func (a *attacker) announce() { a.inject(a.announcement) }

func (a *attacker) announcement(m *wire.Builder) {
	at := []wire.Locator{wire.LocatorOf(a.address())}
	var b wire.Builder
	b.Participant(&wire.ParticipantData{
		GUID: GUID{Prefix: a.prefix, Entity: wire.EntityParticipant}, Version: wire.ThisVersion, Vendor: a.vendor, Domain: wire.NoDomain,
		Builtin: 0x3f | wire.HasMessageWriter, Metatraffic: at, Default: at, Lease: wire.Forever,
	})
	m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: 1, Payload: b.Bytes})
}

// endpoint announces a writer or reader and gives its GUID.
func (a *attacker) endpoint(id wire.EntityID, topic string) GUID {
	q := QoS{Reliable: true, Depth: 1}
	g := GUID{Prefix: a.prefix, Entity: id}
	d := q.describe(g, topic, "T", nil)
	var b wire.Builder
	b.Endpoint(&d)
	i := 1
	if id.IsWriter() {
		i = 0
	}
	a.seq[i]++
	a.inject(func(m *wire.Builder) {
		m.Data(wire.Data{Reader: sedpPairs[i].reader, Writer: sedpPairs[i].writer, Sequence: a.seq[i], Payload: b.Bytes})
		a.beats++
		m.Heartbeat(wire.Heartbeat{Reader: sedpPairs[i].reader, Writer: sedpPairs[i].writer, First: 1, Last: a.seq[i], Count: a.beats, Final: true})
	})
	return g
}

// attack announces a participant with a writer and a reader of topic "x".
func attack(t testing.TB, p *Participant) *attacker {
	a := &attacker{t: t, to: p, prefix: wire.Prefix{0xba, 0xd}}
	a.announce()
	a.endpoint(hostileWriter, "x")
	a.endpoint(hostileReader, "x")
	a.settle()
	return a
}

var (
	hostileWriter = wire.EntityID{0, 0, 1, wire.KindWriterNoKey}
	hostileReader = wire.EntityID{0, 0, 2, wire.KindReaderNoKey}
)

func (a *attacker) heartbeat(first, last int64) {
	a.beats++
	h := wire.Heartbeat{Writer: hostileWriter, First: first, Last: last, Count: a.beats}
	a.inject(func(m *wire.Builder) { m.Heartbeat(h) })
}

func (a *attacker) data(n int64, payload []byte) {
	a.inject(func(m *wire.Builder) { m.Data(wire.Data{Writer: hostileWriter, Sequence: n, Payload: payload}) })
}
