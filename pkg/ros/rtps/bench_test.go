package rtps

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// poseBytes is the size of a PoseStamped in CDR with its header.
const poseBytes = 84

// BenchmarkLatency is the time from Write to Receive between two participants
// of one process, at 1 kHz.
func BenchmarkLatency(b *testing.B) {
	sub, pub := join(b, Options{}), join(b, Options{})
	start := time.Now()
	var mu sync.Mutex
	var took []time.Duration
	if _, err := sub.NewReader(ReaderOptions{Topic: "x", Type: "T", QoS: reliable, Receive: func(s Sample) {
		sent := time.Duration(binary.LittleEndian.Uint64(s.Payload[4:]))
		mu.Lock()
		took = append(took, time.Since(start)-sent)
		mu.Unlock()
	}}); err != nil {
		b.Fatal(err)
	}
	w, err := pub.NewWriter(WriterOptions{Topic: "x", Type: "T", QoS: reliable})
	if err != nil {
		b.Fatal(err)
	}
	for w.Matched() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		p := make([]byte, poseBytes)
		p[1] = 1
		binary.LittleEndian.PutUint64(p[4:], uint64(time.Since(start)))
		if err := w.Write(p); err != nil {
			b.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	b.StopTimer()
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-µs")
	b.ReportMetric(float64(len(took))/float64(b.N), "received/op")
}

// BenchmarkRate writes at 10 kHz, in bursts of ten: nothing may be lost.
func BenchmarkRate(b *testing.B) {
	sub, pub := join(b, Options{}), join(b, Options{})
	var got atomic.Int64
	r, err := sub.NewReader(ReaderOptions{Topic: "x", Type: "T", QoS: reliable, Receive: func(Sample) { got.Add(1) }})
	if err != nil {
		b.Fatal(err)
	}
	w, err := pub.NewWriter(WriterOptions{Topic: "x", Type: "T", QoS: reliable})
	if err != nil {
		b.Fatal(err)
	}
	for w.Matched() == 0 || r.Matched() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	p := make([]byte, poseBytes)
	b.ReportAllocs()
	b.ResetTimer()
	start := time.Now()
	for i := range b.N {
		if err := w.Write(p); err != nil {
			b.Fatal(err)
		}
		if i%10 == 9 {
			time.Sleep(time.Until(start.Add(time.Duration(i) * 100 * time.Microsecond)))
		}
	}
	b.StopTimer()
	for end := time.Now().Add(time.Second); got.Load() < int64(b.N) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	b.ReportMetric(float64(got.Load())/float64(b.N), "received/op")
	b.ReportMetric(float64(pub.Stats().Resent), "resent")
}

// discard is a link that goes nowhere.
type discard struct{}

func (discard) send(netip.AddrPort, []byte)                  {}
func (discard) multicast(netip.AddrPort, []byte, netip.Addr) {}

// BenchmarkWrite is the cost of a pose for the writer's side, to four readers
// and without the system calls. It must not allocate.
func BenchmarkWrite(b *testing.B) {
	p, w := fourReaders(b)
	payload := make([]byte, poseBytes)
	b.ReportAllocs()
	for b.Loop() {
		for range minStaged {
			if err := w.Write(payload); err != nil {
				b.Fatal(err)
			}
		}
		p.call(func() { p.e.flush(w) })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/minStaged, "ns/pose")
}

func fourReaders(t testing.TB) (*Participant, *Writer) {
	p, _ := offline(t, Options{})
	p.call(func() { p.e.link = discard{} })
	a := attack(t, p)
	for i := range byte(4) {
		a.endpoint(wire.EntityID{2, 0, i, wire.KindReaderNoKey}, "pose")
	}
	w, err := p.NewWriter(WriterOptions{Topic: "pose", Type: "T", QoS: reliable})
	if err != nil {
		t.Fatal(err)
	}
	if n := w.Matched(); n != 4 {
		t.Fatalf("%d readers match", n)
	}
	return p, w
}

// TestWriteAllocates counts the allocations of publishing, once the history is
// full.
func TestWriteAllocates(t *testing.T) {
	p, w := fourReaders(t)
	payload := make([]byte, poseBytes)
	const batch = minStaged
	perBatch := testing.AllocsPerRun(200, func() {
		for range batch {
			if err := w.Write(payload); err != nil {
				t.Fatal(err)
			}
		}
		p.call(func() { p.e.flush(w) })
	})
	// do itself allocates: its channel and closures
	if perBatch > 8 {
		t.Errorf("%.1f allocations for %d samples", perBatch, batch)
	}
}
