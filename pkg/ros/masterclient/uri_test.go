package masterclient_test

import (
	"net/url"
	"strings"
	"testing"

	"sinew/pkg/ros/masterclient"
)

// rospy writes http://host:port/ around whatever its host is, with ROS_IPV6=on an address
// without brackets; roscpp and others bracket it.
func TestCheckURI(t *testing.T) {
	for _, c := range []struct{ uri, host, port string }{
		{"http://127.0.0.1:40519/", "127.0.0.1", "40519"},
		{"http://labpc:1", "labpc", "1"},
		{"http://::1:40519/", "::1", "40519"},
		{"http://[::1]:40519/", "::1", "40519"},
		{"http://fd00::12:40519/", "fd00::12", "40519"},
		{"http://2001:db8:0:0:0:0:0:9:40519/", "2001:db8:0:0:0:0:0:9", "40519"},
		{"http://fe80::1%eth0:40519/", "fe80::1%eth0", "40519"},
		{"http://::ffff:10.0.0.1:40519/RPC2", "::ffff:10.0.0.1", "40519"},
	} {
		if host, port, err := masterclient.CheckURI(c.uri, "http"); host != c.host || port != c.port || err != nil {
			t.Errorf("%s: %s, %s, %v; want %s, %s", c.uri, host, port, err, c.host, c.port)
		}
	}
	for _, uri := range []string{"", "http://", "http://:1", "http://labpc", "http://a:b:c/", "rosrpc://labpc:1", "http://::1/", "labpc:1", "http://[::1:1/"} {
		if host, port, err := masterclient.CheckURI(uri, "http"); err == nil || !strings.Contains(err.Error(), "is no http://host:port") {
			t.Errorf("%q: %s, %s, %v", uri, host, port, err)
		}
	}
	if _, _, err := masterclient.CheckURI("http://a:1/"+strings.Repeat("x", masterclient.MaxURI), "http"); err == nil {
		t.Error("a URI without bound is taken")
	}
}

// What CheckURI takes can be called: its URI with brackets means the same host and port.
func FuzzCheckURI(f *testing.F) {
	for _, s := range []string{"http://::1:40519/", "http://[::1]:1/", "http://fe80::1%eth0:2/", "http://a:1", "http://1.2.3.4:5/RPC2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		host, port, err := masterclient.CheckURI(uri, "http")
		if err != nil {
			return
		}
		u, err := url.Parse(masterclient.Bracketed(uri))
		if err != nil || u.Hostname() != host || u.Port() != port {
			t.Errorf("%q: %s, %s; called at %v, %v", uri, host, port, u, err)
		}
		if again := masterclient.Bracketed(masterclient.Bracketed(uri)); again != masterclient.Bracketed(uri) {
			t.Errorf("%q becomes %q and then %q", uri, masterclient.Bracketed(uri), again)
		}
	})
}
