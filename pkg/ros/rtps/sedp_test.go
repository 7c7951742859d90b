package rtps_test

import (
	"testing"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
)

// TestEndpointEnds: an endpoint ends by its GUID in the key hash or the key, told by
// its own participant; the end of another one changes nothing.
func TestEndpointEnds(t *testing.T) {
	p := rtps.WithClock(t, rtps.Options{NoMulticast: true})
	r, _ := rtps.NewReader(t, p.Participant, "x", rtps.Reliable)
	w := rtps.NewWriter(t, p.Participant, "x", rtps.Reliable)
	a := rtps.Attack(t, p.Participant)
	was := [2]int{r.Matched(), w.Matched()}
	end := func(id wire.EntityID, of wire.Prefix, hash bool) {
		g := rtps.GUID{Prefix: of, Entity: id}
		var key wire.Builder
		key.EndpointKey(g)
		d := wire.Data{Key: true, Payload: key.Bytes}
		if hash {
			d.Inline = wire.Inline{Status: wire.StatusDisposed, KeyHash: wire.KeyHashOf(g), HasKey: true}
		}
		a.Sedp(id.IsWriter(), d)
	}
	for _, hash := range []bool{true, false} {
		end(rtps.HostileWriter, wire.Prefix{8}, hash)
		end(rtps.HostileReader, wire.Prefix{8}, hash)
		end(wire.EntityID{7, 7, 7, wire.KindWriterNoKey}, a.Prefix, hash)
		end(wire.EntityID{7, 7, 7, wire.KindReaderNoKey}, a.Prefix, hash)
		if r.Matched() != was[0] || w.Matched() != was[1] {
			t.Fatalf("%d and %d matches after the end of others, want %v", r.Matched(), w.Matched(), was)
		}
	}
	a.Sedp(true, wire.Data{Key: true, Payload: []byte{0, 3}}) // no key
	end(rtps.HostileWriter, a.Prefix, true)
	if r.Matched() != was[0]-1 || w.Matched() != was[1] {
		t.Errorf("%d and %d matches after the writer's end, want %v less the first", r.Matched(), w.Matched(), was)
	}
	end(rtps.HostileReader, a.Prefix, false)
	if r.Matched() != was[0]-1 || w.Matched() != was[1]-1 {
		t.Errorf("%d and %d matches after the reader's end, want %v less one each", r.Matched(), w.Matched(), was)
	}
}

// TestRetracted: closing an endpoint tells its end to others, by key and key hash.
func TestRetracted(t *testing.T) {
	p := rtps.WithClock(t, rtps.Options{NoMulticast: true})
	a := &rtps.Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	r, _ := rtps.NewReader(t, p.Participant, "x", rtps.Reliable)
	w := rtps.NewWriter(t, p.Participant, "x", rtps.Reliable)
	p.Take()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ended := map[rtps.GUID]wire.EntityID{}
	for _, s := range rtps.Submessages(p.Take(), wire.KindData) {
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
