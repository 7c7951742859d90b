package wire_test

import (
	"bytes"
	"slices"
	"testing"

	"sinew/pkg/ros/rtps/wire"
)

// TestPorts: ports are those of 9.6.1.1 of the specification, with its parameters
// PB = 7400, DG = 250, PG = 2, d0 = 0, d1 = 10, d3 = 11.
func TestPorts(t *testing.T) {
	for _, c := range []struct{ domain, id, multicast, discovery, user int }{
		{0, 0, 7400, 7410, 7411}, {0, 1, 7400, 7412, 7413}, {1, 0, 7650, 7660, 7661}, {42, 7, 17900, 17924, 17925},
	} {
		m, d, u := wire.SPDPMulticastPort(c.domain), wire.SPDPUnicastPort(c.domain, c.id), wire.UserUnicastPort(c.domain, c.id)
		if int(m) != c.multicast || int(d) != c.discovery || int(u) != c.user {
			t.Errorf("domain %d, participant %d: ports %d, %d, %d; want %d, %d, %d", c.domain, c.id, m, d, u, c.multicast, c.discovery, c.user)
		}
	}
	// the last of a domain is below the first of the next, and the last of all fits
	if wire.UserUnicastPort(0, wire.MaxParticipantID) >= wire.SPDPMulticastPort(1) || wire.UserUnicastPort(0, wire.MaxParticipantID+1) < wire.SPDPMulticastPort(1) {
		t.Errorf("participant %d is not the last", wire.MaxParticipantID)
	}
	if last := 7411 + 250*wire.MaxDomain; last > 65535 || last+250 < 65536 {
		t.Errorf("domain %d is not the last", wire.MaxDomain)
	}
	if wire.SPDPGroup != [4]byte{239, 255, 0, 1} {
		t.Errorf("discovery in group %v", wire.SPDPGroup)
	}
}

// TestNumberSet: a set has what was added within 256 of its base, in order, and no more.
func TestNumberSet(t *testing.T) {
	s := wire.NumberSet{Base: 10}
	for n, fits := range map[int64]bool{9: false, 10: true, 41: true, 42: true, 265: true, 266: false, -1 << 62: false, 1 << 62: false} {
		if s.Add(n) != fits {
			t.Errorf("%d fits: %t", n, !fits)
		}
	}
	in := []int64{10, 41, 42, 265}
	if got := slices.Collect(s.All); !slices.Equal(got, in) || s.Bits != 256 {
		t.Errorf("%v in %d bits, want %v", got, s.Bits, in)
	}
	for n := int64(-5); n < 300; n++ {
		if s.Has(n) != slices.Contains(in, n) {
			t.Errorf("%d is in the set: %t", n, s.Has(n))
		}
	}
	for n := range s.All {
		if n != 10 {
			t.Error("the first is not the only one")
		}
		break
	}
	if small := wire.SetOf(10, 12); small.Bits != 3 || small.Has(13) || small.Map[0] != 1<<29 {
		t.Errorf("%+v", small)
	}
}

// TestKeys: what identifies an endpoint or participant is its GUID, as key and as hash.
func TestKeys(t *testing.T) {
	g := wire.GUID{wire.CyclonePrefix, wire.EntityID{1, 2, 3, 4}}
	h := wire.KeyHashOf(g)
	if !bytes.Equal(h[:], append(bytes.Clone(wire.CyclonePrefix[:]), 1, 2, 3, 4)) || (wire.Inline{KeyHash: h}).GUID() != g {
		t.Errorf("hash %x of %v", h, g)
	}
	for _, write := range []func(*wire.Builder, wire.GUID){(*wire.Builder).ParticipantKey, (*wire.Builder).EndpointKey} {
		for _, big := range []bool{false, true} {
			b := wire.Builder{Big: big}
			write(&b, g)
			if got, err := wire.ParseKey(b.Bytes); got != g || err != nil {
				t.Errorf("big endian %t: key %v, %v", big, got, err)
			}
		}
	}
	for status, ended := range map[uint32]bool{0: false, wire.StatusDisposed: true, wire.StatusUnregistered: true, 3: true, 4: false} {
		if (wire.Inline{Status: status}).Ended() != ended {
			t.Errorf("status %d ends: %t", status, !ended)
		}
	}
}
