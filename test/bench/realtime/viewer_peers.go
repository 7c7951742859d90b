package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

const viewerProtocol = "foxglove.sdk.v1"

// viewerPeer is a viewer of the node that reads what it gets.
type viewerPeer struct {
	conn   *websocket.Conn
	frames atomic.Int64 // scenes
	bytes  atomic.Int64 // of all messages
}

// viewerChannel is a topic as the node tells of it.
type viewerChannel struct {
	ID         uint32
	Topic      string
	SchemaName string
}

// openViewer connects a viewer and subscribes to the topics that it wants.
func openViewer(ctx context.Context, socket string, wants func(viewerChannel) bool) (p *viewerPeer, scene uint32, err error) {
	conn, _, err := websocket.Dial(ctx, socket, &websocket.DialOptions{Subprotocols: []string{viewerProtocol}})
	if err != nil {
		return nil, 0, err
	}
	p = &viewerPeer{conn: conn}
	conn.SetReadLimit(-1)
	var list struct{ Channels []viewerChannel }
	for list.Channels == nil && err == nil {
		var data []byte
		if _, data, err = conn.Read(ctx); err == nil {
			err = json.Unmarshal(data, &list)
		}
	}
	var wanted []string
	for _, c := range list.Channels {
		if wants(c) {
			wanted = append(wanted, fmt.Sprintf(`{"id":%d,"channelId":%d}`, c.ID, c.ID))
		}
		if path.Base(c.Topic) == sceneTopic {
			scene = c.ID
		}
	}
	if err == nil {
		err = conn.Write(ctx, websocket.MessageText, []byte(`{"op":"subscribe","subscriptions":[`+strings.Join(wanted, ",")+`]}`))
	}
	if err != nil {
		p.close()
	}
	return p, scene, err
}

// sceneTopic is that of the pictures.
const sceneTopic = "scene"

// pageTopics are those that the page shows in space, in its bar and in its plots.
var pageTopics = []string{sceneTopic, "meshes", "operating_state", "sim_stats", "setpoint_js", "measured_js", "measured_cp"}

// openPage is a viewer that asks for what the page in the browser does.
func openPage(ctx context.Context, socket string) (*viewerPeer, error) {
	p, scene, err := openViewer(ctx, socket+"?max_hz=60", func(c viewerChannel) bool {
		return slices.Contains(pageTopics, path.Base(c.Topic))
	})
	if err == nil {
		go func() { _ = p.read(ctx, scene) }()
	}
	return p, err
}

// read counts what comes until the connection ends.
func (p *viewerPeer) read(ctx context.Context, scene uint32) error {
	for {
		kind, data, err := p.conn.Read(ctx)
		if err != nil {
			return err
		}
		p.bytes.Add(int64(len(data)))
		if kind == websocket.MessageBinary && len(data) > 5 && binary.LittleEndian.Uint32(data[1:]) == scene {
			p.frames.Add(1)
		}
	}
}

func (p *viewerPeer) close() { _ = p.conn.CloseNow() }

const (
	malformedEach = 20 * time.Millisecond // pause between the connections of one sender
	malformers    = 8
	hugeBytes     = 100_000_000
	hugePause     = 100 * time.Millisecond
	manyCount     = 200
	mutePeers     = 8 // one of so many does not read
	peerTime      = 5 * time.Second
)

// sendMalformed sends what is no WebSocket, no request, no command, each on connections of its own, for
// as long as the node listens to it.
func sendMalformed(ctx context.Context, socket string, v *Viewed) error {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range malformers {
		all.Go(func() {
			for n := i; pause(ctx, malformedEach); n += malformers {
				sent, lastMessage := sendUntilClosed(ctx, socket, malformedFrames[n%len(malformedFrames)])
				mu.Lock()
				v.Sent += sent
				v.Told[lastMessage]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return nil
}

// malformedFrames are frames as they go over the wire, masked with zeros.
var malformedFrames = [][]byte{
	maskedFrame(0x83, []byte("reserved opcode")),
	maskedFrame(0xc2, []byte("reserved bit")),
	{0x82, 4, 1, 0, 0, 0},                                // not masked
	maskedFrame(0x09, []byte("fragmented ping")),         // control frames are whole
	maskedFrame(0x80, []byte("continues nothing")),       //
	{0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0},     // of a negative length
	maskedFrame(0x88, []byte{1}),                         // a close frame with half a code
	maskedFrame(0x81, []byte("\xff\xfe no UTF-8")),       //
	maskedFrame(0x81, []byte("{")),                       //
	maskedFrame(0x81, []byte(`{"op":"fly"}`)),            //
	maskedFrame(0x81, []byte(strings.Repeat("[", 1e5))),  //
	maskedFrame(0x82, nil),                               //
	maskedFrame(0x82, []byte{1, 1, 0, 0, 0}),             // a message of a channel that was not advertised
	maskedFrame(0x82, []byte{2, 1, 0, 0, 0, 1, 0, 0, 0}), // half a call
	maskedFrame(0x82, noise(4096)),
}

// maskedFrame is a frame of a client.
func maskedFrame(first byte, payload []byte) []byte {
	b := []byte{first}
	switch n := len(payload); {
	case n < 126:
		b = append(b, 0x80|byte(n))
	case n <= math.MaxUint16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	return append(append(b, 0, 0, 0, 0), payload...)
}

// handshake is a connection on which viewers' frames may be sent as bytes.
func handshake(ctx context.Context, socket string) (net.Conn, *bufio.Reader, error) {
	u, err := url.Parse(socket)
	if err != nil {
		return nil, nil, err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(peerTime))
	in := bufio.NewReader(conn)
	_, err = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", u.Host, viewerProtocol)
	if err == nil {
		var answer *http.Response
		if answer, err = http.ReadResponse(in, nil); err == nil && answer.StatusCode != http.StatusSwitchingProtocols {
			err = errors.New(answer.Status)
		}
	}
	if err != nil {
		conn.Close()
	}
	return conn, in, err
}

// sendUntilClosed sends a frame again and again until the node ends the connection, and returns how
// often that was and what the node said at the end.
func sendUntilClosed(ctx context.Context, socket string, frame []byte) (sent int, lastMessage string) {
	conn, in, err := handshake(ctx, socket)
	if err != nil {
		return 0, "no connection"
	}
	defer conn.Close()
	said := make(chan string, 1)
	go func() { said <- lastWords(in) }()
	for ctx.Err() == nil {
		if _, err := conn.Write(frame); err != nil {
			break
		}
		sent++
		select {
		case lastMessage := <-said:
			return sent, lastMessage
		case <-time.After(time.Millisecond):
		}
	}
	_ = conn.SetReadDeadline(time.Now().Add(time.Second))
	return sent, <-said
}

// lastWords reads frames of the node until it ends the connection, and returns with which code and
// reason, or its last status.
func lastWords(in *bufio.Reader) string {
	lastMessage := "nothing"
	for {
		op, payload, err := nodeFrame(in)
		if err != nil {
			return lastMessage
		}
		switch {
		case op == 8 && len(payload) >= 2:
			return fmt.Sprintf("%d %s", binary.BigEndian.Uint16(payload), payload[2:])
		case op == 1:
			var m struct{ Op, Message string }
			if json.Unmarshal(payload, &m) == nil && m.Op == "status" {
				lastMessage = "status " + m.Message
			}
		}
	}
}

// nodeFrame reads a frame of the node, which are whole messages.
func nodeFrame(in *bufio.Reader) (op byte, payload []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return 0, nil, err
	}
	n := uint64(head[1])
	if wide := map[uint64]int{126: 2, 127: 8}[n]; wide > 0 {
		b := make([]byte, 8)
		if _, err := io.ReadFull(in, b[8-wide:]); err != nil {
			return 0, nil, err
		}
		n = binary.BigEndian.Uint64(b)
	}
	if n > maxMessage {
		return 0, nil, fmt.Errorf("a frame of %d bytes", n)
	}
	payload = make([]byte, n)
	_, err = io.ReadFull(in, payload)
	return head[0] & 15, payload, err
}

// sendHuge sends frames of 100 MB, one after the other.
func sendHuge(ctx context.Context, socket string, v *Viewed) error {
	chunk := make([]byte, 1<<20)
	for pause(ctx, hugePause) {
		conn, in, err := handshake(ctx, socket)
		if err != nil {
			return err
		}
		said := make(chan string, 1)
		go func() { said <- lastWords(in) }()
		_, err = conn.Write(append(binary.BigEndian.AppendUint64([]byte{0x82, 0xff}, hugeBytes), 0, 0, 0, 0))
		for left := hugeBytes; left > 0 && err == nil; left -= len(chunk) {
			_, err = conn.Write(chunk[:min(left, len(chunk))])
		}
		v.Sent++
		v.Told[<-said]++
		conn.Close()
	}
	return nil
}

// connectMany connects many viewers that want everything, of which some do not read, and counts what those
// were told that were refused.
func connectMany(ctx context.Context, socket string, v *Viewed) error {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range manyCount {
		all.Go(func() {
			p, scene, err := openViewer(ctx, socket, func(viewerChannel) bool { return true })
			mu.Lock()
			v.Sent++
			if err != nil && ctx.Err() == nil {
				v.Told[refusalOf(err)]++
			}
			mu.Unlock()
			if err != nil {
				return
			}
			defer p.close()
			if i%mutePeers == 0 {
				<-ctx.Done()
				return
			}
			_ = p.read(ctx, scene) // ends with the phase
		})
	}
	all.Wait()
	return nil
}

// refusalOf is the reason for which a connection was refused.
func refusalOf(err error) string {
	var closed websocket.CloseError
	if errors.As(err, &closed) {
		return fmt.Sprintf("%d %s", closed.Code, closed.Reason)
	}
	return err.Error()
}
