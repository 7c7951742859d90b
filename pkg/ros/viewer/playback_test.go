package viewer_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/pkg/ros/viewer"
)

// control is a request as a viewer sends it.
func control(command byte, speed float32, seek byte, at uint64, id string) []byte {
	b := []byte{viewer.OpControl, command}
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(speed))
	b = append(b, seek)
	b = binary.LittleEndian.AppendUint64(b, at)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(id)))
	return append(b, id...)
}

// Requests are read as they are meant; what is malformed or out of range gives an error.
func TestPlaybackRequest(t *testing.T) {
	m, err := viewer.ParseBinary(control(0, 2.5, 1, 7e9, "mine"))
	if want := (viewer.PlaybackRequest{Play: true, Speed: 2.5, Seek: true, Time: 7 * time.Second, ID: "mine"}); err != nil || m != want {
		t.Errorf("%+v, %v", m, err)
	}
	for text, b := range map[string][]byte{
		"playback command 2":         control(2, 1, 0, 0, ""),
		"playback speed 0":           control(0, 0, 0, 0, ""),
		"playback speed NaN":         control(0, float32(math.NaN()), 0, 0, ""),
		"playback speed 1001":        control(0, 1001, 0, 0, ""),
		"no clock shows":             control(0, 1, 1, math.MaxUint64, ""),
		"of 10 bytes; at least 19":   control(0, 1, 0, 0, "")[:10],
		"another length than it say": append(control(0, 1, 0, 0, "x"), 1),
	} {
		if _, err := viewer.ParseBinary(b); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A state has the bytes of the protocol.
func TestPlaybackState(t *testing.T) {
	got := viewer.AppendPlaybackState(nil, viewer.PlaybackState{Status: viewer.Ended, Time: 0x0102, Speed: 1, DidSeek: true, ID: "ab"})
	want := []byte{5, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 1, 2, 0, 0, 0, 'a', 'b'}
	if !bytes.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
}

// Who joins hears what there is before how a recording stands and what time it is.
func TestGreetingComesFirst(t *testing.T) {
	n := viewer.NewFakeNode(t)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Microsecond):
				n.PublishPlayback(viewer.PlaybackState{Status: viewer.Paused, Time: time.Second, Speed: 1})
				n.PublishTime(time.Second)
			}
		}
	}()
	for range 30 {
		p := n.Connect(t) // expects the three messages of the greeting
		if kind, b := p.Next(); kind != websocket.MessageBinary || b[0] != viewer.OpPlaybackState && b[0] != viewer.OpTime {
			t.Fatalf("% x follows", b)
		}
		_ = p.CloseNow()
	}
	close(stop)
	<-stopped
}
