package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// Options describe a recording.
type Options struct {
	// Node is the node whose publications are recorded; a .bag names it as the
	// caller.
	Node string
	// Created is when the recording was begun, since the Unix epoch.
	Created time.Duration
	// Info is written into an .mcap as the metadata record InfoName. A .bag has
	// InfoVerb and InfoWatchdog of it.
	Info map[string]string
	// Robot is the robot file, attached to an .mcap under RobotName. Nil means none.
	Robot     []byte
	RobotName string
	// Overwrite allows the file to exist already and not to be empty.
	Overwrite bool
}

// InfoName is the name of the metadata record with Options.Info.
const InfoName = "sinew"

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

// Writer writes a recording in the caller's time. It is a ros.Transport on which
// nothing arrives; what arrives elsewhere is told by Received. After an error it
// writes no more; Close returns it. One goroutine may use it at a time.
type Writer struct {
	file     target
	encoder  encoder
	end      int64 // byte at which the open chunk begins; all before is final
	whole    bool  // the file has its end after w.end
	dirty    bool  // the open chunk has what is not written
	spare    int64 // bytes that may be written more than once
	ticks    int   // since the open chunk was begun
	tailSize int64 // bytes of the end when it was last written
	out      []byte
	err      error
	arrived  map[string]*stream

	messages uint64
	flushed  uint64 // messages that the operating system has
	size     int64  // bytes of the file
}

var _ ros.Transport = (*Writer)(nil)

// target is the file.
type target interface {
	File
	Close() error
}

// encoder writes one of the formats, .mcap or .bag.
type encoder interface {
	// head returns the bytes before the first chunk.
	head() ([]byte, error)
	// has reports whether messages of the type can be written.
	has(t *msgs.Type) bool
	// data is the message as the file has it.
	data(s *ros.Sample) []byte
	// add adds a message to the open chunk, and its topic if it is new.
	add(s *stream, at time.Duration, data []byte) error
	// size is the number of bytes in the open chunk.
	size() int
	// chunk appends the open chunk with its index, to be written at a byte of the
	// file; then comes the end of the file.
	chunk(dst []byte, at int64) ([]byte, error)
	// seal ends the open chunk as it was last given.
	seal()
	// drop forgets the open chunk.
	drop()
	// tail appends the end of the file, to be written at a byte of it.
	tail(dst []byte, at int64) ([]byte, error)
	// patch returns the bytes near the beginning of the file that the tail changes, or
	// those of a file without a tail.
	patch(whole bool) (b []byte, at int64)
}

// stream is one topic of a recording.
type stream struct {
	topic   ros.Topic
	arrived bool   // not published by us
	id      uint32 // number from 1 on; 0 before the first message
	count   uint32
}

// Create begins a recording; the format follows from the extension of the file,
// .mcap or .bag.
func Create(file string, o Options) (*Writer, error) {
	f, err := newEncoder(file, o)
	if err != nil {
		return nil, err
	}
	out, err := openNew(file, o.Overwrite)
	if err != nil {
		return nil, err
	}
	return newWriter(out, f)
}

// File is where New writes a recording.
type File interface {
	WriteAt(b []byte, at int64) (int, error)
	Truncate(size int64) error
}

// New begins a recording in a file that is open and empty. name decides about the
// format, as for Create. Closing the Writer leaves the file open.
func New(out File, name string, o Options) (*Writer, error) {
	f, err := newEncoder(name, o)
	if err != nil {
		return nil, err
	}
	return newWriter(keptOpen{out}, f)
}

// keptOpen is a file that its owner closes.
type keptOpen struct{ File }

func (keptOpen) Close() error { return nil }

func newEncoder(file string, o Options) (encoder, error) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".mcap":
		return newMCAPEncoder(o), nil
	case ".bag":
		return newBagEncoder(o), nil
	}
	return nil, fmt.Errorf("%s: a recording is a .mcap or .bag file", file)
}

// openNew opens a file that does not exist or, unless it may be lost, is empty.
func openNew(file string, overwrite bool) (*os.File, error) {
	flags := os.O_WRONLY | os.O_CREATE
	if overwrite {
		flags |= os.O_TRUNC
	}
	out, err := os.OpenFile(file, flags, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := out.Stat()
	switch {
	case err == nil && !info.Mode().IsRegular():
		err = fmt.Errorf("%s is no regular file", file)
	case err == nil && info.Size() > 0:
		err = fmt.Errorf("%s exists already, and a recording is not written over; choose another name", file)
	}
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

func newWriter(out target, f encoder) (*Writer, error) {
	w := &Writer{file: out, encoder: f, arrived: make(map[string]*stream), dirty: true, spare: spareBytes}
	head, err := f.head()
	if err == nil {
		_, err = out.WriteAt(head, 0)
	}
	w.end = int64(len(head))
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return w, nil
}

// Advertise implements ros.Transport.
func (w *Writer) Advertise(t ros.Topic) (ros.Publisher, error) {
	return &directPublisher{w, &stream{topic: t}}, nil
}

// Received records a message that has arrived, as ros.Options.Received tells it.
func (w *Writer) Received(t ros.Topic, s *ros.Sample) {
	w.write(w.arrival(t), s.Time, w.encoder.data(s))
}

// arrival is the stream of what arrives on a topic.
func (w *Writer) arrival(t ros.Topic) *stream {
	s := w.arrived[t.Name]
	if s == nil {
		s = &stream{topic: t, arrived: true}
		w.arrived[t.Name] = s
	}
	return s
}

// write adds a message.
func (w *Writer) write(s *stream, at msgs.Time, data []byte) {
	if w.err != nil || !w.encoder.has(s.topic.Type) {
		return
	}
	if w.err = w.encoder.add(s, time.Duration(at), data); w.err != nil {
		return
	}
	s.count++
	w.messages++
	w.dirty = true
	if w.encoder.size() >= chunkBytes {
		w.attempt(w.grow)
	}
}

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

// Subscribe implements ros.Transport; nothing ever arrives.
func (w *Writer) Subscribe(ros.Topic, func(ros.Received)) error { return nil }

// Serve implements ros.Transport; a file has no services.
func (w *Writer) Serve(string, *msgs.Service, func(msgs.Message) msgs.Message) error {
	return ros.ErrNoServices
}

// Done implements ros.Transport; a file never asks to end.
func (w *Writer) Done() <-chan struct{} { return nil }

// Close ends the recording and returns the first error there was. A second call
// does nothing and returns the same.
func (w *Writer) Close() error {
	if w.file == nil {
		return w.err
	}
	_ = w.Flush()
	if err := w.file.Close(); w.err == nil {
		w.err = err
	}
	w.file = nil
	return w.err
}

// directPublisher is a publisher of a Writer.
type directPublisher struct {
	w *Writer
	s *stream
}

// Publish implements ros.Publisher.
func (p *directPublisher) Publish(s *ros.Sample) { p.w.write(p.s, s.Time, p.w.encoder.data(s)) }

// Wanted implements ros.Publisher.
func (p *directPublisher) Wanted() bool { return p.w.err == nil && p.w.encoder.has(p.s.topic.Type) }
