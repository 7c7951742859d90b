package record

import "errors"

// chunkBytes is the size of a full chunk.
const chunkBytes = 1 << 20

// A recording is complete, with its index, as long as the bytes that are written more than once for
// that are few: a fixed number at first, and then a share of the final bytes. A larger file has its
// index at the end, and from time to time before; until then readers scan it from its beginning, as
// after a crash.
const (
	spareBytes = 8 << 20
	spareShare = 16 // one byte in so many
)

// chunkTicks bounds the calls of tick for which a chunk stays open, and so the loss with a process
// that is killed.
const chunkTicks = 4

// tick is called periodically while messages arrive. It hands everything to the operating system,
// the end of the file included, if that is cheap; otherwise the chunk that has been open for
// chunkTicks.
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

// attempt does what may fail on a full disk.
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

// flush writes the open chunk and the end of the file; the next flush overwrites both.
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

// grow writes the open chunk finally, without the end of the file after it.
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

// cut removes the end of the file: readers would take the rest of an overwritten one for data.
func (w *Writer) cut() error {
	if !w.whole {
		return nil
	}
	w.whole = false
	return errors.Join(w.patch(false), w.file.Truncate(w.end))
}

// pieceBytes is how much of an open chunk and the end of the file is written at once: all of it in
// the first minutes, so that the end is missing only for a moment. The index of a day then need not
// fit into memory twice.
const pieceBytes = 3 * chunkBytes / 2

// pieces writes an open chunk and the end of the file after it.
type pieces struct {
	w  *Writer
	b  []byte // not written yet
	at int64  // position of b in the file
}

// writeEnd writes the rest of the open chunk at w.end and, after it, the end of the file, which is
// at byte next. It returns the size of the file.
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

// patch writes near the beginning of the file whether it is complete.
func (w *Writer) patch(whole bool) error {
	b, at := w.encoder.patch(whole)
	if b == nil {
		return nil
	}
	w.spare -= int64(len(b))
	_, err := w.file.WriteAt(b, at)
	return err
}

// salvage ends the file after the last full chunk when the disk is full, if there is room.
func (w *Writer) salvage() {
	w.encoder.drop()
	if size, err := w.writeEnd(w.out[:0], w.end); err == nil {
		_ = w.file.Truncate(size)
		_ = w.patch(true)
	}
}
