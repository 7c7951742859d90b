package sweep

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"sinew/cmd/internal/exitcode"
)

// part is a file whose samples are read in their order.
type part struct {
	name string
	file *os.File
	next source
	now  outcome
	over bool // no sample is left
}

// openPart opens the samples of a file that sweep wrote, and reads the first.
func openPart(name string, f format, a *about) (*part, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, exitcode.Usage(err)
	}
	p := &part{name: name, file: file, now: outcome{sample: -1}}
	if p.next, err = f.source(file, a); err != nil {
		_ = file.Close()
		return nil, exitcode.Usagef("%s: %v", name, err)
	}
	if err := p.advance(); err != nil {
		_ = file.Close()
		return nil, err
	}
	return p, nil
}

// advance reads the next sample.
func (p *part) advance() error {
	before := p.now.sample
	next, err := p.next()
	if errors.Is(err, io.EOF) {
		p.now, p.over = outcome{sample: -1}, true
		return nil
	}
	if err == nil && next.sample <= before {
		err = fmt.Errorf("sample %d after sample %d", next.sample, before)
	}
	if err != nil {
		return exitcode.Usagef("%s: %v", p.name, err)
	}
	p.now = next
	return nil
}

// newCSVSource reads the rows of each sample.
func newCSVSource(in io.ReadSeeker, _ *about) (source, error) {
	s := &csvSource{lines: bufio.NewReaderSize(in, 1<<16)}
	if _, err := readLine(s.lines, maxHeader); err != nil { // the names of the columns
		return nil, err
	}
	return s.next, s.read()
}

// csvSource reads the samples of a CSV. It has read one line ahead.
type csvSource struct {
	lines *bufio.Reader
	line  []byte // empty after the last
}

// next implements source.
func (s *csvSource) next() (outcome, error) {
	if len(s.line) == 0 {
		return outcome{}, io.EOF
	}
	r := outcome{sample: -1}
	for len(s.line) > 0 {
		head, _, _ := bytes.Cut(s.line, []byte(","))
		i, err := strconv.Atoi(string(head))
		if err != nil || i < 0 {
			return r, fmt.Errorf("a line that begins with %q", head)
		}
		if r.sample >= 0 && i != r.sample {
			break
		}
		r.sample = i
		r.rows = append(append(r.rows, s.line...), '\n')
		if err := s.read(); err != nil {
			return r, err
		}
	}
	var err error
	r.failure, err = errorOf(r.rows)
	return r, err
}

// read reads a line, an empty one at the end.
func (s *csvSource) read() error {
	line, err := readLine(s.lines, maxHeader)
	if errors.Is(err, io.EOF) && len(line) == 0 {
		s.line = nil
		return nil
	}
	s.line = slices.Clone(line)
	return err
}

// errorOf returns the last cell of the last row of a sample.
func errorOf(rows []byte) (string, error) {
	if bytes.HasSuffix(rows, []byte(",\n")) {
		return "", nil
	}
	last := rows[bytes.LastIndexByte(rows[:len(rows)-1], '\n')+1:]
	cells, err := csv.NewReader(bytes.NewReader(last)).Read()
	if err != nil {
		return "", err
	}
	return cells[len(cells)-1], nil
}
