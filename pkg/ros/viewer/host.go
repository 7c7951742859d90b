package viewer

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/hostname"
)

// Host is an address with one server, or with those of a fleet, each below a path of its own. Access and the bounds of
// connections are those of the address.
type Host struct {
	log      *zap.Logger
	access   access
	listener net.Listener
	http     *http.Server
	warnings *bounded.RateLimiter[string]

	mu      sync.RWMutex
	servers []*Server
}

// Listen listens at an address as in --view; connections wait until Start.
func Listen(address string, to *zap.Logger) (*Host, error) {
	l, err := listen(address)
	if err != nil {
		return nil, fmt.Errorf("viewers: %w", hostname.Explain(err))
	}
	h := &Host{log: to, access: newAccess(address, l.Addr()), warnings: newLimiter(warningPeriod)}
	h.listener = bounded.LogErrors(unsentListener{l}, "viewers", to)
	h.http = &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, WriteTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ConnContext: withConn, ErrorLog: log.New(io.Discard, "", 0), // mistakes of viewers are reported to them only
	}
	return h, nil
}

// Start begins to serve.
func (h *Host) Start() {
	go page() // compressed before the first request
	go func() { _ = h.http.Serve(batchListener{&admission{Listener: h.listener, warn: h.warnOnce}}) }()
}

// Close closes the address. Viewers that are connected end with their servers.
func (h *Host) Close() error { return errors.Join(h.http.Close(), ignoreClosed(h.listener.Close())) }

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// warnOnce writes a warning unless one with the same text was written within warningPeriod.
func (h *Host) warnOnce(text string, fields ...zap.Field) {
	logLimited(h.warnings, h.log.Warn, text, fields)
}

func (h *Host) add(s *Server) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.servers = append(h.servers, s)
}

func (h *Host) remove(s *Server) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.servers {
		if h.servers[i] == s {
			h.servers = append(h.servers[:i:i], h.servers[i+1:]...)
			return
		}
	}
}

// ServeHTTP implements http.Handler. A path that no server has, such as / of a fleet, leads to the first one.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("X-Frame-Options", "DENY")
	head.Set("Referrer-Policy", "no-referrer") // the token is part of the link
	head.Set("Content-Security-Policy", page().policy)
	if why := h.access.refuse(r); why != "" {
		head.Set("Connection", "close") // it counts as pending
		http.Error(w, why, http.StatusForbidden)
		return
	}
	if c, ok := connOf(r).Conn.(*admittedConn); ok && !c.admit() {
		h.warnOnce("request refused: too many connections", zap.String("peer", r.RemoteAddr), zap.Int("most", maxConnections))
		head.Set("Connection", "close")
		http.Error(w, fmt.Sprintf("%d connections are open, the most allowed; close pages and viewers that are not needed", maxConnections), http.StatusServiceUnavailable)
		return
	}
	s, rest := h.server(r.URL.Path)
	switch {
	case s != nil:
		s.serve(w, r, rest)
	case r.URL.Path == "/" && rest != "":
		http.Redirect(w, r, rest+"?"+r.URL.RawQuery, http.StatusTemporaryRedirect)
	default:
		http.NotFound(w, r)
	}
}

// server returns the server of a path with the rest of that, which begins with a slash, or nil with the path of the first one.
func (h *Host) server(path string) (s *Server, rest string) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, s := range h.servers {
		if below, is := strings.CutPrefix(path, s.path); is {
			return s, "/" + below
		}
	}
	if len(h.servers) > 0 {
		return nil, h.servers[0].path
	}
	return nil, ""
}

// Link returns the address of the host, with the token if one is needed. It leads to the page of the first server.
func (h *Host) Link() string { return "http://" + h.access.authority() + "/" + h.access.query() }
