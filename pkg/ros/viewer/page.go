package viewer

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/coder/websocket"
	"go.uber.org/zap"
)

// subprotocols are the names of the protocol.
var subprotocols = []string{"foxglove.sdk.v1", "foxglove.websocket.v1"}

// ServeHTTP implements http.Handler. The path / has the page and the WebSocket of viewers; other
// paths have recordings and their contents.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer") // the token is part of the link
	h.Set("Content-Security-Policy", page().policy)
	if why := s.access.refuse(r); why != "" {
		h.Set("Connection", "close") // it counts as pending
		http.Error(w, why, http.StatusForbidden)
		return
	}
	if c, ok := connOf(r).Conn.(*admittedConn); ok && !c.admit() {
		s.warnOnce("request refused: too many connections", zap.String("peer", r.RemoteAddr), zap.Int("most", maxConnections))
		h.Set("Connection", "close")
		http.Error(w, fmt.Sprintf("%d connections are open, the most allowed; close pages and viewers that are not needed", maxConnections), http.StatusServiceUnavailable)
		return
	}
	recording := strings.HasPrefix(r.URL.Path, "/"+RecordingsPath)
	switch {
	case r.URL.Path != "/" && r.URL.Path != licensesPath && r.URL.Path != historyPath && !recording:
		http.NotFound(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "allowed: GET, HEAD", http.StatusMethodNotAllowed)
	case recording:
		s.serveRecording(w, r)
	case r.URL.Path == historyPath:
		s.serveHistory(w, r)
	case r.URL.Path == licensesPath:
		page().licenses.serve(w, r)
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		s.accept(w, r)
	default:
		page().html.serve(w, r)
	}
}

// accept serves a viewer until it disconnects.
func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	if !offers(r) {
		http.Error(w, `unsupported WebSocket subprotocol; in Foxglove choose "Foxglove WebSocket", not "Rosbridge"; allowed: `+strings.Join(subprotocols, ", "), http.StatusBadRequest)
		return
	}
	period, err := periodOf(r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	place := s.reserve()
	if place {
		defer s.release()
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: subprotocols, InsecureSkipVerify: true, // access has checked the origin
	})
	if err != nil { // the library has sent an error
		return
	}
	if !place { // a page sees the reason of a close, but no answer to its request
		s.logOnce(s.log.Warn, "viewer refused: there are too many", zap.String("viewer", r.RemoteAddr), zap.Int("most", maxViewers))
		sendAway(conn, connOf(r), websocket.StatusTryAgainLater, fmt.Sprintf("%d viewers are connected, the most allowed; close one", maxViewers))
		return
	}
	c := newClient(s, conn, connOf(r), r.RemoteAddr)
	c.period = period
	if !s.join(c) {
		_ = conn.CloseNow()
		return
	}
	defer s.leave(c)
	s.logOnce(s.log.Info, "viewer joined", zap.String("viewer", r.RemoteAddr), zap.String("origin", short(r.Header.Get("Origin"))))
	c.run()
}

// offers reports whether a viewer offers a subprotocol.
func offers(r *http.Request) bool {
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for name := range strings.SplitSeq(line, ",") {
			if slices.Contains(subprotocols, strings.TrimSpace(name)) {
				return true
			}
		}
	}
	return false
}
