package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// Options describe a recording.
type Options struct {
	// Node is the node whose publications are recorded; in a .bag it is the caller.
	Node string
	// Created is the time of the beginning of the recording, since the Unix epoch.
	Created time.Duration
	// Info is written into an .mcap as the metadata record InfoName. A .bag has only InfoVerb and
	// InfoWatchdog.
	Info map[string]string
	// Robot is the robot file, attached to an .mcap under RobotName. Nil means none.
	Robot     []byte
	RobotName string
	// Overwrite allows a file that exists and is not empty.
	Overwrite bool
}

// InfoName is the name of the metadata record with Options.Info.
const InfoName = "sinew"

// Writer writes a recording synchronously. It is a ros.Transport without received messages;
// Received records those of other transports. After an error it writes no more; Close returns the
// error. One goroutine may use it at a time.
type Writer struct {
	file     target
	encoder  encoder
	end      int64 // byte at which the open chunk begins; all before is final
	whole    bool  // the file has its end after w.end
	dirty    bool  // the open chunk has bytes that are not written
	spare    int64 // bytes that may be written more than once
	ticks    int   // calls of tick since the open chunk was begun
	tailSize int64 // bytes of the end when it was last written
	out      []byte
	err      error
	arrived  map[string]*stream

	messages uint64
	flushed  uint64 // messages handed to the operating system
	size     int64  // bytes of the file
}

var _ ros.Transport = (*Writer)(nil)

// target is the file as a Writer uses it.
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
	// data returns the message in the encoding of the file.
	data(s *ros.Sample) []byte
	// add adds a message to the open chunk, and its topic if it is new.
	add(s *stream, at time.Duration, data []byte) error
	// size returns the number of bytes in the open chunk.
	size() int
	// chunk appends the open chunk with its index, to be written at a byte of the file, before the
	// end of the file.
	chunk(dst []byte, at int64) ([]byte, error)
	// seal ends the open chunk as it was last written.
	seal()
	// drop discards the open chunk.
	drop()
	// tail writes the end of the file, which is at byte at.
	tail(out io.Writer, at int64) error
	// patch returns the bytes near the beginning of the file that the tail changes, or
	// those of a file without a tail.
	patch(whole bool) (b []byte, at int64)
}

// stream is one topic of a recording.
type stream struct {
	topic   ros.Topic
	arrived bool   // received, not published by this node
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

// File is a file that New writes a recording to.
type File interface {
	WriteAt(b []byte, at int64) (int, error)
	Truncate(size int64) error
}

// New begins a recording in an open, empty file. The extension of name determines the format, as
// for Create. Closing the Writer leaves the file open.
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

// openNew opens a file that does not exist or, unless overwrite, is empty.
func openNew(file string, overwrite bool) (*os.File, error) {
	flags := os.O_WRONLY | os.O_CREATE
	if overwrite {
		flags |= os.O_TRUNC
	}
	// before it is opened, which would block if the file is a pipe without a reader
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", file)
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

// Received records a message that has arrived; it has the type of ros.Options.Received.
func (w *Writer) Received(t ros.Topic, s *ros.Sample) {
	w.write(w.arrival(t), s.Time, w.encoder.data(s))
}

// arrival returns the stream of messages received on a topic.
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

// Subscribe implements ros.Transport; nothing ever arrives.
func (w *Writer) Subscribe(ros.Topic, func(ros.Received)) error { return nil }

// Serve implements ros.Transport; a file has no services.
func (w *Writer) Serve(string, *msgs.Service, ros.Handler) error {
	return ros.ErrNoServices
}

// Done implements ros.Transport; a file never asks to end.
func (w *Writer) Done() <-chan struct{} { return nil }

// Close ends the recording and returns the first error. A second call does nothing and returns the
// same.
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

// HasSubscribers implements ros.Publisher.
func (p *directPublisher) HasSubscribers() bool {
	return p.w.err == nil && p.w.encoder.has(p.s.topic.Type)
}
