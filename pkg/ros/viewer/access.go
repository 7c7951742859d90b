package viewer

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"

	"sinew/pkg/ros/hostname"
)

// access decides which requests are accepted.
//
// On a loopback address every program on this computer may connect, since it could as well command
// the robot by ROS, but no page from another site. Therefore the host of the request must be a
// loopback address, localhost, a name below it or the name that --view gives, which excludes foreign
// names that resolve to this computer. Its origin, which browsers set and pages cannot change, must
// be one of these:
//
//   - none: a program that is no browser
//   - http or https on such a host, any port: the page of this server, and Lichtblick or Foxglove
//     served from this computer
//   - https://app.foxglove.dev: Foxglove in the browser
//   - file://: the desktop applications of Foxglove and Lichtblick. It is also the origin of an
//     HTML file that a user saves and opens in a browser
//
// On any other address every request needs the token, which is unknown to foreign pages.
type access struct {
	token string // empty on a loopback address
	name  string // the host that --view gives
	addr  netip.AddrPort
}

// foxgloveOrigin is the origin of Foxglove in the browser.
const foxgloveOrigin = "https://app.foxglove.dev"

func newAccess(given string, a net.Addr) access {
	at := a.(*net.TCPAddr).AddrPort()
	at = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
	if at.Addr().IsLoopback() {
		return access{name: hostname.Of(given), addr: at}
	}
	return access{name: hostname.Of(given), addr: at, token: rand.Text()}
}

// refuse returns the reason why a request is refused, or "".
func (a access) refuse(r *http.Request) string {
	if a.token != "" {
		if subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("token")), []byte(a.token)) != 1 {
			return "the token is missing or wrong: use the link that the program prints"
		}
		return ""
	}
	if !a.isOwn(r.Host) {
		return fmt.Sprintf("Host is %.100q; allowed: localhost, loopback addresses and the host of --view: open %s, or choose another name of this computer with --view HOST", r.Host, "http://"+a.authority()+"/")
	}
	for _, origin := range r.Header.Values("Origin") {
		if !a.allowedOrigin(origin) {
			return fmt.Sprintf("Origin is %.100q; allowed: pages of this computer, %s and the desktop applications", origin, foxgloveOrigin)
		}
	}
	return ""
}

func (a access) allowedOrigin(origin string) bool {
	if origin == foxgloveOrigin || origin == "file://" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && a.isOwn(u.Host)
}

// isOwn reports whether "HOST" or "HOST:PORT" is a loopback address or a name of this computer.
func (a access) isOwn(authority string) bool {
	host := hostname.Of(authority)
	return hostname.IsLoopback(host) || host != "" && hostname.Equal(host, a.name)
}

// authority returns the address for links. For an unspecified address it is one at which other
// computers reach this one, if there is any.
func (a access) authority() string {
	if !a.addr.Addr().IsUnspecified() {
		return a.addr.String()
	}
	host := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	all, _ := net.InterfaceAddrs()
	for _, one := range all {
		if n, ok := one.(*net.IPNet); ok {
			if ip, ok := netip.AddrFromSlice(n.IP); ok && ip.Unmap().Is4() && ip.Unmap().IsGlobalUnicast() {
				host = ip.Unmap()
				break
			}
		}
	}
	return netip.AddrPortFrom(host, a.addr.Port()).String()
}

// query returns the end of links.
func (a access) query() string {
	if a.token == "" {
		return ""
	}
	return "?token=" + a.token
}

// Link returns the address of the page, with the token if one is needed.
func (s *Server) Link() string {
	return "http://" + s.host.access.authority() + s.path + s.host.access.query()
}

// Socket returns the address of the WebSocket.
func (s *Server) Socket() string {
	return "ws://" + s.host.access.authority() + s.path + s.host.access.query()
}

// Foxglove returns a link that opens the application.
func (s *Server) Foxglove() string {
	return "foxglove://open?ds=foxglove-websocket&ds.url=" + url.QueryEscape(s.Socket())
}
