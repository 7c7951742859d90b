package viewer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/zap"

	"sinew/pkg/ros"
)

// Limits of one viewer.
const (
	maxMessage   = 1 << 20 // bytes; commands have a few hundred
	keptRoom     = 8 << 10 // bytes, for the next message
	maxBatch     = 1024    // messages
	writeTimeout = 10 * time.Second
	pingPeriod   = 500 * time.Millisecond
	pingTimeout  = 10 * time.Second
	awayTimeout  = 2 * time.Second
	maxFaults    = 64 // within faultWindow
	faultWindow  = 10 * time.Second
)

// client is a viewer. Fields without a comment about goroutines belong to the reading goroutine.
type client struct {
	server *Server
	conn   *websocket.Conn
	batch  *batchConn // below conn
	sender ros.Sender
	outbox *outbox
	log    *zap.Logger
	period time.Duration // least between two frames of a subscription
	joined time.Time
	ctx    context.Context
	cancel context.CancelFunc // from any goroutine

	in            bytes.Buffer // the message that is read
	subscriptions map[uint32]*subscription
	subscribed    map[uint32]bool         // channels
	published     map[uint32]*clientTopic // that the viewer publishes
	lanes         map[uint32]*lane        // of services, by id
	settings      *lane                   // of parameters
	held          atomic.Int64            // bytes that wait in lanes
	watched       watched                 // parameters; has a lock of its own

	greeted  atomic.Bool  // it has been sent what the server offers
	answered atomic.Int64 // when the newest ping that it has answered was sent, ns since joined

	faults     int
	faultsFrom time.Time
}

func newClient(s *Server, conn *websocket.Conn, batch *batchConn, addr string) *client {
	c := &client{
		server: s, conn: conn, batch: batch, sender: ros.Sender{Node: "viewer " + addr}, outbox: newOutbox(), joined: time.Now(),
		subscriptions: map[uint32]*subscription{}, subscribed: map[uint32]bool{}, published: map[uint32]*clientTopic{},
		lanes: map[uint32]*lane{},
	}
	c.settings = &lane{held: &c.held}
	c.log = s.log.With(zap.String("viewer", addr))
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// run serves the viewer until it leaves.
func (c *client) run() {
	defer c.cancel()
	c.conn.SetReadLimit(-1) // read has a limit of its own, with its own error
	c.sendOffer()
	go c.write()
	go c.ping()
	err := c.read()
	c.server.logOnce(c.log.Info, "viewer left", zap.String("reason", c.reason(err)))
	for _, s := range c.subscriptions {
		s.channel.unsubscribe(s)
		c.outbox.remove(s)
	}
	for id := range c.published {
		c.withdraw(id)
	}
	_ = c.conn.CloseNow()
}

// reason describes for people why the connection has ended.
func (c *client) reason(err error) string {
	switch code := websocket.CloseStatus(err); {
	case code == websocket.StatusNormalClosure || code == websocket.StatusGoingAway || code == websocket.StatusNoStatusRcvd:
		return "closed by the viewer"
	case c.server.isEnding():
		return "the node ends"
	}
	return err.Error()
}

// read reads and executes requests.
func (c *client) read() error {
	for {
		kind, r, err := c.conn.Reader(c.ctx)
		if err != nil {
			return err
		}
		c.in.Reset()
		if _, err := c.in.ReadFrom(io.LimitReader(r, maxMessage+1)); err != nil {
			return err
		}
		if c.in.Len() > maxMessage {
			return c.end(websocket.StatusMessageTooBig, fmt.Sprintf("message larger than the limit of %d bytes", maxMessage))
		}
		data := bytes.Clone(c.in.Bytes()) // calls keep their data while they wait
		if c.in.Cap() > keptRoom {
			c.in = bytes.Buffer{}
		}
		if kind == websocket.MessageText {
			c.text(data)
		} else {
			c.binary(data)
		}
		if c.faults > maxFaults {
			return c.end(websocket.StatusPolicyViolation, fmt.Sprintf("more than %d invalid requests within %v", maxFaults, faultWindow))
		}
	}
}

// end closes the connection of a viewer that may continue to send, with a reason, which is also the
// error.
func (c *client) end(code websocket.StatusCode, why string) error {
	sendAway(c.conn, c.batch, code, why)
	return errors.New(why)
}

// sendAway closes a connection with a code and a reason. The viewer has some time to read them: a
// limited amount of what it sends meanwhile is discarded, because closing a connection with unread
// bytes resets it and may lose the reason.
func sendAway(conn *websocket.Conn, batch *batchConn, code websocket.StatusCode, why string) {
	batch.end()
	cut := time.AfterFunc(awayTimeout, func() { _ = batch.Conn.Close() })
	defer cut.Stop()
	_ = conn.Close(code, why)
}

// text executes a request.
func (c *client) text(data []byte) {
	r, do, err := parseRequest(data)
	if err != nil {
		c.fault("a text message that is no request: %v", err)
		return
	}
	do(c, r)
}

// binary executes a command or a call.
func (c *client) binary(data []byte) {
	m, err := parseBinary(data)
	if err != nil {
		c.fault("%v", err)
		return
	}
	switch m := m.(type) {
	case published:
		c.receive(m)
	case call:
		c.call(m)
	case PlaybackRequest:
		c.control(m)
	}
}

// sendOffer sends what the server offers.
func (c *client) sendOffer() {
	s := c.server
	capabilities := []string{"clientPublish", "services", "connectionGraph"}
	if s.table != nil {
		capabilities = append(capabilities, "parameters", "parametersSubscribe")
	}
	info := map[string]any{
		"op": "serverInfo", "name": s.options.Node, "supportedEncodings": []string{encodingCDR, encodingJSON},
		"metadata": c.metadata(), "sessionId": s.session,
	}
	if p := s.options.Playback; p != nil {
		capabilities = []string{"connectionGraph", "time", "playbackControl"}
		info["dataStartTime"], info["dataEndTime"] = dataTime(p.From), dataTime(p.To)
	} else if s.clock != nil {
		capabilities = append(capabilities, "time")
	}
	info["capabilities"] = capabilities
	c.replyJSON(info)
	c.replyJSON(map[string]any{"op": "advertise", "channels": s.channelList()})
	c.replyJSON(map[string]any{"op": "advertiseServices", "services": s.serviceList()})
	c.greeted.Store(true) // before the state is read: no later change may be missed
	if p := s.options.Playback; p != nil {
		c.replyBinary(appendPlaybackState(nil, p.State()))
	}
}

// metadata returns the metadata of the server, with the name of the viewer as a commander.
func (c *client) metadata() map[string]string {
	m := c.server.metadata()
	if c.server.options.Playback == nil {
		m["commander"] = c.sender.Node
	}
	return m
}

// write writes what is in the outbox, in batches.
func (c *client) write() {
	defer c.cancel()
	stalled := time.AfterFunc(writeTimeout, func() {
		c.log.Warn("viewer disconnected: it does not read", zap.Duration("for", writeTimeout))
		c.cancel()
	})
	stalled.Stop() // until something is written
	defer stalled.Stop()
	defer c.outbox.due.Stop()
	var buf []byte
	for {
		select {
		case <-c.outbox.due.C:
		case <-c.outbox.now:
		case <-c.ctx.Done():
			return
		}
		stalled.Reset(writeTimeout)
		var err error
		if buf, err = c.writeBatch(buf); err != nil {
			return
		}
		stalled.Stop()
	}
}

// writeBatch writes all queued messages, with a buffer, which it returns for the next batch.
func (c *client) writeBatch(buf []byte) (_ []byte, err error) {
	c.outbox.begin()
	defer c.outbox.end()
	c.batch.begin()
	defer func() { err = errors.Join(err, c.batch.flush()) }() // after an error, too: the reason for the end of the connection may have been collected
	for range maxBatch {
		m, dirty, ok := c.outbox.take(buf)
		if !ok {
			break
		}
		if dirty != nil {
			m = message{websocket.MessageText, c.server.valuesOf(dirty)}
		} else if m.kind == websocket.MessageBinary {
			buf = m.data
		}
		if err := c.conn.Write(c.ctx, m.kind, m.data); err != nil {
			return buf, err
		}
	}
	return buf, nil
}

// ping checks that the viewer still answers. Answers and requests arrive in the order in which they were sent, so that every
// request is younger than the newest ping that was answered before it.
func (c *client) ping() {
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-next.C:
		}
		if c.batch.isWriting() { // the library would close the connection of a viewer that reads slowly
			next.Reset(batchPeriod)
			continue
		}
		sent := time.Since(c.joined)
		next.Reset(pingPeriod)
		ctx, cancel := context.WithTimeout(c.ctx, pingTimeout)
		err := c.conn.Ping(ctx)
		cancel()
		if err != nil {
			c.cancel()
			return
		}
		c.answered.Store(int64(sent))
	}
}

// lag returns how long ago what arrives now was sent at most.
func (c *client) lag() time.Duration {
	return time.Since(c.joined) - time.Duration(c.answered.Load())
}

// closeForShutdown closes the connection because the node ends. It may be called from any goroutine.
func (c *client) closeForShutdown() {
	_ = c.conn.Close(websocket.StatusGoingAway, "the node ends")
	c.cancel()
}

// Levels of a status.
const (
	info    = 0
	warning = 1
	failure = 2
)

// status sends a message for the user of the viewer. It may be called from any goroutine.
func (c *client) status(level int, text string) {
	c.replyJSON(map[string]any{"op": "status", "level": level, "message": text})
}

// Warn sends a warning for their users to all viewers.
func (s *Server) Warn(text string) {
	s.eachGreeted(func(c *client) { c.status(warning, text) })
}

// Restored implements ros.RestoreObserver: a status whose id names the node.
func (s *Server) Restored(node string) {
	s.eachGreeted(func(c *client) {
		c.replyJSON(map[string]any{"op": "status", "level": info, "id": "restored:" + node,
			"message": node + ": back at an earlier state; what this page commanded has ended."})
	})
}

// fault sends the viewer an error about its request.
func (c *client) fault(format string, args ...any) {
	if now := time.Now(); now.Sub(c.faultsFrom) > faultWindow {
		c.faults, c.faultsFrom = 0, now
	}
	c.faults++
	c.status(failure, fmt.Sprintf(format, args...))
}

// replyJSON sends v. It may be called from any goroutine.
func (c *client) replyJSON(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic("viewer: " + err.Error()) // all values are made in this package
	}
	c.reply(websocket.MessageText, data)
}

func (c *client) replyBinary(data []byte) { c.reply(websocket.MessageBinary, data) }

// reply queues a message, or closes the connection of a viewer that reads nothing.
func (c *client) reply(kind websocket.MessageType, data []byte) {
	if !c.outbox.reply(kind, data) {
		c.cancel()
	}
}
