package record

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// walSuffix is behind the name of a database in that of its write-ahead log, which is left by a recorder that was killed.
const walSuffix = "-wal"

// withLog is a database with the pages that its write-ahead log has instead of those of the file.
type withLog struct {
	io.ReaderAt
	log      []byte
	pageSize int64
	pages    map[int64]int64 // byte of the log at which the newest copy of a page begins, by the byte of the database
}

// ReadAt implements io.ReaderAt.
func (w *withLog) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) && err == nil {
		page := (at + int64(n)) / w.pageSize * w.pageSize
		within := at + int64(n) - page
		part := b[n:min(int64(len(b)), int64(n)+w.pageSize-within)]
		if copied, is := w.pages[page]; is {
			n += copy(part, w.log[copied+within:copied+w.pageSize])
			continue
		}
		var m int
		m, err = w.ReaderAt.ReadAt(part, at+int64(n))
		n += m
	}
	return n, err
}

// checkJournal refuses a database with a rollback journal that is not over: its file has rows that were not committed.
func checkJournal(file string) error {
	const magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
	name := file + "-journal"
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("whether the last change of the recording was finished is in its journal: %w", err)
	}
	defer f.Close()
	begin := make([]byte, len(magic))
	if _, err := io.ReadFull(f, begin); err != nil || string(begin) != magic {
		return nil // it is over
	}
	return fmt.Errorf("%s: the recorder was killed within a change of the database; sqlite3 %s 'SELECT 1 FROM messages' takes it back", name, file)
}

// mostLog is the size of a write-ahead log above which none is read, bytes. SQLite writes it back at 4 MB.
const mostLog = 1 << 30

// Sizes in a write-ahead log, bytes.
const (
	logHeader   = 32
	frameHeader = 24 // before each page
)

// replayLog reads the committed pages of the log of a database with the name of its file, if it has one, instead of those of the file.
// What is wrong with the log is a fault: messages in it are lost.
func (c *content) replayLog(file string) error {
	name := file + walSuffix
	info, err := os.Stat(name)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case info.Size() > mostLog:
		return fmt.Errorf("%s: a write-ahead log of %d MB, allowed: %d; write it back by sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'", name, info.Size()>>20, mostLog>>20, file)
	}
	log, err := os.ReadFile(name)
	fault := func(format string, args ...any) {
		c.fault = fmt.Errorf("%w: the write-ahead log %s %s", ErrIncomplete, name, fmt.Sprintf(format, args...))
	}
	switch {
	case err != nil:
		return fmt.Errorf("the newest messages are in the write-ahead log: %w", err)
	case len(log) == 0: // nothing was committed
		return nil
	case len(log) < logHeader:
		fault("ends at byte %d, within its header", len(log))
		return nil
	case binary.BigEndian.Uint32(log)&^1 != 0x377f0682:
		return fmt.Errorf("%s: no write-ahead log of SQLite; if it does not belong to the recording, move it away", name)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if log[3]&1 == 1 {
		order = binary.BigEndian
	}
	w := &withLog{ReaderAt: c.in, log: log, pageSize: int64(binary.BigEndian.Uint32(log[8:])), pages: map[int64]int64{}}
	sum := logSum{order: order}
	sum.add(log[:24])
	if w.pageSize < 512 || w.pageSize > 1<<16 || !sum.is(log[24:]) {
		fault("has a wrong checksum in its header, and none of it is read") // as SQLite does
		return nil
	}
	if size := w.replay(&sum, fault); size > 0 {
		c.size = size
	}
	c.in = w
	return nil
}

// replay finds the pages that were committed, and returns the size of the database with them, 0 if there are none. Pages behind them
// are of an earlier log, with other salts.
func (w *withLog) replay(sum *logSum, fault func(format string, args ...any)) (size int64) {
	log := w.log
	pending := map[int64]int64{} // not committed yet
	uncommitted := false
	for at := int64(logHeader); at < int64(len(log)); at += frameHeader + w.pageSize {
		end := at + frameHeader + w.pageSize
		if salts := log[min(at+8, int64(len(log))):min(at+16, int64(len(log)))]; string(salts) != string(log[16:16+len(salts)]) {
			break // of an earlier log
		}
		if end > int64(len(log)) {
			fault("ends at byte %d, within a page", len(log))
			return size
		}
		frame := log[at : at+frameHeader]
		sum.add(frame[:8])
		sum.add(log[at+frameHeader : end])
		if !sum.is(frame[16:]) {
			if w.commits(at) {
				fault("has a wrong checksum at byte %d of %d, and no more of it is read", at, len(log))
				return size
			}
			uncommitted = true // SQLite writes the checksums of pages that change twice when it commits them
			break
		}
		pending[(int64(binary.BigEndian.Uint32(frame))-1)*w.pageSize] = at + frameHeader
		if pages := int64(binary.BigEndian.Uint32(frame[4:])); pages > 0 {
			for page, copied := range pending {
				w.pages[page] = copied
			}
			clear(pending)
			size = pages * w.pageSize
		}
	}
	if uncommitted || len(pending) > 0 {
		fault("ends with messages that were not committed, as of a recorder that was killed")
	}
	return size
}

// commits reports whether a frame of the log from a byte on ends a transaction.
func (w *withLog) commits(at int64) bool {
	for ; at+frameHeader <= int64(len(w.log)); at += frameHeader + w.pageSize {
		frame := w.log[at : at+frameHeader]
		if string(frame[8:16]) == string(w.log[16:24]) && binary.BigEndian.Uint32(frame[4:]) > 0 {
			return true
		}
	}
	return false
}

// logSum is the checksum of a log up to some byte.
type logSum struct {
	order binary.ByteOrder
	a, b  uint32
}

// add adds bytes.
func (s *logSum) add(part []byte) {
	for ; len(part) >= 8; part = part[8:] {
		s.a += s.order.Uint32(part) + s.b
		s.b += s.order.Uint32(part[4:]) + s.a
	}
}

// is reports whether it is the one that is written in eight bytes.
func (s *logSum) is(written []byte) bool {
	return s.a == binary.BigEndian.Uint32(written) && s.b == binary.BigEndian.Uint32(written[4:])
}
