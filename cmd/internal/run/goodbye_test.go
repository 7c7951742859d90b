package run_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
)

// TestMasterHangsAtTheEnd: a node whose master hangs, in the middle of a call of the node's,
// ends in time and says what it has left behind, whatever else it has at the master.
func TestMasterHangsAtTheEnd(t *testing.T) {
	m, err := master.Start("127.0.0.1:0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	target, err := url.Parse(m.URI())
	if err != nil {
		t.Fatal(err)
	}
	var hangs atomic.Bool
	var calls atomic.Int32 // that hang
	proxy := httputil.NewSingleHostReverseProxy(target)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hangs.Load() {
			_, _ = io.Copy(io.Discard, r.Body) // then the server notices that the caller leaves
			calls.Add(1)
			<-r.Context().Done()
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	defer front.Close()
	t.Setenv("ROS_MASTER_URI", front.URL)
	t.Setenv("ROS_IP", "127.0.0.1")

	text := ""
	for range 3 { // a busy machine may not let it say all in time
		hangs.Store(false)
		calls.Store(0)
		go func() {
			at := masterclient.Client{URI: m.URI(), Caller: "/test"}
			for _, err := at.LookupNode(t.Context(), "/fakesim"); err != nil && t.Context().Err() == nil; _, err = at.LookupNode(t.Context(), "/fakesim") {
				time.Sleep(10 * time.Millisecond)
			}
			hangs.Store(true)
			for calls.Load() < 2 && t.Context().Err() == nil { // both of the calls that the node makes once a second
				time.Sleep(10 * time.Millisecond)
			}
			_ = syscall.Kill(syscall.Getpid(), syscall.SIGINT)
		}()
		var out output
		if err := app.Run(apptest.Robot(&apptest.Integrator{}), []string{"run", "--ros", "ros1", "--master", "external", "--no-demo", "--realtime", realtimeOfTests}, &out, &out); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		if calls.Load() < 3 {
			t.Fatalf("%d calls hung, want one of each of registrations, unregistering and parameters", calls.Load())
		}
		if text = out.String(); !strings.Contains(text, "good-bye") {
			break
		}
		_, _ = masterclient.Call(t.Context(), m.URI(), "unregisterPublisher", "/fakesim", "/fakesim/measured_cp", "http://127.0.0.1:1/")
	}
	if !strings.Contains(text, "shut down without unregistering: the ROS master did not answer in time") || strings.Contains(text, "good-bye") {
		t.Errorf("said\n%s", text)
	}
}
