package rtps_test

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
)

// BenchmarkLatency is the time from Write to Receive between two participants
// of one process, at 1 kHz.
func BenchmarkLatency(b *testing.B) {
	sub, pub := rtps.Join(b, rtps.Options{}), rtps.Join(b, rtps.Options{})
	start := time.Now()
	var mu sync.Mutex
	var took []time.Duration
	if _, err := sub.NewReader(rtps.ReaderOptions{Topic: "x", Type: "T", QoS: rtps.Reliable, Receive: func(s rtps.Sample) {
		sent := time.Duration(binary.LittleEndian.Uint64(s.Payload[4:]))
		mu.Lock()
		took = append(took, time.Since(start)-sent)
		mu.Unlock()
	}}); err != nil {
		b.Fatal(err)
	}
	w, err := pub.NewWriter(rtps.WriterOptions{Topic: "x", Type: "T", QoS: rtps.Reliable})
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
		p := make([]byte, rtps.PoseBytes)
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
	sub, pub := rtps.Join(b, rtps.Options{}), rtps.Join(b, rtps.Options{})
	var got atomic.Int64
	r, err := sub.NewReader(rtps.ReaderOptions{Topic: "x", Type: "T", QoS: rtps.Reliable, Receive: func(rtps.Sample) { got.Add(1) }})
	if err != nil {
		b.Fatal(err)
	}
	w, err := pub.NewWriter(rtps.WriterOptions{Topic: "x", Type: "T", QoS: rtps.Reliable})
	if err != nil {
		b.Fatal(err)
	}
	for w.Matched() == 0 || r.Matched() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	p := make([]byte, rtps.PoseBytes)
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
