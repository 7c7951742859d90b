package rtps

import (
	"sort"
	"time"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/rtps/wire"
)

// change is a sample in the history of a writer.
type change struct {
	sequence int64
	stamp    wire.Time
	kept     time.Time // when the engine took it
	payload  []byte
	variants [][]byte // instead of payload, by readerProxy.variant
	key      GUID     // entity that discovery data describe
	ended    bool     // the instance key is no more
}

// payloadFor returns the payload for readers of a variant.
func (c *change) payloadFor(variant int) []byte {
	if c.variants == nil {
		return c.payload
	}
	return c.variants[min(max(variant, 0), len(c.variants)-1)]
}

// keptDisposes are the ended instances that a history still tells of.
const keptDisposes = 64

// history keeps the last changes of a writer, in the order of their numbers.
type history struct{ bounded.Ring[change] }

func newHistory(depth int) history { return history{bounded.NewRing[change](depth)} }

// find gives the change with a sequence number, nil when it is not kept.
func (h *history) find(sequence int64) *change {
	i := sort.Search(h.Len(), func(i int) bool { return h.At(i).sequence >= sequence })
	if i < h.Len() && h.At(i).sequence == sequence {
		return h.At(i)
	}
	return nil
}

// first is the oldest sequence number that is kept, or none when there is none.
func (h *history) first(none int64) int64 {
	if h.Len() == 0 {
		return none
	}
	return h.At(0).sequence
}

// expire removes the changes that are older than lifespan.
func (h *history) expire(now time.Time, lifespan time.Duration) {
	for h.Len() > 0 && now.Sub(h.At(0).kept) >= lifespan {
		h.Take()
	}
}

// supersede removes the older changes of an instance, and the oldest ended
// instances when there are many.
func (h *history) supersede(key GUID) {
	ended := 0
	for i := range h.Len() {
		if h.At(i).ended {
			ended++
		}
	}
	for range h.Len() {
		c, _ := h.Take()
		switch {
		case c.ended && ended > keptDisposes:
			ended--
		case c.key != key:
			h.Put(c)
		}
	}
}
