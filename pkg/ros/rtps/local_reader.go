package rtps

import (
	"slices"
	"sync/atomic"

	"sinew/pkg/ros/rtps/wire"
)

// sample is one change as a reader receives it.
type sample struct {
	payload []byte
	owned   bool // payload is not part of a datagram
	stamp   wire.Time
	inline  wire.Inline
	key     bool // payload is the key of an instance that ended
}

// own copies the payload, so that the sample outlives its datagram.
func (s sample) own() sample {
	if !s.owned {
		s.payload, s.owned = slices.Clone(s.payload), true
	}
	return s
}

// localReader is a stateful reader (8.4.12) as the engine sees it.
type localReader struct {
	e       *engine
	data    wire.EndpointData
	handle  *Reader // nil when built in
	deliver func(from *writerProxy, sequence int64, s sample)
	proxies []*writerProxy
}

func (r *localReader) proxy(writer GUID) *writerProxy {
	for _, p := range r.proxies {
		if p.guid == writer {
			return p
		}
	}
	return nil
}

func (r *localReader) id() GUID { return r.data.GUID }

func (r *localReader) handleMatches() *atomic.Int32 { return &r.handle.matched }

func (r *localReader) counterparts(of *remote) map[wire.EntityID]*wire.EndpointData {
	return of.writers
}

func (r *localReader) matches() []GUID {
	all := make([]GUID, len(r.proxies))
	for i, p := range r.proxies {
		all[i] = p.guid
	}
	return all
}

// match starts to receive from a remote writer.
func (r *localReader) match(from *remote, d *wire.EndpointData) {
	p := &writerProxy{
		r: r, remote: from, guid: d.GUID, to: r.e.addressOf(from, d), met: r.e.now,
		reliable:  r.data.Reliability == wire.Reliable && d.Reliability == wire.Reliable,
		fromFirst: r.data.Durability >= wire.TransientLocal || d.Durability == wire.Volatile,
	}
	p.timer.fire = p.retry
	r.proxies = append(r.proxies, p)
	from.sources = append(from.sources, p)
	if p.reliable {
		p.retry() // requests a first heartbeat
	}
}

// unmatch stops receiving from a remote writer; false if it was not matched.
func (r *localReader) unmatch(writer GUID) bool {
	i := slices.IndexFunc(r.proxies, func(p *writerProxy) bool { return p.guid == writer })
	if i < 0 {
		return false
	}
	r.proxies[i].close()
	r.proxies = slices.Delete(r.proxies, i, i+1)
	return true
}

// close retracts the announcement of the reader.
func (r *localReader) close() {
	for _, p := range r.proxies {
		p.close()
	}
	delete(r.e.readers, r.data.GUID.Entity)
	r.e.retract(r.data.GUID)
}
