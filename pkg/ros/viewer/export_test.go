package viewer

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/coder/websocket"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
)

// Unexported names for the external tests.
const (
	MaxFaults       = maxFaults
	MaxFrameBytes   = maxFrameBytes
	MaxFrames       = maxFrames
	MaxMessage      = maxMessage
	MaxWaiting      = maxWaiting
	OpCall          = opCall
	OpControl       = opControl
	OpMessage       = opMessage
	OpPlaybackState = opPlaybackState
	OpReply         = opReply
	OpTime          = opTime
	UnsentBytes     = unsentBytes
)

var (
	AppendPlaybackState = appendPlaybackState
	Decode              = decode
	Encode              = encode
	ErrStarted          = errStarted
	ListenAt            = listen
	ParseBinary         = parseBinary
	ParseJSON           = parseJSON
	ParseRequest        = parseRequest
	Subprotocols        = subprotocols
)

// TextOf reads a message of a subscription.
func TextOf(t *testing.T, data []byte, subscription uint32) (text string, at msgs.Time) {
	t.Helper()
	if len(data) < 13 || data[0] != opMessage || binary.LittleEndian.Uint32(data[1:]) != subscription {
		t.Fatalf("% x is no message of subscription %d", data, subscription)
	}
	var m std_msgs.String
	Must(t, m.ParseCDR(data[13:]))
	return m.Data, msgs.Time(binary.LittleEndian.Uint64(data[5:]))
}

// AppendCall is a request to a service.
func AppendCall(service, id uint32, encoding string, data ...byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{opCall}, service)
	b = binary.LittleEndian.AppendUint32(b, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(encoding)))
	return append(append(b, encoding...), data...)
}

// Ended reads until the connection ends, and returns how and why.
func (p *Peer) Ended() (websocket.StatusCode, string) {
	ctx, cancel := context.WithTimeout(p.T.Context(), Patience)
	defer cancel()
	for {
		if _, _, err := p.Read(ctx); err != nil {
			if ctx.Err() != nil {
				p.T.Fatal("the connection did not end")
			}
			var closed websocket.CloseError
			if !errors.As(err, &closed) {
				return -1, err.Error()
			}
			return closed.Code, closed.Reason
		}
	}
}
