package wire

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

// What Cyclone DDS 0.10.2 (Debian 12) sent on the loopback interface of a host
// named "peer": the first announcement of a participant, its good-bye, and the
// SEDP samples of a reader of rt/out, reliable, transient local, keep last 7.
const (
	cycloneAnnouncement = `
525450530201011001106b449112d770c4d4ab5d09010800009e016b9ade8ea1150568010000100000000000000100c200000000010000000003000059005c000300
00000e0000005f5f50726f636573734e616d65000000050000007065657200000000060000005f5f5069640000000600000033303230350000000b0000005f5f486f
73746e616d6500000500000070656572000000000000000015000400020100001600040001100000020008000a000000000000005000100001106b449112d770c4d4
ab5d000001c1580004003ffc00000f0004000500000031001800010000006edb00000000000000000000000000007f0000014800180001000000cb21000000000000
0000000000000000efff000132001800010000006edb00000000000000000000000000007f0000013300180001000000ca210000000000000000000000000000efff
000107803000000000002c00000000000000000000000000000018000000706565722f302e31302e322f4c696e75782f4c696e757800198004000000200001000000`
	cycloneGoodbye = `
525450530201011001106b449112d770c4d4ab5d09010800009e016bb8d4d5a1150b3c000000100000000000000100c20000000002000000710004000000000301000000
000300005000100001106b449112d770c4d4ab5d000001c101000000`
	cycloneReader = `
0003000005000c000700000072742f6f7574000007001c0015000000706565723a3a6464735f3a3a4e756d626572735f000000001d000400010000001a000c000200
00000a00000000000000400008000000000007000000730008000200000000000200750064006000000001100040280000002400000014000000f1d1df2917d404ff
5de13da0c7ad91003c00000000000000040000000000000002100040280000002400000014000000f295367569e83a913c4cfead58da18006b000000000000000400
000000000000150004000201000016000400011000005a0010000110057aebfbac1274a83ee3000002040c8004000100000001000000`
	cycloneReaderGone = "000300005a0010000110057aebfbac1274a83ee30000020401000000"
)

var cyclonePrefix = Prefix{0x01, 0x10, 0x6b, 0x44, 0x91, 0x12, 0xd7, 0x70, 0xc4, 0xd4, 0xab, 0x5d}

// onlyData gives the first Data of a message.
func onlyData(t testing.TB, message []byte) Data {
	t.Helper()
	_, scan, err := Open(message)
	for err == nil {
		var s Submessage
		if s, err = scan.Next(); err == nil && s.Kind == KindData {
			d, err := s.Data()
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatal(err)
	return Data{}
}

func TestCycloneAnnouncement(t *testing.T) {
	d := onlyData(t, unhex(t, cycloneAnnouncement))
	if d.Writer != SPDPWriter || d.Sequence != 1 {
		t.Errorf("data is %+v", d)
	}
	got, err := ParseParticipant(d.Payload)
	if err != nil {
		t.Fatal(err)
	}
	at := []Locator{LocatorOf(netip.MustParseAddrPort("127.0.0.1:56174"))}
	want := ParticipantData{
		GUID: GUID{cyclonePrefix, EntityParticipant}, Version: Version{2, 1}, Vendor: Vendor{1, 0x10},
		Domain: 5, Builtin: 0xfc3f, Metatraffic: at, Default: at, Lease: 10 * time.Second,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v\nnot  %+v", got, want)
	}
}

func TestCycloneGoodbye(t *testing.T) {
	d := onlyData(t, unhex(t, cycloneGoodbye))
	if !d.Inline.Ended() || !d.Key {
		t.Errorf("data is %+v", d)
	}
	if g, err := ParseKey(d.Payload); err != nil || g != (GUID{cyclonePrefix, EntityParticipant}) {
		t.Errorf("key is %v, %v", g, err)
	}
}

func TestCycloneReader(t *testing.T) {
	got, err := ParseEndpoint(unhex(t, cycloneReader), false)
	if err != nil {
		t.Fatal(err)
	}
	want := NewEndpointData(false)
	want.GUID = GUID{Prefix{0x01, 0x10, 0x05, 0x7a, 0xeb, 0xfb, 0xac, 0x12, 0x74, 0xa8, 0x3e, 0xe3}, EntityID{0, 0, 2, 4}}
	want.Topic, want.Type = "rt/out", "peer::dds_::Numbers_"
	want.Reliability, want.Durability, want.Depth = Reliable, TransientLocal, 7
	want.Representations = []int16{0, 2}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v\nnot  %+v", got, want)
	}
	if g, err := ParseKey(unhex(t, cycloneReaderGone)); err != nil || g != want.GUID {
		t.Errorf("key is %v, %v", g, err)
	}
	if _, err := ParseEndpoint(unhex(t, cycloneReader), true); !errors.Is(err, errNoGUID) {
		t.Errorf("a reader passed for a writer: %v", err)
	}
}

var fullParticipant = ParticipantData{
	GUID: GUID{cyclonePrefix, EntityParticipant}, Version: ThisVersion, Vendor: VendorUnknown, Domain: 7,
	Name: "tendonsim", UserData: []byte("enclave=/;"), Builtin: 0x3f, Lease: 1500 * time.Millisecond,
	Metatraffic: []Locator{LocatorOf(netip.MustParseAddrPort("127.0.0.1:7410"))},
	Default:     []Locator{LocatorOf(netip.MustParseAddrPort("127.0.0.1:7411")), LocatorOf(netip.MustParseAddrPort("10.0.0.1:7411"))},
}

var fullEndpoint = EndpointData{
	GUID: GUID{cyclonePrefix, EntityID{0, 0, 1, 3}}, Topic: "rt/x", Type: "T", UserData: []byte("typehash=RIHS01_00;"),
	Unicast:     []Locator{LocatorOf(netip.MustParseAddrPort("127.0.0.1:7411"))},
	Reliability: Reliable, Durability: TransientLocal, Depth: 10, Deadline: Forever, Liveliness: 1,
	LivelinessLease: 2 * time.Second, Lifespan: 10 * time.Second, Exclusive: true, Partitions: []string{"a", "bcdef"},
	Representations: []int16{0}, ExpectsInline: true,
}

func TestDiscoveryData(t *testing.T) {
	for _, big := range []bool{false, true} {
		b := Builder{Big: big}
		b.Participant(&fullParticipant)
		if got, err := ParseParticipant(b.Bytes); err != nil || !reflect.DeepEqual(got, fullParticipant) {
			t.Errorf("participant, big endian %v: read %+v, %v", big, got, err)
		}
		b.Bytes = nil
		b.Endpoint(&fullEndpoint)
		if got, err := ParseEndpoint(b.Bytes, true); err != nil || !reflect.DeepEqual(got, fullEndpoint) {
			t.Errorf("endpoint, big endian %v: read %+v, %v", big, got, err)
		}
	}
}

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
	plain.GUID, plain.Topic, plain.Type = fullEndpoint.GUID, "rt/x", "T"
	less, all := said(plain), said(fullEndpoint)
	for _, id := range optional {
		if less[id] || !all[id] {
			t.Errorf("parameter %#x: %t where there is nothing to say, %t where there is", id, less[id], all[id])
		}
	}
}

// Built-in entities have the numbers of table 9.2 of the specification.
func TestBuiltinEntities(t *testing.T) {
	for want, e := range map[string]EntityID{
		"00000000": EntityUnknown, "000001c1": EntityParticipant,
		"000100c2": SPDPWriter, "000100c7": SPDPReader,
		"000003c2": SEDPPubWriter, "000003c7": SEDPPubReader,
		"000004c2": SEDPSubWriter, "000004c7": SEDPSubReader,
		"000200c2": MessageWriter, "000200c7": MessageReader,
	} {
		if got := (GUID{cyclonePrefix, e}).String(); got != fmt.Sprintf("%x.%s", cyclonePrefix[:], want) {
			t.Errorf("%s is written %s", want, got)
		}
		writer, reader := strings.HasSuffix(want, "c2"), strings.HasSuffix(want, "c7")
		if e.IsWriter() != writer || e.IsReader() != reader {
			t.Errorf("%s is a writer: %t, a reader: %t", want, e.IsWriter(), e.IsReader())
		}
	}
	// the bits of table 9.4
	for bit, set := range map[int]uint32{
		0: HasSPDPWriter, 1: HasSPDPReader, 2: HasSEDPPubWriter, 3: HasSEDPPubReader, 4: HasSEDPSubWriter, 5: HasSEDPSubReader,
		10: HasMessageWriter, 11: HasMessageReader,
	} {
		if set != 1<<bit {
			t.Errorf("bit %d is %#x", bit, set)
		}
	}
}

func TestDiscoveryDataRefused(t *testing.T) {
	long := bytes.Repeat([]byte("x"), MaxUserData+1)
	participant := func(change func(*ParticipantData)) error {
		d := fullParticipant
		change(&d)
		var b Builder
		b.Participant(&d)
		_, err := ParseParticipant(b.Bytes)
		return err
	}
	endpoint := func(change func(*EndpointData)) error {
		d := fullEndpoint
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
	d := fullParticipant
	for range 100 {
		d.Default = append(d.Default, d.Default[0])
	}
	var b Builder
	b.Participant(&d)
	if got, err := ParseParticipant(b.Bytes); err != nil || len(got.Default) != maxLocators {
		t.Errorf("%d locators kept, %v", len(got.Default), err)
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
		if g, err := ParseKey(unhex(t, text)); err == nil || g != (GUID{}) {
			t.Errorf("%s: %v, %v", name, g, err)
		}
	}
}
