package table_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"sinew/pkg/sim/table"
)

// inUTF16 is a text as spreadsheets write "Unicode text".
func inUTF16(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// TestDelimiters: the delimiter is the one that makes numbers of the rows, and decimals may have a comma where it is none.
func TestDelimiters(t *testing.T) {
	for name, text := range map[string]string{
		"commas":                       "t,x\n0,1\n0.5,2.25\n",
		"semicolons":                   "t;x\n0;1\n0.5;2.25\n",
		"semicolons, decimal commas":   "t;x\r\n0;1\r\n0,5;2,25\r\n",
		"tabs":                         "t\tx\n0\t1\n0.5\t2.25\n",
		"tabs, decimal commas":         "t\tx\n0\t1\n0,5\t2,25\n",
		"blanks":                       "t x\n0 1\n  0.5   2.25\n",
		"commas and blanks":            "t, x\n0, 1\n0.5, 2.25\n",
		"said by a spreadsheet":        "sep=;\nt;x\n0;1\n0,5;2,25\n",
		"UTF-16":                       inUTF16("t\tx\r\n0\t1\r\n0,5\t2,25\r\n"),
		"empty rows of a spreadsheet":  "t;x\n0;1\n;\n0,5;2,25\n;\n",
		"a mark of the order of bytes": "\ufefft;x\n0;1\n0,5;2,25\n",
	} {
		t.Run(name, func(t *testing.T) {
			for i, want := range [][]float64{{0, 0.5}, {1, 2.25}} {
				if all, err := readAll(text, i, table.Row.Finite); err != nil || !slices.Equal(all, want) {
					t.Errorf("column %d: %v, %v; want %v", i, all, err, want)
				}
			}
		})
	}
}

// TestNoTable: what is no table of numbers, and decimal commas between commas, are refused without their bytes.
func TestNoTable(t *testing.T) {
	for text, want := range map[string]string{
		"\x89MCAP0\r\n\x01\x00\x00": `f.csv: no table of numbers but a binary file: byte 9 is 0, and it begins with "\x89MCAP0\r\n\x01\x00\x00"`,
		"t,x\n0,5,2,25\n":           "4 for 2 names; if numbers have a decimal comma, separate them by semicolons",
		"t;x\n0;1,5\n1;1.234,5\n":   `f.csv:3: x = "1.234,5" is not a number`,
	} {
		_, err := readAll(text, 1, table.Row.Number)
		if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\x00\x89") {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// TestRowsBehindOtherLines: names and the line of the first row are given, lines are counted in the file, and cells that are missing at
// the end of a row are empty.
func TestRowsBehindOtherLines(t *testing.T) {
	text, err := table.Open("f.csv", strings.NewReader("title\n\nunits, mm\n# note\n0,1\n1\n2,3,\n4,5,6\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := text.Reader([]string{"t", "x"}, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1", "", "3"} {
		if row, err := r.Next(); err != nil || row.Text(1) != want {
			t.Errorf("%v, %v; want %q", row, err, want)
		}
	}
	if _, err := r.Next(); err == nil || err.Error() != "f.csv:8: 3 cells for 2 names" {
		t.Errorf("error %v", err)
	}
}
