package masterclient

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// maxURI bounds the URI of a node or service, in bytes.
const maxURI = 300 // a host name has at most 253

// CheckURI returns host and port of the URI of a node (scheme "http") or a service ("rosrpc"). An
// IPv6 address may lack its brackets, as with rospy and ROS_IPV6=on; the port is then the part
// after the last colon.
func CheckURI(uri, scheme string) (host, port string, err error) {
	u, err := url.Parse(bracketed(uri))
	if err != nil || len(uri) > maxURI || u.Scheme != scheme || u.Hostname() == "" || u.Port() == "" {
		return "", "", fmt.Errorf("%.80q is no %s://host:port", uri, scheme)
	}
	return u.Hostname(), u.Port(), nil
}

// bracketed puts the brackets of RFC 3986 around an IPv6 address that lacks them.
func bracketed(uri string) string {
	scheme, rest, _ := strings.Cut(uri, "://")
	authority, path, slash := strings.Cut(rest, "/")
	i := strings.LastIndexByte(authority, ':')
	if i < 0 {
		return uri
	}
	a, err := netip.ParseAddr(authority[:i])
	if err != nil || !a.Is6() {
		return uri
	}
	uri = scheme + "://" + net.JoinHostPort(strings.Replace(authority[:i], "%", "%25", 1), authority[i+1:])
	if slash {
		uri += "/" + path
	}
	return uri
}
