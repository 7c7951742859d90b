package recording

import (
	"net/url"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// maxDownloads bounds the recordings that the topic lists, the newest.
const maxDownloads = 100

// statePeriod is the period of the topic during a recording.
const statePeriod = time.Second

// notifyState makes publish run.
func (c *Control) notifyState() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// publish publishes the state when it changes, and each second of a recording.
func (c *Control) publish(to []ros.Publisher) {
	tick := time.NewTicker(statePeriod)
	defer tick.Stop()
	for seq := uint32(1); ; seq++ {
		m := c.State()
		m.Header = std_msgs.Header{Seq: seq, Stamp: msgs.At(c.options.Now())}
		s := ros.NewSample(m)
		s.Time = m.Header.Stamp
		for _, p := range to {
			p.Publish(s)
		}
		due := tick.C
		if !m.Active {
			due = nil
		}
		select {
		case <-c.quit:
			return
		case <-c.changed:
		case <-due:
		}
	}
}

// State returns the state of the recording, or how the last one has ended. It has no header.
func (c *Control) State() *sinew_msgs.RecordingState {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := new(sinew_msgs.RecordingState)
	if c.options.Downloads != "" {
		for _, name := range c.names[max(0, len(c.names)-maxDownloads):] {
			m.Downloads = append(m.Downloads, c.options.Downloads+url.PathEscape(name))
		}
	}
	s := c.last
	if s == nil {
		return m
	}
	err := s.err
	m.File, m.Bytes, m.Duration = s.path, uint64(s.Size()), s.took.Seconds()
	if s == c.session {
		err = s.Failure()
		m.Active, m.Duration = err == nil, time.Since(s.begun).Seconds()
		m.Messages, m.Lost = s.Written(), s.Dropped()
	} else {
		m.Messages, m.Lost = s.Kept()
	}
	switch {
	case err != nil:
		m.Reason = err.Error()
	case m.Lost > 0:
		m.Reason = "the disk is too slow"
	}
	return m
}

// Status returns the state of the recording for diagnostics.
func (c *Control) Status() diagnostic_msgs.DiagnosticStatus {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != nil {
		return c.session.Status()
	}
	s := diagnostic_msgs.DiagnosticStatus{Name: "recording", Message: "off"}
	if c.last != nil && c.last.err != nil {
		s.Level, s.Message = diagnostic_msgs.DiagnosticStatusWarn, "off; "+c.last.err.Error()
	}
	return s
}
