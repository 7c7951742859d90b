package record

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// failingFile is a file whose disk cannot read the byte at bad and what follows it.
type failingFile struct {
	data []byte
	bad  int64
}

var errDisk = errors.New("input/output error")

func (f failingFile) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) <= f.bad {
		return copy(b, f.data[at:]), nil
	}
	return copy(b, f.data[min(at, f.bad):f.bad]), errDisk
}

// TestDiskErrorIsNoTruncation: a disk that cannot read is told of as such, wherever it
// fails, and not as a recording that was cut.
func TestDiskErrorIsNoTruncation(t *testing.T) {
	list := samples(30)
	for name, data := range formats(t, list) {
		whole, err := readAll(data)
		if err != nil || len(whole) != len(list) {
			t.Fatalf("%s: %d messages, %v", name, len(whole), err)
		}
		for bad := 64; bad < len(data)/2; bad += 1 + len(data)/40 {
			err := read(failingFile{data, int64(bad)}, int64(len(data)), func(string, *msgs.Type) bool { return true }, func(Message) error { return nil })
			if !errors.Is(err, errDisk) || errors.Is(err, ErrIncomplete) {
				t.Errorf("%s: error %v when the disk fails at byte %d of %d", name, err, bad, len(data))
			}
		}
	}
}

// TestEnds tells the end of a file from an error of the disk.
func TestEnds(t *testing.T) {
	cut := []error{errCut, errNoEnd}
	for _, end := range cut {
		if ioError(errDisk) != errDisk || cause(errDisk, end) != errDisk {
			t.Error("an error of the disk passes for the end of the file")
		}
	}
	data := []byte("abc")
	in := failingFile{data, 3}
	for n, want := range map[int]error{2: nil, 3: nil, 4: errDisk} {
		_, err := appendFrom(nil, &readerAt{in, 0}, n)
		if !errors.Is(err, want) {
			t.Errorf("%d bytes: error %v, want %v", n, err, want)
		}
	}
	for _, short := range [][]byte{nil, data} {
		_, err := appendFrom(nil, strings.NewReader(string(short)), 4)
		if err == nil || ioError(err) != nil || cause(err, errCut) != errCut {
			t.Errorf("%q: error %v does not pass for the end of the file", short, err)
		}
	}
}

// readerAt reads from a place on.
type readerAt struct {
	f  failingFile
	at int64
}

func (r *readerAt) Read(b []byte) (int, error) {
	n, err := r.f.ReadAt(b, r.at)
	r.at += int64(n)
	return n, err
}

// TestNameLength: names may have as many bytes as maxName, and no more.
func TestNameLength(t *testing.T) {
	long := strings.Repeat("x", maxName)
	for _, c := range []struct {
		channel channel
		fits    bool
	}{
		{channel{topic: long, typeName: long}, true}, {channel{topic: long + "x"}, false}, {channel{typeName: long + "x"}, false},
	} {
		var table channelTable
		if isNew, err := table.add(1, c.channel); isNew != c.fits || (err == nil) != c.fits || len(table.order) != len(table.channels) {
			t.Errorf("names of %d and %d bytes: %v, %v", len(c.channel.topic), len(c.channel.typeName), isNew, err)
		}
	}
}

// TestManyTopics: a file has room for as many topics as its format can number.
func TestManyTopics(t *testing.T) {
	f := newMCAPEncoder(testOptions)
	f.channels = make([]*mcap.Channel, math.MaxUint16-1)
	s := &stream{topic: ros.Topic{Name: "/note", Type: std_msgs.StringType}}
	must(t, f.add(s, start, nil))
	if s.id != math.MaxUint16 {
		t.Errorf("the last topic has number %d, want %d", s.id, math.MaxUint16)
	}
	err := f.add(&stream{topic: ros.Topic{Name: "/other", Type: std_msgs.StringType}}, start, nil)
	if err == nil || !strings.Contains(err.Error(), "65535 topics") {
		t.Errorf("one more topic: error %v", err)
	}
}

// TestRuns: records outside chunks are taken together up to about a mebibyte.
func TestRuns(t *testing.T) {
	var list []given
	for i := range 40 {
		list = append(list, given{"/robot/note", start + time.Duration(i), &std_msgs.String{Data: strings.Repeat("x", 100_000)}})
	}
	data := foreignMCAP(t, list, mcap.WriterOptions{}, "cdr")
	var sizes []int
	f := newMCAPDecoder(failingFile{data, int64(len(data))}, int64(len(data)), new(channelTable))
	err := f.walk(func(p place, raw []byte) error { sizes = append(sizes, len(raw)); return nil }, func(_ int64, err error) { t.Error(err) })
	must(t, err)
	for i, n := range sizes {
		if n > runBytes+101_000 || n < 1<<20 && i < len(sizes)-1 {
			t.Errorf("run %d of %d has %d bytes", i, len(sizes), n)
		}
	}
	if len(sizes) != 4 {
		t.Errorf("%d runs of 4 MB, want 4", len(sizes))
	}
}

// TestImpossibleTime: a message whose time no clock shows is a fault of the file.
func TestImpossibleTime(t *testing.T) {
	list := samples(3)
	list[2].at = -1 // as a number without sign: in the year 2554
	got, err := readAll(foreignMCAP(t, list, mcap.WriterOptions{}, "cdr"))
	if !errors.Is(err, ErrIncomplete) || !strings.Contains(err.Error(), "no clock shows") {
		t.Errorf("error %v", err)
	}
	if len(got) != 2 {
		t.Errorf("%d messages, want the 2 before it", len(got))
	}
}

// TestOutOfOrder: messages that would have to be held back without bound are an error.
func TestOutOfOrder(t *testing.T) {
	shared := make([]byte, 1<<20)
	for n, fits := range map[int]bool{maxPending>>20 - 1: true, maxPending >> 20: false} {
		s := &scanner{r: failingFile{}, decoder: newMCAPDecoder(failingFile{}, 0, new(channelTable))}
		waiting := make([]entry, n)
		for i := range waiting {
			waiting[i] = entry{at: start, number: i, data: shared}
		}
		all, _, err := s.load(place{}, waiting)
		if fits && (err != nil || len(all) != n) || !fits && (err == nil || !strings.Contains(err.Error(), "out of the order of time")) {
			t.Errorf("%d MiB held back: %d messages, error %v", n, len(all), err)
		}
	}
}

// TestAttachmentBeforeEnd: what follows the end of the data is no attachment.
func TestAttachmentBeforeEnd(t *testing.T) {
	file, w := create(t, ".mcap")
	must(t, w.Close())
	whole, err := os.ReadFile(file)
	must(t, err)
	at := strings.Index(string(whole), testOptions.RobotName) - 16 - 4 - recordHead
	length := recordHead + int(whole[at+1]) + int(whole[at+2])<<8
	record := string(whole[at : at+length])
	for op, want := range map[mcap.OpCode]string{mcap.OpMetadata: string(testOptions.Robot), mcap.OpDataEnd: "", mcap.OpFooter: ""} {
		before := string([]byte{byte(op), 2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'})
		must(t, os.WriteFile(file, []byte(string(mcapMagic)+before+record), 0o600))
		if b, err := Attachment(file, testOptions.RobotName); string(b) != want || err != nil {
			t.Errorf("after a record %v: %q, %v; want %q", op, b, err, want)
		}
	}
}
