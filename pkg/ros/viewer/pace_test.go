package viewer

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A pace keeps its rate whatever the jitter, and begins anew after a pause.
func TestPace(t *testing.T) {
	begin := time.Now()
	for _, c := range []struct{ every, period, want time.Duration }{
		{5 * time.Millisecond, 0, 5 * time.Millisecond},
		{5 * time.Millisecond, time.Second / 60, time.Second / 60},
		{time.Second / 60, time.Second / 60, time.Second / 60},
		{50 * time.Millisecond, time.Second / 60, 50 * time.Millisecond},
	} {
		p, n, last := pace{period: c.period, grid: begin.Add(-7 * time.Millisecond)}, 0, begin
		for i := range 2000 {
			jitter := time.Duration(i%3-1) * c.every / 30
			if now := begin.Add(time.Duration(i)*c.every + jitter); p.due(now) {
				if i > 0 && now.Sub(last) < c.period/2 {
					t.Fatalf("%v after another", now.Sub(last))
				}
				n, last = n+1, now
			}
		}
		if got := 2000 * c.every / time.Duration(n); got < c.want*98/100 || got > c.want*102/100 {
			t.Errorf("every %v at most every %v: every %v, want %v", c.every, c.period, got, c.want)
		}
	}
}

// Subscriptions of one viewer that begin at different times are due together.
func TestPacesOfOneGrid(t *testing.T) {
	const period = time.Second / 60
	begin := time.Now()
	a, b := pace{period: period, grid: begin}, pace{period: period, grid: begin}
	together, either := 0, 0
	for i := range 2000 {
		now := begin.Add(time.Duration(i) * 5 * time.Millisecond)
		one, other := a.due(now), i >= 7 && b.due(now)
		if one && other {
			together++
		}
		if one || other {
			either++
		}
	}
	if either > together+5 {
		t.Errorf("together %d times, %d times either", together, either)
	}
}

// max_hz bounds what may drop samples, for who asks, and nothing else.
func TestMaxHz(t *testing.T) {
	n := NewFakeNode(t)
	slow, fast := n.connectTo(t, n.Socket()+"?max_hz=0.02"), n.Connect(t)
	for _, p := range []*Peer{slow, fast} {
		p.Text(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":2},{"id":2,"channelId":3}]}`)
	}
	Until(t, "both viewers", func() bool { return n.channels[1].wanted.Load() == 2 && n.channels[2].wanted.Load() == 2 })
	for i := range 10 {
		Say(n.lossy, fmt.Sprint("lossy ", i), 1)
	}
	for i := range 10 {
		Say(n.Stream, fmt.Sprint(i), 1)
	}
	for p, want := range map[*Peer]int{fast: 10, slow: 1} {
		texts := map[uint32][]string{}
		for range 10 + want {
			_, data := p.Next()
			id := binary.LittleEndian.Uint32(data[1:])
			text, _ := TextOf(t, data, id)
			texts[id] = append(texts[id], text)
		}
		if got := texts[2]; len(got) != want || got[0] != "lossy 0" {
			t.Errorf("lossy: %q, want %d", got, want)
		}
		if got := texts[1]; len(got) != 10 || got[9] != "9" {
			t.Errorf("not lossy: %q", got)
		}
	}
	for _, bad := range []string{"0", "-1", "x", "NaN", "1e9"} {
		_, r, err := websocket.Dial(t.Context(), n.Socket()+"?max_hz="+bad, &websocket.DialOptions{Subprotocols: subprotocols})
		if err == nil || r.StatusCode != http.StatusBadRequest {
			t.Errorf("max_hz=%s: %v", bad, err)
		}
	}
}

// The page is one request, compressed, and small; its script is the only one that may run.
func TestPageFiles(t *testing.T) {
	n := NewFakeNode(t)
	get := func(path string, header ...string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(n.Link(), "/")+path, nil)
		Must(t, err)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		got, err := http.DefaultTransport.RoundTrip(r)
		Must(t, err)
		t.Cleanup(func() { got.Body.Close() })
		return got
	}
	const most = 400_000 // bytes, compressed
	r := get("/", "Accept-Encoding", "gzip")
	if r.StatusCode != 200 || r.Header.Get("Content-Encoding") != "gzip" || len(page().html.gzip) > most || len(page().html.gzip) < 10_000 {
		t.Errorf("%s, %v, %d bytes", r.Status, r.Header, len(page().html.gzip))
	}
	policy := r.Header.Get("Content-Security-Policy")
	if strings.Count(string(pageHTML), "<script") != 1 || !strings.Contains(policy, scriptHash(string(pageHTML))) || strings.Contains(policy, "script-src 'unsafe") {
		t.Errorf("%d scripts, %s", strings.Count(string(pageHTML), "<script"), policy)
	}
	if again := get("/", "If-None-Match", r.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("again: %s", again.Status)
	}
	if l := get("/licenses.txt"); l.StatusCode != 200 || !strings.Contains(string(pageLicenses), "three ") {
		t.Errorf("licenses: %s", l.Status)
	}
}
