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

// content is an open file.
type content struct {
	file  *os.File
	in    io.ReaderAt // what it has, of a database with its log
	size  int64       // of that, bytes
	fault error       // of the log of a database
}

// open opens the file.
func (r Reading) open() (c content, err error) {
	if c.file, err = os.Open(r.File); err != nil {
		return content{}, err
	}
	info, err := c.file.Stat()
	if err != nil {
		_ = c.file.Close()
		return content{}, err
	}
	c.in, c.size = c.file, info.Size()
	if strings.EqualFold(filepath.Ext(r.File), ".db3") {
		if err = checkJournal(r.File); err == nil {
			err = c.replayLog(r.File)
		}
		if err != nil {
			_ = c.file.Close()
			return content{}, err
		}
	}
	if r.Progress != nil {
		c.in = &progressReader{c.in, r.Progress}
	}
	return c, nil
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
	return r.counted(func(f Reading) (int, error) { return f.readFile(want, visit) })
}

// each does something for each file of the recording. An error that is [ErrIncomplete] is returned when all are done.
func (r Reading) each(do func(Reading) error) error {
	list, _, err := files(r.File)
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

// counted does something for each file of the recording, which returns the number of its messages. Where the metadata of a folder counts
// more, the recording is not complete.
func (r Reading) counted(do func(Reading) (messages int, err error)) error {
	all := 0
	err := r.each(func(f Reading) error {
		n, err := do(f)
		all += n
		return err
	})
	if err != nil {
		return err
	}
	if _, n, err := files(r.File); err == nil && all < n {
		return fmt.Errorf("%s: %w: %s counts %d messages, of which the files have %d", r.File, ErrIncomplete, metadataName, n, all)
	}
	return nil
}

// readFile is Read of one file, and returns the number of all its messages.
func (r Reading) readFile(want func(topic string, t *msgs.Type) bool, visit func(Message) error) (messages int, err error) {
	c, err := r.open()
	if err != nil {
		return 0, err
	}
	defer c.file.Close()
	var failed error // of the visitor
	messages, err = read(c, want, func(m Message) error {
		failed = visit(m)
		return failed
	})
	switch {
	case failed != nil:
		return messages, failed
	case err != nil:
		return messages, fmt.Errorf("%s: %w", r.File, err)
	}
	return messages, nil
}

// read is Read of an open file.
func read(c content, want func(string, *msgs.Type) bool, visit func(Message) error) (messages int, err error) {
	s, err := newScanner(c)
	if err != nil {
		return 0, err
	}
	s.want = want
	if err := s.run(); err != nil {
		return 0, err
	}
	if err := s.merge(visit); err != nil {
		return 0, err
	}
	return s.table.messages(), s.fault
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
	return nil, unknownFormat(r)
}
