package rtps

import (
	"cmp"
	"slices"

	"sinew/pkg/ros/rtps/wire"
)

// The readers that one participant has of a topic are siblings. They share one datagram where they can:
// a program with a hundred of them, which costs nothing to invent, would otherwise have each sample sent
// to it a hundred times.

// add keeps siblings side by side.
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

// agree has the readers of a participant told of the same beginning, that of the one which wants most,
// and of all that is kept where one which wants that may still be found. Cyclone DDS takes a heartbeat to
// one of its readers for all of them, and what is before it from those that still want it. Who wants
// less asks for it and is told of a gap.
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

// siblings counts the readers at the beginning of a list that belong to one participant.
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

// alike reports whether one datagram can have a change for all siblings: none of them waits for an
// earlier one, which it would overtake, and they listen at one address.
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
