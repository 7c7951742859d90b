package wire

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// Tests of what has no exported name.

// An endpoint says nothing of what it leaves to the defaults.
func TestDefaultsAreLeftOut(t *testing.T) {
	said := func(d EndpointData) map[uint16]bool {
		var b Builder
		b.Endpoint(&d)
		c, err := encapsulated(b.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		ids := map[uint16]bool{}
		if err := c.parameters(func(id uint16, _ cursor) error { ids[id] = true; return nil }); err != nil {
			t.Fatal(err)
		}
		return ids
	}
	optional := []uint16{pidPartition, pidDataRepresentation, pidUserData, pidUnicastLocator, pidExpectsInlineQoS}
	plain := NewEndpointData(true)
	plain.GUID, plain.Topic, plain.Type = FullEndpoint.GUID, "rt/x", "T"
	less, all := said(plain), said(FullEndpoint)
	for _, id := range optional {
		if less[id] || !all[id] {
			t.Errorf("parameter %#x: %t where there is nothing to say, %t where there is", id, less[id], all[id])
		}
	}
}

func TestDiscoveryDataRefused(t *testing.T) {
	long := bytes.Repeat([]byte("x"), MaxUserData+1)
	participant := func(change func(*ParticipantData)) error {
		d := FullParticipant
		change(&d)
		var b Builder
		b.Participant(&d)
		_, err := ParseParticipant(b.Bytes)
		return err
	}
	endpoint := func(change func(*EndpointData)) error {
		d := FullEndpoint
		change(&d)
		var b Builder
		b.Endpoint(&d)
		_, err := ParseEndpoint(b.Bytes, true)
		return err
	}
	for name, c := range map[string]struct{ got, want error }{
		"user data":      {participant(func(d *ParticipantData) { d.UserData = long }), errUserData},
		"name":           {participant(func(d *ParticipantData) { d.Name = string(long) }), errShort},
		"GUID":           {participant(func(d *ParticipantData) { d.GUID = GUID{} }), errNoGUID},
		"topic":          {endpoint(func(d *EndpointData) { d.Topic = string(long) }), errShort},
		"no topic":       {endpoint(func(d *EndpointData) { d.Topic = "" }), errNames},
		"reliability":    {endpoint(func(d *EndpointData) { d.Reliability = 9 }), errQoS},
		"durability":     {endpoint(func(d *EndpointData) { d.Durability = 4 }), errQoS},
		"partitions":     {endpoint(func(d *EndpointData) { d.Partitions = strings.Split(strings.Repeat("p,", 20), ",") }), errShort},
		"representation": {endpoint(func(d *EndpointData) { d.Representations = make([]int16, 9) }), errShort},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, not %v", name, c.got, c.want)
		}
	}
	many := Builder{}
	many.encapsulation()
	for range maxParameters {
		many.parameterU32(0x7fff, 0)
	}
	many.sentinel()
	if _, err := ParseParticipant(many.Bytes); !errors.Is(err, errParameters) {
		t.Errorf("%d parameters: %v", maxParameters, err)
	}
	d := FullParticipant
	for range 100 {
		d.Default = append(d.Default, d.Default[0])
	}
	var b Builder
	b.Participant(&d)
	if got, err := ParseParticipant(b.Bytes); err != nil || len(got.Default) != maxLocators {
		t.Errorf("%d locators kept, %v", len(got.Default), err)
	}
}

// FuzzMessage reads whole messages; what can be read is written again, and must
// read the same.
func FuzzMessage(f *testing.F) {
	for _, c := range submessages {
		for _, text := range []string{c.little, c.big} {
			var b Builder
			b.Header(Header{ThisVersion, VendorUnknown, CyclonePrefix})
			f.Add(append(b.Bytes, Unhex(f, text)...))
		}
	}
	f.Add(Unhex(f, CycloneAnnouncement))
	f.Add(Unhex(f, CycloneGoodbye))
	f.Fuzz(func(t *testing.T, message []byte) {
		_, scan, err := Open(message)
		for err == nil {
			var s Submessage
			if s, err = scan.Next(); err == nil && parseAny(s) == nil {
				again(t, s)
			}
		}
	})
}

// again writes and reads a submessage that could be read.
func again(t *testing.T, s Submessage) {
	var b Builder
	var want, got any
	next := func() Submessage {
		scan := Scanner{b.Bytes}
		r, err := scan.Next()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	switch s.Kind {
	case KindAckNack:
		v, _ := s.AckNack()
		b.AckNack(v)
		want = v
		got, _ = next().AckNack()
	case KindHeartbeat:
		v, _ := s.Heartbeat()
		b.Heartbeat(v)
		want = v
		got, _ = next().Heartbeat()
	case KindGap:
		v, _ := s.Gap()
		b.Gap(v)
		want = v
		got, _ = next().Gap()
	case KindNackFrag:
		v, _ := s.NackFrag()
		b.NackFrag(v)
		want = v
		got, _ = next().NackFrag()
	case KindDataFrag:
		v, _ := s.DataFrag()
		if v.First-1+uint32(v.Count) > v.Sample/uint32(v.Size) {
			return // the last fragment: padding is not written as such
		}
		b.DataFrag(v)
		want = v
		got, _ = next().DataFrag()
	default:
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v became %+v", want, got)
	}
}

// FuzzParameterList walks through lists in both byte orders.
func FuzzParameterList(f *testing.F) {
	var b Builder
	b.inlineQoS(&disposing.Inline)
	f.Add(b.Bytes, false)
	b = Builder{Big: true}
	b.inlineQoS(&disposing.Inline)
	f.Add(b.Bytes, true)
	f.Fuzz(func(t *testing.T, list []byte, big bool) {
		c := cursor{b: list, big: big}
		n := 0
		err := c.parameters(func(_ uint16, v cursor) error {
			n += 4 + len(v.b)
			return nil
		})
		if n > len(list) || err == nil && n+4+len(c.b) > len(list) {
			t.Fatalf("%d bytes of parameters in %d", n, len(list))
		}
		var i Inline
		c = cursor{b: list, big: big}
		_ = c.inlineQoS(flagInline, &i)
	})
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
		c := cursor{b: Unhex(t, text)}
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

// TestRelatedSample reads the identity of another sample under either number; the
// standard one counts, wherever it stands, and the old one has other meanings too.
func TestRelatedSample(t *testing.T) {
	standard := "8300 1800 0102030405060708090a0b0c 00001304 00000000 07000000"
	old := "0f80 1800 0102030405060708090a0b0c 00001304 00000000 08000000"
	for text, want := range map[string]int64{
		standard: 7, old: 8, standard + old: 7, old + standard: 7,
		"0f80 0400 00000000": 0, old + "0f80 0400 00000000": 8,
	} {
		c := cursor{b: Unhex(t, text+"0100 0000")}
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
		scan := Scanner{Unhex(t, text)}
		s, err := scan.Next()
		if err == nil {
			err = parseAny(s)
		}
		if !errors.Is(err, errShort) {
			t.Errorf("%s: error %v, want %v", text, err, errShort)
		}
	}
}
