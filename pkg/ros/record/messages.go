package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sinew/msgs"
)

// Message is one message of a recording.
type Message struct {
	Topic   string
	Type    *msgs.Type
	Time    time.Duration // log time since the Unix epoch
	Message msgs.Message
}

// ErrIncomplete is the error of a recording that is truncated, as by a crash, or damaged. All
// complete messages have been read nevertheless.
var ErrIncomplete = errors.New("the recording is not complete")

// Bounds on the sizes in a file.
const (
	maxBlock    = 256 << 20 // bytes of a chunk or message, packed or not
	maxPending  = 1 << 30   // bytes of messages that wait for earlier ones
	maxChannels = 1 << 16
	maxName     = 1 << 10 // bytes of a topic or type name
)

// Reading reads a file and reports its progress.
type Reading struct {
	File string
	// Progress, if not nil, is called with the numbers of bytes as they are read: those of the file
	// once by Topics, and up to twice by Read.
	Progress func(bytes int)
}

// open opens the file.
func (r Reading) open() (f *os.File, in io.ReaderAt, size int64, err error) {
	if f, err = os.Open(r.File); err != nil {
		return nil, nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, nil, 0, err
	}
	in, size = f, info.Size()
	if strings.EqualFold(filepath.Ext(r.File), ".db3") {
		if err = checkJournal(r.File); err == nil {
			in, size, err = replayLog(r.File, in, size)
		}
		if err != nil {
			_ = f.Close()
			return nil, nil, 0, err
		}
	}
	if r.Progress != nil {
		in = &progressReader{in, r.Progress}
	}
	return f, in, size, nil
}

// progressReader reports the bytes that are read.
type progressReader struct {
	io.ReaderAt
	progress func(int)
}

// ReadAt implements io.ReaderAt.
func (r *progressReader) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(b, at)
	r.progress(n)
	return n, err
}

// Read is Reading.Read without reports of progress.
func Read(file string, want func(topic string, t *msgs.Type) bool, visit func(Message) error) error {
	return Reading{File: file}.Read(want, visit)
}

// Read calls visit with every message of the wanted topics of a .mcap, .bag or .db3 file, of ROS 1 or ROS
// 2 encoding, or of the files of a folder of rosbag2, one after the other, in the order of log time; messages of equal time are in the order of the file. want
// is called once per topic and type; a nil want selects all. Topics of types that package catalog
// does not have, or has in another version, are skipped.
//
// An error of visit ends the reading and is returned unchanged. An error that is [ErrIncomplete] is
// returned after all complete messages have been visited. Any other error concerns the file and
// names it.
func (r Reading) Read(want func(topic string, t *msgs.Type) bool, visit func(Message) error) error {
	if want == nil {
		want = func(string, *msgs.Type) bool { return true }
	}
	return r.each(func(f Reading) error { return f.readFile(want, visit) })
}

// each does something for each file of the recording. An error that is [ErrIncomplete] is returned when all are done.
func (r Reading) each(do func(Reading) error) error {
	list, err := files(r.File)
	if err != nil {
		return err
	}
	var incomplete error
	for _, name := range list {
		err := do(Reading{File: name, Progress: r.Progress})
		if errors.Is(err, ErrIncomplete) {
			incomplete = cmp.Or(incomplete, err)
		} else if err != nil {
			return err
		}
	}
	return incomplete
}

// readFile is Read of one file.
func (r Reading) readFile(want func(topic string, t *msgs.Type) bool, visit func(Message) error) error {
	f, in, size, err := r.open()
	if err != nil {
		return err
	}
	defer f.Close()
	var failed error // of the visitor
	err = read(in, size, want, func(m Message) error {
		failed = visit(m)
		return failed
	})
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return fmt.Errorf("%s: %w", r.File, err)
	}
	return nil
}

// read is Read of a file of the given size.
func read(r io.ReaderAt, size int64, want func(string, *msgs.Type) bool, visit func(Message) error) error {
	s, err := newScanner(r, size)
	if err != nil {
		return err
	}
	s.want = want
	if err := s.run(); err != nil {
		return err
	}
	if err := s.merge(visit); err != nil {
		return err
	}
	return s.fault
}

// open recognizes the format of a file by its first bytes.
func open(r io.ReaderAt, size int64, t *channelTable) (decoder, error) {
	head := make([]byte, max(len(mcapMagic), len(bagMagic), len(sqliteMagic)))
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch head = head[:n]; {
	case bytes.HasPrefix(head, mcapMagic):
		return newMCAPDecoder(r, size, t), nil
	case bytes.HasPrefix(head, bagMagic):
		return &bagDecoder{r: r, size: size, table: t}, nil
	case bytes.HasPrefix(head, sqliteMagic):
		db, err := openDatabase(r, size)
		if err != nil {
			return nil, err
		}
		return newSqliteDecoder(db, t)
	}
	return nil, errors.New("neither an .mcap file nor a .bag file of format 2.0 nor a .db3 file of rosbag2")
}
