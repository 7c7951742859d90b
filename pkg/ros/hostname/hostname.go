package hostname

import (
	"net"
	"os"
	"strings"
)

// IsLoopback reports whether a host, given by name or address, always means this computer,
// whatever /etc/hosts has: localhost and the names below it (RFC 6761) or a loopback address.
func IsLoopback(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	host = canonical(host)
	switch host {
	case "localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback":
		return true
	}
	return strings.HasSuffix(host, ".localhost")
}

// IsOwn reports whether host is the name of this computer, in full, without its domain, or in
// .local.
func IsOwn(host string) bool {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return false
	}
	host, name = canonical(host), canonical(name)
	short, _, _ := strings.Cut(name, ".")
	return host == name || host == short || host == short+".local"
}

// Equal reports whether two names of hosts, or two addresses, are equal.
func Equal(a, b string) bool {
	if x, y := net.ParseIP(a), net.ParseIP(b); x != nil && y != nil {
		return x.Equal(y)
	}
	return canonical(a) == canonical(b)
}

// Of returns the host of "HOST" or "HOST:PORT", as in the header Host of a request.
func Of(authority string) string {
	host := authority
	if h, _, err := net.SplitHostPort(authority); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// canonical returns a name in the form in which equal names are equal.
func canonical(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }
