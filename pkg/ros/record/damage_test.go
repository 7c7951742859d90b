package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
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
		return copy(b, f.data[at:f.bad]), errDisk
	}
	n := copy(b, f.data[at:])
	return n, nil
}

// TestPassingDiskError: a disk that could not read something is told of even if it can
// read what follows.
func TestPassingDiskError(t *testing.T) {
	list := samples(30)
	for name, data := range formats(t, list) {
		for bad := 64; bad < len(data)/2; bad += 1 + len(data)/40 {
			f := &failsOnce{data: data, bad: int64(bad)}
			err := read(f, int64(len(data)), func(string, *msgs.Type) bool { return true }, func(Message) error { return nil })
			if f.failed && !errors.Is(err, errDisk) {
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
		first, rest, ok := lengthPrefixed([]byte(c.bytes), c.width)
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
		b, err := attachment(bytes.NewReader(body[:n]), "robot.yaml")
		switch whole, named := n == len(body), n >= len(head); {
		case whole:
			if string(b) != "rod: {}" || err != nil {
				t.Errorf("%q, %v", b, err)
			}
		case b != nil, named && err != errCut, n < 16 && err != errCut:
			t.Errorf("%d of %d bytes: %q, %v", n, len(body), b, err)
		}
	}
	for name, text := range map[string]string{"empty": "", "of zeros": "\x00\x00"} {
		whole := append(binary.LittleEndian.AppendUint64(append(bytes.Clone(head), prefixed("")...), uint64(len(text))), text...)
		if b, err := attachment(bytes.NewReader(whole), "robot.yaml"); b == nil || string(b) != text || err != nil {
			t.Errorf("an attachment that is %s: %q, %v", name, b, err)
		}
	}
}

// TestTopicsOfChannels: channels of the same topic and type are one topic, from its
// first message to its last; one of another type is another, and channels without
// messages change no time.
func TestTopicsOfChannels(t *testing.T) {
	var table channelTable
	const of = "std_msgs/String"
	for i, c := range []channel{
		{topic: "/a", typeName: of},
		{topic: "/a", typeName: of, messages: 2, first: 5, last: 9},
		{topic: "/b", typeName: of, messages: 1, first: 1, last: 1},
		{topic: "/a", typeName: of, typ: std_msgs.StringType, messages: 3, first: 4, last: 6},
		{topic: "/a", typeName: of},
		{topic: "/a", typeName: "std_msgs/Header", messages: 1, first: 2, last: 2},
		{topic: "/c", typeName: of},
	} {
		if _, err := table.add(uint32(i), c); err != nil {
			t.Fatal(err)
		}
	}
	want := []Topic{
		{"/a", of, std_msgs.StringType, 5, 4, 9},
		{"/b", of, nil, 1, 1, 1},
		{"/a", "std_msgs/Header", nil, 1, 2, 2},
		{"/c", of, nil, 0, 0, 0},
	}
	if got := table.topics(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v,\nwant %+v", got, want)
	}
}

// TestStatusTellsOfEachLoss: one lost message is enough for a warning, which says how
// many were lost since the last, while the total stays.
func TestStatusTellsOfEachLoss(t *testing.T) {
	w, err := newWriter(&disk{}, newMCAPEncoder(testOptions))
	must(t, err)
	r := NewRecorder(w, "x.mcap", nil)
	p, err := r.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
	must(t, err)
	r.waiting.Add(queueBytes + 1) // as if the disk were slow
	total := 0
	for _, lost := range []int{1, 3, 0, 2} {
		for range lost {
			p.Publish(sample(&std_msgs.String{}, start+time.Duration(total)))
			total++
		}
		s := r.Status()
		want := diagnostic_msgs.KeyValue{Key: "dropped_messages", Value: fmt.Sprint(total)}
		if lost == 0 {
			if s.Level != diagnostic_msgs.DiagnosticStatusOk || s.Message != "writing x.mcap" {
				t.Errorf("nothing is lost: status %d %q", s.Level, s.Message)
			}
		} else if text := fmt.Sprint(lost, " messages were dropped since the last report: the disk is too slow"); s.Level != diagnostic_msgs.DiagnosticStatusWarn || s.Message != text {
			t.Errorf("%d lost: status %d %q", lost, s.Level, s.Message)
		}
		if s.Values[2] != want {
			t.Errorf("%v, want %v", s.Values[2], want)
		}
	}
	r.waiting.Add(-queueBytes - 1)
	must(t, r.Close())
}
