package ros1

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
)

// guard is the TCPROS server that the network sees.
type guard struct {
	listener net.Listener
	inner    string // address of the TCPROS server in the box
	offers   *offers
	frozen   time.Duration
	log      *zap.Logger
	running  sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]struct{} // nil once closed
}

func newGuard(l net.Listener, inner string, o *offers, frozen time.Duration, log *zap.Logger) *guard {
	g := &guard{listener: l, inner: inner, offers: o, frozen: frozen, log: log, conns: map[net.Conn]struct{}{}}
	g.running.Go(g.accept)
	return g
}

// close cuts all connections.
func (g *guard) close() {
	g.mu.Lock()
	for c := range g.conns {
		_ = c.Close()
	}
	g.conns = nil
	g.mu.Unlock()
	_ = g.listener.Close()
	g.running.Wait()
}

func (g *guard) accept() {
	for {
		c, err := g.listener.Accept()
		if err != nil {
			if !g.open() {
				return
			}
			// out of descriptors, for example: it passes
			g.log.Warn("TCPROS connection not accepted", zap.Error(err))
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if !g.hold(c) {
			_ = c.Close()
			continue
		}
		g.running.Go(func() {
			defer g.release(c)
			g.serve(c)
		})
	}
}

func (g *guard) open() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.conns != nil
}

// hold takes a connection among those that close cuts. It refuses beyond the
// limit: a peer that is refused sees that it is, one that is kept waiting does
// not.
func (g *guard) hold(c net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.conns == nil || len(g.conns) >= 2*maxConnections {
		return false
	}
	g.conns[c] = struct{}{}
	return true
}

func (g *guard) release(c net.Conn) {
	_ = c.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
}

// serve answers one connection from its header to its end.
func (g *guard) serve(peer net.Conn) {
	deadline := time.Now().Add(handshakeTime)
	_ = peer.SetDeadline(deadline)
	h, err := readHeader(peer)
	if err != nil {
		g.log.Debug("TCPROS connection refused", zap.Stringer("peer", peer.RemoteAddr()), zap.Error(err))
		return
	}
	f, h, err := g.check(h)
	if err != nil {
		g.log.Info("TCPROS connection refused", zap.Stringer("peer", peer.RemoteAddr()),
			zap.String("caller", h["callerid"]), zap.Error(err))
		_, _ = peer.Write(header{"error": err.Error()}.append(nil))
		return
	}
	inner, err := net.DialTimeout("tcp", g.inner, handshakeTime)
	if err != nil {
		g.log.Warn("TCPROS connection refused", zap.String("name", f.name), zap.Error(err))
		return
	}
	if !g.hold(inner) {
		_ = inner.Close()
		return
	}
	defer g.release(inner)

	r := &relayed{caller: h["callerid"], offer: f, peer: peer}
	if !f.service {
		r.queue = bounded.NewQueue[[]byte](relayQueue)
	}
	g.offers.join(r)
	defer g.offers.leave(r)
	// goroslib refuses a caller that it believes to be connected, such as one
	// that was cut off and has come again.
	h["callerid"] = fmt.Sprintf("%s#%d", r.caller, r.id)
	_ = inner.SetDeadline(deadline)
	if _, err := inner.Write(h.append(nil)); err != nil {
		return
	}
	g.relay(r, inner)
}

// check finds what a connection is for, and gives the header to send into the
// box.
func (g *guard) check(h header) (*offer, header, error) {
	name, isTopic := h["topic"]
	if !isTopic {
		var isService bool
		if name, isService = h["service"]; !isService {
			return nil, h, errors.New("the header names no topic and no service")
		}
	}
	f := g.offers.find(name, !isTopic)
	switch md5 := h["md5sum"]; {
	case f == nil && isTopic:
		return nil, h, fmt.Errorf("this node does not publish %.80s", name)
	case f == nil:
		return nil, h, fmt.Errorf("this node does not offer %.80s", name)
	case md5 != "*" && md5 != f.md5:
		return nil, h, fmt.Errorf("%s is %s with md5sum %s, not %.60s with %.32s", name, f.kind, f.md5, h["type"], md5)
	}
	if isTopic {
		h = h.only("callerid", "topic", "type", "md5sum")
		h["tcp_nodelay"] = "1"
		return f, h, nil
	}
	return f, h.only("callerid", "service", "md5sum", "persistent", "probe"), nil
}
