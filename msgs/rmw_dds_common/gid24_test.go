package rmw_dds_common_test

import (
	"bytes"
	"reflect"
	"testing"

	"sinew/msgs/rmw_dds_common"
)

func sample() *rmw_dds_common.ParticipantEntitiesInfo {
	gid := func(first byte) (g rmw_dds_common.Gid) {
		for i := range g.Data {
			g.Data[i] = first + byte(i)
		}
		return g
	}
	return &rmw_dds_common.ParticipantEntitiesInfo{
		Gid: gid(0x10),
		NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{
			{NodeNamespace: "/", NodeName: "tendonsim", ReaderGidSeq: []rmw_dds_common.Gid{gid(0x20), gid(0x30)}},
			{NodeNamespace: "/lab", NodeName: "x", WriterGidSeq: []rmw_dds_common.Gid{gid(0x40)}},
		},
	}
}

// bytesOf lays the sample out by hand, each Gid with so many bytes after it.
func bytesOf(padding int) []byte {
	b := []byte{0, 1, 0, 0}
	text := func(s string) { b = append(b, s...) }
	gid := func(first byte) {
		for i := range byte(16) {
			b = append(b, first+i)
		}
		b = append(b, make([]byte, padding)...)
	}
	gid(0x10)
	text("\x02\x00\x00\x00")                           // two nodes
	text("\x02\x00\x00\x00/\x00" + "\x00\x00")         // namespace, padding
	text("\x0a\x00\x00\x00tendonsim\x00" + "\x00\x00") // name, padding
	text("\x02\x00\x00\x00")                           // two readers
	gid(0x20)                                          //
	gid(0x30)                                          //
	text("\x00\x00\x00\x00")                           // no writer
	text("\x05\x00\x00\x00/lab\x00" + "\x00\x00\x00")  // namespace, padding
	text("\x02\x00\x00\x00x\x00" + "\x00\x00")         // name, padding
	text("\x00\x00\x00\x00" + "\x01\x00\x00\x00")      // no reader, one writer
	gid(0x40)
	return b
}

func TestBothGidSizes(t *testing.T) {
	if got, want := sample().AppendCDR(nil), bytesOf(0); !bytes.Equal(got, want) {
		t.Errorf("16 bytes:\ngot  % x\nwant % x", got, want)
	}
	if got, want := sample().AppendCDRGid24([]byte("odd")), append([]byte("odd"), bytesOf(8)...); !bytes.Equal(got, want) {
		t.Errorf("24 bytes:\ngot  % x\nwant % x", got, want)
	}
	var short, long rmw_dds_common.ParticipantEntitiesInfo
	if err := short.ParseCDR(bytesOf(0)); err != nil || !reflect.DeepEqual(&short, sample()) {
		t.Errorf("16 bytes: %+v, %v", short, err)
	}
	if err := long.ParseCDRGid24(bytesOf(8)); err != nil || !reflect.DeepEqual(&long, sample()) {
		t.Errorf("24 bytes: %+v, %v", long, err)
	}
}

// TestGidSizesDoNotMix proves that neither parser takes the other's form, even
// when the participant has no node.
func TestGidSizesDoNotMix(t *testing.T) {
	for _, m := range []*rmw_dds_common.ParticipantEntitiesInfo{{}, {Gid: sample().Gid}, sample()} {
		if err := m.ParseCDR(m.AppendCDRGid24(nil)); err == nil {
			t.Error("ParseCDR took GIDs of 24 bytes")
		}
	}
	for _, m := range []*rmw_dds_common.ParticipantEntitiesInfo{{}, {Gid: sample().Gid}, sample()} {
		if err := m.ParseCDRGid24(m.AppendCDR(nil)); err == nil {
			t.Error("ParseCDRGid24 took GIDs of 16 bytes")
		}
	}
}

func TestGid24Faults(t *testing.T) {
	whole := bytesOf(8)
	for n := range len(whole) {
		if err := new(rmw_dds_common.ParticipantEntitiesInfo).ParseCDRGid24(whole[:n]); err == nil {
			t.Errorf("no error from %d of %d bytes", n, len(whole))
		}
	}
	if err := new(rmw_dds_common.ParticipantEntitiesInfo).ParseCDRGid24(append(whole, 0, 0, 0, 0)); err == nil {
		t.Error("no error from four surplus bytes")
	}
}

// TestNameBound: the names are bounded, and the others have no form for more.
func TestNameBound(t *testing.T) {
	m := sample()
	m.NodeEntitiesInfoSeq[0].NodeName = string(bytes.Repeat([]byte("n"), 256))
	var got rmw_dds_common.ParticipantEntitiesInfo
	if err := got.ParseCDR(m.AppendCDR(nil)); err != nil {
		t.Errorf("256 bytes: %v", err)
	}
	m.NodeEntitiesInfoSeq[0].NodeName += "n"
	if err := got.ParseCDR(m.AppendCDR(nil)); err == nil {
		t.Error("no error from a name of 257 bytes")
	}
	if err := got.ParseCDRGid24(m.AppendCDRGid24(nil)); err == nil {
		t.Error("no error from a name of 257 bytes, 24 bytes a Gid")
	}
}

func FuzzParseCDRGid24(f *testing.F) {
	f.Add(bytesOf(8))
	f.Fuzz(func(t *testing.T, src []byte) {
		var m, back rmw_dds_common.ParticipantEntitiesInfo
		if m.ParseCDRGid24(src) != nil {
			return
		}
		again := m.AppendCDRGid24(nil)
		if err := back.ParseCDRGid24(again); err != nil || !reflect.DeepEqual(m, back) {
			t.Fatalf("% x: own serialisation: %v", src, err)
		}
	})
}
