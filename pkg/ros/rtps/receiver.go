package rtps

import (
	"io"
	"net/netip"

	"sinew/pkg/ros/rtps/wire"
)

// interpreter is the state that the submessages of a message set for those that follow (8.3.4).
type interpreter struct {
	e      *engine
	from   netip.Addr
	source wire.Prefix
	stamp  wire.Time
	ours   bool // the submessages are for this participant
	forged bool // source is a participant that does not send from this address
	direct bool // and for no other participant, so that their source has discovered this one
}

// receive handles one datagram. After an error it ignores the rest of the datagram (8.3.4.1).
func (e *engine) receive(p *packet) {
	e.stats.add(received)
	e.source = p.from.Addr()
	head, rest, err := wire.Open(p.bytes)
	if err != nil {
		e.stats.add(malformed)
		return
	}
	m := interpreter{e: e, from: p.from.Addr(), stamp: wire.TimeInvalid, ours: true}
	m.setSource(head.Prefix)
	for {
		s, err := rest.Next()
		if err == io.EOF {
			return
		}
		if err == nil {
			err = m.handle(s)
		}
		if err != nil {
			e.stats.add(malformed)
			return
		}
	}
}

// setSource sets the participant that the following submessages are from, and renews its lease.
func (m *interpreter) setSource(p wire.Prefix) {
	m.source, m.forged = p, false
	r := m.e.remotes[p]
	if r == nil {
		return
	}
	if m.forged = !m.e.isFrom(r, m.from); !m.forged {
		r.heard = m.e.now
	}
}

func (m *interpreter) handle(s wire.Submessage) (err error) {
	switch s.Kind {
	case wire.KindInfoTimestamp:
		m.stamp, err = s.InfoTimestamp()
	case wire.KindInfoDestination:
		var p wire.Prefix
		p, err = s.InfoDestination()
		m.direct = p == m.e.guid.Prefix
		m.ours = m.direct || p == wire.Prefix{}
	case wire.KindInfoSource:
		var h wire.Header
		h, err = s.InfoSource()
		m.stamp = wire.TimeInvalid
		m.setSource(h.Prefix)
	case wire.KindInfoReply:
		_, _, err = s.InfoReply() // answers go to the addresses of discovery
	default:
		if m.ours {
			err = m.entity(s)
		}
	}
	return err
}

// entity handles the submessages between writers and readers. Unknown kinds are
// skipped (8.3.3.2). Of a forged source announcements alone are handled, which may claim a move.
func (m *interpreter) entity(s wire.Submessage) error {
	if m.forged && s.Kind != wire.KindData {
		m.e.reportForged(m.e.remotes[m.source], m.from)
		return nil
	}
	switch s.Kind {
	case wire.KindData:
		d, err := s.Data()
		if err == nil {
			m.data(&d)
		}
		return err
	case wire.KindDataFrag:
		d, err := s.DataFrag()
		if err == nil {
			m.each(d.Reader, d.Writer, func(p *writerProxy) { p.fragments(&d, m.stamp) })
		}
		return err
	case wire.KindHeartbeat:
		h, err := s.Heartbeat()
		if err == nil {
			m.each(h.Reader, h.Writer, func(p *writerProxy) { p.heartbeat(h) })
		}
		return err
	case wire.KindHeartbeatFrag:
		h, err := s.HeartbeatFrag()
		if err == nil {
			m.each(h.Reader, h.Writer, func(p *writerProxy) { p.heartbeatFrag(h) })
		}
		return err
	case wire.KindGap:
		g, err := s.Gap()
		if err == nil {
			m.each(g.Reader, g.Writer, func(p *writerProxy) { p.gap(&g) })
		}
		return err
	case wire.KindAckNack:
		a, err := s.AckNack()
		if err == nil {
			m.one(a.Writer, a.Reader, func(p *readerProxy) { p.ackNack(&a) })
		}
		return err
	case wire.KindNackFrag:
		n, err := s.NackFrag()
		if err == nil {
			m.one(n.Writer, n.Reader, func(p *readerProxy) { p.nackFrag(&n) })
		}
		return err
	}
	return nil
}

func (m *interpreter) data(d *wire.Data) {
	if d.Writer == wire.SPDPWriter {
		m.e.discovered(m, d)
		return
	}
	if m.forged {
		m.e.reportForged(m.e.remotes[m.source], m.from)
		return
	}
	s := sample{payload: d.Payload, stamp: m.stamp, inline: d.Inline, key: d.Key}
	m.each(d.Reader, d.Writer, func(p *writerProxy) { p.data(d.Sequence, s) })
}

// each calls f for the local readers that are the destination of a submessage and are matched with
// its writer.
func (m *interpreter) each(reader, writer wire.EntityID, f func(*writerProxy)) {
	w := GUID{Prefix: m.source, Entity: writer}
	if reader == wire.EntityUnknown {
		reader = sedpReaderOf(writer)
	}
	if reader != wire.EntityUnknown {
		if r := m.e.readers[reader]; r != nil {
			if p := r.proxy(w); p != nil {
				f(p)
			}
		}
		return
	}
	if from := m.e.remotes[m.source]; from != nil {
		for _, p := range from.sources {
			if p.guid == w {
				f(p)
			}
		}
	}
}

// one calls f for the remote reader that sent a submessage to a local writer.
func (m *interpreter) one(writer, reader wire.EntityID, f func(*readerProxy)) {
	if w := m.e.writers[writer]; w != nil {
		if p := w.proxy(GUID{Prefix: m.source, Entity: reader}); p != nil {
			f(p)
		}
	}
}
