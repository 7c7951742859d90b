package xmlrpc

import (
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// counted is a listener that counts what the server reads of each connection: what a peer could
// send is more by the buffers of two sockets, which are the machine's.
type counted struct {
	net.Listener
	mu    sync.Mutex
	conns []*countedConn
}

type countedConn struct {
	net.Conn
	read atomic.Int64
}

func (l *counted) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n := &countedConn{Conn: c}
	l.conns = append(l.conns, n)
	return n, nil
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read.Add(int64(n))
	return n, err
}

// TestEndlessBody sends bodies without end in chunks: each must be cut off
// after MaxBody, and all of them together must not grow the heap beyond what
// the few that are read at a time need.
func TestEndlessBody(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &counted{Listener: inner}
	address := startOn(t, l, Echo, timeouts{header: Patience, read: Patience, write: Patience, idle: Patience})
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak atomic.Uint64
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak.Store(max(peak.Load(), m.HeapAlloc))
			}
		}
	}()
	const peers = 16
	var wg sync.WaitGroup
	for range peers {
		wg.Go(func() {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			c.SetDeadline(time.Now().Add(Patience))
			io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n")
			chunk := "10000\r\n" + strings.Repeat("x", 1<<16) + "\r\n"
			for err == nil { // until the server hangs up
				_, err = io.WriteString(c, chunk)
			}
			if isTimeout(err) {
				t.Errorf("still open after %v", Patience)
			}
		})
	}
	wg.Wait()
	close(done)
	l.mu.Lock()
	defer l.mu.Unlock()
	// A body of MaxBody is read to the end and one byte more, and in the framing of chunks; net/http
	// then looks for a near end of the body, which spares a connection, and reads ahead.
	const afterwards = 256<<10 + 64<<10
	whole := 0
	for _, c := range l.conns {
		n := c.read.Load()
		if n > MaxBody+afterwards {
			t.Errorf("%d bytes of a body were read, want %d at most", n, MaxBody+afterwards)
		}
		if n > MaxBody {
			whole++
		}
	}
	if len(l.conns) != peers || whole < maxLarge {
		t.Errorf("%d bodies of %d were read up to MaxBody, want %d of %d at least", whole, len(l.conns), maxLarge, peers)
	}
	const most = maxLarge * 6 * MaxBody // growing a buffer to 8 MB leaves about five times that as garbage
	if grown := int64(peak.Load()) - int64(before.HeapAlloc); grown > most {
		t.Errorf("the heap grew by %d MB, want at most %d", grown>>20, most>>20)
	}
}
