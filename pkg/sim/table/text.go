package table

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is a file of which the beginning is known and no row is read yet.
type Text struct {
	// Lines are the lines at the beginning of the file that are not blank.
	Lines []Line
	// Delimiter is what stands between cells: a comma, a semicolon, a tab or blanks.
	Delimiter rune

	file string
	in   *bufio.Reader
}

// Line is a line at the beginning of a file.
type Line struct {
	Number  int      // in the file, from 1
	Comment bool     // it begins with #, which is not among the cells
	Cells   []string // without the blanks around them
}

// headBytes is the size of the beginning of a file in which delimiter, names and units are looked for.
const headBytes = 64 << 10

// maxHeadLines bounds the lines of it.
const maxHeadLines = 4096

// delimiters are those that are tried. Of two that make as many numbers of the same lines, the former counts: a comma may be
// that of decimals, and blanks may surround cells.
var delimiters = []rune{';', '\t', ',', ' '}

// Open reads the beginning of a file; file is its name in errors. It refuses what is no text.
func Open(file string, in io.Reader) (*Text, error) {
	in, err := utf8Reader(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t := &Text{file: file, in: bufio.NewReaderSize(in, headBytes)}
	head, err := t.in.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if i := bytes.IndexByte(head, 0); i >= 0 {
		const shown = 16 // bytes
		return nil, fmt.Errorf("%s: no table of numbers but a binary file: byte %d is 0, and it begins with %q; write it as CSV", file, i, head[:min(shown, len(head))])
	}
	if err == nil { // the last line may go on
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	var lines []string
	for number, line := range strings.Split(string(head), "\n") {
		text := strings.TrimSpace(line)
		if name, found := strings.CutPrefix(text, "sep="); found && len(t.Lines) == 0 && len(name) == 1 {
			continue // which spreadsheets write; the numbers say it, too
		}
		if text == "" || len(lines) == maxHeadLines {
			continue
		}
		rest, comment := strings.CutPrefix(text, "#")
		if comment {
			text = strings.TrimSpace(rest)
		} else {
			text = strings.TrimRight(line, "\r") // a leading tab is an empty cell
		}
		lines = append(lines, text)
		t.Lines = append(t.Lines, Line{Number: number + 1, Comment: comment})
	}
	t.Delimiter = delimiterOf(lines, t.Lines)
	for i := range t.Lines {
		t.Lines[i].Cells = split(lines[i], t.Delimiter)
	}
	return t, nil
}

// utf8Reader returns a file without its byte order mark, and that of UTF-16 in UTF-8.
func utf8Reader(in io.Reader) (io.Reader, error) {
	b := bufio.NewReader(in)
	mark, _ := b.Peek(len(byteOrderMark))
	var order binary.ByteOrder
	switch {
	case string(mark) == byteOrderMark:
		_, err := b.Discard(len(byteOrderMark))
		return b, err
	case bytes.HasPrefix(mark, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(mark, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return b, nil
	}
	all, err := io.ReadAll(b)
	if err != nil {
		return nil, err
	}
	var units []uint16
	for i := 2; i+1 < len(all); i += 2 {
		units = append(units, order.Uint16(all[i:]))
	}
	return strings.NewReader(string(utf16.Decode(units))), nil
}

// delimiterOf is the delimiter that makes most numbers of the lines, or else most cells of the first.
func delimiterOf(lines []string, about []Line) rune {
	best, most := ',', 0
	for _, d := range delimiters {
		numbers := 0
		for i, line := range lines {
			if about[i].Comment {
				continue
			}
			if n, _ := countNumbers(split(line, d), d != ','); n > 1 {
				numbers += n
			}
		}
		if numbers > most {
			best, most = d, numbers
		}
	}
	if most > 0 {
		return best
	}
	if i := slices.IndexFunc(about, func(l Line) bool { return !l.Comment }); i >= 0 {
		for _, d := range []rune{',', ';', '\t', ' '} {
			if n := len(split(lines[i], d)); n > max(most, 1) {
				best, most = d, n
			}
		}
	}
	return best
}

// split returns the cells of a line.
func split(line string, delimiter rune) []string {
	if delimiter == ' ' {
		return strings.Fields(line)
	}
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.LazyQuotes, r.TrimLeadingSpace = delimiter, true, delimiter != '\t'
	cells, err := r.Read()
	if err != nil {
		return nil
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// countNumbers returns how many cells are numbers and how many are words.
func countNumbers(cells []string, decimalComma bool) (numbers, words int) {
	for _, cell := range cells {
		if cell == "" {
			continue
		}
		if _, err := parseNumber(cell, decimalComma); err == nil || IsMissing(cell) {
			numbers++
		} else {
			words++
		}
	}
	return numbers, words
}

// IsData reports whether a line is a row of numbers and not one of names: at least half of its cells that are not empty are numbers.
func (t *Text) IsData(l *Line) bool {
	numbers, words := countNumbers(l.Cells, t.Delimiter != ',')
	return !l.Comment && numbers > 0 && numbers >= words
}

// parseNumber parses a number, perhaps with a decimal comma. What is too large for a float64 is infinite.
func parseNumber(text string, decimalComma bool) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return v, nil
	}
	if i := strings.IndexByte(text, ','); decimalComma && i >= 0 && i < len(text)-1 && !strings.Contains(text, ".") {
		if v, err = strconv.ParseFloat(text[:i]+"."+text[i+1:], 64); errors.Is(err, strconv.ErrRange) {
			err = nil
		}
	}
	return v, err
}

// missing are words for a number that is not there.
var missing = []string{"nan", "-nan", "-nan(ind)", "nan(ind)", "na", "n/a", "#n/a", "none", "null", "-", "--", "missing"}

// IsMissing reports whether a cell stands for a number that is not there: empty, NaN, NA, null and the like.
func IsMissing(cell string) bool {
	return cell == "" || slices.Contains(missing, strings.ToLower(cell))
}

// Errorf returns an error about a line.
func (t *Text) Errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", t.file, line, fmt.Errorf(format, args...))
}

// Reader returns the rows from a line on, under names of columns. A row may have fewer cells, the last of which are then
// empty, and more that are empty. Nothing else may read the text.
func (t *Text) Reader(names []string, first int) (*Reader, error) {
	for range first - 1 {
		if _, err := t.in.ReadString('\n'); err != nil {
			return nil, fmt.Errorf("%s: %w", t.file, err)
		}
	}
	r := t.reader(first - 1)
	r.csv.FieldsPerRecord = -1
	for _, name := range names {
		r.header = append(r.header, toUTF8(strings.TrimSpace(name)))
	}
	r.padded = make([]string, len(names))
	return r, nil
}

// Headed returns the rows below the names of columns, which are in the first line that is no comment. Nothing else may read
// the text.
func (t *Text) Headed() (*Reader, error) {
	skipped := 0
	if len(t.Lines) > 0 { // behind a line that says what the delimiter is
		skipped = t.Lines[0].Number - 1
	}
	for range skipped {
		if _, err := t.in.ReadString('\n'); err != nil {
			return nil, fmt.Errorf("%s: %w", t.file, err)
		}
	}
	r := t.reader(skipped)
	names, err := r.csv.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: no header: %w", t.file, err)
	}
	for _, name := range names {
		r.header = append(r.header, toUTF8(strings.TrimSpace(name)))
	}
	return r, nil
}

// reader reads the rows after some lines.
func (t *Text) reader(skipped int) *Reader {
	var in io.Reader = t.in
	if t.Delimiter == ' ' {
		in = &fieldReader{in: bufio.NewScanner(t.in)}
	}
	r := &Reader{file: t.file, csv: csv.NewReader(in), chosen: choice{column: -1}, decimalComma: t.Delimiter != ',', skipped: skipped}
	r.csv.Comma = t.Delimiter
	r.csv.Comment = '#'
	r.csv.TrimLeadingSpace = t.Delimiter != '\t'
	r.csv.ReuseRecord = true
	return r
}

// fieldReader joins the fields of a line by one blank.
type fieldReader struct {
	in   *bufio.Scanner
	rest string
}

// Read implements io.Reader.
func (f *fieldReader) Read(b []byte) (int, error) {
	if f.rest == "" {
		if !f.in.Scan() {
			if err := f.in.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		f.rest = strings.Join(strings.Fields(f.in.Text()), " ") + "\n"
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// toUTF8 takes bytes that are no UTF-8 for Latin-1, such as the micro sign of a spreadsheet.
func toUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
