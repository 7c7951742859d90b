package xmlrpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// Tests of what has no exported name.

// TestLargeRequestsWait: a large request that finds no room in time gets an error.
func TestLargeRequestsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{large: make(chan struct{}, 1)}
		request := func() (int, error) {
			r, err := http.NewRequest(http.MethodPost, "/", bytes.NewReader(make([]byte, smallBody+1)))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "text/xml")
			body, status, err := s.read(r)
			if err == nil && len(body) != smallBody+1 {
				t.Errorf("%d bytes were read", len(body))
			}
			return status, err
		}
		for range 2 { // each leaves its place
			if status, err := request(); status != 0 || err != nil {
				t.Errorf("with room: status %d, %v", status, err)
			}
		}
		s.large <- struct{}{}
		if status, err := request(); status != http.StatusServiceUnavailable || err == nil {
			t.Errorf("without room: status %d, %v", status, err)
		}
	})
}

// TestSlowPeers holds connections open the slow way; each must be closed by its
// timeout, and a proper peer be served all the while.
func TestSlowPeers(t *testing.T) {
	quick := timeouts{header: 200 * time.Millisecond, read: 400 * time.Millisecond, write: time.Second, idle: 300 * time.Millisecond}
	address := Start(t, Echo, quick)
	for name, opening := range map[string]string{
		"silent": "",
		"header": "POST / HTTP/1.1\r\nHost: localhost\r\n",
		"body":   "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: 1000\r\n\r\n<method",
		"idle":   Post1("text/xml", "<methodCall><methodName>m</methodName></methodCall>"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			io.WriteString(c, opening)
			began := time.Now()
			go func() { // a byte now and then must not help
				for {
					time.Sleep(50 * time.Millisecond)
					if _, err := io.WriteString(c, "x"); name == "idle" || err != nil {
						return
					}
				}
			}()
			// on a busy machine a proper peer may be too slow now and then
			_, err = Call(context.Background(), "http://"+address+"/", "m")
			for i := 0; i < 20 && err != nil; i++ {
				_, err = Call(context.Background(), "http://"+address+"/", "m")
			}
			if err != nil {
				t.Errorf("a proper call meanwhile: %v", err)
			}
			c.SetReadDeadline(time.Now().Add(Patience))
			if _, err := io.Copy(io.Discard, c); errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
				t.Errorf("still open after %v", time.Since(began))
			}
		})
	}
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}
