package viewer_test

import (
	"net/http"
	"strings"
	"testing"

	"go.uber.org/zap"

	"sinew/pkg/ros/viewer"
)

// The servers of a host are below their paths, / leads to the first, and all need the token of the address.
func TestHostOfSeveralServers(t *testing.T) {
	host, err := viewer.Listen("0.0.0.0:0", zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	var servers []*viewer.Server
	for _, node := range []string{"/arms/left", "/arms/right"} {
		s, err := viewer.New(viewer.Options{Host: host, Path: node + "/", Node: node})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		servers = append(servers, s)
	}
	host.Start()
	base, token, _ := strings.Cut(host.Link(), "?")
	get := func(path, query string) (status int, at string) {
		t.Helper()
		r, err := http.Get(strings.TrimSuffix(base, "/") + path + query)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		return r.StatusCode, r.Request.URL.Path
	}
	for _, c := range []struct {
		path, query string
		status      int
		at          string
	}{
		{"/", "?" + token, 200, "/arms/left/"}, {"/arms/right/", "?" + token, 200, "/arms/right/"},
		{"/arms/right/licenses.txt", "?" + token, 200, "/arms/right/licenses.txt"}, {"/arms/none/", "?" + token, 404, "/arms/none/"},
		{"/", "", 403, "/"}, {"/arms/right/", "?token=none", 403, "/arms/right/"},
	} {
		if status, at := get(c.path, c.query); status != c.status || at != c.at {
			t.Errorf("%s%s: %d at %s, want %d at %s", c.path, c.query, status, at, c.status, c.at)
		}
	}
	if link := servers[1].Link(); link != strings.TrimSuffix(base, "/")+"/arms/right/?"+token {
		t.Errorf("the page of the second is at %s", link)
	}
	if err := servers[0].Close(); err != nil {
		t.Error(err)
	}
	if _, at := get("/", "?"+token); at != "/arms/right/" { // one robot of a fleet has left
		t.Errorf("without the first server / leads to %s", at)
	}
}
