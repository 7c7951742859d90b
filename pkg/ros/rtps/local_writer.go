package rtps

import (
	"slices"
	"sync/atomic"
	"time"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/rtps/wire"
)

// Heartbeats request acknowledgements while some are missing: soon after a write, then less and
// less often, since the reader may have gone.
const (
	heartbeatFirst = 20 * time.Millisecond
	heartbeatLast  = time.Second
)

// awaitReader is how long a sample for one reader only waits for the discovery of the reader: the
// reply to a request may be written before the announcement of its reader has arrived.
const awaitReader = 2 * time.Second

// localWriter is a stateful writer (8.4.9) as the engine sees it.
type localWriter struct {
	e       *engine
	data    wire.EndpointData
	handle  *Writer // nil when built in
	history history
	last    int64          // sequence number of the last change
	proxies []*readerProxy // those of one participant are adjacent

	timer      timer
	interval   time.Duration
	heartbeats uint32 // count of the last one
}

func (e *engine) newLocalWriter(d wire.EndpointData, q QoS) *localWriter {
	w := &localWriter{e: e, data: d, history: newHistory(q.Depth)}
	w.timer.fire = w.remind
	return w
}

func (w *localWriter) proxy(reader GUID) *readerProxy {
	for _, p := range w.proxies {
		if p.guid == reader {
			return p
		}
	}
	return nil
}

func (w *localWriter) id() GUID { return w.data.GUID }

func (w *localWriter) handleMatches() *atomic.Int32 { return &w.handle.matched }

func (w *localWriter) counterparts(of *remote) map[wire.EntityID]*wire.EndpointData {
	return of.readers
}

func (w *localWriter) matches() []GUID {
	all := make([]GUID, len(w.proxies))
	for i, p := range w.proxies {
		all[i] = p.guid
	}
	return all
}

// match starts to send to a remote reader.
func (w *localWriter) match(r *remote, d *wire.EndpointData) {
	p := &readerProxy{
		w: w, remote: r, guid: d.GUID,
		reliable: w.data.Reliability == wire.Reliable && d.Reliability == wire.Reliable,
		to:       w.e.addressOf(r, d),
		start:    w.last + 1,
		queue:    bounded.NewRing[request](w.history.Limit() + maxQueue),
	}
	if w.data.Durability >= wire.TransientLocal && d.Durability >= wire.TransientLocal {
		p.start = 1
		w.history.expire(w.e.now, w.data.Lifespan)
	}
	if first, found := w.history.awaited(d.GUID, w.e.now.Add(-awaitReader)); found {
		p.start = min(p.start, first)
	}
	p.acked = p.start
	if w.handle != nil && w.handle.variant != nil {
		p.variant = w.handle.variant(endpointOf(r, d))
	}
	p.pacer.fire = p.send
	w.add(p)
	if p.reliable {
		// announces the first sample; the reader requests those that it lacks
		p.heartbeat(false)
		w.expectAck()
		return
	}
	for i := range w.history.Len() {
		if c := w.history.At(i); c.sequence >= p.start && c.isFor(p.guid) {
			p.queue.Put(request{sequence: c.sequence})
		}
	}
	if r.proven { // what is kept may be large, and its address may have no participant
		p.send()
	}
}

// unmatch stops sending to a remote reader; false if it was not matched.
func (w *localWriter) unmatch(reader GUID) bool {
	i := slices.IndexFunc(w.proxies, func(p *readerProxy) bool { return p.guid == reader })
	if i < 0 {
		return false
	}
	w.e.timers.clear(&w.proxies[i].pacer)
	of := w.proxies[i].remote
	w.proxies = slices.Delete(w.proxies, i, i+1)
	w.agree(of)
	return true
}

// write assigns the next sequence number to c, keeps it and sends it to all readers.
func (w *localWriter) write(c change) {
	w.last++
	c.sequence, c.kept = w.last, w.e.now
	if c.key != (GUID{}) {
		w.history.supersede(c.key)
	}
	if len(w.proxies) > 0 || w.data.Durability >= wire.TransientLocal || c.to != (GUID{}) {
		w.history.Put(c)
	}
	for rest := w.proxies; len(rest) > 0; {
		n := siblings(rest)
		if w.handle == nil || !w.e.isSilent(rest[0].remote) {
			offerTogether(rest[:n], &c)
		}
		rest = rest[n:]
	}
	w.expectAck()
}

// expectAck schedules a request for acknowledgements.
func (w *localWriter) expectAck() {
	w.interval = heartbeatFirst
	due := w.e.now.Add(w.interval)
	if w.data.Reliability == wire.Reliable && (w.timer.place == 0 || w.timer.at.After(due)) {
		w.e.timers.set(&w.timer, due)
	}
}

// remind requests acknowledgements from the readers that have not acknowledged everything.
func (w *localWriter) remind() {
	waiting := false
	for _, p := range w.proxies {
		if w.handle != nil && w.e.isSilent(p.remote) {
			continue
		}
		if p.reliable && (p.acked <= w.last || !p.knows) {
			waiting = true
			if !p.busy() {
				p.heartbeat(false)
				p.asked()
			}
		}
	}
	if waiting {
		w.interval = min(2*w.interval, heartbeatLast)
		w.e.after(w.interval, &w.timer)
	}
}

// close retracts the announcement of the writer.
func (w *localWriter) close() {
	w.e.timers.clear(&w.timer)
	for _, p := range w.proxies {
		w.e.timers.clear(&p.pacer)
	}
	delete(w.e.writers, w.data.GUID.Entity)
	w.e.retract(w.data.GUID)
}
