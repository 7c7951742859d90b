package ros1

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
	"github.com/bluenviron/goroslib/v2/pkg/prototcp"
	"go.uber.org/zap"

	"sinew/pkg/ros"
	"sinew/pkg/ros/masterclient"
)

// publisherConn is the connection to one publisher of a subscription. It reconnects as long as the
// publisher is listed.
type publisherConn struct {
	subscription *subscription
	uri          string // of the publisher's slave API
	// known means that the first message of a latching publisher is an old one: the publisher
	// existed when this node subscribed, or this is a reconnection. A publisher that the master
	// announces later sends new messages.
	known bool
	good  bool // this connection has delivered a message
}

// maxName is how much of a publisher's name is kept, in bytes.
const maxName = 256

// run connects until ctx ends, with growing pauses.
func (c *publisherConn) run(ctx context.Context) {
	pause := firstRetry
	for failures := 1; ; failures++ {
		c.good = false
		err := c.connect(ctx)
		if ctx.Err() != nil {
			return
		}
		if c.good {
			pause, failures = firstRetry, 1
		}
		c.complain(err, failures)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, lastRetry)
	}
}

// toldAfter is the number of consecutive failures after which the log reports them: a publisher
// that ends stays listed for a while.
const toldAfter = 3

// complain logs why a connection has ended.
func (c *publisherConn) complain(err error, failures int) {
	fields := []zap.Field{zap.String("publisher", c.uri), zap.Error(err)}
	switch {
	case errors.Is(err, errPeer):
		c.subscription.logLimited(zap.WarnLevel, "disconnected from publisher; retrying", fields...)
	case failures == toldAfter:
		if errors.As(err, new(*net.DNSError)) {
			fields = append(fields, zap.String("fix", "set ROS_IP of that node to an address that is reachable from here"))
		}
		c.subscription.logLimited(zap.InfoLevel, "publisher unreachable; retrying", fields...)
	default:
		c.subscription.log.Debug("publisher lost", append(fields, zap.String("topic", c.subscription.topic.Name))...)
	}
}

// connect makes one connection and receives messages until it ends. Its error is never nil.
func (c *publisherConn) connect(ctx context.Context) error {
	address, err := c.requestTopic(ctx)
	if err != nil {
		return err
	}
	conn, err := (&net.Dialer{Timeout: callTime}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(handshakeTime))
	in := bufio.NewReader(conn)
	h, err := c.shakeHands(conn, in)
	if err != nil {
		return err
	}
	_ = conn.SetDeadline(time.Time{})
	from := ros.Sender{Node: h["callerid"][:min(len(h["callerid"]), maxName)]}
	latched := c.known && h["latching"] == "1" // only the first message
	c.known = true
	c.subscription.addConnection(from)
	defer c.subscription.removeConnection(from)
	var body []byte
	for {
		if body, err = readFrame(in, body, maxMessage); err != nil {
			return err
		}
		if err := c.subscription.take(body, from, latched); err != nil {
			return fmt.Errorf("%w: %w", errPeer, err)
		}
		c.good, latched = true, false
	}
}

// requestTopic requests the address of the topic from the publisher.
func (c *publisherConn) requestTopic(ctx context.Context) (address string, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	reply, err := masterclient.Call(ctx, c.uri, "requestTopic", c.subscription.node, c.subscription.topic.Name, []any{[]any{"TCPROS"}})
	if err != nil {
		return "", err
	}
	p, _ := reply.([]any)
	if len(p) != 3 || p[0] != "TCPROS" {
		return "", fmt.Errorf("%w: requestTopic gave %.80v", errPeer, reply)
	}
	host, isString := p[1].(string)
	port, isInt := p[2].(int)
	if !isString || !isInt || port < 1 || port > 65535 {
		return "", fmt.Errorf("%w: requestTopic gave the address %.80v", errPeer, p[1:])
	}
	return net.JoinHostPort(host, strconv.Itoa(port)), nil
}

// shakeHands exchanges the connection headers.
func (c *publisherConn) shakeHands(conn net.Conn, in *bufio.Reader) (protocommon.HeaderRaw, error) {
	topic := &c.subscription.topic
	err := writeHeader(conn, &prototcp.HeaderSubscriber{
		Callerid: c.subscription.node, Topic: topic.Name, Type: topic.Type.Name,
		Md5sum: topic.Type.MD5, MessageDefinition: topic.Type.Definition, TcpNodelay: 1,
	})
	if err != nil {
		return nil, err
	}
	h, err := readHeader(in)
	if errors.Is(err, errHeader) {
		return nil, fmt.Errorf("%w: %w", errPeer, err)
	}
	if err != nil {
		return nil, err
	}
	if text, refused := h["error"]; refused {
		return nil, fmt.Errorf("%w: it refuses: %.200s", errPeer, text)
	}
	if name, given := h["topic"]; given && name != "" && name != topic.Name {
		return nil, fmt.Errorf("%w: it publishes the topic %.80s", errPeer, name)
	}
	if m := h["md5sum"]; m != topic.Type.MD5 {
		return nil, fmt.Errorf("%w: it publishes type %.60s, md5sum %.32s; expected %s, md5sum %s: both nodes need the same message definition", errPeer, h["type"], m, topic.Type.Name, topic.Type.MD5)
	}
	return h, nil
}
