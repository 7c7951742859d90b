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

// serve answers an accepted request for a path below that of the server: / has the page and the WebSocket of viewers, other
// paths have recordings and their contents.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, path string) {
	recording := strings.HasPrefix(path, "/"+RecordingsPath)
	switch {
	case path != "/" && path != licensesPath && path != historyPath && !recording:
		http.NotFound(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "allowed: GET, HEAD", http.StatusMethodNotAllowed)
	case recording:
		s.serveRecording(w, r, path)
	case path == historyPath:
		s.serveHistory(w, r)
	case path == licensesPath:
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
