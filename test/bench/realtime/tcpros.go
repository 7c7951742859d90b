package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"sinew/msgs"
	"sinew/pkg/ros/xmlrpc"
)

// callerName is this program as a ROS node.
const callerName = "/realtime"

// Bounds of what the node may send.
const (
	maxMessage    = 16 << 20
	handshakeTime = 2 * time.Second
)

// subscription is a TCPROS connection to a topic of the node.
type subscription struct {
	conn net.Conn
	in   *bufio.Reader
	body []byte
}

// tcpros asks the node where it publishes a topic.
func (n *node) tcpros(ctx context.Context, topic string) (address string, err error) {
	v, err := n.call(ctx, "requestTopic", topic, []any{[]any{"TCPROS"}})
	if err != nil {
		return "", err
	}
	p, _ := v.([]any)
	if len(p) != 3 {
		return "", fmt.Errorf("requestTopic %s: %v", topic, v)
	}
	return net.JoinHostPort(fmt.Sprint(p[1]), fmt.Sprint(p[2])), nil
}

// subscribe connects to a topic under the name caller.
func (n *node) subscribe(ctx context.Context, caller, topic string, kind *msgs.Type) (*subscription, error) {
	address, err := n.tcpros(ctx, topic)
	if err != nil {
		return nil, err
	}
	conn, err := net.DialTimeout("tcp", address, handshakeTime)
	if err != nil {
		return nil, err
	}
	s := &subscription{conn: conn, in: bufio.NewReader(conn)}
	if err := s.handshake(caller, topic, kind); err != nil {
		conn.Close()
		return nil, fmt.Errorf("%s: %w", topic, err)
	}
	return s, nil
}

func (s *subscription) handshake(caller, topic string, kind *msgs.Type) error {
	_ = s.conn.SetDeadline(time.Now().Add(handshakeTime))
	defer s.conn.SetDeadline(time.Time{})
	if _, err := s.conn.Write(header("callerid="+caller, "topic="+topic, "type="+kind.Name, "md5sum="+kind.MD5, "tcp_nodelay=1")); err != nil {
		return err
	}
	reply, err := s.next()
	if err != nil {
		return err
	}
	if text, refused := fields(reply)["error"]; refused {
		return errors.New(text)
	}
	return nil
}

// next reads a message, which is valid until the next call.
func (s *subscription) next() ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(s.in, size[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > maxMessage {
		return nil, fmt.Errorf("a message of %d bytes", n)
	}
	if uint32(cap(s.body)) < n {
		s.body = make([]byte, n)
	}
	s.body = s.body[:n]
	_, err := io.ReadFull(s.in, s.body)
	return s.body, err
}

// each calls take with every message and the time of its arrival, until the
// connection ends or take fails. It returns nil when the connection was closed
// from this side.
func each[M msgs.Message](s *subscription, m M, take func(at time.Time) error) error {
	for {
		body, err := s.next()
		at := time.Now()
		if err == nil {
			err = m.ParseROS1(body)
		}
		if err == nil {
			err = take(at)
		}
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// publication is a topic that this program publishes for the node alone.
type publication struct {
	conn   net.Conn
	server *xmlrpc.Server // the slave API, by which the node finds the topic
	buf    []byte
}

// publish registers a topic and waits until the node has connected to it.
func (n *node) publish(ctx context.Context, topic string, kind *msgs.Type) (*publication, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	data, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer data.Close()
	api, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := data.Addr().(*net.TCPAddr).Port
	p := &publication{server: xmlrpc.Serve(api, func(_ context.Context, method string, _ []any) (any, error) {
		if method == "requestTopic" {
			return []any{1, "", []any{"TCPROS", "127.0.0.1", port}}, nil
		}
		return []any{1, "", 0}, nil
	}, xmlrpc.Access{})}
	slave := "http://" + api.Addr().String() + "/"
	if _, err := n.master.RegisterPublisher(ctx, topic, kind.Name, slave); err != nil {
		return nil, errors.Join(err, p.close())
	}
	deadline, _ := ctx.Deadline()
	_ = data.(*net.TCPListener).SetDeadline(deadline)
	if p.conn, err = data.Accept(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: the node does not connect: %w", topic, err), p.close())
	}
	_ = p.conn.SetDeadline(deadline)
	s := subscription{conn: p.conn, in: bufio.NewReader(p.conn)}
	if _, err = s.next(); err == nil {
		_, err = p.conn.Write(header("callerid="+callerName, "topic="+topic, "type="+kind.Name, "md5sum="+kind.MD5))
	}
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, p.conn.SetDeadline(time.Time{})
}

// send sends a message.
func (p *publication) send(m msgs.Message) error {
	p.buf = m.AppendROS1(append(p.buf[:0], 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(p.buf, uint32(len(p.buf)-4))
	_, err := p.conn.Write(p.buf)
	return err
}

func (p *publication) close() error {
	if p.conn != nil {
		p.conn.Close()
	}
	return p.server.Close()
}

// header is a connection header in wire form.
func header(fields ...string) []byte {
	b := make([]byte, 4)
	for _, f := range fields {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(f))), f...)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// fields reads the fields of a connection header.
func fields(b []byte) map[string]string {
	out := map[string]string{}
	for len(b) >= 4 {
		n := int(binary.LittleEndian.Uint32(b))
		if n > len(b)-4 {
			break
		}
		name, value, _ := strings.Cut(string(b[4:4+n]), "=")
		out[name] = value
		b = b[4+n:]
	}
	return out
}

// number reads what diagnostics write as text; it is NaN-free by contract of the
// node, and 0 where it is missing.
func number(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}
