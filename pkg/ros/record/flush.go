package record

import "errors"

// chunkBytes is when a chunk is full.
const chunkBytes = 1 << 20

// A recording is whole, with its index, while the bytes that are written more than once
// for that are few: so many at first, and then a share of what is final. A file that
// is larger has its index at the end, and now and then before; until then it is read
// from its beginning, as after a crash.
const (
	spareBytes = 8 << 20
	spareShare = 16 // one byte in so many
)

// chunkTicks is how many calls of tick a chunk stays open, so that little is lost with
// a process that is killed.
const chunkTicks = 4

// tick is called again and again while messages come. It hands everything to the
// operating system, the end of the file included, where that is cheap; otherwise the
// chunk that has been open for long enough.
func (w *Writer) tick() {
	if w.err != nil || !w.dirty {
		return
	}
	w.ticks++
	switch {
	case int64(w.encoder.size())+w.tailSize <= w.spare:
		_ = w.Flush()
	case w.ticks >= chunkTicks:
		w.attempt(w.grow)
	}
}

// attempt does what may fail for want of room.
func (w *Writer) attempt(do func() error) {
	if w.err != nil {
		return
	}
	if w.err = do(); w.err != nil {
		w.salvage()
	}
}

// Flush hands everything to the operating system, the end of the file included.
// It returns the first error of the Writer.
func (w *Writer) Flush() error {
	if w.dirty || !w.whole {
		w.attempt(w.flush)
	}
	return w.err
}

// flush writes the open chunk and the end of the file, both of which the next flush
// writes over.
func (w *Writer) flush() error {
	out, err := w.encoder.chunk(w.out[:0], w.end)
	if err != nil {
		return err
	}
	next := w.end + int64(len(out))
	if out, err = w.encoder.tail(out, next); err != nil {
		return err
	}
	w.out = out
	// one call, so that there is hardly a moment when the end is missing
	if _, err := w.file.WriteAt(out, w.end); err != nil {
		return err
	}
	if err := w.patch(true); err != nil {
		return err
	}
	w.size, w.tailSize = w.end+int64(len(out)), w.end+int64(len(out))-next
	w.spare -= int64(len(out))
	w.whole, w.dirty, w.flushed = true, false, w.messages
	if w.encoder.size() >= chunkBytes {
		w.sealAt(next)
	}
	return nil
}

// grow writes the open chunk for good, and no end of the file after it.
func (w *Writer) grow() error {
	out, err := w.encoder.chunk(w.out[:0], w.end)
	if err != nil {
		return err
	}
	w.out = out
	if w.whole { // the rest of the end that is written over would be read as data
		if err := errors.Join(w.patch(false), w.file.Truncate(w.end)); err != nil {
			return err
		}
		w.whole = false
	}
	if _, err := w.file.WriteAt(out, w.end); err != nil {
		return err
	}
	w.size = w.end + int64(len(out))
	w.dirty, w.flushed = false, w.messages
	w.sealAt(w.size)
	return nil
}

// sealAt begins a new chunk at a byte of the file.
func (w *Writer) sealAt(at int64) {
	w.encoder.seal()
	w.spare += (at - w.end) / spareShare
	w.end, w.ticks = at, 0
}

// patch says near the beginning of the file whether it is whole.
func (w *Writer) patch(whole bool) error {
	b, at := w.encoder.patch(whole)
	if b == nil {
		return nil
	}
	w.spare -= int64(len(b))
	_, err := w.file.WriteAt(b, at)
	return err
}

// salvage makes the best of a disk that takes no more: it ends the file after the
// last full chunk, where there is room.
func (w *Writer) salvage() {
	w.encoder.drop()
	tail, err := w.encoder.tail(nil, w.end)
	if err != nil {
		return
	}
	if _, err := w.file.WriteAt(tail, w.end); err != nil {
		return
	}
	_ = w.file.Truncate(w.end + int64(len(tail)))
	_ = w.patch(true)
}
