package wire_test

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// onlyData gives the first Data of a message.
func onlyData(t testing.TB, message []byte) wire.Data {
	t.Helper()
	_, scan, err := wire.Open(message)
	for err == nil {
		var s wire.Submessage
		if s, err = scan.Next(); err == nil && s.Kind == wire.KindData {
			d, err := s.Data()
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatal(err)
	return wire.Data{}
}

func TestCycloneAnnouncement(t *testing.T) {
	d := onlyData(t, wire.Unhex(t, wire.CycloneAnnouncement))
	if d.Writer != wire.SPDPWriter || d.Sequence != 1 {
		t.Errorf("data is %+v", d)
	}
	got, err := wire.ParseParticipant(d.Payload)
	if err != nil {
		t.Fatal(err)
	}
	at := []wire.Locator{wire.LocatorOf(netip.MustParseAddrPort("127.0.0.1:56174"))}
	want := wire.ParticipantData{
		GUID: wire.GUID{wire.CyclonePrefix, wire.EntityParticipant}, Version: wire.Version{2, 1}, Vendor: wire.Vendor{1, 0x10},
		Domain: 5, Builtin: 0xfc3f, Metatraffic: at, Default: at, Lease: 10 * time.Second,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v\nnot  %+v", got, want)
	}
}

func TestCycloneGoodbye(t *testing.T) {
	d := onlyData(t, wire.Unhex(t, wire.CycloneGoodbye))
	if !d.Inline.Ended() || !d.Key {
		t.Errorf("data is %+v", d)
	}
	if g, err := wire.ParseKey(d.Payload); err != nil || g != (wire.GUID{wire.CyclonePrefix, wire.EntityParticipant}) {
		t.Errorf("key is %v, %v", g, err)
	}
}

func TestCycloneReader(t *testing.T) {
	got, err := wire.ParseEndpoint(wire.Unhex(t, wire.CycloneReader), false)
	if err != nil {
		t.Fatal(err)
	}
	want := wire.NewEndpointData(false)
	want.GUID = wire.GUID{wire.Prefix{0x01, 0x10, 0x05, 0x7a, 0xeb, 0xfb, 0xac, 0x12, 0x74, 0xa8, 0x3e, 0xe3}, wire.EntityID{0, 0, 2, 4}}
	want.Topic, want.Type = "rt/out", "peer::dds_::Numbers_"
	want.Reliability, want.Durability, want.Depth = wire.Reliable, wire.TransientLocal, 7
	want.Representations = []int16{0, 2}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v\nnot  %+v", got, want)
	}
	if g, err := wire.ParseKey(wire.Unhex(t, wire.CycloneReaderGone)); err != nil || g != want.GUID {
		t.Errorf("key is %v, %v", g, err)
	}
	if _, err := wire.ParseEndpoint(wire.Unhex(t, wire.CycloneReader), true); !errors.Is(err, wire.ErrNoGUID) {
		t.Errorf("a reader passed for a writer: %v", err)
	}
}

func TestDiscoveryData(t *testing.T) {
	for _, big := range []bool{false, true} {
		b := wire.Builder{Big: big}
		b.Participant(&wire.FullParticipant)
		if got, err := wire.ParseParticipant(b.Bytes); err != nil || !reflect.DeepEqual(got, wire.FullParticipant) {
			t.Errorf("participant, big endian %v: read %+v, %v", big, got, err)
		}
		b.Bytes = nil
		b.Endpoint(&wire.FullEndpoint)
		if got, err := wire.ParseEndpoint(b.Bytes, true); err != nil || !reflect.DeepEqual(got, wire.FullEndpoint) {
			t.Errorf("endpoint, big endian %v: read %+v, %v", big, got, err)
		}
	}
}

// Built-in entities have the numbers of table 9.2 of the specification.
func TestBuiltinEntities(t *testing.T) {
	for want, e := range map[string]wire.EntityID{
		"00000000": wire.EntityUnknown, "000001c1": wire.EntityParticipant,
		"000100c2": wire.SPDPWriter, "000100c7": wire.SPDPReader,
		"000003c2": wire.SEDPPubWriter, "000003c7": wire.SEDPPubReader,
		"000004c2": wire.SEDPSubWriter, "000004c7": wire.SEDPSubReader,
		"000200c2": wire.MessageWriter, "000200c7": wire.MessageReader,
	} {
		if got := (wire.GUID{wire.CyclonePrefix, e}).String(); got != fmt.Sprintf("%x.%s", wire.CyclonePrefix[:], want) {
			t.Errorf("%s is written %s", want, got)
		}
		writer, reader := strings.HasSuffix(want, "c2"), strings.HasSuffix(want, "c7")
		if e.IsWriter() != writer || e.IsReader() != reader {
			t.Errorf("%s is a writer: %t, a reader: %t", want, e.IsWriter(), e.IsReader())
		}
	}
	// the bits of table 9.4
	for bit, set := range map[int]uint32{
		0: wire.HasSPDPWriter, 1: wire.HasSPDPReader, 2: wire.HasSEDPPubWriter, 3: wire.HasSEDPPubReader, 4: wire.HasSEDPSubWriter, 5: wire.HasSEDPSubReader,
		10: wire.HasMessageWriter, 11: wire.HasMessageReader,
	} {
		if set != 1<<bit {
			t.Errorf("bit %d is %#x", bit, set)
		}
	}
}

// TestKeyRefused: without a whole key there is an error and no GUID.
func TestKeyRefused(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":                "",
		"another representation": "0007 0000 0100 0000",
		"no end":                 "0003 0000",
		"a GUID that is cut":     "0003 0000 5a00 0800 0102030405060708 0100 0000",
		"no GUID":                "0003 0000 0100 0000",
	} {
		if g, err := wire.ParseKey(wire.Unhex(t, text)); err == nil || g != (wire.GUID{}) {
			t.Errorf("%s: %v, %v", name, g, err)
		}
	}
}
