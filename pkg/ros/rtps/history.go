package rtps

import (
	"sort"

	"sinew/pkg/ros/rtps/wire"
)

// change is a sample in the history of a writer.
type change struct {
	sequence int64
	stamp    wire.Time
	payload  []byte
	variants [][]byte // instead of payload, by readerProxy.variant
	key      GUID     // of discovery data: what it describes
	ended    bool     // the instance key is no more
}

// payloadFor is what a reader with the given variant gets.
func (c *change) payloadFor(variant int) []byte {
	if c.variants == nil {
		return c.payload
	}
	return c.variants[min(max(variant, 0), len(c.variants)-1)]
}

// keptDisposes are the ended instances that a history still tells of.
const keptDisposes = 64

// history keeps the last changes of a writer, in order, in a ring that grows to
// its depth.
type history struct {
	depth int
	ring  []change
	head  int
	n     int
}

func (h *history) at(i int) *change { return &h.ring[(h.head+i)%len(h.ring)] }

// add keeps c, in place of the oldest change when there is no room.
func (h *history) add(c change) {
	if h.n == len(h.ring) && h.n < h.depth {
		h.grow()
	}
	if h.n == len(h.ring) {
		*h.at(0) = change{}
		h.head = (h.head + 1) % len(h.ring)
		h.n--
	}
	h.n++
	*h.at(h.n - 1) = c
}

func (h *history) grow() {
	ring := make([]change, min(max(8, 2*len(h.ring)), h.depth))
	for i := range h.n {
		ring[i] = *h.at(i)
	}
	h.ring, h.head = ring, 0
}

// find gives the change with a sequence number, nil when it is not kept.
func (h *history) find(sequence int64) *change {
	i := sort.Search(h.n, func(i int) bool { return h.at(i).sequence >= sequence })
	if i < h.n && h.at(i).sequence == sequence {
		return h.at(i)
	}
	return nil
}

// first is the oldest sequence number that is kept, or none when there is none.
func (h *history) first(none int64) int64 {
	if h.n == 0 {
		return none
	}
	return h.at(0).sequence
}

// supersede removes the older changes of an instance, and the oldest ended
// instances when there are many.
func (h *history) supersede(key GUID) {
	ended := 0
	for i := range h.n {
		if h.at(i).ended {
			ended++
		}
	}
	kept := make([]change, 0, h.n)
	for i := range h.n {
		c := *h.at(i)
		if c.ended && ended > keptDisposes {
			ended--
			continue
		}
		if c.key != key {
			kept = append(kept, c)
		}
	}
	h.ring, h.head, h.n = kept, 0, len(kept)
}
