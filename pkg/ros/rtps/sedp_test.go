package rtps

import (
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// TestSameEndpoint: whatever an endpoint changes makes it another one.
func TestSameEndpoint(t *testing.T) {
	made := func() wire.EndpointData {
		d := reliable.describe(GUID{Entity: hostileWriter}, "x", "T", []byte("data"))
		d.Unicast = []wire.Locator{wire.LocatorOf(attackerAddress)}
		d.Partitions, d.Representations = []string{"p"}, []int16{0}
		return d
	}
	a, b := made(), made()
	if !sameEndpoint(&a, &b) {
		t.Error("an endpoint differs from its repetition")
	}
	for name, change := range map[string]func(*wire.EndpointData){
		"topic":            func(d *wire.EndpointData) { d.Topic = "y" },
		"type":             func(d *wire.EndpointData) { d.Type = "U" },
		"user data":        func(d *wire.EndpointData) { d.UserData = []byte("other") },
		"locators":         func(d *wire.EndpointData) { d.Unicast = []wire.Locator{wire.LocatorOf(addrPort("127.0.0.1:10"))} },
		"partitions":       func(d *wire.EndpointData) { d.Partitions = nil },
		"representations":  func(d *wire.EndpointData) { d.Representations = []int16{2} },
		"reliability":      func(d *wire.EndpointData) { d.Reliability = wire.BestEffort },
		"durability":       func(d *wire.EndpointData) { d.Durability = wire.TransientLocal },
		"deadline":         func(d *wire.EndpointData) { d.Deadline = time.Second },
		"liveliness":       func(d *wire.EndpointData) { d.Liveliness = 1 },
		"liveliness lease": func(d *wire.EndpointData) { d.LivelinessLease = time.Second },
		"ownership":        func(d *wire.EndpointData) { d.Exclusive = true },
	} {
		b := made()
		change(&b)
		if sameEndpoint(&a, &b) {
			t.Errorf("an endpoint with another %s passes for the same", name)
		}
	}
}

// say announces endpoint data as they are.
func (a *attacker) say(d wire.EndpointData) {
	var b wire.Builder
	b.Endpoint(&d)
	a.sedp(d.GUID.Entity.IsWriter(), wire.Data{Payload: b.Bytes})
}

// sedp sends a sample of the topic of writers or of readers.
func (a *attacker) sedp(writers bool, d wire.Data) {
	i := 1
	if writers {
		i = 0
	}
	a.seq[i]++
	d.Reader, d.Writer, d.Sequence = sedpPairs[i].reader, sedpPairs[i].writer, a.seq[i]
	a.inject(func(m *wire.Builder) {
		m.Data(d)
		a.beats++
		m.Heartbeat(wire.Heartbeat{Reader: d.Reader, Writer: d.Writer, First: 1, Last: d.Sequence, Count: a.beats, Final: true})
	})
	a.settle()
}

// TestEndpointChanges: a reader that moves gets samples at its new address, a
// repetition changes nothing, and one that asks for more than is offered is let go.
func TestEndpointChanges(t *testing.T) {
	var seen events
	p := withClock(t, Options{NoMulticast: true, Notify: seen.notify})
	w := newWriter(t, p.Participant, "x", reliable)
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	d := reliable.describe(GUID{Prefix: a.prefix, Entity: hostileReader}, "x", "T", nil)
	goesTo := func() string {
		t.Helper()
		if w.Matched() != 1 {
			t.Fatalf("%d readers match, want 1", w.Matched())
		}
		return state(p.Participant, func(e *engine) string { return e.writers[w.GUID().Entity].proxies[0].to().String() })
	}
	a.say(d)
	if at := goesTo(); at != attackerAddress.String() {
		t.Errorf("samples go to %s", at)
	}
	d.Unicast = []wire.Locator{wire.LocatorOf(addrPort("127.0.0.1:10"))}
	for range 2 {
		a.say(d)
		if at := goesTo(); at != "127.0.0.1:10" {
			t.Errorf("samples go to %s after the reader has moved", at)
		}
	}
	d.Durability = wire.TransientLocal
	a.say(d)
	if n := w.Matched(); n != 0 {
		t.Errorf("%d readers match, though the writer keeps nothing", n)
	}
	if n := state(p.Participant, func(e *engine) int { return e.endpoints }); n != 1 {
		t.Errorf("%d endpoints are counted, want 1", n)
	}
	eventually(t, "the news", func() bool { return len(seen.of(Incompatible)) == 1 })
	if m, u := len(seen.of(Matched)), len(seen.of(Unmatched)); m != 2 || u != 2 {
		t.Errorf("told of %d matches and %d ends, want 2 and 2", m, u)
	}
}

// TestEndpointEnds: an endpoint ends by its GUID in the key hash or the key, told by
// its own participant; the end of another one changes nothing.
func TestEndpointEnds(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	r, _ := newReader(t, p.Participant, "x", reliable)
	w := newWriter(t, p.Participant, "x", reliable)
	a := attack(t, p.Participant)
	was := [2]int{r.Matched(), w.Matched()}
	end := func(id wire.EntityID, of wire.Prefix, hash bool) {
		g := GUID{Prefix: of, Entity: id}
		var key wire.Builder
		key.EndpointKey(g)
		d := wire.Data{Key: true, Payload: key.Bytes}
		if hash {
			d.Inline = wire.Inline{Status: wire.StatusDisposed, KeyHash: wire.KeyHashOf(g), HasKey: true}
		}
		a.sedp(id.IsWriter(), d)
	}
	for _, hash := range []bool{true, false} {
		end(hostileWriter, wire.Prefix{8}, hash)
		end(hostileReader, wire.Prefix{8}, hash)
		end(wire.EntityID{7, 7, 7, wire.KindWriterNoKey}, a.prefix, hash)
		end(wire.EntityID{7, 7, 7, wire.KindReaderNoKey}, a.prefix, hash)
		if r.Matched() != was[0] || w.Matched() != was[1] {
			t.Fatalf("%d and %d matches after the end of others, want %v", r.Matched(), w.Matched(), was)
		}
	}
	a.sedp(true, wire.Data{Key: true, Payload: []byte{0, 3}}) // no key
	end(hostileWriter, a.prefix, true)
	if r.Matched() != was[0]-1 || w.Matched() != was[1] {
		t.Errorf("%d and %d matches after the writer's end, want %v less the first", r.Matched(), w.Matched(), was)
	}
	end(hostileReader, a.prefix, false)
	if r.Matched() != was[0]-1 || w.Matched() != was[1]-1 {
		t.Errorf("%d and %d matches after the reader's end, want %v less one each", r.Matched(), w.Matched(), was)
	}
}

// TestEndpointsRefused: what discovery itself needs cannot be announced, and what is
// no endpoint counts as damaged.
func TestEndpointsRefused(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	a := attack(t, p.Participant)
	known := state(p.Participant, func(e *engine) int { return e.endpoints })
	a.say(reliable.describe(GUID{Prefix: a.prefix, Entity: wire.SEDPPubWriter}, "x", "T", nil))
	a.say(reliable.describe(GUID{Prefix: wire.Prefix{8}, Entity: hostileWriter}, "x", "T", nil))
	a.sedp(true, wire.Data{Payload: []byte{0, 3, 0, 0}})
	if s := p.Stats(); s.RefusedEndpoints != 2 || s.Malformed != 1 {
		t.Errorf("%+v, want 2 endpoints refused and 1 malformed", s)
	}
	if n := state(p.Participant, func(e *engine) int { return e.endpoints }); n != known {
		t.Errorf("%d endpoints are kept, want %d", n, known)
	}
}

// TestRetracted: closing an endpoint tells its end to others, by key and key hash.
func TestRetracted(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	r, _ := newReader(t, p.Participant, "x", reliable)
	w := newWriter(t, p.Participant, "x", reliable)
	p.take()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ended := map[GUID]wire.EntityID{}
	for _, s := range submessages(p.take(), wire.KindData) {
		d, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		if g, err := wire.ParseKey(d.Payload); d.Key && d.Inline.Ended() && err == nil && g == d.Inline.GUID() {
			ended[g] = d.Writer
		}
	}
	if ended[r.GUID()] != wire.SEDPSubWriter || ended[w.GUID()] != wire.SEDPPubWriter || len(ended) != 2 {
		t.Errorf("told the end of %v", ended)
	}
}
