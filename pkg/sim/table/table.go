// Package table reads CSV files of numbers under a header, row by row, with file
// and line in every error.
//
// A line that begins with # is a comment. Blanks around cells and names, and the
// byte order mark that spreadsheets write, are left out.
package table

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Reader reads one file.
type Reader struct {
	file   string
	csv    *csv.Reader
	header []string
	chosen choice
}

// byteOrderMark is the UTF-8 encoding of U+FEFF.
const byteOrderMark = "\xef\xbb\xbf"

// NewReader reads the header of a file; file is its name in errors.
func NewReader(file string, in io.Reader) (*Reader, error) {
	buffered := bufio.NewReader(in)
	if mark, _ := buffered.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = buffered.Discard(len(byteOrderMark))
	}
	r := &Reader{file: file, csv: csv.NewReader(buffered), chosen: choice{column: -1}}
	r.csv.Comment = '#'
	r.csv.TrimLeadingSpace = true
	r.csv.ReuseRecord = true
	names, err := r.csv.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: no header: %w", file, err)
	}
	for _, name := range names {
		r.header = append(r.header, strings.TrimSpace(name))
	}
	return r, nil
}

// Header returns the names of the columns.
func (r *Reader) Header() []string { return r.header }

// HeaderError returns an error about the header, which it places in line 1.
func (r *Reader) HeaderError(format string, args ...any) error {
	return fmt.Errorf("%s:1: %w", r.file, fmt.Errorf(format, args...))
}

// Next returns the next row, which is valid until the following call, or io.EOF.
func (r *Reader) Next() (Row, error) {
	for {
		row, err := r.next()
		if err == nil {
			var taken bool
			if taken, err = r.chosen.takes(row); err == nil && !taken {
				continue
			}
		}
		if errors.Is(err, io.EOF) {
			err = r.chosen.end(r)
		}
		return row, err
	}
}

// next returns the next row of the file.
func (r *Reader) next() (Row, error) {
	cells, err := r.csv.Read()
	if errors.Is(err, io.EOF) {
		return Row{}, io.EOF
	}
	if err != nil {
		return Row{}, fmt.Errorf("%s: %w", r.file, err)
	}
	line, _ := r.csv.FieldPos(0)
	return Row{reader: r, line: line, cells: cells}, nil
}

// Row is one line of a file. It has as many cells as the header has names.
type Row struct {
	reader *Reader
	line   int
	cells  []string
}

// Line returns the number of the line in its file, from 1.
func (r Row) Line() int { return r.line }

// Text returns a cell without the blanks around it.
func (r Row) Text(i int) string { return strings.TrimSpace(r.cells[i]) }

// Errorf returns an error about the row, with file and line.
func (r Row) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", r.reader.file, r.line, fmt.Errorf(format, args...))
}

// Finite returns the number in a cell. NaN and infinities are mistakes.
func (r Row) Finite(i int) (float64, error) {
	v, err := strconv.ParseFloat(r.Text(i), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, r.Errorf("%s = %q is not a finite number", r.reader.header[i], r.Text(i))
	}
	return v, nil
}

// Number returns the number in a cell, which may be NaN or infinite: what is too
// large for a float64 is.
func (r Row) Number(i int) (float64, error) {
	v, err := strconv.ParseFloat(r.Text(i), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, r.Errorf("%s = %q is not a number", r.reader.header[i], r.Text(i))
	}
	return v, nil
}
