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
	w.out = out
	next := w.end + int64(len(out))
	size, err := w.writeEnd(out, next)
	if err != nil {
		return err
	}
	if err := w.patch(true); err != nil {
		return err
	}
	w.size, w.tailSize = size, size-next
	w.spare -= size - w.end
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
	if err := w.cut(); err != nil {
		return err
	}
	if _, err := w.file.WriteAt(out, w.end); err != nil {
		return err
	}
	w.size = w.end + int64(len(out))
	w.dirty, w.flushed = false, w.messages
	w.sealAt(w.size)
	return nil
}

// cut takes the end off the file: what is left of one that is written over would be read as data.
func (w *Writer) cut() error {
	if !w.whole {
		return nil
	}
	w.whole = false
	return errors.Join(w.patch(false), w.file.Truncate(w.end))
}

// pieceBytes is how much of an open chunk and the end of the file is written at once: all of it
// in the first minutes, so that there is hardly a moment when the end is missing. The index of
// a day does not have to fit into memory twice.
const pieceBytes = 3 * chunkBytes / 2

// pieces writes an open chunk and the end of the file after it.
type pieces struct {
	w  *Writer
	b  []byte // not written yet
	at int64  // where b belongs
}

// writeEnd writes what there is of the open chunk at w.end and the end of the file, which is at
// byte next, after it. It returns the size of the file.
func (w *Writer) writeEnd(chunk []byte, next int64) (size int64, err error) {
	p := pieces{w, chunk, w.end}
	if err = w.encoder.tail(&p, next); err == nil {
		err = p.flush()
	}
	w.out = p.b
	return p.at, err
}

// Write implements io.Writer.
func (p *pieces) Write(b []byte) (int, error) {
	if len(p.b)+len(b) > pieceBytes {
		err := p.w.cut()
		if err == nil {
			err = p.flush()
		}
		if err != nil {
			return 0, err
		}
	}
	p.b = append(p.b, b...)
	return len(b), nil
}

func (p *pieces) flush() error {
	n, err := p.w.file.WriteAt(p.b, p.at)
	p.b, p.at = p.b[:0], p.at+int64(n)
	return err
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
	if size, err := w.writeEnd(w.out[:0], w.end); err == nil {
		_ = w.file.Truncate(size)
		_ = w.patch(true)
	}
}
