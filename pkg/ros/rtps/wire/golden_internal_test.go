package wire

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

// Tests of what has no exported name.

var (
	testReader = EntityID{0, 0, 1, 4}
	testWriter = EntityID{0, 0, 2, 3}
)

// submessages are drawn by hand from the diagrams of DDSI-RTPS 2.3, 9.4.5, in
// little and big endian.
var submessages = []struct {
	name        string
	little, big string
	build       func(*Builder)
	parse       func(Submessage) (any, error)
	want        any
}{
	{
		"AckNack",
		"06 03 1c00 00000104 00000203 00000000 05000000 03000000 000000a0 09000000",
		"06 02 001c 00000104 00000203 00000000 00000005 00000003 a0000000 00000009",
		func(b *Builder) { b.AckNack(AckNack{testReader, testWriter, SetOf(5, 5, 7), 9, true}) },
		func(s Submessage) (any, error) { return s.AckNack() },
		AckNack{testReader, testWriter, SetOf(5, 5, 7), 9, true},
	}, {
		"AckNack of nothing",
		"06 01 1800 00000104 00000203 00000000 01000000 00000000 01000000",
		"06 00 0018 00000104 00000203 00000000 00000001 00000000 00000001",
		func(b *Builder) { b.AckNack(AckNack{testReader, testWriter, SetOf(1), 1, false}) },
		func(s Submessage) (any, error) { return s.AckNack() },
		AckNack{testReader, testWriter, SetOf(1), 1, false},
	}, {
		"Heartbeat",
		"07 03 1c00 00000104 00000203 00000000 01000000 01000000 02000000 07000000",
		"07 02 001c 00000104 00000203 00000000 00000001 00000001 00000002 00000007",
		func(b *Builder) { b.Heartbeat(Heartbeat{testReader, testWriter, 1, 1<<32 + 2, 7, true}) },
		func(s Submessage) (any, error) { return s.Heartbeat() },
		Heartbeat{testReader, testWriter, 1, 1<<32 + 2, 7, true},
	}, {
		"Gap",
		"08 01 2000 00000104 00000203 00000000 03000000 00000000 05000000 02000000 00000040",
		"08 00 0020 00000104 00000203 00000000 00000003 00000000 00000005 00000002 40000000",
		func(b *Builder) { b.Gap(Gap{testReader, testWriter, 3, SetOf(5, 6)}) },
		func(s Submessage) (any, error) { return s.Gap() },
		Gap{testReader, testWriter, 3, SetOf(5, 6)},
	}, {
		"NackFrag",
		"12 01 2000 00000104 00000203 00000000 02000000 01000000 01000000 00000080 04000000",
		"12 00 0020 00000104 00000203 00000000 00000002 00000001 00000001 80000000 00000004",
		func(b *Builder) { b.NackFrag(NackFrag{testReader, testWriter, 2, SetOf(1, 1), 4}) },
		func(s Submessage) (any, error) { return s.NackFrag() },
		NackFrag{testReader, testWriter, 2, SetOf(1, 1), 4},
	}, {
		"HeartbeatFrag",
		"13 01 1800 00000104 00000203 00000000 02000000 63000000 04000000",
		"13 00 0018 00000104 00000203 00000000 00000002 00000063 00000004",
		func(b *Builder) { b.HeartbeatFrag(HeartbeatFrag{testReader, testWriter, 2, 99, 4}) },
		func(s Submessage) (any, error) { return s.HeartbeatFrag() },
		HeartbeatFrag{testReader, testWriter, 2, 99, 4},
	}, {
		"InfoTimestamp",
		"09 01 0800 01000000 00000080",
		"09 00 0008 00000001 80000000",
		func(b *Builder) { b.InfoTimestamp(1<<32 | 1<<31) },
		func(s Submessage) (any, error) { return s.InfoTimestamp() },
		Time(1<<32 | 1<<31),
	}, {
		"InfoTimestamp, none",
		"09 03 0000",
		"09 02 0000",
		func(b *Builder) { b.InfoTimestamp(TimeInvalid) },
		func(s Submessage) (any, error) { return s.InfoTimestamp() },
		TimeInvalid,
	}, {
		"InfoDestination",
		"0e 01 0c00 0102030405060708090a0b0c",
		"0e 00 000c 0102030405060708090a0b0c",
		func(b *Builder) { b.InfoDestination(Prefix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) },
		func(s Submessage) (any, error) { return s.InfoDestination() },
		Prefix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
	}, {
		"InfoSource",
		"0c 01 1400 00000000 0203 0110 0102030405060708090a0b0c",
		"0c 00 0014 00000000 0203 0110 0102030405060708090a0b0c",
		func(b *Builder) {
			b.InfoSource(Header{Version{2, 3}, Vendor{1, 0x10}, Prefix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}})
		},
		func(s Submessage) (any, error) { return s.InfoSource() },
		Header{Version{2, 3}, Vendor{1, 0x10}, Prefix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
	}, {
		"InfoReply",
		"0f 01 1c00 01000000 01000000 f21c0000 000000000000000000000000 7f000001",
		"0f 00 001c 00000001 00000001 00001cf2 000000000000000000000000 7f000001",
		func(b *Builder) {
			b.InfoReply([]Locator{{Kind: 1, Port: 7410, Address: [16]byte{12: 127, 15: 1}}}, nil)
		},
		func(s Submessage) (any, error) { u, _, err := s.InfoReply(); return u, err },
		[]Locator{{Kind: 1, Port: 7410, Address: [16]byte{12: 127, 15: 1}}},
	}, {
		"Data",
		"15 05 1c00 0000 1000 00000104 00000203 00000000 01000000 00010000 2a000000",
		"15 04 001c 0000 0010 00000104 00000203 00000000 00000001 00010000 2a000000",
		func(b *Builder) {
			b.Data(Data{Reader: testReader, Writer: testWriter, Sequence: 1, Payload: []byte{0, 1, 0, 0, 42, 0, 0, 0}})
		},
		func(s Submessage) (any, error) { return s.Data() },
		Data{Reader: testReader, Writer: testWriter, Sequence: 1, Payload: []byte{0, 1, 0, 0, 42, 0, 0, 0}},
	}, {
		"Data that disposes, with key hash",
		"15 0b 3800 0000 1000 00000104 00000203 00000000 02000000 7000 1000 000102030405060708090a0b0c0d0e0f 7100 0400 00000003 0100 0000 00030000",
		"15 0a 0038 0000 0010 00000104 00000203 00000000 00000002 0070 0010 000102030405060708090a0b0c0d0e0f 0071 0004 00000003 0001 0000 00030000",
		func(b *Builder) { b.Data(disposing) },
		func(s Submessage) (any, error) { return s.Data() },
		disposing,
	}, {
		"Data that answers another sample",
		"15 07 5800 0000 1000 00000104 00000203 00000000 03000000 8300 1800 0102030405060708090a0b0c 00001304 ffffffff 00000000" +
			"0f80 1800 0102030405060708090a0b0c 00001304 ffffffff 00000000 0100 0000 00010000 2a000000",
		"15 06 0058 0000 0010 00000104 00000203 00000000 00000003 0083 0018 0102030405060708090a0b0c 00001304 ffffffff 00000000" +
			"800f 0018 0102030405060708090a0b0c 00001304 ffffffff 00000000 0001 0000 00010000 2a000000",
		func(b *Builder) { b.Data(answering) },
		func(s Submessage) (any, error) { return s.Data() },
		answering,
	}, {
		"DataFrag",
		"16 01 2400 0000 1c00 00000104 00000203 00000000 01000000 02000000 0100 0400 0a000000 04050607",
		"16 00 0024 0000 001c 00000104 00000203 00000000 00000001 00000002 0001 0004 0000000a 04050607",
		func(b *Builder) { b.DataFrag(fragment) },
		func(s Submessage) (any, error) { return s.DataFrag() },
		fragment,
	},
}

var disposing = Data{
	Reader: testReader, Writer: testWriter, Sequence: 2, Key: true, Payload: []byte{0, 3, 0, 0},
	Inline: Inline{Status: 3, HasKey: true, KeyHash: [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
}

var answering = Data{
	Reader: testReader, Writer: testWriter, Sequence: 3, Payload: []byte{0, 1, 0, 0, 42, 0, 0, 0},
	Inline: Inline{Related: SampleIdentity{
		Writer:   GUID{Prefix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, EntityID{0, 0, 0x13, 4}},
		Sequence: SequenceUnknown,
	}},
}

var fragment = DataFrag{
	Data:  Data{Reader: testReader, Writer: testWriter, Sequence: 1, Payload: []byte{4, 5, 6, 7}},
	First: 2, Count: 1, Size: 4, Sample: 10,
}

func TestSubmessages(t *testing.T) {
	for _, c := range submessages {
		for _, big := range []bool{false, true} {
			text := c.little
			if big {
				text = c.big
			}
			golden := Unhex(t, text)
			b := Builder{Big: big}
			c.build(&b)
			if !bytes.Equal(b.Bytes, golden) {
				t.Errorf("%s, big endian %v:\n wrote %x\n not   %x", c.name, big, b.Bytes, golden)
			}
			scan := Scanner{golden}
			s, err := scan.Next()
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			got, err := c.parse(s)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, big endian %v: read %+v, %v, not %+v", c.name, big, got, err, c.want)
			}
			for n := range s.Body { // no truncation may pass for the whole
				if got, err := c.parse(Submessage{s.Kind, s.Flags, s.Body[:n:n]}); err == nil && reflect.DeepEqual(got, c.want) {
					t.Errorf("%s: %d of %d bytes read like all", c.name, n, len(s.Body))
				}
			}
		}
	}
}

// TestRefused lists numbers that must not get in.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		bytes string
		want  error
	}{
		"set of 257":                   {"06 01 1800 00000104 00000203 00000000 01000000 01010000 01000000", errSet},
		"set with negative base":       {"06 01 1800 00000104 00000203 ffffffff 01000000 00000000 01000000", errSet},
		"set that would overflow":      {"06 01 1800 00000104 00000203 ffffff7f ffffffff 00000000 01000000", errSet},
		"heartbeat from 0":             {"07 01 1c00 00000104 00000203 00000000 00000000 00000000 02000000 07000000", errSequence},
		"heartbeat backwards":          {"07 01 1c00 00000104 00000203 00000000 05000000 00000000 02000000 07000000", errSequence},
		"heartbeat to the end of time": {"07 01 1c00 00000104 00000203 00000000 01000000 ffffff7f ffffffff 07000000", errSequence},
		"gap from 0":                   {"08 01 1c00 00000104 00000203 00000000 00000000 00000000 03000000 00000000", errSequence},
		"gap at the end of time":       {"08 01 1c00 00000104 00000203 ffffff7f ffffffff ffffff7f ffffffff 00000000", errSequence},
		"gap without an end":           {"08 01 0c00 00000104 00000203 00000000", errSequence},
		"fragments of number 0":        {"12 01 1c00 00000104 00000203 00000000 00000000 01000000 00000000 01000000", errSequence},
		"fragments of number -1":       {"12 01 1c00 00000104 00000203 ffffffff ffffffff 01000000 00000000 01000000", errSequence},
		"heartbeat of number 0":        {"13 01 1800 00000104 00000203 00000000 00000000 01000000 01000000", errSequence},
		"heartbeat of fragments, late": {"13 01 1800 00000104 00000203 ffffff7f ffffffff 01000000 01000000", errSequence},
		"heartbeat of fragments, cut":  {"13 01 1000 00000104 00000203 00000000 01000000", errShort},
		"gap backwards":                {"08 01 1c00 00000104 00000203 00000000 05000000 00000000 03000000 00000000", errSequence},
		"data number 0":                {"15 05 1800 0000 1000 00000104 00000203 00000000 00000000 00010000", errSequence},
		"data, QoS beyond the end":     {"15 07 1400 0000 ffff 00000104 00000203 00000000 01000000", errInline},
		"data, QoS inside the header":  {"15 07 1400 0000 0400 00000104 00000203 00000000 01000000", errInline},
		"data, QoS without end":        {"15 07 1800 0000 1000 00000104 00000203 00000000 01000000 ff7f0000", errParameters},
		"fragment 0":                   {"16 01 2000 0000 1c00 00000104 00000203 00000000 01000000 00000000 0100 0400 0a000000", errFragment},
		"fragment beyond the sample":   {"16 01 2400 0000 1c00 00000104 00000203 00000000 01000000 04000000 0100 0400 0a000000 04050607", errFragment},
		"fragment of size 0":           {"16 01 2400 0000 1c00 00000104 00000203 00000000 01000000 01000000 0100 0000 0a000000 04050607", errFragment},
		"no fragments":                 {"16 01 2400 0000 1c00 00000104 00000203 00000000 01000000 01000000 0000 0400 0a000000 04050607", errFragment},
		"fragment of a sample of 0":    {"16 01 2400 0000 1c00 00000104 00000203 00000000 01000000 01000000 0100 0400 00000000 04050607", errFragment},
		"fragments not all there":      {"16 01 2400 0000 1c00 00000104 00000203 00000000 01000000 01000000 0200 0400 0a000000 04050607", errFragment},
		"17 locators":                  {"0f 01 0400 11000000", errShort},
	} {
		scan := Scanner{Unhex(t, c.bytes)}
		s, err := scan.Next()
		if err == nil {
			err = parseAny(s)
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, not %v", name, err, c.want)
		}
	}
	for name, c := range map[string]struct {
		bytes string
		want  error
	}{
		"not RTPS":      {"52545058 0203 0110 000000000000000000000000", errNotRTPS},
		"version 1.0":   {"52545053 0100 0110 000000000000000000000000", errVersion},
		"short header":  {"52545053 0203 0110 0000", errNotRTPS},
		"long body":     {"52545053 0203 0110 000000000000000000000000 0e 01 0d00 00", errLength},
		"half a header": {"52545053 0203 0110 000000000000000000000000 0e 01", errShort},
	} {
		_, scan, err := Open(Unhex(t, c.bytes))
		if err == nil {
			_, err = scan.Next()
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, not %v", name, err, c.want)
		}
	}
}

// parseAny reads a submessage of whatever kind.
func parseAny(s Submessage) (err error) {
	switch s.Kind {
	case KindAckNack:
		_, err = s.AckNack()
	case KindHeartbeat:
		_, err = s.Heartbeat()
	case KindGap:
		_, err = s.Gap()
	case KindInfoTimestamp:
		_, err = s.InfoTimestamp()
	case KindInfoSource:
		_, err = s.InfoSource()
	case KindInfoDestination:
		_, err = s.InfoDestination()
	case KindInfoReply:
		_, _, err = s.InfoReply()
	case KindNackFrag:
		_, err = s.NackFrag()
	case KindHeartbeatFrag:
		_, err = s.HeartbeatFrag()
	case KindData:
		_, err = s.Data()
	case KindDataFrag:
		_, err = s.DataFrag()
	}
	return err
}

func TestPadding(t *testing.T) {
	for n := 4; n < 12; n++ {
		in := make([]byte, n)
		for i := range in[4:] {
			in[4+i] = byte(i + 1)
		}
		var b Builder
		b.Data(Data{Sequence: 1, Payload: in})
		scan := Scanner{b.Bytes}
		s, err := scan.Next()
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Data()
		if err != nil || len(d.Payload)%4 != 0 {
			t.Fatalf("payload %x, %v", d.Payload, err)
		}
		if got := Unpad(bytes.Clone(d.Payload)); !bytes.Equal(got, in) {
			t.Errorf("%x became %x", in, got)
		}
	}
}
