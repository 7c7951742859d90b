package xmlrpc

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/hostname"
)

// Access says which requests a server answers. It refuses all of web pages, which no ROS program
// is: a browser adds Origin to every POST and Sec-Fetch-Site to every request, and no page can
// remove them. On connections to a loopback address it refuses each Host that is no name of this
// computer, because a page whose name was pointed to 127.0.0.1 (DNS rebinding) sends its own name.
//
// ROS programs send as Host what is in the URI that they call, with the port: xmlrpc.client of
// Python (rospy, rosmaster, rostopic), XmlRpcClient of roscpp and net/http (goroslib) alike. That is
// the host of ROS_MASTER_URI for the master and that of the advertised URI for a node.
type Access struct {
	// Names, if not nil, returns names of this computer beside localhost, loopback addresses and its
	// host name, such as the one that it advertises. It is called for each request that needs it.
	Names func() []string
	// Refused, if not nil, is called with the reason for which a request was refused and the address
	// that it came from, at most every refusedPeriod.
	Refused func(reason, peer string)
}

// refusedPeriod is the least time between two reports of refused requests.
const refusedPeriod = 10 * time.Second

// maxShown is how many bytes of a header a message shows.
const maxShown = 100

// refuse returns the HTTP status and the reason for which a request is refused; 0 is none.
func (a *Access) refuse(r *http.Request) (status int, reason string) {
	for _, name := range []string{"Origin", "Sec-Fetch-Site"} {
		if v := r.Header.Values(name); len(v) > 0 {
			return http.StatusForbidden, fmt.Sprintf("the request has the header %s: %.*q, as those of web pages; ROS programs send none, and web pages use the address that --view prints",
				name, maxShown, v[0])
		}
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	host := hostname.Of(r.Host)
	if local == nil || !local.IP.IsLoopback() || host == "" || hostname.IsLoopback(host) || hostname.IsOwn(host) {
		return 0, "" // browsers do not leave the host out
	}
	var names []string
	if a.Names != nil {
		names = a.Names()
	}
	if slices.ContainsFunc(names, func(name string) bool { return hostname.Equal(name, host) }) {
		return 0, ""
	}
	names = slices.DeleteFunc(append([]string{"localhost", "loopback addresses", "the host name of this computer"}, names...), func(name string) bool { return name == "" })
	return http.StatusMisdirectedRequest, fmt.Sprintf("Host is %.*q, at the loopback address %s; allowed: %s; for another name of this computer set ROS_HOSTNAME or ROS_MASTER_URI of the program that serves it",
		maxShown, host, local.IP, strings.Join(names, ", "))
}

// newReports returns the rate limiter of the reports of a server.
func newReports() *bounded.RateLimiter[int] {
	begun := time.Now()
	return bounded.NewRateLimiter[int](refusedPeriod, func() time.Duration { return time.Since(begun) })
}
