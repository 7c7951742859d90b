package viewer_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/pkg/ros/viewer"
)

// interruptedConn is a connection through a network that keeps back what is sent while it is interrupted.
type interruptedConn struct {
	net.Conn
	network *sync.RWMutex // locked while it is interrupted
	sent    chan []byte
}

// interrupted connects to an address through a network.
func interrupted(t *testing.T, address string, network *sync.RWMutex) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		return nil, err
	}
	sent := make(chan []byte, 1024)
	go func() {
		for {
			select {
			case <-t.Context().Done():
				return
			case b := <-sent:
				network.RLock()
				network.RUnlock()
				_, _ = c.Write(b)
			}
		}
	}()
	return interruptedConn{c, network, sent}, nil
}

func (c interruptedConn) Write(b []byte) (int, error) {
	c.sent <- bytes.Clone(b)
	return len(b), nil
}

func (c interruptedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.network.RLock()
	defer c.network.RUnlock()
	return n, err
}

// A command that a network keeps back arrives with the time for which it may have been on its way, and one that is sent when the
// network is back with a short one.
func TestCommandLag(t *testing.T) {
	n := viewer.NewFakeNode(t)
	var network sync.RWMutex
	client := &http.Client{Transport: &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		return interrupted(t, address, &network)
	}}}
	conn, _, err := websocket.Dial(t.Context(), n.Socket(), &websocket.DialOptions{Subprotocols: viewer.Subprotocols, HTTPClient: client})
	viewer.Must(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(-1)
	go func() { // pings are answered while something is read
		for err := error(nil); err == nil; {
			_, _, err = conn.Read(t.Context())
		}
	}()
	p := &viewer.Peer{conn, t}
	p.Text(`{"op":"advertise","channels":[{"id":7,"topic":"/command","encoding":"json","schemaName":"std_msgs/msg/Float64MultiArray"}]}`)
	command := func() { p.Binary([]byte("\x01\x07\x00\x00\x00" + `{"data":[1]}`)) }
	lag := func(i int) time.Duration {
		viewer.Until(t, "the command", func() bool { return len(n.Got()) > i })
		return n.Got()[i].Lag
	}
	const off = 3 * time.Second
	command()
	if l := lag(0); l <= 0 || l > off/2 {
		t.Errorf("at first a command has a lag of %v", l)
	}
	network.Lock()
	command()
	time.Sleep(off)
	network.Unlock()
	if l := lag(1); l < off {
		t.Errorf("a command that was kept back for %v has a lag of %v", off, l)
	}
	viewer.Until(t, "a short lag", func() bool {
		i := len(n.Got())
		command()
		return lag(i) < off/2
	})
}
