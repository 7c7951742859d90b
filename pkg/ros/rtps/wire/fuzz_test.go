package wire_test

import (
	"bytes"
	"testing"

	"sinew/pkg/ros/rtps/wire"
)

// FuzzSPDP reads announcements; what is kept of one has a bound, and it can be
// written and read again.
func FuzzSPDP(f *testing.F) {
	f.Add(onlyData(f, wire.Unhex(f, wire.CycloneAnnouncement)).Payload)
	for _, big := range []bool{false, true} {
		b := wire.Builder{Big: big}
		b.Participant(&wire.FullParticipant)
		f.Add(b.Bytes)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, _ = wire.ParseKey(payload)
		d, err := wire.ParseParticipant(payload)
		if err != nil {
			return
		}
		if len(d.Name) > wire.MaxName || len(d.UserData) > wire.MaxUserData || len(d.Default) > wire.MaxLocators || len(d.Metatraffic) > wire.MaxLocators {
			t.Fatalf("too much is kept: %+v", d)
		}
		var b wire.Builder
		b.Participant(&d)
		got, err := wire.ParseParticipant(b.Bytes)
		if err != nil || got.GUID != d.GUID || got.Name != d.Name || !bytes.Equal(got.UserData, d.UserData) || got.Lease != d.Lease {
			t.Fatalf("%+v became %+v, %v", d, got, err)
		}
	})
}

// FuzzSEDP is FuzzSPDP for endpoints.
func FuzzSEDP(f *testing.F) {
	f.Add(wire.Unhex(f, wire.CycloneReader), false)
	for _, big := range []bool{false, true} {
		b := wire.Builder{Big: big}
		b.Endpoint(&wire.FullEndpoint)
		f.Add(b.Bytes, true)
	}
	f.Fuzz(func(t *testing.T, payload []byte, writer bool) {
		_, _ = wire.ParseKey(payload)
		d, err := wire.ParseEndpoint(payload, writer)
		if err != nil {
			return
		}
		if len(d.Topic) > wire.MaxName || len(d.Type) > wire.MaxName || len(d.UserData) > wire.MaxUserData || len(d.Unicast) > wire.MaxLocators ||
			len(d.Partitions) > wire.MaxPartitions || len(d.Representations) > wire.MaxRepresentations {
			t.Fatalf("too much is kept: %+v", d)
		}
		var b wire.Builder
		b.Endpoint(&d)
		got, err := wire.ParseEndpoint(b.Bytes, writer)
		if err != nil || got.GUID != d.GUID || got.Topic != d.Topic || got.Durability != d.Durability || got.Deadline != d.Deadline {
			t.Fatalf("%+v became %+v, %v", d, got, err)
		}
	})
}
