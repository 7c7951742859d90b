package record_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"sinew/msgs"
	"sinew/pkg/ros/record"
)

// failsOnce is a file whose disk cannot read a byte the first time.
type failsOnce struct {
	data   []byte
	bad    int64
	failed bool
}

func (f *failsOnce) ReadAt(b []byte, at int64) (int, error) {
	if !f.failed && at <= f.bad && f.bad < at+int64(len(b)) {
		f.failed = true
		return copy(b, f.data[at:f.bad]), record.ErrDisk
	}
	n := copy(b, f.data[at:])
	return n, nil
}

// TestPassingDiskError: a disk that could not read something is reported even if it can
// read what follows.
func TestPassingDiskError(t *testing.T) {
	list := record.Samples(30)
	for name, data := range formats(t, list) {
		for bad := 64; bad < len(data)/2; bad += 1 + len(data)/40 {
			f := &failsOnce{data: data, bad: int64(bad)}
			err := record.ReadInTest(f, int64(len(data)), func(string, *msgs.Type) bool { return true }, func(record.Message) error { return nil })
			if f.failed && !errors.Is(err, record.ErrDisk) {
				t.Errorf("%s: error %v, though the disk failed at byte %d of %d", name, err, bad, len(data))
			}
		}
	}
}

// TestLengthPrefixed: there is a part only where its length and all of it are.
func TestLengthPrefixed(t *testing.T) {
	for _, c := range []struct {
		bytes       string
		width       int
		first, rest string
		ok          bool
	}{
		{"\x02\x00\x00\x00abc", 4, "ab", "c", true},
		{"\x03\x00\x00\x00abc", 4, "abc", "", true},
		{"\x00\x00\x00\x00", 4, "", "", true},
		{"\x00\x00\x00", 4, "", "", false},
		{"\x04\x00\x00\x00abc", 4, "", "", false},
		{"\x00\x01\x00\x00abc", 4, "", "", false}, // 256, little endian
		{"\x01\x00\x00\x00\x00\x00\x00\x00ab", 8, "a", "b", true},
		{"\x01\x00\x00\x00\x00\x00\x00", 8, "", "", false},
		{"\x00\x00\x00\x00\x00\x00\x00\x80a", 8, "", "", false},
	} {
		first, rest, ok := record.LengthPrefixed([]byte(c.bytes), c.width)
		if string(first) != c.first || string(rest) != c.rest || ok != c.ok {
			t.Errorf("%q: %q, %q, %t; want %q, %q, %t", c.bytes, first, rest, ok, c.first, c.rest, c.ok)
		}
	}
}

// TestAttachmentThatIsCut: of an attachment that is not all there nothing is returned,
// and it is an error once its name has been found.
func TestAttachmentThatIsCut(t *testing.T) {
	prefixed := func(s string) []byte { return append(binary.LittleEndian.AppendUint32(nil, uint32(len(s))), s...) }
	head := append(make([]byte, 16), prefixed("robot.yaml")...)
	body := append(bytes.Clone(head), prefixed("text/yaml")...)
	body = binary.LittleEndian.AppendUint64(body, 7)
	body = append(body, "rod: {}"...)
	for n := range len(body) + 1 {
		b, err := record.AttachmentInTest(bytes.NewReader(body[:n]), "robot.yaml")
		switch whole, named := n == len(body), n >= len(head); {
		case whole:
			if string(b) != "rod: {}" || err != nil {
				t.Errorf("%q, %v", b, err)
			}
		case b != nil, named && err != record.ErrCut, n < 16 && err != record.ErrCut:
			t.Errorf("%d of %d bytes: %q, %v", n, len(body), b, err)
		}
	}
	for name, text := range map[string]string{"empty": "", "of zeros": "\x00\x00"} {
		whole := append(binary.LittleEndian.AppendUint64(append(bytes.Clone(head), prefixed("")...), uint64(len(text))), text...)
		if b, err := record.AttachmentInTest(bytes.NewReader(whole), "robot.yaml"); b == nil || string(b) != text || err != nil {
			t.Errorf("an attachment that is %s: %q, %v", name, b, err)
		}
	}
}
