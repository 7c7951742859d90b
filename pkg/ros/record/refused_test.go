package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
)

// TestUnpack: a block is as long as the file says, whatever packed it; a block that is
// not gives what there is and an error.
func TestUnpack(t *testing.T) {
	plain := []byte(strings.Repeat("sinew ", 1000))
	pack := map[string]func() []byte{
		"lz4": func() []byte {
			var b bytes.Buffer
			w := lz4.NewWriter(&b)
			_, err := w.Write(plain)
			Must(t, errors.Join(err, w.Close()))
			return b.Bytes()
		},
		"zstd": func() []byte {
			w, err := zstd.NewWriter(nil)
			Must(t, err)
			return w.EncodeAll(plain, nil)
		},
	}
	var u decompressor
	for range 2 { // the decoders are used again
		for name, f := range pack {
			packed := f()
			if got, err := u.unpack(name, packed, uint64(len(plain))); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
			if got, err := u.unpack(name, packed, 100); err != nil || !bytes.Equal(got, plain[:100]) {
				t.Errorf("%s: %d bytes of the first 100, %v", name, len(got), err)
			}
			if got, err := u.unpack(name, packed, uint64(len(plain)+1)); err == nil || !strings.Contains(err.Error(), "cannot be decompressed") || !bytes.Equal(got, plain) {
				t.Errorf("%s: %d bytes where one more should be, %v", name, len(got), err)
			}
			if _, err := u.unpack(name, []byte("this is no packed block"), 10); err == nil {
				t.Errorf("%s: no error of what is not packed", name)
			}
		}
	}
	for _, name := range []string{"", "none"} {
		if got, err := u.unpack(name, plain, 1); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%q: %d bytes, %v", name, len(got), err)
		}
	}
	if _, err := u.unpack("none", plain, maxBlock); err != nil {
		t.Errorf("a block of %d bytes: %v", maxBlock, err)
	}
	if _, err := u.unpack("none", plain, maxBlock+1); err == nil || !strings.Contains(err.Error(), "at most 268435456 are read") {
		t.Errorf("a larger block: error %v", err)
	}
	if _, err := u.unpack("rar", plain, 1); err == nil || !strings.Contains(err.Error(), `"rar"`) {
		t.Errorf("an unknown packing: error %v", err)
	}
}

// bagOf is a bag of records that claims to have an index.
func bagOf(records ...[]byte) []byte {
	all := append(bytes.Clone(bagMagic), header(opBagHeader).u64("index_pos", 1).record(nil, nil)...)
	return append(all, bytes.Join(records, nil)...)
}

// chunkOf is the record of a chunk that is not packed.
func chunkOf(records ...[]byte) []byte {
	inner := bytes.Join(records, nil)
	return header(opChunk).text("compression", "none").u32("size", uint32(len(inner))).record(nil, inner)
}

// connection is the record of a topic of texts.
func connection(id uint32, topic string) []byte {
	t := std_msgs.StringType
	about := fieldsOf("topic", topic).text("type", t.Name).text("md5sum", t.MD5)
	return header(opConnection).u32("conn", id).text("topic", topic).record(nil, about)
}

// said is the record of a text.
func said(id uint32, at time.Duration, text string) []byte {
	return header(opMessage).u32("conn", id).time("time", msgs.At(at)).record(nil, (&std_msgs.String{Data: text}).AppendROS1(nil))
}

// TestDamagedBags: whatever is wrong with a bag is said, with the byte where it is, and
// what is whole is read.
func TestDamagedBags(t *testing.T) {
	whole := func(i int) []byte {
		return chunkOf(connection(0, "/a"), said(0, Start+time.Duration(i), fmt.Sprint(i)))
	}
	bad := func(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }
	for name, c := range map[string]struct {
		bag   []byte
		want  string // of the error; empty is none
		texts string
	}{
		"whole":                      {bagOf(whole(1), whole(2)), "", "1 2"},
		"without an index":           {append(bytes.Clone(bagMagic), whole(1)...), "the bag was not closed: it has no index", "1"},
		"no list of fields":          {bagOf(whole(1), append(bad(3), "abc\x00\x00\x00\x00"...)), "a header that is no list of name=value", "1"},
		"a field without a name":     {bagOf(whole(1), append(bad(5), "\x01\x00\x00\x00a\x00\x00\x00\x00"...)), "a header that is no list of name=value", "1"},
		"a large header":             {bagOf(whole(1), bad(maxHeader+1)), "a record header of 1048577 bytes; at most 1048576 are read", "1"},
		"cut in a header":            {bagOf(whole(1), bad(10), []byte("abc")), "the file ends within a record", "1"},
		"cut in a length":            {bagOf(whole(1), bad(0), []byte{1}), "the file ends within a record", "1"},
		"cut in a chunk":             {bagOf(whole(1), whole(2)[:60]), "the file ends within a record", "1"},
		"a message before its topic": {bagOf(chunkOf(said(7, Start, "x")), whole(2)), "a message of a channel that was not described before", "2"},
		"a chunk within a chunk":     {bagOf(chunkOf(whole(1)), whole(2)), "a record of kind 5 within a chunk", "2"},
		"half a record in a chunk":   {bagOf(chunkOf(whole(1)[:20]), whole(2)), "the file ends within a record", "2"},
		"no fields in a chunk":       {bagOf(chunkOf(append(bad(3), "abc\x00\x00\x00\x00"...)), whole(2)), "a header that is no list of name=value", "2"},
		"no fields of a topic":       {bagOf(header(opConnection).u32("conn", 3).text("topic", "/b").record(nil, []byte("abc")), whole(2)), "a header that is no list of name=value", "2"},
		"kinds to come":              {bagOf(header(99).record(nil, []byte("abc")), whole(2)), "", "2"},
		"a kind of two bytes":        {bagOf(fields{}.text("op", "\x05\x05").record(nil, []byte("abc")), whole(2)), "", "2"},
		"no kind":                    {bagOf(fields{}.text("x", "y").record(nil, []byte("abc")), whole(2)), "", "2"},
	} {
		got, err := ReadAll(c.bag)
		var texts []string
		for _, m := range got {
			texts = append(texts, m.Message.(*std_msgs.String).Data)
		}
		if strings.Join(texts, " ") != c.texts || (err != nil) != (c.want != "") || err != nil && (!errors.Is(err, ErrIncomplete) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: texts %q, error %v; want %q, %q", name, texts, err, c.texts, c.want)
		}
	}
}

// TestForeignBytes: a message that its type does not describe ends the reading, with the
// topic and the time.
func TestForeignBytes(t *testing.T) {
	broken := header(opMessage).u32("conn", 0).time("time", msgs.At(Start)).record(nil, []byte{9, 0, 0, 0, 'x'})
	_, err := ReadAll(bagOf(chunkOf(connection(0, "/a"), broken)))
	if err == nil || errors.Is(err, ErrIncomplete) || !strings.Contains(err.Error(), "/a at ") {
		t.Errorf("error %v", err)
	}
	for name, data := range map[string]string{"empty": "", "short": "#ROSBAG", "other": "#ROSBAG V1.2\nabcdefgh", "text": "hello, world, this is a text"} {
		if _, err := ReadAll([]byte(data)); err == nil || !strings.Contains(err.Error(), "neither an .mcap file nor a .bag file") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for data, want := range map[string]string{"\x28\xb5\x2f\xfd abcdefgh": "unzstd FILE", "\x1f\x8b\x08": "gunzip FILE", "": "it is empty"} {
		if _, err := ReadAll([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", data, err, want)
		}
	}
}

// TestDamagedMCAP: records that have no place in a chunk are faults, those of kinds to
// come are passed over, and a checksum is checked.
func TestDamagedMCAP(t *testing.T) {
	list := []Given{{"/robot/note", Start, &std_msgs.String{Data: "x"}}}
	f := newMCAPDecoder(nil, 0, new(channelTable))
	record := func(op mcap.OpCode, body string) []byte {
		return append(binary.LittleEndian.AppendUint64([]byte{byte(op)}, uint64(len(body))), body...)
	}
	none := func(*channel, time.Duration, []byte) error { return nil }
	for op := range 256 {
		err := f.split(record(mcap.OpCode(op), "abc"), none)
		passed := op > 15 // beyond the kinds of the format
		if (err == nil) != passed {
			t.Errorf("a record of kind %d: error %v", op, err)
		}
	}
	for _, cut := range []string{"\x80", "\x80\x03\x00\x00\x00\x00\x00\x00", "\x80\x03\x00\x00\x00\x00\x00\x00\x00ab"} {
		if err := f.split([]byte(cut), none); err != errCut {
			t.Errorf("%q: error %v", cut, err)
		}
	}
	data := ForeignMCAP(t, list, mcap.WriterOptions{Chunked: true, IncludeCRC: true}, "cdr")
	if got, err := ReadAll(data); err != nil || len(got) != 1 {
		t.Errorf("%d messages, %v", len(got), err)
	}
	at := bytes.Index(data, (list[0].Message).AppendCDR(nil))
	spoilt := Flip(data, at+len(list[0].Message.AppendCDR(nil))-2) // the letter
	if _, err := ReadAll(spoilt); !errors.Is(err, ErrIncomplete) || !strings.Contains(err.Error(), "the checksum of a chunk is wrong") {
		t.Errorf("a chunk that is spoilt: error %v", err)
	}
}
