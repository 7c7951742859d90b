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
	"strings"

	"sinew/cmd/internal/exit"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/verb"
)

// Merge is the verb merge.
type Merge struct {
	output.Force

	Parts []string `arg:"" help:"Files that sweep --shard wrote, all of one sweep." placeholder:"FILE.csv"`
	Out   string   `required:"" help:"CSV of all samples, as sweep without --shard writes it." placeholder:"FILE.csv"`
}

// Run joins the parts and refuses when a sample is missing.
func (c *Merge) Run(e *verb.Env) error {
	files := e.Outputs(c.Force, nil, nil)
	files.Reads("a part that is merged", c.Parts...)
	for _, name := range c.Parts {
		files.Reads("beside a part that is merged", name+aboutSuffix)
	}
	defer files.Discard()
	whole, parts, err := openParts(c.Parts)
	defer func() {
		for _, p := range parts {
			_ = p.file.Close()
		}
	}()
	if err != nil {
		return err
	}
	out, err := newResult(files, "--out", c.Out)
	if err != nil {
		return err
	}
	var missing []int
	err = out.write(whole, func(use func(record) error) error { missing, err = joined(whole, parts, use); return err })
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("%d of %d samples are missing: %s; nothing is written", len(missing), whole.Samples, ranges(missing))
	}
	if err := files.Commit(); err != nil {
		return err
	}
	fmt.Fprintf(e.Stderr, "%s: %d samples of %d parts in %s\n", e.Robot.Name, whole.Samples, len(parts), c.Out)
	return failureOf(&out.about)
}

// openParts opens the parts, which must be of one sweep and as sweep wrote them. What it
// opened is to be closed, after an error as well.
func openParts(names []string) (whole *about, parts []*part, err error) {
	for _, name := range names {
		a, err := readAbout(name)
		if err != nil {
			if _, e := os.Stat(name + partSuffix); e == nil {
				return nil, parts, fmt.Errorf("%s is not complete: the command that writes it is still running, or was ended; the same command goes on", name)
			}
			return nil, parts, exit.Usage(err)
		}
		if whole == nil {
			one := *a
			one.Shard = ""
			whole = &one
		}
		if a.identity(false) != whole.identity(false) {
			return nil, parts, exit.Usagef("%s and %s are not of one sweep: %s", names[0], name, whole.difference(a))
		}
		hash, err := hashOf(name)
		if err != nil {
			return nil, parts, exit.Usage(err)
		}
		if hash != a.CSV {
			return nil, parts, exit.Usagef("%s is not as sweep wrote it: its checksum is not that of %s", name, name+aboutSuffix)
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, parts, exit.Usage(err)
		}
		p := &part{name: name, file: f, lines: bufio.NewReaderSize(f, 1<<16)}
		parts = append(parts, p)
		if _, err := readLine(p.lines, maxHeader); err != nil { // the names of the columns
			return nil, parts, exit.Usagef("%s: %v", name, err)
		}
		if err := p.advance(); err != nil {
			return nil, parts, err
		}
	}
	return whole, parts, nil
}

// part is a file whose samples are read in their order.
type part struct {
	name   string
	file   *os.File
	lines  *bufio.Reader
	sample int // -1 after the last
	rows   []byte
	next   []byte // line of the next sample, nil before the first
}

// advance reads the rows of the next sample.
func (p *part) advance() error {
	before := p.sample
	if p.next == nil {
		before = -1
		if err := p.read(); err != nil {
			return err
		}
	}
	p.rows, p.sample = nil, -1
	for len(p.next) > 0 {
		head, _, _ := bytes.Cut(p.next, []byte(","))
		i, err := strconv.Atoi(string(head))
		if err != nil || i <= before {
			return exit.Usagef("%s: a line that begins with %q after sample %d", p.name, head, before)
		}
		if p.sample >= 0 && i != p.sample {
			return nil
		}
		p.sample = i
		p.rows = append(append(p.rows, p.next...), '\n')
		if err := p.read(); err != nil {
			return err
		}
	}
	return nil
}

// read reads a line, an empty one at the end.
func (p *part) read() error {
	line, err := readLine(p.lines, maxHeader)
	if errors.Is(err, io.EOF) && len(line) == 0 {
		p.next = []byte{}
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	p.next = slices.Clone(line)
	return nil
}

// joined gives use all samples in their order, each once, and lists those that no part has.
// Parts may have the same sample with the same rows, as a task that was started twice
// makes them.
func joined(whole *about, parts []*part, use func(record) error) (missing []int, err error) {
	for i := range whole.Samples {
		var found *part
		var rows []byte
		for _, p := range parts {
			if p.sample != i {
				continue
			}
			if found != nil && !bytes.Equal(rows, p.rows) {
				return nil, fmt.Errorf("sample %d is not the same in %s and %s", i, found.name, p.name)
			}
			found, rows = p, p.rows
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
		if found == nil {
			missing = append(missing, i)
			continue
		}
		failure, err := errorOf(rows)
		if err == nil {
			err = use(record{sample: i, rows: rows, failure: failure})
		}
		if err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// errorOf is the last cell of the last row of a sample.
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

// ranges writes sorted numbers as ranges, the first ones of many.
func ranges(n []int) string {
	const most = 10
	var list []string
	for i := 0; i < len(n); {
		k := i
		for k+1 < len(n) && n[k+1] == n[k]+1 {
			k++
		}
		if len(list) == most {
			return strings.Join(list, ", ") + fmt.Sprintf(" and %d more", len(n)-i)
		}
		if k > i {
			list = append(list, fmt.Sprintf("%d to %d", n[i], n[k]))
		} else {
			list = append(list, strconv.Itoa(n[i]))
		}
		i = k + 1
	}
	return strings.Join(list, ", ")
}
