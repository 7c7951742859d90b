package testbench

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/pkg/ros/masterclient"
)

// subscriber is a ROS 1 subscriber in a few lines, independent of goroslib: it
// asks one node for one topic and reads every message.
type subscriber struct {
	conn   net.Conn
	header map[string]string // of the publisher
}

// Slave returns the address of a node's slave API.
func (n *Network) Slave(node string) string {
	n.T.Helper()
	uri, err := n.Client().LookupNode(Deadline(n.T), node)
	if err != nil {
		n.T.Fatal(err)
	}
	return uri
}

// PublisherAddress returns the address at which a node publishes a topic.
func (n *Network) PublisherAddress(node, topic string) string {
	n.T.Helper()
	v, err := masterclient.Call(Deadline(n.T), n.Slave(node), "requestTopic", "/test", topic, []any{[]any{"TCPROS"}})
	if err != nil {
		n.T.Fatal(err)
	}
	protocol, _ := v.([]any)
	if len(protocol) != 3 || protocol[0] != "TCPROS" {
		n.T.Fatalf("requestTopic %s: %v", topic, v)
	}
	return net.JoinHostPort(protocol[1].(string), strconv.Itoa(protocol[2].(int)))
}

// Subscribe connects to a topic of a node. A publisher that refuses gives an
// error.
func (n *Network) Subscribe(node, topic string, kind *msgs.Type, md5 string) (*subscriber, error) {
	n.T.Helper()
	conn, err := net.Dial("tcp", n.PublisherAddress(node, topic))
	if err != nil {
		return nil, err
	}
	n.T.Cleanup(func() { conn.Close() })
	s := &subscriber{conn: conn}
	var fields []byte
	for _, f := range []string{"callerid=/test", "topic=" + topic, "type=" + kind.Name, "md5sum=" + md5, "tcp_nodelay=1"} {
		fields = append(binary.LittleEndian.AppendUint32(fields, uint32(len(f))), f...)
	}
	if _, err := conn.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(fields))), fields...)); err != nil {
		return nil, err
	}
	reply, err := s.next()
	if err != nil {
		return nil, err
	}
	s.header = map[string]string{}
	for len(reply) >= 4 {
		size := binary.LittleEndian.Uint32(reply)
		name, value, _ := strings.Cut(string(reply[4:4+size]), "=")
		s.header[name] = value
		reply = reply[4+size:]
	}
	if text, refused := s.header["error"]; refused {
		return nil, fmt.Errorf("refused: %s", text)
	}
	return s, nil
}

// next reads one message, or the header.
func (s *subscriber) next() ([]byte, error) {
	s.conn.SetReadDeadline(time.Now().Add(WaitLimit))
	var size [4]byte
	if _, err := io.ReadFull(s.conn, size[:]); err != nil {
		return nil, err
	}
	body := make([]byte, binary.LittleEndian.Uint32(size[:]))
	_, err := io.ReadFull(s.conn, body)
	return body, err
}

// Listen subscribes to a topic and calls take with each message from a goroutine
// until the test ends or the publisher does.
func Listen[M msgs.Message](n *Network, node, topic string, take func(M)) {
	n.T.Helper()
	var zero M
	kind := zero.Type()
	s, err := n.Subscribe(node, topic, kind, kind.MD5)
	if err != nil {
		n.T.Fatal(err)
	}
	if got := s.header["type"]; got != kind.Name {
		n.T.Errorf("%s: type %s, want %s", topic, got, kind.Name)
	}
	go receive(n.T, s, topic, func(body []byte) error {
		m := kind.New().(M)
		if err := m.ParseROS1(body); err != nil {
			return err
		}
		take(m)
		return nil
	})
}

func receive(t *testing.T, s *subscriber, topic string, take func([]byte) error) {
	for {
		body, err := s.next()
		if err != nil {
			return // the publisher is gone; who waits for messages will notice
		}
		if err := take(body); err != nil {
			t.Errorf("%s: %v", topic, err)
			return
		}
	}
}
