// Package table reads CSV files of numbers under a header, row by row, with file
// and line in every error.
//
// Between cells stands a comma, a semicolon, a tab or blanks, whichever makes most numbers of
// the first lines; where it is no comma, decimals may have one. A line that begins with # is a
// comment. Blanks around cells and names, and the byte order mark that spreadsheets write, are
// left out, and so are rows without any cell. UTF-16 is read, too.
//
// [NewReader] reads files whose first line has the names of the columns; [Open] those with
// anything else before the numbers.
package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Reader reads one file.
type Reader struct {
	file   string
	csv    *csv.Reader
	header []string
	chosen choice

	decimalComma bool
	skipped      int      // lines before the first that csv reads
	padded       []string // cells of a row that may have fewer than there are names; nil: it may not
}

// byteOrderMark is the UTF-8 encoding of U+FEFF.
const byteOrderMark = "\xef\xbb\xbf"

// NewReader reads the header of a file; file is its name in errors.
func NewReader(file string, in io.Reader) (*Reader, error) {
	t, err := Open(file, in)
	if err != nil {
		return nil, err
	}
	return t.Headed()
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

// next returns the next row of the file in which there is anything.
func (r *Reader) next() (Row, error) {
	for {
		cells, err := r.csv.Read()
		if errors.Is(err, io.EOF) {
			return Row{}, io.EOF
		}
		if err != nil {
			if p, ok := errors.AsType[*csv.ParseError](err); ok {
				p.StartLine, p.Line = p.StartLine+r.skipped, p.Line+r.skipped
			}
			return Row{}, fmt.Errorf("%s: %w", r.file, r.explain(err, cells))
		}
		line, _ := r.csv.FieldPos(0)
		row := Row{reader: r, line: line + r.skipped, cells: cells}
		if row.cells, err = r.pad(row); err != nil {
			return Row{}, err
		}
		if len(cells) == 1 || slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			return row, nil
		}
	}
}

// explain says what else a wrong number of cells may mean.
func (r *Reader) explain(err error, cells []string) error {
	if errors.Is(err, csv.ErrFieldCount) && !r.decimalComma && len(cells) == 2*len(r.header) {
		return fmt.Errorf("%w: %d for %d names; if numbers have a decimal comma, separate them by semicolons or write a decimal point", err, len(cells), len(r.header))
	}
	return err
}

// pad makes as many cells as there are names, where that is allowed.
func (r *Reader) pad(row Row) ([]string, error) {
	if r.padded == nil {
		return row.cells, nil
	}
	n := len(r.padded)
	for i := n; i < len(row.cells); i++ {
		if strings.TrimSpace(row.cells[i]) != "" {
			return nil, row.Errorf("%d cells for %d names", len(row.cells), n)
		}
	}
	clear(r.padded)
	copy(r.padded, row.cells)
	return r.padded, nil
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
	v, err := parseNumber(r.Text(i), r.reader.decimalComma)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, r.Errorf("%s = %q is not a finite number", r.reader.header[i], r.Text(i))
	}
	return v, nil
}

// Number returns the number in a cell, which may be NaN or infinite: what is too
// large for a float64 is.
func (r Row) Number(i int) (float64, error) {
	v, err := parseNumber(r.Text(i), r.reader.decimalComma)
	if err != nil {
		return 0, r.Errorf("%s = %q is not a number", r.reader.header[i], r.Text(i))
	}
	return v, nil
}
