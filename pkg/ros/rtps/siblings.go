package rtps

import (
	"cmp"
	"slices"

	"sinew/pkg/ros/rtps/wire"
)

// The readers of one participant on a topic are siblings. They share a datagram where possible:
// otherwise a program that announces a hundred readers, at no cost, would have each sample sent to
// it a hundred times.

// add inserts a reader beside its siblings.
func (w *localWriter) add(p *readerProxy) {
	i := slices.IndexFunc(w.proxies, func(o *readerProxy) bool { return o.remote == p.remote })
	if i < 0 {
		i = len(w.proxies)
	} else {
		i += siblings(w.proxies[i:])
	}
	w.proxies = slices.Insert(w.proxies, i, p)
	w.agree(p.remote)
}

// agree sets the same first sample in heartbeats to all readers of a participant: the earliest that
// any of them needs, or the earliest that is kept while a reader that needs it may still be
// discovered. Cyclone DDS applies a heartbeat for one of its readers to all of them, and discards
// earlier samples also for those that still need them. A reader that needs less requests the
// samples and gets a GAP.
func (w *localWriter) agree(of *remote) {
	i := slices.IndexFunc(w.proxies, func(o *readerProxy) bool { return o.remote == of })
	if i < 0 {
		return
	}
	all := w.proxies[i:]
	all = all[:siblings(all)]
	first := int64(1)
	if w.data.Durability < wire.TransientLocal {
		first = slices.MinFunc(all, func(a, b *readerProxy) int { return cmp.Compare(a.start, b.start) }).start
	}
	for _, p := range all {
		p.first = first
	}
}

// siblings returns the number of readers at the beginning of a list that belong to one participant.
func siblings(all []*readerProxy) int {
	i := slices.IndexFunc(all, func(p *readerProxy) bool { return p.remote != all[0].remote })
	if i < 0 {
		return len(all)
	}
	return i
}

// offerTogether sends a new change to siblings.
func offerTogether(all []*readerProxy, c *change) {
	if len(all) == 1 || !alike(all, c) {
		for _, p := range all {
			p.offer(c)
		}
		return
	}
	sendWhole(all, c, c.payloadFor(all[0].variant))
}

// alike reports whether one datagram can carry a change for all siblings: none of them waits for an
// earlier sample, which it would overtake, and they have one address.
func alike(all []*readerProxy, c *change) bool {
	first := all[0]
	if c.to != (GUID{}) || len(c.payloadFor(first.variant)) > fragmentSize {
		return false
	}
	to := first.to()
	return !slices.ContainsFunc(all, func(p *readerProxy) bool {
		return p.busy() || p.variant != first.variant || p.to() != to
	})
}
