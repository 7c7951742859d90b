package sweep

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"sinew/cmd/internal/exitcode"
)

// journal is a file of samples in the order in which they were completed. Each is written at once,
// so that a kill loses no complete sample: its index, the number of bytes of its rows, their
// checksum, the number of these bytes that belong to the error message, and the rows.
//
//	{"sweep":1, …}
//	17 214 9ae0daaf 0
//	17,1.6e+07,0,0.25,…
type journal struct {
	name  string
	file  *os.File
	end   int64
	index map[int]place

	dropped int64 // bytes at the end that were no complete sample
}

// place is the position of the rows of a sample.
type place struct {
	at      int64
	rows    int
	failure int // bytes after the rows
	sum     uint32
}

// openJournal opens the journal of a sweep, a new one or that of an earlier run, which no other
// process may have open. If the file belongs to another sweep it is replaced if anew, and otherwise
// the error says so.
func openJournal(name string, a *about, anew bool) (*journal, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	j := &journal{name: name, file: f, index: map[int]place{}}
	err = lock(f)
	if err != nil {
		err = fmt.Errorf("%s: another process is at this sweep: %w", name, err)
	} else {
		err = j.read(a, anew)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return j, nil
}

// maxHeader bounds the first line, which contains the robot file, bytes.
const maxHeader = 64 << 20

// read finds the complete samples, and truncates the incomplete one after a kill.
func (j *journal) read(a *about, anew bool) error {
	r := bufio.NewReaderSize(j.file, 1<<16)
	line, err := readLine(r, maxHeader)
	var there about
	known := err == nil && json.Unmarshal(line, &there) == nil && there.Format == aboutFormat
	switch {
	case known && there.identity(true) == a.identity(true):
		return j.scan(r, int64(len(line))+1, a)
	case errors.Is(err, io.EOF) && strings.HasPrefix(a.identity(true), string(line)), anew: // empty, or cut off by a full disk
		return j.begin(a)
	case known:
		return exitcode.Usagef("%s is of another sweep: %s; choose another --out, or begin anew with --force", j.name, a.difference(&there))
	}
	return exitcode.Usagef("%s exists and holds no samples of a sweep; choose another --out, or replace it with --force", j.name)
}

// begin empties the journal and writes its first line.
func (j *journal) begin(a *about) error {
	if err := j.file.Truncate(0); err != nil {
		return err
	}
	line := append([]byte(a.identity(true)), '\n')
	_, err := j.file.WriteAt(line, 0)
	j.end = int64(len(line))
	return err
}

// scan reads the samples that begin at byte at.
func (j *journal) scan(r *bufio.Reader, at int64, a *about) error {
	for {
		j.end = at
		line, err := readLine(r, 100)
		if err != nil {
			break
		}
		var i, rows, failure int
		var sum uint32
		if n, err := fmt.Sscanf(string(line), "%d %d %x %d", &i, &rows, &sum, &failure); n != 4 || err != nil ||
			i < 0 || i >= a.Samples || rows < 0 || failure < 0 || rows > maxHeader || failure > maxHeader {
			break
		}
		body := make([]byte, rows+failure)
		if _, err := io.ReadFull(r, body); err != nil || crc32.ChecksumIEEE(body) != sum {
			break
		}
		at += int64(len(line)) + 1
		j.index[i] = place{at, rows, failure, sum}
		at += int64(len(body))
	}
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	j.dropped = info.Size() - j.end
	return j.file.Truncate(j.end)
}

// add writes a sample.
func (j *journal) add(r outcome) error {
	body := append(slices.Clone(r.rows), r.failure...)
	sum := crc32.ChecksumIEEE(body)
	head := fmt.Sprintf("%d %d %08x %d\n", r.sample, len(r.rows), sum, len(r.failure))
	if _, err := j.file.WriteAt(append([]byte(head), body...), j.end); err != nil {
		return fmt.Errorf("%w; the samples before are in it, and the same command continues with them", err)
	}
	j.index[r.sample] = place{j.end + int64(len(head)), len(r.rows), len(r.failure), sum}
	j.end += int64(len(head) + len(body))
	return nil
}

// samples returns the indices of the samples in the journal.
func (j *journal) samples() map[int]bool {
	m := make(map[int]bool, len(j.index))
	for i := range j.index {
		m[i] = true
	}
	return m
}

// count returns the number of samples in the journal.
func (j *journal) count() int { return len(j.index) }

// each calls use with the samples in the order of their indices. It checks the checksums, because
// another process may have written to the file where files cannot be locked.
func (j *journal) each(use func(r outcome) error) error {
	for _, i := range slices.Sorted(maps.Keys(j.index)) {
		p := j.index[i]
		body := make([]byte, p.rows+p.failure)
		if _, err := j.file.ReadAt(body, p.at); err != nil {
			return err
		}
		if crc32.ChecksumIEEE(body) != p.sum {
			return fmt.Errorf("%s: sample %d is not as it was written: does another process write there, too? the same command takes again what is lost", j.name, i)
		}
		if err := use(outcome{sample: i, rows: body[:p.rows], failure: string(body[p.rows:])}); err != nil {
			return err
		}
	}
	return nil
}

// remove removes the journal once its samples are in the result.
func (j *journal) remove() error { return os.Remove(j.name) }

func (j *journal) close() { _ = j.file.Close() }

// readLine reads a line of at most so many bytes, without its end. One without an end is an
// error, io.EOF if nothing is there.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > most {
			return line, errors.New("line too long")
		}
		if err == nil {
			return line[:len(line)-1], nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
