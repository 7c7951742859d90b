package output

import (
	"bytes"
	"io"
	"os"
	"strconv"

	"sinew/pkg/ros/record"
)

// Recognizer recognizes, by their beginning, files that a verb wrote and can write again.
type Recognizer struct {
	what      string // completes "is not a file that …"
	recognize func(file string) bool
}

// People returns a Recognizer that recognizes no file: people edit the files, even those that a
// program made.
func People() Recognizer {
	return Recognizer{"may be replaced", func(string) bool { return false }}
}

// headBytes is the number of bytes of a file that are examined.
const headBytes = 64 << 10

// head reads the beginning of a file, and reports whether that is all.
func head(file string) (b []byte, all bool) {
	f, err := os.Open(file)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	b, err = io.ReadAll(io.LimitReader(f, headBytes+1))
	if err != nil {
		return nil, false
	}
	return b[:min(len(b), headBytes)], len(b) <= headBytes
}

// Text recognizes files whose beginning contains all marks.
func Text(marks ...string) Recognizer {
	return Recognizer{"this program wrote", func(file string) bool {
		b, _ := head(file)
		for _, m := range marks {
			if !bytes.Contains(b, []byte(m)) {
				return false
			}
		}
		return true
	}}
}

// Rows recognizes tables whose first line begins with header, empty for none, and whose numbers
// from column first on have 17 significant digits. Other programs print fewer, so that measurements
// under the same columns are not recognized.
func Rows(header, separator string, first int) Recognizer {
	return Recognizer{"this program wrote", func(file string) bool {
		b, all := head(file)
		lines := bytes.Split(b, []byte("\n"))
		if !all || len(b) > 0 && b[len(b)-1] != '\n' {
			lines = lines[:len(lines)-1] // may be incomplete
		}
		if header != "" {
			if len(lines) == 0 || !bytes.HasPrefix(lines[0], []byte(header)) {
				return false
			}
			lines = lines[1:]
		}
		known := header != ""
		for _, line := range lines {
			if len(line) == 0 {
				continue
			}
			fields := bytes.Split(line, []byte(separator))
			if len(fields) < first {
				return false
			}
			for _, field := range fields[first:] {
				if !isFull(string(field)) {
					return false
				}
			}
			known = true
		}
		return known
	}}
}

// isFull reports whether a cell is empty or a number with 17 significant digits.
func isFull(cell string) bool {
	if cell == "" {
		return true
	}
	v, err := strconv.ParseFloat(cell, 64)
	return err == nil && strconv.FormatFloat(v, 'g', 17, 64) == cell
}

// Recordings recognizes recordings that a verb made without a clock, which can be made again. A
// recording of run, whose inputs came from other nodes, cannot.
func Recordings() Recognizer {
	return Recognizer{"sim or replay wrote", func(file string) bool {
		info, err := record.Info(file)
		return err == nil && info[record.InfoVerb] != "" && info[record.InfoVerb] != record.VerbRun
	}}
}
