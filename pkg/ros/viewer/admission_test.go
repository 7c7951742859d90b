package viewer_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"sinew/pkg/ros/viewer"
)

// Peers without the token, which hold connections and open ever more, keep nobody out that has it, and are told why
// they are closed.
func TestConnectionsWithoutToken(t *testing.T) {
	core, logs := observer.New(zap.WarnLevel)
	s, err := viewer.New(viewer.Options{Address: "0.0.0.0:0", Node: "/robot", Log: zap.New(core)})
	viewer.Must(t, err)
	defer s.Close()
	s.Start()
	link := s.Socket()
	_, port, _ := net.SplitHostPort(strings.Split(strings.TrimPrefix(link, "ws://"), "/")[0])
	address := "127.0.0.1:" + port
	link = "ws://" + address + link[strings.LastIndex(link, "/"):]
	silent, err := net.Dial("tcp", address)
	viewer.Must(t, err)
	defer silent.Close()

	ctx, cancel := context.WithCancel(t.Context())
	var flood sync.WaitGroup
	for k := range 4 {
		flood.Go(func() {
			var held []net.Conn
			for ctx.Err() == nil {
				c, err := net.Dial("tcp", address)
				if err != nil {
					continue
				}
				if k%2 == 1 {
					_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
				}
				if held = append(held, c); len(held) > 100 {
					held[0].Close()
					held = held[1:]
				}
				time.Sleep(10 * time.Millisecond)
			}
			for _, c := range held {
				c.Close()
			}
		})
	}
	defer flood.Wait()
	defer cancel()

	answer, err := http.ReadResponse(bufio.NewReader(silent), nil)
	viewer.Must(t, err)
	text, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	if answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(text), "use the link that the program prints") {
		t.Errorf("a connection that was closed got %d, %q", answer.StatusCode, text)
	}
	for _, from := range []string{"127.0.0.2", "127.0.0.1"} {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		client := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
		for range 20 {
			c, _, err := websocket.Dial(t.Context(), link, &websocket.DialOptions{Subprotocols: viewer.Subprotocols, HTTPClient: client})
			if err != nil {
				t.Fatalf("a viewer with the token from %s: %v", from, err)
			}
			if _, _, err := c.Read(t.Context()); err != nil {
				t.Errorf("a viewer with the token from %s: %v", from, err)
			}
			_ = c.CloseNow()
		}
	}
	warned := logs.FilterMessage("connection closed: too many without an accepted request").All()
	if len(warned) == 0 || warned[0].ContextMap()["peer"] != "127.0.0.1" {
		t.Errorf("warnings: %v", logs.All())
	}
	if len(warned) > 5 {
		t.Errorf("%d warnings", len(warned))
	}
}
