package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// Index gives access to any moment of a .mcap, .bag or .db3 file, or of a folder of rosbag2 that has one. Opening it reads only the heads of
// chunks, so that it is fast for a large file, also without an index, and it holds only a few
// chunks in memory. An Index is used by one goroutine at a time.
type Index struct {
	file    *os.File
	scanner *scanner
	blocks  []block // by time of their first message
	longest time.Duration
	first   time.Duration
	last    time.Duration
	cache   map[int64][]entry
	recent  []int64 // blocks in the cache, the oldest first
}

// block is a part of a file with the times of its first and last message.
type block struct {
	place
	from, to time.Duration
	channels map[uint32]bool
	surveyed bool // its errors were reported when the file was opened
}

// indexCache is the number of cached blocks.
const indexCache = 6

// OpenIndex opens a file. With an error that is [ErrIncomplete] it returns an Index of the complete
// part.
func OpenIndex(file string) (*Index, error) {
	list, _, err := files(file)
	if err != nil {
		return nil, err
	}
	if len(list) > 1 {
		return nil, fmt.Errorf("%s: a folder of %d files; name one of them: %s", file, len(list), strings.Join(list, ", "))
	}
	file = list[0]
	c, err := Reading{File: file}.open()
	if err != nil {
		return nil, err
	}
	x := &Index{file: c.file, cache: map[int64][]entry{}, first: math.MaxInt64}
	if x.scanner, err = newScanner(c); err != nil {
		_ = c.file.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	w := &window{r: c.in, size: c.size}
	switch d := x.scanner.decoder.(type) {
	case *mcapDecoder:
		err = x.hopMCAP(w)
	case *sqliteDecoder:
		err = x.hopSqlite(d)
	default:
		err = x.hopBag(w)
	}
	slices.SortStableFunc(x.blocks, func(a, b block) int { return cmp.Compare(a.from, b.from) })
	for _, b := range x.blocks {
		x.first, x.last, x.longest = min(x.first, b.from), max(x.last, b.to), max(x.longest, b.to-b.from)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("%s: %w: %w", file, ErrIncomplete, err)
	case c.fault != nil:
		err = fmt.Errorf("%s: %w", file, c.fault)
	}
	return x, err
}

// Close closes the file.
func (x *Index) Close() error { return x.file.Close() }

// Topics lists the topics, without numbers and times of messages.
func (x *Index) Topics() []Topic { return x.scanner.table.topics() }

// Span returns the times of the first and the last message; ok is false if there is none.
func (x *Index) Span() (first, last time.Duration, ok bool) {
	return x.first, x.last, len(x.blocks) > 0
}

// Between calls visit with the messages after from, up to and including to, in order of time. It
// skips messages that cannot be read or parsed, and returns the first such error. An error of a
// block is returned when the block is read, and not again while it is cached.
func (x *Index) Between(from, to time.Duration, visit func(Message)) error {
	var due []entry
	var errs error
	for _, b := range x.blocks {
		if b.from > to {
			break
		}
		if b.to <= from {
			continue
		}
		all, err := x.read(b)
		errs = cmp.Or(errs, err)
		i, _ := slices.BinarySearchFunc(all, from+1, func(e entry, t time.Duration) int { return cmp.Compare(e.at, t) })
		for ; i < len(all) && all[i].at <= to; i++ {
			due = append(due, all[i])
		}
	}
	slices.SortFunc(due, entry.compare)
	return cmp.Or(errs, visitAllBut(due, visit))
}

// Next returns the time of the first message after a time; ok is false if there is none. It skips
// messages that cannot be read.
func (x *Index) Next(after time.Duration) (at time.Duration, ok bool) {
	for _, b := range x.blocks {
		if ok && b.from >= at {
			break
		}
		if b.to <= after {
			continue
		}
		first := b.from
		if first <= after {
			all, _ := x.read(b) // Between returns the error
			i, _ := slices.BinarySearchFunc(all, after+1, func(e entry, t time.Duration) int { return cmp.Compare(e.at, t) })
			if i == len(all) {
				continue
			}
			first = all[i].at
		}
		if !ok || first < at {
			at, ok = first, true
		}
	}
	return at, ok
}

// visitAllBut visits entries except those that cannot be parsed, and returns the first error.
func visitAllBut(entries []entry, visit func(Message)) (first error) {
	for _, e := range entries {
		m, err := e.channel.parse(e.at, e.data)
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		visit(m)
	}
	return first
}

// At calls visit with the newest message of each channel at a time, in order of time; errors are
// those of Between.
func (x *Index) At(t time.Duration, visit func(Message)) error {
	var errs error
	newest := map[*channel]entry{}
	missing := maps.Clone(x.scanner.table.channels)
	maps.DeleteFunc(missing, func(_ uint32, c *channel) bool { return c.typ == nil })
	for i := len(x.blocks) - 1; i >= 0 && len(missing) > 0; i-- {
		b := x.blocks[i]
		if b.from > t || !b.hasAny(missing) {
			continue
		}
		all, err := x.read(b)
		errs = cmp.Or(errs, err)
		for _, e := range all {
			if have, any := newest[e.channel]; e.at <= t && (!any || have.compare(e) < 0) {
				newest[e.channel] = e
			}
		}
		// an earlier block may end after this one, by no more than the longest block is long
		for id, c := range missing {
			if e, any := newest[c]; any && !x.mayBeNewer(i, e.at) {
				delete(missing, id)
			}
		}
	}
	return cmp.Or(errs, visitAllBut(slices.SortedFunc(maps.Values(newest), entry.compare), visit))
}

// mayBeNewer reports whether a block before block i may have messages after t.
func (x *Index) mayBeNewer(i int, t time.Duration) bool {
	for i--; i >= 0 && x.blocks[i].from+x.longest > t; i-- {
		if x.blocks[i].to > t {
			return true
		}
	}
	return false
}

func (b *block) hasAny(channels map[uint32]*channel) bool {
	for id := range channels {
		if b.channels[id] {
			return true
		}
	}
	return false
}

// read returns the messages of a block in order of time, from the cache if possible. With an error
// it returns the complete ones.
func (x *Index) read(b block) ([]entry, error) {
	if all, there := x.cache[b.at]; there {
		return all, nil
	}
	for _, c := range x.scanner.table.channels {
		c.wanted = c.typ != nil
	}
	all, fault, err := x.scanner.load(b.place, nil)
	if err == nil && !b.surveyed {
		err = fault
	}
	if err != nil {
		err = fmt.Errorf("block at byte %d: %w", b.at, err)
	}
	x.cache[b.at] = all // after an error too, so that it is not read again
	if x.recent = append(x.recent, b.at); len(x.recent) > indexCache {
		delete(x.cache, x.recent[0])
		x.recent = x.recent[1:]
	}
	return all, err
}

// add adds a block. If its channels are unknown, or the file has no index of it, the block is read.
func (x *Index) add(b block, known bool) error {
	if b.size > maxBlock {
		return fmt.Errorf("a chunk of %d bytes; at most %d are read", b.size, maxBlock)
	}
	for id := range b.channels {
		known = known && x.scanner.table.channels[id] != nil
	}
	var err error
	if !known || len(b.channels) == 0 {
		err = x.survey(&b)
	}
	if len(b.channels) > 0 {
		x.blocks = append(x.blocks, b)
	}
	return err
}

// survey reads a block to find its contents. It ignores everything after an incomplete record.
func (x *Index) survey(b *block) error {
	packed, err := x.scanner.fetch(b.place)
	if err != nil {
		return err
	}
	b.surveyed = true
	ids := map[*channel]uint32{}
	b.channels, b.from, b.to = map[uint32]bool{}, math.MaxInt64, math.MinInt64
	return x.scanner.split(b.place, packed, func(c *channel, at time.Duration, _ []byte) error {
		if ids[c] == 0 {
			for id, known := range x.scanner.table.channels {
				if known == c {
					ids[c] = id + 1
					b.channels[id] = true
				}
			}
		}
		b.from, b.to = min(b.from, at), max(b.to, at)
		return nil
	})
}

// window reads small consecutive parts of a file.
type window struct {
	r    io.ReaderAt
	size int64
	buf  []byte
	at   int64
}

// windowBytes is how much is read at once.
const windowBytes = 16 << 10

// peek returns n bytes from a byte of the file, valid until the next call, or fewer at its end.
func (w *window) peek(pos, n int64) ([]byte, error) {
	if end := w.at + int64(len(w.buf)); pos < w.at || pos+n > end {
		if pos >= w.size {
			return nil, io.EOF
		}
		w.buf = slices.Grow(w.buf[:0], int(max(n, windowBytes)))[:min(max(n, windowBytes), w.size-pos)]
		got, err := w.r.ReadAt(w.buf, pos)
		w.buf, w.at = w.buf[:got], pos
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
	b := w.buf[pos-w.at:]
	return b[:min(n, int64(len(b)))], nil
}
