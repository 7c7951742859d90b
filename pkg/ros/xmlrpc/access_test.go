package xmlrpc_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"sinew/pkg/ros/xmlrpc"
)

// TestAccess: web pages are refused, also those whose name was pointed to 127.0.0.1 (DNS rebinding), with the cure.
// What ROS programs send is answered.
func TestAccess(t *testing.T) {
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int32
	var mu sync.Mutex
	var reports []string
	s := xmlrpc.Serve(l, func(context.Context, string, []any) (any, error) { calls.Add(1); return 0, nil }, xmlrpc.Access{
		Names: func() []string { return []string{"robot.lab", ""} },
		Refused: func(reason, peer string) {
			mu.Lock()
			defer mu.Unlock()
			reports = append(reports, peer+" "+reason)
		},
	})
	defer s.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, c := range []struct {
		host, headers string // %s is the port
		status        int
		body          string
	}{
		// Python's xmlrpc.client, roscpp and net/http send the host and port of the URI that they call.
		{"localhost:%s", "User-Agent: Python-xmlrpc/3.8\r\nAccept-Encoding: gzip\r\n", 200, ""},
		{"127.0.0.1:%s", "User-Agent: XMLRPC++ 0.7\r\n", 200, ""},
		{"127.0.1.1:%s", "", 200, ""}, {"[::1]:%s", "", 200, ""}, {"robot.localhost:%s", "", 200, ""}, {"ip6-localhost:%s", "", 200, ""},
		{"localhost", "", 200, ""}, {"", "", 200, ""},
		{own + ":%s", "", 200, ""}, {strings.ToUpper(own) + ":%s", "", 200, ""}, {"robot.lab:%s", "", 200, ""},

		{"evil.example:%s", "", 421, `Host is "evil.example", at the loopback address 127.0.0.1; allowed: localhost, loopback addresses, the host name of this computer, robot.lab; for another name of this computer set ROS_HOSTNAME`},
		{"127.0.0.1.evil.example:%s", "", 421, "evil.example"}, {"10.0.0.5:%s", "", 421, "10.0.0.5"}, {"lab:%s", "", 421, `"lab"`},
		{strings.Repeat("e", 5000) + ":%s", "", 421, "ee"},
		{"evil.example:%s", "Origin: http://evil.example\r\n", 403, `the header Origin: "http://evil.example"`},
		{"localhost:%s", "Origin: http://evil.example\r\n", 403, "ROS programs send none, and web pages use the address that --view prints"},
		{"localhost:%s", "Origin: http://localhost:8080\r\n", 403, "Origin"}, {"localhost:%s", "Origin: null\r\n", 403, "Origin"}, {"localhost:%s", "Origin: \r\n", 403, "Origin"},
		{"localhost:%s", "Sec-Fetch-Site: same-origin\r\n", 403, "Sec-Fetch-Site"},
	} {
		host := c.host
		if strings.Contains(host, "%s") {
			host = fmt.Sprintf(host, port)
		}
		before := calls.Load()
		request := "POST /RPC2 HTTP/1.1\r\nHost: " + host + "\r\n" + c.headers + "Content-Type: text/xml\r\n"
		body := "<methodCall><methodName>m</methodName></methodCall>"
		status, answer := exchange(t, l.Addr().String(), fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", request, len(body), body))
		if status != c.status || !strings.Contains(answer, c.body) || (status == 200) != (calls.Load() > before) || len(answer) > 1000 {
			t.Errorf("Host %.50q %q: status %d, %q, %d calls; want %d, %q", host, c.headers, status, answer, calls.Load()-before, c.status, c.body)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(reports) != 2 || !strings.HasPrefix(reports[0], "127.0.0.1:") || !strings.Contains(reports[0], "evil.example") || !strings.Contains(reports[1], "Origin") {
		t.Errorf("reports: %q", reports)
	}
}

// exchange sends a request as it is written and returns the status and the body of the answer.
func exchange(t *testing.T, address, request string) (status int, body string) {
	t.Helper()
	c, r := send(t, address, request)
	if r == nil {
		return 0, ""
	}
	defer c.Close()
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	return r.StatusCode, string(text)
}

// TestAccessFromElsewhere: a computer on the network calls this one by any name, which the resolver there has.
func TestAccessFromElsewhere(t *testing.T) {
	var address string
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			address = n.IP.String()
		}
	}
	if address == "" {
		t.Skip("this computer has no network: it has only loopback addresses")
	}
	l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		t.Fatal(err)
	}
	s := xmlrpc.Serve(l, xmlrpc.Echo, xmlrpc.Access{})
	defer s.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+l.Addr().String(), strings.NewReader("<methodCall><methodName>m</methodName></methodCall>"))
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "robot-in-the-lab:11311"
	request.Header.Set("Content-Type", "text/xml")
	for origin, want := range map[string]int{"": 200, "http://robot-in-the-lab:11311": 403} {
		if origin != "" {
			request.Header.Set("Origin", origin)
		}
		request.Body, _ = request.GetBody()
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("origin %q: status %d, want %d", origin, r.StatusCode, want)
		}
		request.Header.Del("Origin")
	}
}
