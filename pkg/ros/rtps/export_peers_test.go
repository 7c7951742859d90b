package rtps

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Leave lets the peer end and waits until it has: the next one would take it for its other side.
func (p *Peer) Leave(t *testing.T) {
	t.Helper()
	p.Stdin.Close()
	select {
	case <-p.ended:
	case <-time.After(patience):
		t.Fatalf("the peer is still there %v after the end of its input", patience)
	}
}

// Receives waits until the peer has printed n samples, and says which those are that it has where
// some do not come.
func (p *Peer) Receives(t *testing.T, n int) {
	t.Helper()
	for end := time.Now().Add(patience); p.Len() < n; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			p.mu.Lock()
			defer p.mu.Unlock()
			t.Fatalf("%d of %d samples within %v: %.20q …; it says %q", len(p.lines), n, patience, p.lines, p.words)
		}
	}
}

// Numbers is the CDR form of the peer's type: a number and an array 0, 1, 2, ….
func Numbers(number, length int) []byte {
	b := []byte{0, 1, 0, 0}
	b = binary.LittleEndian.AppendUint64(b, uint64(number))
	b = binary.LittleEndian.AppendUint32(b, uint32(length))
	b = binary.LittleEndian.AppendUint32(b, 0) // doubles start at multiples of eight
	for i := range length {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(i)))
	}
	return b
}

// Numbers lists those of the samples that the peer printed, which must have
// arrays of the given length.
func (p *Peer) Numbers(t *testing.T, length int) (all []int) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		first, _, _ := strings.Cut(l, " ")
		k, err := strconv.Atoi(first)
		if err != nil {
			t.Fatalf("peer printed %q: %v", l, err)
		}
		if want := fmt.Sprintf("%d %d %.17g", k, length, float64(length)*float64(length-1)/2); l != want {
			t.Fatalf("peer printed %q, not %q", l, want)
		}
		all = append(all, k)
	}
	return all
}

// Numbers lists those of the samples, which must have arrays of the given length.
func (b *Box) Numbers(t *testing.T, length int) (all []int) {
	t.Helper()
	for i, s := range b.Samples() {
		if len(s.Payload) < 12 {
			t.Fatalf("sample %d is %x", i, s.Payload)
		}
		k := int(binary.LittleEndian.Uint64(s.Payload[4:]))
		if !bytes.Equal(s.Payload, Numbers(k, length)) {
			t.Fatalf("sample %d has %d bytes and differs", i, len(s.Payload))
		}
		all = append(all, k)
	}
	return all
}

func PeerWriter(t *testing.T, p *Participant, topic string, q QoS) *Writer {
	t.Helper()
	w, err := p.NewWriter(WriterOptions{Topic: topic, Type: peerType, QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func PeerReader(t *testing.T, p *Participant, topic string, q QoS) (*Reader, *Box) {
	t.Helper()
	b := new(Box)
	r, err := p.NewReader(ReaderOptions{Topic: topic, Type: peerType, QoS: q, Receive: b.Receive})
	if err != nil {
		t.Fatal(err)
	}
	return r, b
}

// say announces endpoint data as they are.
func (a *Attacker) say(d wire.EndpointData) {
	var b wire.Builder
	b.Endpoint(&d)
	a.Sedp(d.GUID.Entity.IsWriter(), wire.Data{Payload: b.Bytes})
}

// Sedp sends a sample of the topic of writers or of readers.
func (a *Attacker) Sedp(writers bool, d wire.Data) {
	i := 1
	if writers {
		i = 0
	}
	a.seq[i]++
	d.Reader, d.Writer, d.Sequence = sedpPairs[i].reader, sedpPairs[i].writer, a.seq[i]
	a.Inject(func(m *wire.Builder) {
		m.Data(d)
		a.beats++
		m.Heartbeat(wire.Heartbeat{Reader: d.Reader, Writer: d.Writer, First: 1, Last: d.Sequence, Count: a.beats, Final: true})
	})
	a.Settle()
}

// AnnounceLease announces with a lease of its own.
func (a *Attacker) AnnounceLease(lease time.Duration) {
	a.Describe(func(d *wire.ParticipantData) { d.Lease = lease })
}

// Describe announces what change makes of the announcement.
func (a *Attacker) Describe(change func(*wire.ParticipantData)) {
	at := []wire.Locator{wire.LocatorOf(AttackerAddress)}
	d := wire.ParticipantData{
		GUID: GUID{Prefix: a.Prefix, Entity: wire.EntityParticipant}, Version: wire.ThisVersion, Domain: wire.NoDomain,
		Builtin: 0x3f | wire.HasMessageWriter, Metatraffic: at, Default: at, Lease: time.Minute,
	}
	change(&d)
	var b wire.Builder
	b.Participant(&d)
	a.Inject(func(m *wire.Builder) { m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: 1, Payload: b.Bytes}) })
	a.Settle()
}

// listener is a participant with a reader of "x" that an attacker writes to.
type listener struct {
	*clocked
	*Attacker
	got *Box
}

func ListenTo(t *testing.T, q QoS) *listener {
	t.Helper()
	p := WithClock(t, Options{NoMulticast: true})
	_, got := NewReader(t, p.Participant, "x", q)
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	a.Endpoint(HostileWriter, "x")
	a.Settle()
	p.Take()
	return &listener{p, a, got}
}

// Gap says that the samples from first to last will not come, nor those in more.
func (l *listener) Gap(first, last int64, more ...int64) {
	g := wire.Gap{Writer: HostileWriter, First: first, More: wire.NumberSet{Base: last + 1}}
	for _, n := range more {
		g.More.Add(n)
	}
	l.Inject(func(m *wire.Builder) { m.Gap(g) })
	l.Settle()
}

// Numbers delivers all that has come and returns the sequence numbers.
func (l *listener) Numbers(t *testing.T, n int) []int64 {
	t.Helper()
	Eventually(t, "samples", func() bool { return l.got.Len() >= n })
	var all []int64
	for _, s := range l.got.Samples() {
		all = append(all, s.Sequence)
	}
	return all
}

// Buffered is what waits for earlier samples: bytes of all, and of this writer.
func (l *listener) Buffered() [2]int {
	return state(l.Participant, func(e *engine) [2]int { return [2]int{e.buffered, proxyOf(e).held} })
}

// LastAck is the last acknowledgement that was sent since the last call.
func (l *listener) LastAck(t *testing.T) *wire.AckNack {
	t.Helper()
	all := Submessages(l.Take(), wire.KindAckNack)
	if len(all) == 0 {
		return nil
	}
	a, err := all[len(all)-1].AckNack()
	if err != nil {
		t.Fatal(err)
	}
	return &a
}
