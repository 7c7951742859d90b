package rtps

import (
	"net/netip"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// clocked is a participant without sockets whose clock only advance moves.
type clocked struct {
	*Participant
	net *outbox
}

// outbox is a link that keeps what is sent. Only the engine uses it.
type outbox struct {
	all []Posted
}

// Posted is a datagram that was sent.
type Posted struct {
	At    time.Time
	To    netip.AddrPort
	from  netip.Addr // of the interface; multicast only
	bytes []byte
}

func (o *outbox) send(to netip.AddrPort, b []byte) { o.multicast(to, b, netip.Addr{}) }

func (o *outbox) multicast(to netip.AddrPort, b []byte, from netip.Addr) {
	o.all = append(o.all, Posted{To: to, from: from, bytes: append([]byte(nil), b...)})
}

// WithClock makes a participant that is at the time zero of Unix.
func WithClock(t testing.TB, o Options) *clocked {
	t.Helper()
	net := new(outbox)
	p := unconnected(t, o, net, func(e *engine) {
		e.now = time.Unix(0, 0)
		e.join = func(netip.Addr) error { return nil }
		e.part = func(netip.Addr) {}
		for {
			select {
			case p := <-e.packets:
				e.receive(p)
				p.release()
			case f := <-e.calls:
				f()
			case <-e.quit:
				return
			}
			for i := range net.all {
				if net.all[i].At.IsZero() {
					net.all[i].At = e.now
				}
			}
		}
	})
	return &clocked{p, net}
}

// Advance lets time pass and the timers fire that are due meanwhile.
func (c *clocked) Advance(d time.Duration) {
	c.call(func() {
		end := c.e.now.Add(d)
		for at, ok := c.e.timers.next(); ok && !at.After(end); at, ok = c.e.timers.next() {
			c.e.now = at
			sent := len(c.net.all)
			c.e.timers.run(at)
			for i := range c.net.all[sent:] {
				c.net.all[sent+i].At = at
			}
		}
		c.e.now = end
	})
}

// Take returns what was sent since the last call.
func (c *clocked) Take() []Posted {
	return state(c.Participant, func(*engine) []Posted {
		all := c.net.all
		c.net.all = nil
		return all
	})
}

// Submessages lists the submessages of one kind in datagrams.
func Submessages(all []Posted, kind byte) (list []wire.Submessage) {
	r := record{}
	for _, p := range all {
		r.last = append(r.last, p.bytes)
	}
	return append(list, r.Sent(kind)...)
}

// announcements returns the time, the address and the data of every sample of the
// participant topic.
func announcements(t testing.TB, all []Posted) (list []Posted, data []wire.Data) {
	t.Helper()
	for _, p := range all {
		for _, s := range Submessages([]Posted{p}, wire.KindData) {
			d, err := s.Data()
			if err != nil {
				t.Fatal(err)
			}
			if d.Writer == wire.SPDPWriter {
				list, data = append(list, p), append(data, d)
			}
		}
	}
	return list, data
}
