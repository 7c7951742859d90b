package rtps_test

import (
	"testing"

	"sinew/pkg/ros/rtps"
)

// TestInboxBytes bounds what a slow callback lets pile up.
func TestInboxBytes(t *testing.T) {
	b := rtps.NewInbox(1000, 1<<20)
	dropped := 0
	for range 100 {
		dropped += b.Put(rtps.Sample{Payload: make([]byte, 100_000)})
	}
	if b.Len() != 10 || dropped != 90 || b.Size() != 1_000_000 {
		t.Errorf("%d samples with %d bytes wait, %d gave way", b.Len(), b.Size(), dropped)
	}
	// one that is larger than the limit still comes, alone
	if n := b.Put(rtps.Sample{Payload: make([]byte, 2<<20)}); n != 10 || b.Len() != 1 {
		t.Errorf("%d gave way, %d wait", n, b.Len())
	}
}
