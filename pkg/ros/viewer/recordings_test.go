package viewer

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// withRecordings is a server of one recording, run 1.mcap, and its folder, which has another file.
func withRecordings(t *testing.T, address string, data []byte) (s *Server, dir string) {
	t.Helper()
	dir = t.TempDir()
	Must(t, os.WriteFile(filepath.Join(dir, "run 1.mcap"), data, 0o600))
	Must(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600))
	s, err := New(Options{Address: address, Node: "/robot", Recordings: func(name string) (string, bool) {
		return filepath.Join(dir, name), name == "run 1.mcap" || name == "lost.mcap"
	}})
	Must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s, dir
}

// Recordings of this run, and nothing else, can be loaded, as a whole or in parts, by who may connect.
func TestRecordings(t *testing.T) {
	data := []byte("0123456789")
	s, dir := withRecordings(t, "127.0.0.1:0", data)
	s.Start()
	open, _ := withRecordings(t, "0.0.0.0:0", data)
	open.Start()
	type header = map[string]string
	for _, c := range []struct {
		server *Server
		path   string
		header header
		status int
		body   string
	}{
		{s, "recordings/run%201.mcap", nil, 200, "0123456789"},
		{s, "recordings/run%201.mcap", header{"Range": "bytes=2-4"}, 206, "234"},
		{s, "recordings/run%201.mcap", header{"Range": "bytes=-3"}, 206, "789"},
		{s, "recordings/run%201.mcap", header{"Range": "bytes=10-"}, 416, ""},
		{s, "recordings/run%201.mcap", header{"Origin": "http://localhost:3000"}, 200, "0123456789"},
		{s, "recordings/run%201.mcap", header{"Sec-Fetch-Site": "same-origin"}, 200, "0123456789"},
		{s, "recordings/run%201.mcap", header{"Sec-Fetch-Site": "cross-site"}, 403, ""},
		{s, "recordings/run%201.mcap", header{"Origin": "http://evil.com"}, 403, ""},
		{s, "recordings/run%201.mcap", header{"Host": "evil.com"}, 403, ""},
		{s, "history?topic=/x&from=0&to=1", header{"Sec-Fetch-Site": "cross-site"}, 403, ""},
		{s, "recordings/secret", nil, 404, ""},
		{s, "recordings/lost.mcap", nil, 404, ""},
		{s, "recordings/", nil, 404, ""},
		{s, "recordings", nil, 404, ""},
		{s, "recordings/../recordings/run%201.mcap", nil, 404, ""},
		{s, "recordings/%2e%2e/run%201.mcap", nil, 404, ""},
		{s, "recordings/..%2f" + filepath.Base(dir) + "%2frun%201.mcap", nil, 404, ""},
		{s, "recordings/" + strings.ReplaceAll(dir, "/", "%2f") + "%2fsecret", nil, 404, ""},
		{s, "recordings/run%201.mcap%00", nil, 404, ""},
		{open, "recordings/run%201.mcap", nil, 403, ""},
		{open, "recordings/run%201.mcap?token=" + open.host.access.token, nil, 200, "0123456789"},
	} {
		bare, _, _ := strings.Cut(c.server.Link(), "?")
		r, err := http.NewRequest(http.MethodGet, bare+c.path, nil)
		Must(t, err)
		for k, v := range c.header {
			if r.Header.Set(k, v); k == "Host" {
				r.Host = v
			}
		}
		got, err := http.DefaultTransport.RoundTrip(r)
		Must(t, err)
		body, err := io.ReadAll(got.Body)
		Must(t, err)
		if got.StatusCode != c.status || c.body != "" && string(body) != c.body || strings.Contains(string(body), "secret") {
			t.Errorf("%s %v: %d %q, want %d %q", c.path, c.header, got.StatusCode, body, c.status, c.body)
		}
		if h := got.Header; c.status == 200 && (h.Get("Content-Disposition") != `attachment; filename="run 1.mcap"` || h.Get("Content-Length") != "10" || h.Get("Accept-Ranges") != "bytes") {
			t.Errorf("%s: %v", c.path, h)
		}
	}
	r, err := http.Post(s.Link()+"recordings/run%201.mcap", "", nil)
	Must(t, err)
	r.Body.Close()
	if r.StatusCode != 405 {
		t.Errorf("POST: %d", r.StatusCode)
	}
	none := NewFakeNode(t)
	if r, err = http.Get(none.Link() + "recordings/run%201.mcap"); err != nil || r.StatusCode != 404 {
		t.Errorf("without recordings: %v, %v", r, err)
	}
	r.Body.Close()
	if r, err = http.Get(none.Link() + "history?topic=/x&from=0&to=1"); err != nil || r.StatusCode != 404 {
		t.Errorf("history of a robot that runs: %v, %v", r, err)
	}
	r.Body.Close()
}

// A recording that takes longer to load than other requests may is not cut off.
func TestSlowDownload(t *testing.T) {
	const slow, parts = 20 * time.Millisecond, 64
	data := bytes.Repeat([]byte("recording "), 3<<20)
	s, _ := withRecordings(t, "127.0.0.1:0", data)
	s.host.http.WriteTimeout = 10 * slow
	s.Start()
	r, err := http.Get(s.Link() + "recordings/run%201.mcap")
	Must(t, err)
	defer r.Body.Close()
	var got bytes.Buffer
	for range parts {
		n, err := io.CopyN(&got, r.Body, int64(len(data)/parts))
		if err != nil {
			t.Fatalf("cut off after %d of %d bytes: %v", got.Len()+int(n), len(data), err)
		}
		time.Sleep(slow)
	}
	_, err = io.Copy(&got, r.Body)
	Must(t, err)
	if !bytes.Equal(got.Bytes(), data) {
		t.Errorf("%d of %d bytes", got.Len(), len(data))
	}
}
