package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_srvs"
)

// requestTime bounds one call of a service; a step of a large robot may take long.
const requestTime = time.Minute

// serviceClient is a connection to a service of the node that stays open.
type serviceClient struct {
	name string
	kind *msgs.Service
	conn net.Conn
	in   *bufio.Reader
	buf  []byte
}

// service connects to a service.
func (n *node) service(ctx context.Context, name string, kind *msgs.Service) (*serviceClient, error) {
	uri, err := n.master.LookupService(ctx, n.name+"/"+name)
	if err != nil {
		return nil, err
	}
	conn, err := net.DialTimeout("tcp", strings.TrimSuffix(strings.TrimPrefix(uri, "rosrpc://"), "/"), handshakeTime)
	if err != nil {
		return nil, err
	}
	c := &serviceClient{name: name, kind: kind, conn: conn, in: bufio.NewReader(conn)}
	s := subscription{conn: conn, in: c.in}
	_ = conn.SetDeadline(time.Now().Add(handshakeTime))
	_, err = conn.Write(header("callerid="+callerName, "service="+n.name+"/"+name, "md5sum="+kind.MD5, "persistent=1"))
	if err == nil {
		_, err = s.next()
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// call sends a request and reads the answer.
func (c *serviceClient) call(request, answer msgs.Message) error {
	_ = c.conn.SetDeadline(time.Now().Add(requestTime))
	c.buf = request.AppendROS1(append(c.buf[:0], 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(c.buf, uint32(len(c.buf)-4))
	if _, err := c.conn.Write(c.buf); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	var head [5]byte // whether it went well, and the length
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	size := binary.LittleEndian.Uint32(head[1:])
	if size > maxMessage {
		return fmt.Errorf("%s: an answer of %d bytes", c.name, size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(c.in, body); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	if head[0] != 1 {
		return fmt.Errorf("%s: %s", c.name, body)
	}
	return answer.ParseROS1(body)
}

// operator calls the services of the node, each over a connection of its own.
type operator struct {
	ctx     context.Context
	n       *node
	clients map[string]*serviceClient
}

func newOperator(ctx context.Context, n *node) *operator {
	return &operator{ctx: ctx, n: n, clients: map[string]*serviceClient{}}
}

func (o *operator) client(name string, kind *msgs.Service) (*serviceClient, error) {
	if c := o.clients[name]; c != nil {
		return c, nil
	}
	c, err := o.n.service(o.ctx, name, kind)
	if err == nil {
		o.clients[name] = c
	}
	return c, err
}

// do calls a service without arguments and returns how long that took.
func (o *operator) do(name string) (time.Duration, error) {
	c, err := o.client(name, std_srvs.Trigger)
	if err != nil {
		return 0, err
	}
	var answer std_srvs.TriggerResponse
	begun := time.Now()
	err = c.call(&std_srvs.TriggerRequest{}, &answer)
	took := time.Since(begun)
	if err == nil && !answer.Success {
		err = fmt.Errorf("%s: %s", name, answer.Message)
	}
	return took, err
}

// pause lets time stand.
func (o *operator) pause() error {
	c, err := o.client("pause", std_srvs.SetBool)
	if err != nil {
		return err
	}
	var answer std_srvs.SetBoolResponse
	if err = c.call(&std_srvs.SetBoolRequest{Data: true}, &answer); err == nil && !answer.Success {
		err = errors.New("pause: " + answer.Message)
	}
	return err
}

// step asks for control periods and returns what the node says when they are over or
// something has ended them.
func (o *operator) step(periods uint64) (message string, err error) {
	c, err := o.client("step", sinew_msgs.Step)
	if err != nil {
		return "", err
	}
	var answer sinew_msgs.StepResponse
	err = c.call(&sinew_msgs.StepRequest{Steps: periods}, &answer)
	return answer.Message, err
}

func (o *operator) close() {
	for _, c := range o.clients {
		c.conn.Close()
	}
}
