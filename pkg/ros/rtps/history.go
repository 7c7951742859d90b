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
	kept     time.Time // when the engine received it from Write
	payload  []byte
	variants [][]byte // instead of payload, by readerProxy.variant
	key      GUID     // entity that discovery data describe
	ended    bool     // the instance key has ended
	related  SampleIdentity
	to       GUID // the only reader or participant that gets it; zero is all
}

// isFor reports whether a reader gets the sample.
func (c *change) isFor(reader GUID) bool {
	switch {
	case c.to == (GUID{}):
		return true
	case c.to.Entity == wire.EntityUnknown:
		return c.to.Prefix == reader.Prefix
	}
	return c.to == reader
}

// payloadFor returns the payload for readers of a variant.
func (c *change) payloadFor(variant int) []byte {
	if c.variants == nil {
		return c.payload
	}
	return c.variants[min(max(variant, 0), len(c.variants)-1)]
}

// keptDisposes is the number of ended instances that a history keeps.
const keptDisposes = 64

// history keeps the last changes of a writer, in the order of their numbers.
type history struct{ bounded.Ring[change] }

func newHistory(depth int) history { return history{bounded.NewRing[change](depth)} }

// find returns the change with a sequence number, nil if it is not kept.
func (h *history) find(sequence int64) *change {
	i := sort.Search(h.Len(), func(i int) bool { return h.At(i).sequence >= sequence })
	if i < h.Len() && h.At(i).sequence == sequence {
		return h.At(i)
	}
	return nil
}

// findFor returns the change with a sequence number if a reader gets it, otherwise nil.
func (h *history) findFor(reader GUID, sequence int64) *change {
	if c := h.find(sequence); c != nil && c.isFor(reader) {
		return c
	}
	return nil
}

// awaited returns the first change for one reader only that was written since a time; false if
// there is none.
func (h *history) awaited(reader GUID, since time.Time) (sequence int64, found bool) {
	for i := range h.Len() {
		if c := h.At(i); c.to != (GUID{}) && c.isFor(reader) && !c.stamp.Time().Before(since) {
			return c.sequence, true
		}
	}
	return 0, false
}

// first returns the oldest sequence number that is kept, or none if there is none.
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
