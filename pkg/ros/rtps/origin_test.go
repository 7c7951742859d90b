package rtps

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// goodbye is the end of a participant.
func (a *Attacker) goodbye(m *wire.Builder) {
	g := GUID{Prefix: a.Prefix, Entity: wire.EntityParticipant}
	var b wire.Builder
	b.ParticipantKey(g)
	m.Data(wire.Data{
		Writer: wire.SPDPWriter, Sequence: 1 << 40, Key: true, Payload: b.Bytes,
		Inline: wire.Inline{Status: wire.StatusDisposed | wire.StatusUnregistered, KeyHash: wire.KeyHashOf(g), HasKey: true},
	})
}

// forgedCase is a participant with a reader of topic "x" and a participant with its writer.
type forgedCase struct {
	*clocked
	a     *Attacker // the writer, where it is
	forge *Attacker // the same GUID, from elsewhere
	got   *Box
	seen  *Events
}

// newForgedCase has the writer at one address and who forges it at another.
func newForgedCase(t *testing.T, at string, q QoS) *forgedCase {
	t.Helper()
	c := &forgedCase{seen: new(Events)}
	c.clocked = WithClock(t, Options{NoMulticast: true, Range: Subnet, Notify: c.seen.Notify})
	_, c.got = NewReader(t, c.Participant, "x", q)
	c.a = &Attacker{T: t, To: c.Participant, Prefix: wire.Prefix{0xba, 0xd}, at: AddrPort(at)}
	c.forge = &Attacker{T: t, To: c.Participant, Prefix: c.a.Prefix, at: AddrPort("10.0.0.66:7410")}
	c.a.Announce()
	c.a.Endpoint(HostileWriter, "x")
	c.a.Heartbeat(1, 0)
	c.a.Settle()
	return c
}

// say writes a sample and waits until it has arrived.
func (c *forgedCase) say(t *testing.T, n int64) {
	t.Helper()
	want := c.got.Len() + 1
	c.a.Data(n, Payload("%d", n))
	c.a.Heartbeat(1, n)
	c.a.Settle()
	Eventually(t, "the sample", func() bool { return c.got.Len() == want })
}

// discovery returns the address of the writer's participant, invalid if it is not known.
func (c *forgedCase) discovery() netip.AddrPort {
	return state(c.Participant, func(e *engine) netip.AddrPort {
		if r := e.remotes[c.a.Prefix]; r != nil {
			return r.discovery
		}
		return netip.AddrPort{}
	})
}

// TestForgedSource: nobody speaks for a participant from an address that is none of its own: no good-bye, no end of a
// writer, no sample, heartbeat or gap, whether it is on this host or on another one. The log says so.
func TestForgedSource(t *testing.T) {
	for _, at := range []string{"127.0.0.1:9", "10.0.0.7:7410"} {
		t.Run(at, func(t *testing.T) {
			c := newForgedCase(t, at, Reliable)
			c.say(t, 1)
			c.forge.Inject(c.forge.goodbye)
			c.forge.Inject(func(m *wire.Builder) {
				g := GUID{Prefix: c.a.Prefix, Entity: HostileWriter}
				var b wire.Builder
				b.EndpointKey(g)
				m.Data(wire.Data{
					Reader: wire.SEDPPubReader, Writer: wire.SEDPPubWriter, Sequence: 2, Key: true, Payload: b.Bytes,
					Inline: wire.Inline{Status: wire.StatusDisposed, KeyHash: wire.KeyHashOf(g), HasKey: true},
				})
			})
			c.forge.Data(2, Payload("forged"))
			c.forge.beats = 1 << 30
			c.forge.Heartbeat(1<<40, 1<<40)
			c.forge.Inject(func(m *wire.Builder) {
				m.Gap(wire.Gap{Writer: HostileWriter, First: 1, More: wire.NumberSet{Base: 1 << 40}})
			})
			// a forwarded message, as of INFO_SRC, has the address of who sent it
			other := &Attacker{T: t, To: c.Participant, Prefix: wire.Prefix{7}, at: c.forge.at}
			other.Inject(func(m *wire.Builder) {
				m.InfoSource(wire.Header{Version: wire.ThisVersion, Prefix: c.a.Prefix})
				m.Data(wire.Data{Writer: HostileWriter, Sequence: 2, Payload: Payload("forged")})
			})
			c.forge.Announce()
			c.forge.Settle()
			if d := c.discovery(); d != c.a.at {
				t.Fatalf("the writer's participant is at %v, want %v", d, c.a.at)
			}
			for n := int64(2); n <= 4; n++ {
				c.say(t, n)
			}
			if got := c.got.Texts(); !slices.Equal(got, []string{"1", "2", "3", "4"}) {
				t.Errorf("samples %q arrived", got)
			}
			if n := c.Stats().Forged; n != 6 && n != 7 {
				t.Errorf("%d submessages count as forged", n)
			}
			Eventually(t, "the report", func() bool { return len(c.seen.Of(Forged)) == 1 })
			if e := c.seen.Of(Forged)[0]; e.Remote.GUID.Prefix != c.a.Prefix || !strings.Contains(e.Reason, "datagrams from 10.0.0.66 claim to be of this participant") {
				t.Errorf("reported %+v", e)
			}
		})
	}
}

// TestForgedSelf: nobody announces endpoints in the name of this participant from another host.
func TestForgedSelf(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true, Range: Subnet})
	r, _ := NewReader(t, p.Participant, "x", Reliable)
	a := &Attacker{T: t, To: p.Participant, Prefix: p.GUID().Prefix, at: AddrPort("10.0.0.66:7410")}
	a.Endpoint(HostileWriter, "x")
	a.Inject(a.goodbye)
	a.Settle()
	if n := r.Matched(); n != 0 {
		t.Errorf("%d forged writers of this participant match", n)
	}
	if n := p.Stats().Forged; n == 0 {
		t.Error("nothing counts as forged")
	}
}

// TestForgedGoodbyeBefore: a good-bye of another host, before a participant is met, does not keep it out.
func TestForgedGoodbyeBefore(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true, Range: Subnet})
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}, at: AddrPort("10.0.0.7:7410")}
	forge := &Attacker{T: t, To: p.Participant, Prefix: a.Prefix, at: AddrPort("10.0.0.66:7410")}
	forge.Inject(forge.goodbye)
	a.Announce()
	a.Settle()
	if n := len(p.Remotes()); n != 1 {
		t.Errorf("%d participants are known, want 1", n)
	}
}

// TestMove: a participant that is announced from an address that is none of its own stays where it answers, and is
// followed where it does not. One on this host does not move.
func TestMove(t *testing.T) {
	answers := func(c *forgedCase) {
		c.a.Inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: wire.SEDPPubReader, Writer: wire.SEDPPubWriter, Missing: wire.NumberSet{Base: 1}, Count: 1, Final: true})
		})
	}
	claim := func(c *forgedCase, times int, answer bool) {
		for range times {
			c.Advance(claimTime / 4)
			c.forge.Announce()
			if answer {
				c.Advance(time.Millisecond)
				answers(c)
			}
			c.a.Settle()
		}
	}
	t.Run("it answers", func(t *testing.T) {
		c := newForgedCase(t, "10.0.0.7:7410", Reliable)
		c.Take()
		claim(c, 1, false)
		var asked []Posted
		for _, p := range c.Take() {
			if p.To == c.a.at && len(Submessages([]Posted{p}, wire.KindHeartbeat)) > 0 {
				asked = append(asked, p)
			}
		}
		if len(asked) == 0 {
			t.Error("the participant was not asked whether it has moved")
		}
		claim(c, 100, true)
		if d := c.discovery(); d != c.a.at {
			t.Errorf("it is at %v, want %v", d, c.a.at)
		}
		c.say(t, 1)
	})
	t.Run("it has moved", func(t *testing.T) {
		c := newForgedCase(t, "10.0.0.7:7410", Reliable)
		c.Advance(time.Second)
		claim(c, 4, false)
		if d := c.discovery(); d != c.a.at {
			t.Errorf("it is at %v after %v, want %v", d, claimTime*3/4, c.a.at)
		}
		claim(c, 2, false)
		if d := c.discovery(); d != c.forge.at {
			t.Errorf("it is at %v, want %v", d, c.forge.at)
		}
		c.a.at = c.forge.at
		c.say(t, 1)
	})
	t.Run("it is on this host", func(t *testing.T) {
		c := newForgedCase(t, "127.0.0.1:9", Reliable)
		c.Advance(time.Second)
		claim(c, 100, false)
		if d := c.discovery(); d != c.a.at {
			t.Errorf("it is at %v, want %v", d, c.a.at)
		}
	})
}

// TestResynchronisation: numbers that are far too high, of whoever can send from the writer's address, mute no writer
// for good: neither counts of heartbeats, nor samples that a heartbeat or a gap announces, nor samples themselves.
func TestResynchronisation(t *testing.T) {
	const high = 1 << 40
	for name, c := range map[string]struct {
		q     QoS
		wrong func(a *Attacker)
	}{
		"count": {Reliable, func(a *Attacker) {
			was := a.beats
			a.beats += 1<<31 - 2
			a.Heartbeat(1, 2)
			a.beats = was
		}},
		"first of a heartbeat": {Reliable, func(a *Attacker) { a.Heartbeat(high, high) }},
		"last of a heartbeat":  {Reliable, func(a *Attacker) { a.Heartbeat(1, high) }},
		"gap": {Reliable, func(a *Attacker) {
			a.Inject(func(m *wire.Builder) {
				m.Gap(wire.Gap{Writer: HostileWriter, First: 1, More: wire.NumberSet{Base: high}})
			})
		}},
		"data": {BestEffort, func(a *Attacker) { a.Data(high, Payload("wrong")) }},
	} {
		t.Run(name, func(t *testing.T) {
			l := newForgedCase(t, "127.0.0.1:9", c.q)
			l.say(t, 1)
			l.say(t, 2)
			c.wrong(l.a)
			l.a.Settle()
			before := l.got.Len()
			const more = 20
			for n := int64(3); n <= 2+more; n++ {
				l.Advance(resyncTime / 4)
				if !c.q.Reliable {
					l.a.Data(n, Payload("%d", n))
				}
				l.Take()
				l.a.Heartbeat(1, n)
				l.a.Settle()
				for _, s := range Submessages(l.Take(), wire.KindAckNack) { // the first copies are lost
					if asked, err := s.AckNack(); err == nil && asked.Writer == HostileWriter {
						for k := range asked.Missing.All {
							if k <= n {
								l.a.Data(k, Payload("%d", k))
							}
						}
					}
				}
				l.a.Settle()
			}
			want := more - 5
			if c.q.Reliable {
				want = more
			}
			Eventually(t, "samples after a wrong number, up to the last one", func() bool {
				texts := l.got.Texts()
				return len(texts)-before >= want && texts[len(texts)-1] == "22"
			})
			l.Take()
			l.Advance(time.Minute)
			for _, s := range Submessages(l.Take(), wire.KindAckNack) {
				if a, err := s.AckNack(); err != nil || a.Writer == HostileWriter {
					t.Fatalf("asked for %+v, %v, which does not exist", a, err)
				}
			}
		})
	}
}

// TestAcknowledgementsResynchronised: a count that is far too high does not make the writer ignore a reader for good.
func TestAcknowledgementsResynchronised(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true})
	w := NewWriter(t, p.Participant, "x", Reliable)
	a := Attack(t, p.Participant)
	acked := func(count uint32, base int64) int64 {
		p.Advance(resyncTime / 2)
		a.Inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: HostileReader, Writer: w.GUID().Entity, Missing: wire.NumberSet{Base: base}, Count: count, Final: true})
		})
		a.Settle()
		return state(p.Participant, func(e *engine) int64 { return e.writers[w.GUID().Entity].proxies[0].acked })
	}
	for range 5 {
		Write(t, w, Payload("x"))
	}
	p.call(func() {
		for _, w := range p.e.dirty.take() {
			p.e.flush(w)
		}
	})
	if n := acked(1, 2); n != 2 {
		t.Fatalf("acknowledged before %d, want 2", n)
	}
	acked(1<<31-1, 2)
	for count := uint32(2); count < 6; count++ {
		acked(count, 5)
	}
	if n := acked(6, 6); n != 6 {
		t.Errorf("acknowledged before %d, want 6", n)
	}
}
