package viewer

import (
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/coder/websocket"
	"go.uber.org/zap"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// subprotocols are the names of the protocol.
var subprotocols = []string{"foxglove.sdk.v1", "foxglove.websocket.v1"}

// ServeHTTP gives the page or begins to serve a viewer, on the one path that there is.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer") // the token is part of the link
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	if why := s.access.refuse(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	switch {
	case r.URL.Path != "/":
		http.NotFound(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "allowed: GET, HEAD", http.StatusMethodNotAllowed)
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		s.accept(w, r)
	default:
		s.showPage(w)
	}
}

func (s *Server) showPage(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, map[string]any{ // whoever asked may have gone
		"Node": s.options.Node, "Socket": s.Socket(), "Foxglove": template.URL(s.Foxglove()),
		"Web":      foxgloveOrigin + "/~/view?ds=foxglove-websocket&ds.url=" + url.QueryEscape(s.Socket()),
		"Channels": s.channelList(), "Services": s.serviceList(), "Inputs": s.inputList(),
	})
}

// inputList lists the topics that the node subscribes to.
func (s *Server) inputList() []channelInfo {
	var list []channelInfo
	for name, in := range s.inboxes {
		list = append(list, channelInfo{Topic: name, SchemaName: in[0].topic.Type.ROS2Name})
	}
	slices.SortFunc(list, func(a, b channelInfo) int { return strings.Compare(a.Topic, b.Topic) })
	return list
}

// accept serves a viewer until it leaves.
func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	if !offers(r) {
		http.Error(w, "no subprotocol that is spoken here; allowed: "+strings.Join(subprotocols, ", "), http.StatusBadRequest)
		return
	}
	if !s.reserve() {
		s.log.Warn("viewer refused: there are too many", zap.String("viewer", r.RemoteAddr), zap.Int("most", maxViewers))
		http.Error(w, "there are too many viewers", http.StatusServiceUnavailable)
		return
	}
	defer s.release()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: subprotocols, InsecureSkipVerify: true, // access has decided
	})
	if err != nil { // who connects has been told
		return
	}
	c := newClient(s, conn, connOf(r), r.RemoteAddr)
	if !s.join(c) {
		_ = conn.CloseNow()
		return
	}
	defer s.leave(c)
	s.log.Info("viewer joined", zap.String("viewer", r.RemoteAddr), zap.String("origin", short(r.Header.Get("Origin"))))
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
