package record

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/pkg/ros"
)

// flushPeriod is the period in which everything is handed to the operating system.
const flushPeriod = 250 * time.Millisecond

// Bounds on the queue for the disk: several seconds of any robot.
const (
	queueMessages = 1 << 14
	queueBytes    = 64 << 20
)

// Recorder writes a recording beside running robots. It is a ros.Transport without received
// messages, whose publishers never block: a goroutine writes the queued messages, and messages that
// do not fit into the queue are dropped and counted. An error of the disk ends the recording, not
// the robot. All methods may be called from any goroutine.
type Recorder struct {
	writer *Writer // belongs to the writing goroutine
	name   string
	log    *zap.Logger

	queue   chan queued
	taken   atomic.Uint64 // messages accepted for the file
	waiting atomic.Int64  // bytes in the queue
	dropped atomic.Uint64 // messages
	late    atomic.Uint64 // messages that were published after the end
	failed  atomic.Bool
	failure atomic.Pointer[error] // the first error of the disk
	written atomic.Uint64         // messages
	flushed atomic.Uint64         // messages handed to the operating system
	size    atomic.Int64          // bytes of the file

	mu       sync.Mutex
	arrived  map[string]*stream
	reported uint64 // dropped messages that Status has reported

	ending  sync.RWMutex // written by Close, so that nothing is queued after the queue has been emptied
	closing atomic.Bool

	stop  chan struct{}
	ended chan struct{}
	once  sync.Once
	err   error // valid when ended is closed
}

var _ ros.Transport = (*Recorder)(nil)

// queued is a message on its way to the disk.
type queued struct {
	stream *stream
	at     msgs.Time
	data   []byte
}

// NewRecorder returns a Recorder that writes by w, which it owns from now on. name is the file in
// messages to people. A nil log discards them.
func NewRecorder(w *Writer, name string, log *zap.Logger) *Recorder {
	if log == nil {
		log = zap.NewNop()
	}
	r := &Recorder{
		writer: w, name: name, log: log, queue: make(chan queued, queueMessages), arrived: make(map[string]*stream),
		stop: make(chan struct{}), ended: make(chan struct{}),
	}
	go r.run()
	return r
}

// Advertise implements ros.Transport.
func (r *Recorder) Advertise(t ros.Topic) (ros.Publisher, error) {
	return &queuedPublisher{r, &stream{topic: t}}, nil
}

// Received records a message that has arrived; it has the type of ros.Options.Received.
func (r *Recorder) Received(t ros.Topic, s *ros.Sample) {
	r.mu.Lock()
	to := r.arrived[t.Name]
	if to == nil {
		to = &stream{topic: t, arrived: true}
		r.arrived[t.Name] = to
	}
	r.mu.Unlock()
	r.put(to, s)
}

// put queues a message or drops it.
func (r *Recorder) put(to *stream, s *ros.Sample) {
	if !r.writer.encoder.has(to.topic.Type) {
		return
	}
	r.ending.RLock()
	defer r.ending.RUnlock()
	if r.closing.Load() {
		r.late.Add(1)
		return
	}
	q := queued{to, s.Time, r.writer.encoder.data(s)}
	n := int64(len(q.data))
	r.taken.Add(1)
	if waiting := r.waiting.Add(n); !r.failed.Load() && waiting <= queueBytes+n {
		select {
		case r.queue <- q:
			return
		default:
		}
	}
	r.waiting.Add(-n)
	r.dropped.Add(1)
}

// run writes until stop.
func (r *Recorder) run() {
	defer close(r.ended)
	ticker := time.NewTicker(flushPeriod)
	defer ticker.Stop()
	for {
		select {
		case q := <-r.queue:
			r.write(q)
		case <-ticker.C:
			r.writer.tick()
			r.updateStatus()
		case <-r.stop:
			r.finish()
			return
		}
	}
}

// write writes a message.
func (r *Recorder) write(q queued) {
	r.waiting.Add(-int64(len(q.data)))
	if r.failed.Load() {
		r.dropped.Add(1)
		return
	}
	r.writer.write(q.stream, q.at, q.data)
	r.updateStatus()
}

// updateStatus publishes the counters of the writer, and logs a new error.
func (r *Recorder) updateStatus() {
	r.written.Store(r.writer.messages)
	r.flushed.Store(r.writer.flushed)
	r.size.Store(r.writer.size)
	if err := r.writer.err; err != nil && !r.failed.Load() {
		r.failure.Store(&err)
		r.failed.Store(true)
		r.log.Error("the recording has ended; the robot continues", zap.String("file", r.name), zap.Error(err))
	}
}

// finish writes the queue and closes the file.
func (r *Recorder) finish() {
	for {
		select {
		case q := <-r.queue:
			r.write(q)
		default:
			r.err = r.writer.Close()
			r.updateStatus()
			return
		}
	}
}

// Close writes the queue, ends the file, and returns the first error. A second call returns the
// same. Messages that are published later are dropped.
func (r *Recorder) Close() error {
	r.once.Do(func() {
		r.ending.Lock()
		r.closing.Store(true)
		r.ending.Unlock()
		close(r.stop)
	})
	<-r.ended
	r.failed.Store(true)
	return r.err
}

// CloseWithin is Close with a time limit. Its error also reports what was lost: messages that were
// dropped before, or that were not written in time.
func (r *Recorder) CloseWithin(limit time.Duration) error {
	ended := r.failed.Load() && !r.closing.Load() // Close sets both
	closed := make(chan error, 1)
	go func() { closed <- r.Close() }()
	var err error
	select {
	case err = <-closed:
	case <-time.After(limit):
		err = fmt.Errorf("the disk is too slow: the file was not ended within %v", limit)
	}
	taken, flushed := r.taken.Load(), r.flushed.Load()
	if flushed < taken {
		err = errors.Join(err, fmt.Errorf("%d of %d messages are not in the file, %d of them dropped while it was written", taken-flushed, taken, r.dropped.Load()))
	}
	if ended {
		err = errors.Join(err, errors.New("what was published after the disk had failed is not recorded, nor counted here"))
	}
	if err != nil {
		err = fmt.Errorf("recording %s: %w", r.name, err)
	}
	return err
}

// Name returns the name of the file, as given.
func (r *Recorder) Name() string { return r.name }

// Written returns the number of messages in the file, those of the next flush included.
func (r *Recorder) Written() uint64 { return r.written.Load() }

// Size returns the size of the file, bytes.
func (r *Recorder) Size() int64 { return r.size.Load() }

// Failure returns the error of the disk that has ended the recording, or nil.
func (r *Recorder) Failure() error {
	if err := r.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// Ended is closed when the file is complete, after Close.
func (r *Recorder) Ended() <-chan struct{} { return r.ended }

// Kept returns how many messages have been written to the file, and how many of the accepted ones
// have not. Messages after a failure of the disk are in neither.
func (r *Recorder) Kept() (kept, lost uint64) {
	kept = r.flushed.Load()
	return kept, max(kept, r.taken.Load()) - kept
}

// Dropped returns how many messages were not written because the disk was too slow, had failed, or
// the recording had ended.
func (r *Recorder) Dropped() uint64 { return r.dropped.Load() + r.late.Load() }

// Status returns the state of the recording for diagnostics: WARN when messages were dropped since
// the last call, ERROR when the disk has failed.
func (r *Recorder) Status() diagnostic_msgs.DiagnosticStatus {
	dropped := r.Dropped()
	r.mu.Lock()
	lost := dropped - r.reported
	r.reported = dropped
	r.mu.Unlock()
	s := diagnostic_msgs.DiagnosticStatus{Name: "recording", Message: "writing " + r.name}
	switch {
	case r.failed.Load():
		s.Level, s.Message = diagnostic_msgs.DiagnosticStatusError, r.name+" has ended: the disk failed; see the log"
	case lost > 0:
		s.Level, s.Message = diagnostic_msgs.DiagnosticStatusWarn, fmt.Sprintf("%d messages were dropped since the last report: the disk is too slow", lost)
	}
	for _, v := range []struct {
		key   string
		value any
	}{
		{"file", r.name}, {"messages", r.Written()}, {"dropped_messages", dropped},
		{"waiting_messages", len(r.queue)}, {"waiting_bytes", r.waiting.Load()}, {"file_bytes", r.size.Load()},
	} {
		s.Values = append(s.Values, diagnostic_msgs.KeyValue{Key: v.key, Value: fmt.Sprint(v.value)})
	}
	return s
}

// Subscribe implements ros.Transport; nothing ever arrives.
func (r *Recorder) Subscribe(ros.Topic, func(ros.Received)) error { return nil }

// Serve implements ros.Transport; a file has no services.
func (r *Recorder) Serve(string, *msgs.Service, ros.Handler) error {
	return ros.ErrNoServices
}

// Done implements ros.Transport; a file never asks to end.
func (r *Recorder) Done() <-chan struct{} { return nil }

// queuedPublisher is a publisher of a Recorder.
type queuedPublisher struct {
	r *Recorder
	s *stream
}

// Publish implements ros.Publisher.
func (p *queuedPublisher) Publish(s *ros.Sample) { p.r.put(p.s, s) }

// HasSubscribers implements ros.Publisher.
func (p *queuedPublisher) HasSubscribers() bool {
	return !p.r.failed.Load() && p.r.writer.encoder.has(p.s.topic.Type)
}
