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

// testDomain keeps the tests of one run from hearing those of another.
var testDomain = 20 + rand.IntN(150)

func join(t testing.TB, o Options) *Participant {
	t.Helper()
	if o.Domain == 0 {
		o.Domain = testDomain
	}
	p, err := NewParticipant(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s: not within %v", what, patience)
}

// box collects samples.
type box struct {
	mu  sync.Mutex
	all []Sample
}

func (b *box) receive(s Sample) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, s)
}

func (b *box) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.all)
}

func (b *box) samples() []Sample {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Sample(nil), b.all...)
}

func (b *box) texts() (all []string) {
	for _, s := range b.samples() {
		all = append(all, string(s.Payload[4:]))
	}
	return all
}

// payload is text behind the header of little-endian CDR.
func payload(format string, a ...any) []byte {
	return append([]byte{0, 1, 0, 0}, fmt.Sprintf(format, a...)...)
}

func newWriter(t *testing.T, p *Participant, topic string, q QoS) *Writer {
	t.Helper()
	w, err := p.NewWriter(WriterOptions{Topic: topic, Type: "T", QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func newReader(t *testing.T, p *Participant, topic string, q QoS) (*Reader, *box) {
	t.Helper()
	b := new(box)
	r, err := p.NewReader(ReaderOptions{Topic: topic, Type: "T", QoS: q, Receive: b.receive})
	if err != nil {
		t.Fatal(err)
	}
	return r, b
}

// matched waits until w has n readers and each reader a writer.
func matched(t *testing.T, w *Writer, n int, readers ...*Reader) {
	t.Helper()
	eventually(t, "match", func() bool {
		for _, r := range readers {
			if r.Matched() == 0 {
				return false
			}
		}
		return w.Matched() == n
	})
}

func write(t *testing.T, w *Writer, b []byte) {
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
func keepUp(t *testing.T, written int, b *box) {
	t.Helper()
	eventually(t, "the reader keeps up", func() bool { return written-b.len() < reliable.Depth/2 })
}

func addrPort(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

func peersOf(all ...string) (p []netip.AddrPort) {
	for _, s := range all {
		p = append(p, addrPort(s))
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
