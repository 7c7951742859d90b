package recording

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// Options configure a Control.
type Options struct {
	// Node is the absolute name of the node; files are named after it.
	Node string
	// Dir is the folder of the files, Extension is .mcap or .bag.
	Dir, Extension string
	// Downloads is the path of complete recordings for viewers, relative to the address of the
	// page: "recordings/"; empty if there is none.
	Downloads string
	// All records paths and markers to an .mcap as well. They are derived from the poses that are recorded beside them and the
	// robot file, and take most of the room. A .bag has no robot file, and always has them.
	All bool
	// Describe returns the options of a recording that begins now.
	Describe func() record.Options
	// Now is the clock of the stamps. With Follows it is that of /clock, 0 before its first
	// message.
	Now     func() time.Duration
	Follows bool
	// Began, if not nil, is called when a recording has begun by a service.
	Began func()
	// Log receives messages for operators. Nil discards them.
	Log *zap.Logger
}

// stopLimit is how long a request for the end of a recording waits for the disk.
const stopLimit = 10 * time.Second

// maxRequests bounds the queue of requests.
const maxRequests = 64

// Control begins and ends recordings, one at a time. Its methods may be called from any goroutine;
// Begin and Serve must precede the first request.
type Control struct {
	transport switchTransport
	options   Options

	requests   chan func()
	changed    chan struct{} // capacity 1: the state has changed
	quit       chan struct{}
	quitting   sync.Once
	worker     sync.WaitGroup // goroutine that executes the requests
	publishing sync.WaitGroup // goroutine of the topic

	mu      sync.Mutex
	session *session          // nil while nothing is recorded
	last    *session          // the newest, which may be under way
	files   map[string]string // complete files by their names
	names   []string          // keys of files, oldest first
	errs    []error           // of recordings that have ended
}

// session is one recording.
type session struct {
	*record.Recorder
	path  string    // absolute
	begun time.Time // by a monotonic clock
	took  time.Duration
	err   error // what is missing in a recording that has ended
}

// New returns a Control that records nothing. CloseWithin ends it.
func New(o Options) *Control {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	c := &Control{
		options: o, requests: make(chan func(), maxRequests), changed: make(chan struct{}, 1), quit: make(chan struct{}),
		files: map[string]string{},
	}
	c.worker.Go(c.work)
	return c
}

// work executes the requests until the node ends. It drops requests that waited until then, whose
// callers get the error that the node ends.
func (c *Control) work() {
	for {
		select {
		case <-c.quit:
			return
		case do := <-c.requests:
			select {
			case <-c.quit:
				return
			default:
				do()
			}
		}
	}
}

// Transport returns the transport that records what is published on it.
func (c *Control) Transport() ros.Transport { return &c.transport }

// Begin begins a recording to a file, which is overwritten.
func (c *Control) Begin(file string) error {
	o := c.options.Describe()
	o.Overwrite = true
	return c.open(file, o)
}

// open begins a recording.
func (c *Control) open(file string, o record.Options) error {
	w, err := record.Create(file, o)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(file)
	if err != nil {
		path = file
	}
	s := &session{Recorder: record.NewRecorder(w, file, c.options.Log), path: path, begun: time.Now()}
	to := ros.Transport(s.Recorder)
	if c.options.Follows {
		to = &timed{Transport: to}
	}
	c.mu.Lock()
	c.session, c.last = s, s
	c.mu.Unlock()
	c.notifyState()
	if err := c.transport.connectTo(Selected(to, file, c.options.All), msgs.At(c.options.Now())); err != nil {
		return errors.Join(err, c.end(stopLimit)) // no recording then, rather than one without some topics
	}
	return nil
}

// start begins a recording in a new file, and returns the message for the caller.
func (c *Control) start() (text string, err error) {
	if s := c.running(); s != nil {
		if s.Failure() == nil {
			return "", fmt.Errorf("%s has been recorded for %.0f s; stop_recording ends it", s.path, time.Since(s.begun).Seconds())
		}
		_ = c.end(stopLimit) // a failed disk has ended it; CloseWithin returns the error
	}
	file, err := c.newFile(time.Now())
	if err != nil {
		return "", err
	}
	if err := c.open(file, c.options.Describe()); err != nil {
		_ = os.Remove(file)
		return "", fmt.Errorf("cannot record: %w", err)
	}
	c.options.Log.Info("recording begun", zap.String("file", file))
	if c.options.Began != nil {
		c.options.Began()
	}
	return file, nil
}

// stop ends the recording, and returns the message for the caller or what is missing in the file.
func (c *Control) stop() (text string, err error) {
	s := c.running()
	if s == nil {
		return "", errors.New("nothing is being recorded; start_recording begins")
	}
	if err := c.end(stopLimit); err != nil {
		return "", err
	}
	kept, _ := s.Kept()
	c.options.Log.Info("recording ended", zap.String("file", s.path), zap.Uint64("messages", kept))
	return fmt.Sprintf("%s: %d messages in %.1f s, none lost", s.path, kept, s.took.Seconds()), nil
}

// end ends the present recording within a time limit.
func (c *Control) end(limit time.Duration) error {
	s := c.running()
	if s == nil {
		return nil
	}
	c.transport.disconnect()
	took := time.Since(s.begun)
	err := s.CloseWithin(limit)
	c.mu.Lock()
	c.session, s.took, s.err = nil, took, err
	if err != nil {
		c.errs = append(c.errs, err)
	}
	c.mu.Unlock()
	select {
	case <-s.Ended():
		c.offer(s)
	default: // on a slow disk the file is complete later
		go func() {
			<-s.Ended()
			c.offer(s)
		}()
	}
	c.notifyState()
	if err != nil {
		c.options.Log.Error("a recording has ended that is not whole", zap.Error(err))
	}
	return err
}

// running returns the recording under way, or nil.
func (c *Control) running() *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// Received records a message that has arrived; it has the type of ros.Options.Received.
func (c *Control) Received(t ros.Topic, m *ros.Sample) {
	if s := c.running(); s != nil {
		s.Received(t, m)
	}
}

// Quit closes the topic and refuses further requests. A recording under way continues.
func (c *Control) Quit() {
	c.quitting.Do(func() { close(c.quit) })
	c.publishing.Wait()
}

// Summary describes the contents of a recording.
type Summary struct {
	File       string
	Kept, Lost uint64 // messages
}

// CloseWithin ends the present recording and returns its summary, nil if there is none, within a
// time. The error lists everything that is missing in the files of the run.
func (c *Control) CloseWithin(limit time.Duration) (sum *Summary, err error) {
	end := time.Now().Add(limit)
	c.Quit()
	idle := make(chan struct{})
	go func() {
		c.worker.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		if s := c.running(); s != nil {
			_ = c.end(time.Until(end))
			sum = &Summary{File: s.Name()}
			sum.Kept, sum.Lost = s.Kept()
		}
	case <-time.After(limit):
		err = fmt.Errorf("recording: the disk is too slow: a request was not done within %v of the end", limit)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return sum, errors.Join(append(c.errs, err)...)
}
