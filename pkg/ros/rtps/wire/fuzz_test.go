package wire

import (
	"bytes"
	"reflect"
	"testing"
)

// FuzzMessage reads whole messages; what can be read is written again, and must
// read the same.
func FuzzMessage(f *testing.F) {
	for _, c := range submessages {
		for _, text := range []string{c.little, c.big} {
			var b Builder
			b.Header(Header{ThisVersion, VendorUnknown, cyclonePrefix})
			f.Add(append(b.Bytes, unhex(f, text)...))
		}
	}
	f.Add(unhex(f, cycloneAnnouncement))
	f.Add(unhex(f, cycloneGoodbye))
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

// FuzzSPDP reads announcements; what is kept of one has a bound, and it can be
// written and read again.
func FuzzSPDP(f *testing.F) {
	f.Add(onlyData(f, unhex(f, cycloneAnnouncement)).Payload)
	for _, big := range []bool{false, true} {
		b := Builder{Big: big}
		b.Participant(&fullParticipant)
		f.Add(b.Bytes)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, _ = ParseKey(payload)
		d, err := ParseParticipant(payload)
		if err != nil {
			return
		}
		if len(d.Name) > MaxName || len(d.UserData) > MaxUserData || len(d.Default) > maxLocators || len(d.Metatraffic) > maxLocators {
			t.Fatalf("too much is kept: %+v", d)
		}
		var b Builder
		b.Participant(&d)
		got, err := ParseParticipant(b.Bytes)
		if err != nil || got.GUID != d.GUID || got.Name != d.Name || !bytes.Equal(got.UserData, d.UserData) || got.Lease != d.Lease {
			t.Fatalf("%+v became %+v, %v", d, got, err)
		}
	})
}

// FuzzSEDP is FuzzSPDP for endpoints.
func FuzzSEDP(f *testing.F) {
	f.Add(unhex(f, cycloneReader), false)
	for _, big := range []bool{false, true} {
		b := Builder{Big: big}
		b.Endpoint(&fullEndpoint)
		f.Add(b.Bytes, true)
	}
	f.Fuzz(func(t *testing.T, payload []byte, writer bool) {
		_, _ = ParseKey(payload)
		d, err := ParseEndpoint(payload, writer)
		if err != nil {
			return
		}
		if len(d.Topic) > MaxName || len(d.Type) > MaxName || len(d.UserData) > MaxUserData || len(d.Unicast) > maxLocators ||
			len(d.Partitions) > maxPartitions || len(d.Representations) > maxRepresentations {
			t.Fatalf("too much is kept: %+v", d)
		}
		var b Builder
		b.Endpoint(&d)
		got, err := ParseEndpoint(b.Bytes, writer)
		if err != nil || got.GUID != d.GUID || got.Topic != d.Topic || got.Durability != d.Durability || got.Deadline != d.Deadline {
			t.Fatalf("%+v became %+v, %v", d, got, err)
		}
	})
}
