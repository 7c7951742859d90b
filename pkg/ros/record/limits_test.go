package record_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs"
	"sinew/pkg/ros/record"
)

// TestDiskErrorIsNoTruncation: a disk that cannot read is reported as such, wherever it
// fails, and not as a recording that was cut.
func TestDiskErrorIsNoTruncation(t *testing.T) {
	list := record.Samples(30)
	for name, data := range formats(t, list) {
		whole, err := record.ReadAll(data)
		if err != nil || len(whole) != len(list) {
			t.Fatalf("%s: %d messages, %v", name, len(whole), err)
		}
		for bad := 64; bad < len(data)/2; bad += 1 + len(data)/40 {
			err := record.ReadInTest(record.FailingFile{data, int64(bad)}, int64(len(data)), func(string, *msgs.Type) bool { return true }, func(record.Message) error { return nil })
			if !errors.Is(err, record.ErrDisk) || errors.Is(err, record.ErrIncomplete) {
				t.Errorf("%s: error %v when the disk fails at byte %d of %d", name, err, bad, len(data))
			}
		}
	}
}

// TestEnds tells the end of a file from an error of the disk.
func TestEnds(t *testing.T) {
	cut := []error{record.ErrCut, record.ErrNoEnd}
	for _, end := range cut {
		if record.IoError(record.ErrDisk) != record.ErrDisk || record.Cause(record.ErrDisk, end) != record.ErrDisk {
			t.Error("an error of the disk passes for the end of the file")
		}
	}
	data := []byte("abc")
	in := record.FailingFile{data, 3}
	for n, want := range map[int]error{2: nil, 3: nil, 4: record.ErrDisk} {
		_, err := record.AppendFrom(nil, &readerAt{in, 0}, n)
		if !errors.Is(err, want) {
			t.Errorf("%d bytes: error %v, want %v", n, err, want)
		}
	}
	for _, short := range [][]byte{nil, data} {
		_, err := record.AppendFrom(nil, strings.NewReader(string(short)), 4)
		if err == nil || record.IoError(err) != nil || record.Cause(err, record.ErrCut) != record.ErrCut {
			t.Errorf("%q: error %v does not pass for the end of the file", short, err)
		}
	}
}

// readerAt reads from a place on.
type readerAt struct {
	f  record.FailingFile
	at int64
}

func (r *readerAt) Read(b []byte) (int, error) {
	n, err := r.f.ReadAt(b, r.at)
	r.at += int64(n)
	return n, err
}

// TestImpossibleTime: a message whose time no clock shows is a fault of the file.
func TestImpossibleTime(t *testing.T) {
	list := record.Samples(3)
	list[2].At = -1 // as a number without sign: in the year 2554
	got, err := record.ReadAll(record.ForeignMCAP(t, list, mcap.WriterOptions{}, "cdr"))
	if !errors.Is(err, record.ErrIncomplete) || !strings.Contains(err.Error(), "no clock shows") {
		t.Errorf("error %v", err)
	}
	if len(got) != 2 {
		t.Errorf("%d messages, want the 2 before it", len(got))
	}
}

// TestAttachmentBeforeEnd: what follows the end of the data is no attachment.
func TestAttachmentBeforeEnd(t *testing.T) {
	file, w := create(t, ".mcap")
	record.Must(t, w.Close())
	whole, err := os.ReadFile(file)
	record.Must(t, err)
	at := strings.Index(string(whole), record.SampleOptions.RobotName) - 16 - 4 - record.RecordHead
	length := record.RecordHead + int(whole[at+1]) + int(whole[at+2])<<8
	r := string(whole[at : at+length])
	for op, want := range map[mcap.OpCode]string{mcap.OpMetadata: string(record.SampleOptions.Robot), mcap.OpDataEnd: "", mcap.OpFooter: ""} {
		before := string([]byte{byte(op), 2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'})
		record.Must(t, os.WriteFile(file, []byte(string(record.McapMagic)+before+r), 0o600))
		if b, err := record.Attachment(file, record.SampleOptions.RobotName); string(b) != want || err != nil {
			t.Errorf("after a record %v: %q, %v; want %q", op, b, err, want)
		}
	}
}
