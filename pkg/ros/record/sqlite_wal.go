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

// replayLog returns the database in the file of a name with the committed pages of its log, if it has one.
func replayLog(file string, r io.ReaderAt, size int64) (io.ReaderAt, int64, error) {
	const header, frameHeader = 32, 24
	name := file + walSuffix
	info, err := os.Stat(name)
	switch {
	case os.IsNotExist(err):
		return r, size, nil
	case err != nil:
		return nil, 0, err
	case info.Size() > mostLog:
		return nil, 0, fmt.Errorf("%s: a write-ahead log of %d MB, allowed: %d; write it back by sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'", name, info.Size()>>20, mostLog>>20, file)
	}
	log, err := os.ReadFile(name)
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("the newest messages are in the write-ahead log: %w", err)
	case len(log) < header: // nothing was committed
		return r, size, nil
	case binary.BigEndian.Uint32(log)&^1 != 0x377f0682:
		return nil, 0, fmt.Errorf("%s: no write-ahead log of SQLite; if it does not belong to the recording, move it away", name)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if log[3]&1 == 1 {
		order = binary.BigEndian
	}
	w := &withLog{ReaderAt: r, log: log, pageSize: int64(binary.BigEndian.Uint32(log[8:])), pages: map[int64]int64{}}
	var a, b uint32
	sum := func(part []byte) {
		for ; len(part) >= 8; part = part[8:] {
			a += order.Uint32(part) + b
			b += order.Uint32(part[4:]) + a
		}
	}
	sum(log[:24])
	if w.pageSize < 512 || w.pageSize > 1<<16 || a != binary.BigEndian.Uint32(log[24:]) || b != binary.BigEndian.Uint32(log[28:]) {
		return r, size, nil // which SQLite passes over, too: it was never written whole
	}
	pending := map[int64]int64{} // not committed yet
	for at := int64(header); at+frameHeader+w.pageSize <= int64(len(log)); at += frameHeader + w.pageSize {
		frame := log[at : at+frameHeader]
		sum(frame[:8])
		sum(log[at+frameHeader : at+frameHeader+w.pageSize])
		if string(frame[8:16]) != string(log[16:24]) || a != binary.BigEndian.Uint32(frame[16:]) || b != binary.BigEndian.Uint32(frame[20:]) {
			break // of an earlier log, or not whole
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
	return w, size, nil
}
