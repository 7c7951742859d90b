package wire

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"
)

// TestPorts: ports are those of 9.6.1.1 of the specification, with its parameters
// PB = 7400, DG = 250, PG = 2, d0 = 0, d1 = 10, d3 = 11.
func TestPorts(t *testing.T) {
	for _, c := range []struct{ domain, id, multicast, discovery, user int }{
		{0, 0, 7400, 7410, 7411}, {0, 1, 7400, 7412, 7413}, {1, 0, 7650, 7660, 7661}, {42, 7, 17900, 17924, 17925},
	} {
		m, d, u := SPDPMulticastPort(c.domain), SPDPUnicastPort(c.domain, c.id), UserUnicastPort(c.domain, c.id)
		if int(m) != c.multicast || int(d) != c.discovery || int(u) != c.user {
			t.Errorf("domain %d, participant %d: ports %d, %d, %d; want %d, %d, %d", c.domain, c.id, m, d, u, c.multicast, c.discovery, c.user)
		}
	}
	// the last of a domain is below the first of the next, and the last of all fits
	if UserUnicastPort(0, MaxParticipantID) >= SPDPMulticastPort(1) || UserUnicastPort(0, MaxParticipantID+1) < SPDPMulticastPort(1) {
		t.Errorf("participant %d is not the last", MaxParticipantID)
	}
	if last := 7411 + 250*MaxDomain; last > 65535 || last+250 < 65536 {
		t.Errorf("domain %d is not the last", MaxDomain)
	}
	if SPDPGroup != [4]byte{239, 255, 0, 1} {
		t.Errorf("discovery in group %v", SPDPGroup)
	}
}

// TestNumberSet: a set has what was added within 256 of its base, in order, and no more.
func TestNumberSet(t *testing.T) {
	s := NumberSet{Base: 10}
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
	if small := setOf(10, 12); small.Bits != 3 || small.Has(13) || small.Map[0] != 1<<29 {
		t.Errorf("%+v", small)
	}
}

// TestLocatorLists: an answer has its multicast locators too, and 16 of each at most.
func TestLocatorLists(t *testing.T) {
	list := make([]Locator, 20)
	for i := range list {
		list[i] = Locator{Kind: 1, Port: uint32(i + 1)}
	}
	for _, c := range []struct{ unicast, multicast int }{{1, 0}, {0, 1}, {2, 3}, {16, 16}, {17, 20}} {
		var b Builder
		b.InfoReply(list[:c.unicast], list[:c.multicast])
		scan := Scanner{b.Bytes}
		s, err := scan.Next()
		if err != nil {
			t.Fatal(err)
		}
		u, m, err := s.InfoReply()
		if err != nil || !slices.Equal(u, list[:min(c.unicast, 16)]) || !slices.Equal(m, list[:min(c.multicast, 16)]) {
			t.Errorf("%d and %d locators: read %d and %d, %v", c.unicast, c.multicast, len(u), len(m), err)
		}
	}
}

// TestTexts: a text ends at its NUL, is no longer than the limit, and lies in the message.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		bytes string
		want  string
		short bool
	}{
		{"\x04\x00\x00\x00abc\x00", "abc", false},
		{"\x03\x00\x00\x00abc", "abc", false}, // without its NUL
		{"\x05\x00\x00\x00abcd\x00", "abcd", false},
		{"\x06\x00\x00\x00abcde\x00", "", true},
		{"\x00\x00\x00\x00", "", false},
		{"\x01\x00\x00\x00\x00", "", false},
		{"\x04\x00\x00\x00abc", "", true},
		{"\xff\xff\xff\xffabc", "", true},
		{"\x04\x00\x00", "", true},
	} {
		cur := cursor{b: []byte(c.bytes)}
		if got := cur.text(4); got != c.want || cur.short != c.short || (cur.err() != nil) != c.short {
			t.Errorf("%q: %q, short %t", c.bytes, got, cur.short)
		}
	}
}

// TestDurations: less than a second is a duration too; a negative one is none.
func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"00000000 00000000": 0, "00000000 00000080": 500 * time.Millisecond, "01000000 00000040": 1250 * time.Millisecond,
		"ffffffff 00000080": 0, "ffffff7f ffffffff": Forever, "ffffff7f 00000000": Forever, "feffff7f 00000000": (1<<31 - 2) * time.Second,
	} {
		c := cursor{b: unhex(t, text)}
		if got := c.duration(); got != want || c.short {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}

// TestLongSubmessage: one that is too long for its length field reaches to the end of the
// message; the longest that is not says so.
func TestLongSubmessage(t *testing.T) {
	for size, length := range map[int]uint16{0xfffc - 20: 0xfffc, 0xfffc - 20 + 4: 0} {
		var b Builder
		b.Data(Data{Writer: testWriter, Sequence: 1, Payload: append([]byte{0, 1, 0, 0}, make([]byte, size-4)...)})
		if got := uint16(b.Bytes[2]) | uint16(b.Bytes[3])<<8; got != length {
			t.Errorf("%d bytes: length %d, want %d", size, got, length)
		}
		scan := Scanner{b.Bytes}
		s, err := scan.Next()
		if err != nil {
			t.Fatal(err)
		}
		if d, err := s.Data(); err != nil || len(d.Payload) != size {
			t.Errorf("%d bytes are read as %d, %v", size, len(d.Payload), err)
		}
	}
	for kind, whole := range map[byte]bool{KindPad: false, KindInfoTimestamp: false, KindData: true, KindHeartbeat: true} {
		scan := Scanner{[]byte{kind, 1, 0, 0, 9, 9, 9, 9}}
		if s, err := scan.Next(); err != nil || (len(s.Body) == 4) != whole {
			t.Errorf("kind %#x of length 0 has %d bytes, %v", kind, len(s.Body), err)
		}
	}
}

// TestKeys: what identifies an endpoint or participant is its GUID, as key and as hash.
func TestKeys(t *testing.T) {
	g := GUID{cyclonePrefix, EntityID{1, 2, 3, 4}}
	h := KeyHashOf(g)
	if !bytes.Equal(h[:], append(bytes.Clone(cyclonePrefix[:]), 1, 2, 3, 4)) || (Inline{KeyHash: h}).GUID() != g {
		t.Errorf("hash %x of %v", h, g)
	}
	for _, write := range []func(*Builder, GUID){(*Builder).ParticipantKey, (*Builder).EndpointKey} {
		for _, big := range []bool{false, true} {
			b := Builder{Big: big}
			write(&b, g)
			if got, err := ParseKey(b.Bytes); got != g || err != nil {
				t.Errorf("big endian %t: key %v, %v", big, got, err)
			}
		}
	}
	for status, ended := range map[uint32]bool{0: false, StatusDisposed: true, StatusUnregistered: true, 3: true, 4: false} {
		if (Inline{Status: status}).Ended() != ended {
			t.Errorf("status %d ends: %t", status, !ended)
		}
	}
}

// TestRelatedSample reads the identity of another sample under either number; the
// standard one counts, wherever it stands, and the old one has other meanings too.
func TestRelatedSample(t *testing.T) {
	standard := "8300 1800 0102030405060708090a0b0c 00001304 00000000 07000000"
	old := "0f80 1800 0102030405060708090a0b0c 00001304 00000000 08000000"
	for text, want := range map[string]int64{
		standard: 7, old: 8, standard + old: 7, old + standard: 7,
		"0f80 0400 00000000": 0, old + "0f80 0400 00000000": 8,
	} {
		c := cursor{b: unhex(t, text+"0100 0000")}
		var i Inline
		if err := c.inlineQoS(flagInline, &i); err != nil || i.Related.Sequence != want {
			t.Errorf("%s: sample %d, error %v, want %d", text, i.Related.Sequence, err, want)
		}
	}
}

// TestInlineCut: an in-line QoS that ends within a value is an error, as is a fragment's.
func TestInlineCut(t *testing.T) {
	for _, text := range []string{
		"15 03 1c00 0000 1000 00000104 00000203 00000000 01000000 7000 0400 00010203", // a key hash of four bytes
		"15 03 1c00 0000 1000 00000104 00000203 00000000 01000000 7100 0200 00010000", // a status of two
		"15 03 1c00 0000 1000 00000104 00000203 00000000 01000000 8300 0400 00010203", // the identity of a sample of four
		"16 03 2c00 0000 1c00 00000104 00000203 00000000 01000000 01000000 0100 0400 04000000 7100 0200 00010000 04050607",
	} {
		scan := Scanner{unhex(t, text)}
		s, err := scan.Next()
		if err == nil {
			err = parseAny(s)
		}
		if !errors.Is(err, errShort) {
			t.Errorf("%s: error %v, want %v", text, err, errShort)
		}
	}
}
