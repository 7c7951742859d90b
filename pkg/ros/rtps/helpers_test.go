package rtps

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// patience is how long a test waits for what must happen; it is not a
// measurement, and long enough for a busy machine under the race detector.
var patience = time.Minute + acceptance

// Domain keeps the tests of one run from hearing those of another.
var Domain = 20 + rand.IntN(150)

func Join(t testing.TB, o Options) *Participant {
	t.Helper()
	if o.Domain == 0 {
		o.Domain = Domain
	}
	p, err := NewParticipant(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func Eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s: not within %v", what, patience)
}

// Box collects samples.
type Box struct {
	mu  sync.Mutex
	all []Sample
}

func (b *Box) Receive(s Sample) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, s)
}

func (b *Box) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.all)
}

func (b *Box) Samples() []Sample {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Sample(nil), b.all...)
}

func (b *Box) Texts() (all []string) {
	for _, s := range b.Samples() {
		all = append(all, string(s.Payload[4:]))
	}
	return all
}

// Payload is text behind the header of little-endian CDR.
func Payload(format string, a ...any) []byte {
	return append([]byte{0, 1, 0, 0}, fmt.Sprintf(format, a...)...)
}

func NewWriter(t *testing.T, p *Participant, topic string, q QoS) *Writer {
	t.Helper()
	w, err := p.NewWriter(WriterOptions{Topic: topic, Type: "T", QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func NewReader(t *testing.T, p *Participant, topic string, q QoS) (*Reader, *Box) {
	t.Helper()
	b := new(Box)
	r, err := p.NewReader(ReaderOptions{Topic: topic, Type: "T", QoS: q, Receive: b.Receive})
	if err != nil {
		t.Fatal(err)
	}
	return r, b
}

// MatchedInTest waits until w has n readers and each reader a writer.
func MatchedInTest(t *testing.T, w *Writer, n int, readers ...*Reader) {
	t.Helper()
	Eventually(t, "match", func() bool {
		for _, r := range readers {
			if r.Matched() == 0 {
				return false
			}
		}
		return w.Matched() == n
	})
}

func Write(t *testing.T, w *Writer, b []byte) {
	t.Helper()
	if err := w.Write(b); err != nil {
		t.Fatal(err)
	}
}

// lossy is a link that loses datagrams on purpose.
type lossy struct {
	link
	lose    func() bool
	dropped *atomic.Int64
}

func (l lossy) send(to netip.AddrPort, b []byte) {
	if l.lose() {
		l.dropped.Add(1)
		return
	}
	l.link.send(to, b)
}

// keepUp waits until a box has all but half a history of what was written: on a busy machine
// the goroutine that fills it may not run for as long as that.
func keepUp(t *testing.T, written int, b *Box) {
	t.Helper()
	Eventually(t, "the reader keeps up", func() bool { return written-b.Len() < Reliable.Depth/2 })
}

func AddrPort(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

func peersOf(all ...string) (p []netip.AddrPort) {
	for _, s := range all {
		p = append(p, AddrPort(s))
	}
	return p
}

func ownSet(all ...string) map[netip.Addr]bool {
	own := map[netip.Addr]bool{}
	for _, s := range all {
		own[netip.MustParseAddr(s)] = true
	}
	return own
}
