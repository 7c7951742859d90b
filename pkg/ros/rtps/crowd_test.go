package rtps

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"sinew/pkg/ros/rtps/wire"
)

// TestCrowdShutsNobodyOut has another participant come when one has taken all room: it
// gets a share of it.
func TestCrowdShutsNobodyOut(t *testing.T) {
	const most = 10
	p, _, r, _, w := Target(t, Options{Limits: Limits{Matches: most}})
	a := Attack(t, p)
	for i := range 100 {
		a.Endpoint(wire.EntityID{1, 0, byte(i), wire.KindReaderNoKey}, "x")
		a.Endpoint(wire.EntityID{2, 0, byte(i), wire.KindWriterNoKey}, "x")
	}
	a.Settle()
	shares := func() (readers, writers map[wire.Prefix]int) {
		readers, writers = map[wire.Prefix]int{}, map[wire.Prefix]int{}
		p.call(func() {
			for _, x := range p.e.writers[w.GUID().Entity].proxies {
				readers[x.guid.Prefix]++
			}
			for _, x := range p.e.readers[r.GUID().Entity].proxies {
				writers[x.guid.Prefix]++
			}
		})
		return readers, writers
	}
	other := &Attacker{T: t, To: p, Prefix: wire.Prefix{77}}
	other.Announce()
	for i := range byte(20) {
		other.Endpoint(wire.EntityID{1, 0, i, wire.KindReaderNoKey}, "x")
		other.Endpoint(wire.EntityID{2, 0, i, wire.KindWriterNoKey}, "x")
		other.Settle()
		want := min(int(i)+1, most/2)
		if readers, writers := shares(); readers[other.Prefix] != want || writers[other.Prefix] != want {
			t.Fatalf("%d readers and %d writers of the newcomer are matched, want %d", readers[other.Prefix], writers[other.Prefix], want)
		}
	}
	if w.Matched() != most || r.Matched() != most {
		t.Errorf("%d readers and %d writers match, want %d", w.Matched(), r.Matched(), most)
	}
	if readers, _ := shares(); readers[a.Prefix] != most/2 {
		t.Errorf("%v", readers)
	}
}

// TestMadeUpParticipantsShutNobodyOut has one host invent participants until all places are
// taken: a newcomer of another host gets its share of every table, and no more than that.
func TestMadeUpParticipantsShutNobodyOut(t *testing.T) {
	readerID := func(i int) wire.EntityID { return wire.EntityID{1, 0, byte(i), wire.KindReaderNoKey} }
	writerID := func(i int) wire.EntityID { return wire.EntityID{2, 0, byte(i), wire.KindWriterNoKey} }
	liar, honest := AddrPort("10.0.0.66:7411"), AddrPort("10.0.0.7:7411")
	for _, c := range []struct {
		name                string
		limits              Limits
		made                int // participants
		each                int // pairs of endpoints of every one of them
		pairs, matched, got int // of the newcomer: announced, matched at most, kept at most
	}{
		{"participants", Limits{Participants: 20}, 100, 0, 0, 0, 0},
		{"matches", Limits{Matches: 10}, 12, 1, 20, 5, 40},
		{"endpoints", Limits{Participants: 100, Endpoints: 160, Matches: 1000}, 10, 8, 5, 5, 10},
		{"all", Limits{Participants: 20, Endpoints: 160, Matches: 10}, 100, 9, 5, 5, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.limits.SampleBytes = 1 << 16
			p, _, r, _, w := Target(t, Options{Range: Subnet, NoMulticast: true, Limits: c.limits})
			made := &Attacker{T: t, To: p, at: liar}
			for i := range c.made {
				*made = Attacker{T: t, To: p, at: liar}
				binary.BigEndian.PutUint32(made.Prefix[4:], uint32(i+1))
				made.Announce()
				made.Settle()
				p.call(func() { // some seem to live
					if o := p.e.remotes[made.Prefix]; o != nil {
						o.proven = i%2 == 0
					}
				})
				for k := range c.each {
					made.Endpoint(readerID(k), "x")
					made.Endpoint(writerID(k), "x")
				}
			}
			made.Settle()
			other := &Attacker{T: t, To: p, Prefix: wire.Prefix{77}, at: honest}
			other.Announce()
			for k := range c.pairs {
				other.Endpoint(readerID(k), "x")
				other.Endpoint(writerID(k), "x")
			}
			other.Settle()
			count := func(at netip.Addr) (participants, endpoints, readers, writers int) {
				p.call(func() {
					for _, o := range p.e.remotes {
						if o.at == at {
							participants++
							endpoints += o.endpoints()
						}
					}
					for _, x := range p.e.writers[w.GUID().Entity].proxies {
						if x.remote.at == at {
							readers++
						}
					}
					for _, x := range p.e.readers[r.GUID().Entity].proxies {
						if x.remote.at == at {
							writers++
						}
					}
				})
				return participants, endpoints, readers, writers
			}
			check := func(when string) {
				t.Helper()
				participants, endpoints, readers, writers := count(honest.Addr())
				if participants != 1 || endpoints != c.got || readers != c.matched || writers != c.matched {
					t.Errorf("%s: the newcomer is %d participants with %d endpoints, %d readers and %d writers are matched, want 1, %d, %d, %d",
						when, participants, endpoints, readers, writers, c.got, c.matched, c.matched)
				}
			}
			check("after it came")
			for i := range 50 { // the others come again
				*made = Attacker{T: t, To: p, at: liar}
				binary.BigEndian.PutUint32(made.Prefix[4:], uint32(1000+i))
				made.Announce()
				for k := range c.each {
					made.Endpoint(readerID(k), "x")
					made.Endpoint(writerID(k), "x")
				}
			}
			made.Settle()
			check("after others came")
			if participants, endpoints, _, _ := count(liar.Addr()); participants > p.e.opts.Limits.Participants || endpoints > p.e.opts.Limits.Endpoints {
				t.Errorf("%d participants, %d endpoints", participants, endpoints)
			}
		})
	}
}
