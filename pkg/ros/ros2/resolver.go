package ros2

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
)

// Times of the resolution of peers' names.
const (
	resolveEvery   = 5 * time.Second
	resolveTimeout = 2 * time.Second // for one name
)

// resolver resolves the names of static peers periodically in a goroutine of its own, so that a
// name may get an address later, and an address may change.
type resolver struct {
	peers  []Peer
	found  []netip.Addr // by peer; invalid while unknown
	failed []bool       // the failure has been logged
	lookup func(ctx context.Context, name string) ([]netip.Addr, error)
	set    func([]netip.AddrPort) error // of the participant
	log    *zap.Logger
}

func newResolver(peers []Peer, log *zap.Logger) *resolver {
	r := &resolver{peers: peers, found: make([]netip.Addr, len(peers)), failed: make([]bool, len(peers)), log: log}
	r.lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip4", name)
	}
	for i, p := range peers {
		if a, err := netip.ParseAddr(p.Host); err == nil {
			r.found[i] = a.Unmap()
		}
	}
	return r
}

// addresses returns the addresses that are known.
func (r *resolver) addresses() (all []netip.AddrPort) {
	for i, a := range r.found {
		if a.IsValid() {
			all = append(all, netip.AddrPortFrom(a, r.peers[i].Port))
		}
	}
	return all
}

// named reports whether any peer is given by name.
func (r *resolver) named() bool {
	return slices.ContainsFunc(r.peers, func(p Peer) bool { _, err := netip.ParseAddr(p.Host); return err != nil })
}

// run resolves until ctx ends.
func (r *resolver) run(ctx context.Context, every time.Duration) {
	if !r.named() {
		return
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		if r.update(ctx) {
			if err := r.set(r.addresses()); err != nil && ctx.Err() == nil {
				r.log.Warn("ROS 2: static peers not taken", zap.Error(err))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// update resolves all names concurrently and reports whether an address has changed.
func (r *resolver) update(ctx context.Context) (changed bool) {
	type answer struct {
		all []netip.Addr
		err error
	}
	answers := make([]answer, len(r.peers))
	var asked sync.WaitGroup
	for i, p := range r.peers {
		if _, err := netip.ParseAddr(p.Host); err == nil {
			continue
		}
		asked.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
			defer cancel()
			a := &answers[i]
			if a.all, a.err = r.lookup(ctx, p.Host); a.err == nil && len(a.all) == 0 {
				a.err = errors.New("it has no IPv4 address")
			}
		})
	}
	asked.Wait()
	if ctx.Err() != nil {
		return false
	}
	for i, a := range answers {
		if a.err != nil {
			r.complain(i, a.err)
		} else if a.all != nil && r.take(i, a.all) {
			changed = true
		}
	}
	return changed
}

// complain logs that a name has no address, once until it resolves again. A peer keeps its last
// address, so that an outage of the name service does not end a connection.
func (r *resolver) complain(i int, err error) {
	if r.failed[i] {
		return
	}
	r.failed[i] = true
	fields := []zap.Field{zap.String("peer", r.peers[i].Host), zap.Error(err)}
	if r.found[i].IsValid() {
		fields = append(fields, zap.Stringer("kept", r.found[i]))
	}
	r.log.Warn("ROS 2: static peer of "+peersVariable+" does not resolve; trying again every "+resolveEvery.String(), fields...)
}

// take compares the addresses of a name with the one in use; the order of the addresses may change
// from time to time.
func (r *resolver) take(i int, all []netip.Addr) (changed bool) {
	old := r.found[i]
	again := r.failed[i]
	r.failed[i] = false
	for j := range all {
		all[j] = all[j].Unmap()
	}
	if slices.Contains(all, old) {
		return false
	}
	r.found[i] = all[0]
	if again || old.IsValid() {
		fields := []zap.Field{zap.String("peer", r.peers[i].Host), zap.Stringer("address", all[0])}
		if old.IsValid() {
			fields = append(fields, zap.Stringer("before", old))
		}
		r.log.Info("ROS 2: static peer has an address", fields...)
	}
	return true
}
