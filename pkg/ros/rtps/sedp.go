package rtps

import (
	"bytes"
	"slices"

	"sinew/pkg/ros/rtps/wire"
)

// sedpPair is one of the two endpoint topics: about writers, about readers
// (8.5.4).
type sedpPair struct {
	writer, reader       wire.EntityID
	hasWriter, hasReader uint32
}

var sedpPairs = [2]sedpPair{
	{wire.SEDPPubWriter, wire.SEDPPubReader, wire.HasSEDPPubWriter, wire.HasSEDPPubReader},
	{wire.SEDPSubWriter, wire.SEDPSubReader, wire.HasSEDPSubWriter, wire.HasSEDPSubReader},
}

// sedpReaderOf returns the built-in reader of the samples of a built-in writer.
func sedpReaderOf(writer wire.EntityID) wire.EntityID {
	for _, p := range sedpPairs {
		if p.writer == writer {
			return p.reader
		}
	}
	if writer == wire.MessageWriter {
		return wire.MessageReader
	}
	return wire.EntityUnknown
}

// builtinQoS is the quality of service of the endpoint topics, whose history is
// kept per endpoint.
var builtinQoS = QoS{Reliable: true, TransientLocal: true, Depth: maxLocal + keptDisposes}

// startSEDP makes the built-in writers and readers and matches this participant with itself.
func (e *engine) startSEDP() {
	for i, p := range sedpPairs {
		w := e.newLocalWriter(builtinQoS.describe(GUID{Prefix: e.guid.Prefix, Entity: p.writer}, "", "", nil), builtinQoS)
		e.sedp[i] = w
		e.writers[p.writer] = w
		about := i == 0
		e.readers[p.reader] = &localReader{
			e:       e,
			data:    builtinQoS.describe(GUID{Prefix: e.guid.Prefix, Entity: p.reader}, "", "", nil),
			deliver: func(from *writerProxy, _ int64, s sample) { e.endpoint(from.remote, about, s) },
		}
	}
	e.startMessages()
	if e.opts.Range == Off {
		return
	}
	data := e.describe(true)
	self := e.admit(&data, loopback, true)
	self.discovery, _ = e.choose(self.data.Metatraffic, loopback)
	self.user, _ = e.choose(self.data.Default, loopback)
	self.proven, self.onHost = true, true
	e.matchBuiltins(self)
}

// startMessages makes the built-in reader of 8.4.13. The contents of its samples are ignored: any
// message renews the lease, and some participants send nothing else until this reader exists.
func (e *engine) startMessages() {
	e.readers[wire.MessageReader] = &localReader{
		e:       e,
		data:    builtinQoS.describe(GUID{Prefix: e.guid.Prefix, Entity: wire.MessageReader}, "", "", nil),
		deliver: func(*writerProxy, int64, sample) {},
	}
}

// matchBuiltins matches the built-in endpoints with those of a participant.
func (e *engine) matchBuiltins(r *remote) {
	for i, p := range sedpPairs {
		if r.data.Builtin&p.hasReader != 0 {
			d := builtinQoS.describe(GUID{Prefix: r.data.GUID.Prefix, Entity: p.reader}, "", "", nil)
			e.sedp[i].match(r, &d)
		}
		if r.data.Builtin&p.hasWriter != 0 {
			d := builtinQoS.describe(GUID{Prefix: r.data.GUID.Prefix, Entity: p.writer}, "", "", nil)
			e.readers[p.reader].match(r, &d)
		}
	}
	if r.data.Builtin&wire.HasMessageWriter != 0 {
		d := builtinQoS.describe(GUID{Prefix: r.data.GUID.Prefix, Entity: wire.MessageWriter}, "", "", nil)
		e.readers[wire.MessageReader].match(r, &d)
	}
}

// unmatchBuiltins undoes matchBuiltins.
func (e *engine) unmatchBuiltins(r *remote) {
	for i, p := range sedpPairs {
		e.sedp[i].unmatch(GUID{Prefix: r.data.GUID.Prefix, Entity: p.reader})
		e.readers[p.reader].unmatch(GUID{Prefix: r.data.GUID.Prefix, Entity: p.writer})
	}
	e.readers[wire.MessageReader].unmatch(GUID{Prefix: r.data.GUID.Prefix, Entity: wire.MessageWriter})
}

// publish announces a local endpoint.
func (e *engine) publish(d *wire.EndpointData) {
	var b wire.Builder
	b.Endpoint(d)
	e.sedpOf(d.GUID).write(change{payload: b.Bytes, key: d.GUID, stamp: wire.TimeOf(e.now)})
}

// retract announces that a local endpoint has ended.
func (e *engine) retract(g GUID) {
	var b wire.Builder
	b.EndpointKey(g)
	e.sedpOf(g).write(change{payload: b.Bytes, key: g, ended: true, stamp: wire.TimeOf(e.now)})
}

func (e *engine) sedpOf(g GUID) *localWriter {
	if g.Entity.IsWriter() {
		return e.sedp[0]
	}
	return e.sedp[1]
}

// endpoint handles a sample of an endpoint topic.
func (e *engine) endpoint(r *remote, writer bool, s sample) {
	known, drop := r.readers, e.dropReader
	if writer {
		known, drop = r.writers, e.dropWriter
	}
	if s.inline.Ended() || s.key {
		if g := endedGUID(s.inline, s.payload); g.Prefix == r.data.GUID.Prefix && known[g.Entity] != nil {
			drop(r, g.Entity)
		}
		return
	}
	d, err := wire.ParseEndpoint(s.payload, writer)
	switch old := known[d.GUID.Entity]; {
	case err != nil:
		e.stats.add(malformed)
		return
	case d.GUID.Prefix != r.data.GUID.Prefix || isBuiltin(d.GUID.Entity):
		e.stats.add(refusedEndpoints)
		return
	case old != nil && sameEndpoint(old, &d):
		return
	case old != nil:
		drop(r, d.GUID.Entity)
	case r.endpoints() >= e.mostEndpoints(r), r.data.GUID != e.guid && e.endpoints >= e.opts.Limits.Endpoints && !e.relieve(r):
		e.stats.add(refusedEndpoints)
		return
	}
	known[d.GUID.Entity] = &d
	e.endpoints++
	e.matchRemote(r, &d, writer)
}

// mostEndpoints returns how many endpoints a participant may have: this one, which is matched with
// itself, as many as it can make.
func (e *engine) mostEndpoints(r *remote) int {
	if r.data.GUID == e.guid {
		return 2 * maxLocal
	}
	return max(1, e.opts.Limits.Endpoints/8)
}

// isBuiltin reports whether an entity is a built-in one, which discovery uses.
func isBuiltin(id wire.EntityID) bool { return id[3]&0xc0 == 0xc0 }

func sameEndpoint(a, b *wire.EndpointData) bool {
	return a.Topic == b.Topic && a.Type == b.Type && bytes.Equal(a.UserData, b.UserData) &&
		slices.Equal(a.Unicast, b.Unicast) && slices.Equal(a.Partitions, b.Partitions) &&
		slices.Equal(a.Representations, b.Representations) &&
		a.Reliability == b.Reliability && a.Durability == b.Durability && a.Deadline == b.Deadline &&
		a.Liveliness == b.Liveliness && a.LivelinessLease == b.LivelinessLease && a.Exclusive == b.Exclusive
}
