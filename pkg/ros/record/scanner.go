package record

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"time"

	"sinew/msgs"
)

// decoder reads one of the formats, .mcap or .bag.
type decoder interface {
	// walk reads the file, front to back, and calls visit with every block that can hold messages.
	// Incomplete or unreadable blocks, and a missing end, are faults, which do not end the walk
	// unless nothing can be found after them.
	walk(visit func(p place, raw []byte) error, fault func(at int64, err error)) error
	// split adds the channels of a block to the table and calls visit with its messages. It fails
	// at the first incomplete record.
	split(raw []byte, visit func(c *channel, at time.Duration, data []byte) error) error
}

// place is the position of a block of records in a file.
type place struct {
	at, size int64
	packing  string
	unpacked uint64 // size in bytes according to the file
	crc      uint32 // of the unpacked bytes; 0 if the file has none
}

// span is a block with the time of the first wanted message in it.
type span struct {
	place
	first  time.Duration
	wanted bool // there is one
}

// scanner reads a file in two passes: the first finds the channels and the times of all blocks, the
// second merges the blocks by time. The second holds only blocks that overlap in time, which are
// few also in a long file.
type scanner struct {
	r            io.ReaderAt
	decoder      decoder
	table        channelTable
	want         func(topic string, t *msgs.Type) bool
	asked        map[*channel]bool
	spans        []span
	fault        error // the first
	decompressor decompressor
}

func newScanner(c content) (*scanner, error) {
	s := &scanner{r: c.in, asked: make(map[*channel]bool), fault: c.fault}
	var err error
	s.decoder, err = open(c.in, c.size, &s.table)
	return s, err
}

// run is the first pass.
func (s *scanner) run() error {
	return s.decoder.walk(s.block, func(at int64, err error) {
		if s.fault == nil {
			s.fault = fmt.Errorf("%w: byte %d: %w", ErrIncomplete, at, err)
		}
	})
}

// block surveys one block. It ignores everything after an incomplete record.
func (s *scanner) block(p place, packed []byte) error {
	sp := span{place: p, first: math.MaxInt64}
	err := s.split(p, packed, func(c *channel, at time.Duration, _ []byte) error {
		c.count(at)
		if s.wants(c) {
			sp.first = min(sp.first, at)
			sp.wanted = true
		}
		return nil
	})
	if sp.wanted {
		s.spans = append(s.spans, sp)
	}
	return err
}

// split visits the messages of a block and returns the first error in it. Messages before the error
// are visited.
func (s *scanner) split(p place, packed []byte, visit func(c *channel, at time.Duration, data []byte) error) error {
	raw, err := s.decompressor.unpack(p.packing, packed, p.unpacked)
	err = cmp.Or(err, s.decoder.split(raw, visit))
	if err == nil && p.crc != 0 && crc32.ChecksumIEEE(raw) != p.crc {
		err = errors.New("the checksum of a chunk is wrong")
	}
	return err
}

// wants calls want once per channel.
func (s *scanner) wants(c *channel) bool {
	if !s.asked[c] {
		s.asked[c] = true
		c.wanted = c.typ != nil && s.want != nil && s.want(c.topic, c.typ)
	}
	return c.wanted
}

// entry is a message that waits for earlier ones.
type entry struct {
	at      time.Duration
	block   int64 // determines, with number, the order in the file
	number  int
	channel *channel
	data    []byte
}

func (a entry) compare(b entry) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.block, b.block), cmp.Compare(a.number, b.number))
}

// merge is the second pass: it visits the wanted messages in the order of time.
func (s *scanner) merge(visit func(Message) error) error {
	slices.SortStableFunc(s.spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	var waiting []entry
	for _, sp := range s.spans {
		// messages that are not loaded yet are not earlier than this block
		n, _ := slices.BinarySearchFunc(waiting, sp.first, func(e entry, t time.Duration) int { return cmp.Compare(e.at, t) })
		if err := visitAll(waiting[:n], visit); err != nil {
			return err
		}
		var err error // the first pass has reported faults
		if waiting, _, err = s.load(sp.place, slices.Delete(waiting, 0, n)); err != nil {
			return err
		}
	}
	return visitAll(waiting, visit)
}

func visitAll(entries []entry, visit func(Message) error) error {
	for _, e := range entries {
		m, err := e.channel.parse(e.at, e.data)
		if err == nil {
			err = visit(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fetch reads the packed bytes of a block.
func (s *scanner) fetch(p place) ([]byte, error) {
	packed := make([]byte, p.size)
	_, err := s.r.ReadAt(packed, p.at)
	return packed, err
}

// load adds the wanted messages of a block to those that wait, in order. fault is the first error
// in the block; the messages before it are added.
func (s *scanner) load(p place, waiting []entry) (all []entry, fault, err error) {
	packed, err := s.fetch(p)
	if err != nil {
		return nil, nil, err
	}
	number := 0
	fault = s.split(p, packed, func(c *channel, at time.Duration, data []byte) error {
		if c.wanted {
			waiting = append(waiting, entry{at, p.at, number, c, slices.Clone(data)})
			number++
		}
		return nil
	})
	const perEntry = 80 // bytes
	held := 0
	for _, e := range waiting {
		held += len(e.data) + perEntry
	}
	if held > maxPending {
		return nil, nil, fmt.Errorf("its messages are too far out of the order of time: more than %d MiB would have to be held back; read fewer topics", maxPending>>20)
	}
	slices.SortFunc(waiting, entry.compare)
	return waiting, fault, nil
}
