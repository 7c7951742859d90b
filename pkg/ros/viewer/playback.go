package viewer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// Playback is a recording with one playback time for all viewers. Times are since 1970.
type Playback struct {
	From, To time.Duration
	// Control is called with each request of a viewer. It must not block.
	Control func(PlaybackRequest)
	// State returns the present state, for a viewer that connects.
	State func() PlaybackState
	// History, if not nil, returns past messages of topics, each topic in its order. It may be
	// called from any goroutine, and returns when ctx ends.
	History func(ctx context.Context, r HistoryRequest) ([]HistoryMessage, error)
}

// PlaybackRequest is a request of a viewer.
type PlaybackRequest struct {
	Play  bool
	Speed float64 // times real time
	Seek  bool
	Time  time.Duration // target of a seek, with Seek
	ID    string        // of the request, for the state that answers
}

// Statuses of a PlaybackState.
const (
	Playing = 0
	Paused  = 1
	Ended   = 3
)

// PlaybackState is the state of the playback.
type PlaybackState struct {
	Status  uint8
	Time    time.Duration
	Speed   float64
	DidSeek bool   // the time was set by a seek
	ID      string // of the answered request
}

// Opcodes of playback.
const (
	opControl       = 3 // from viewers
	opPlaybackState = 5
)

// maxSpeed is the greatest speed that a viewer may request.
const maxSpeed = 1000

// appendPlaybackState appends the message of a state.
func appendPlaybackState(dst []byte, s PlaybackState) []byte {
	dst = append(dst, opPlaybackState, s.Status)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(max(s.Time, 0)))
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(s.Speed)))
	sought := byte(0)
	if s.DidSeek {
		sought = 1
	}
	dst = append(dst, sought)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s.ID)))
	return append(dst, s.ID...)
}

// parseControl reads what follows the opcode of a request.
func parseControl(b []byte) (r PlaybackRequest, err error) {
	const fixed = 1 + 4 + 1 + 8 + 4
	if len(b) < fixed {
		return r, fmt.Errorf("a playback request of %d bytes; at least %d", len(b)+1, fixed+1)
	}
	r.Play = b[0] == 0
	r.Speed = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[1:])))
	r.Seek = b[5] != 0
	at := binary.LittleEndian.Uint64(b[6:])
	switch {
	case b[0] > 1:
		return r, fmt.Errorf("playback command %d; allowed: 0 (play), 1 (pause)", b[0])
	case !(r.Speed > 0 && r.Speed <= maxSpeed):
		return r, fmt.Errorf("playback speed %g; allowed: above 0 to %d", r.Speed, maxSpeed)
	case uint64(binary.LittleEndian.Uint32(b[14:])) != uint64(len(b)-fixed):
		return r, errors.New("a playback request whose name has another length than it says")
	case r.Seek && at > math.MaxInt64:
		return r, fmt.Errorf("playback from %d ns since 1970, which no clock shows", at)
	}
	r.Time, r.ID = time.Duration(at), short(string(b[fixed:]))
	return r, nil
}

// control passes on a request.
func (c *client) control(r PlaybackRequest) {
	p := c.server.options.Playback
	if p == nil {
		c.fault("a playback request: this is no recording")
		return
	}
	p.Control(r)
}

// dataTime returns a time in the form of serverInfo.
func dataTime(t time.Duration) map[string]int64 {
	return map[string]int64{"sec": int64(t / time.Second), "nsec": int64(t % time.Second)}
}

// PublishPlayback sends the state of the playback to viewers. After a seek it drops earlier messages, also those
// in queues.
func (s *Server) PublishPlayback(state PlaybackState) {
	if state.DidSeek {
		for _, ch := range s.channels {
			ch.discard()
		}
	}
	data := appendPlaybackState(nil, state)
	s.eachGreeted(func(c *client) {
		c.replyBinary(data)
		c.outbox.putTime(uint64(max(state.Time, 0)))
	})
}

// PublishTime sends the time to viewers.
func (s *Server) PublishTime(now time.Duration) {
	s.eachGreeted(func(c *client) { c.outbox.putTime(uint64(max(now, 0))) })
}

// discard drops the last message, and the queued ones.
func (c *channel) discard() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last, c.any = frame{}, false
	for s := range c.subscriptions {
		s.outbox.remove(s)
	}
}
