package sweep

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"path/filepath"
	"strings"

	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
)

// format is a file format of samples: rows of a CSV or messages of a recording.
type format struct {
	// sink begins to write the samples of a sweep.
	sink func(file *output.File, name string, a *about) (sink, error)
	// source begins to read a file of the format.
	source func(in io.ReadSeeker, a *about) (source, error)
}

// sink receives samples in the order of their indices.
type sink interface {
	add(r outcome) error
	end() (sum string, err error) // SHA-256 of the file
}

// source returns the next sample, and io.EOF after the last.
type source func() (outcome, error)

// formats lists the formats of --out by file extension.
var formats = map[string]format{
	".csv":  {newCSVSink, newCSVSource},
	".mcap": {newMCAPSink, newMCAPSource},
}

// formatOf returns the format of a file by its name.
func formatOf(what, name string) (format, error) {
	f, ok := formats[strings.ToLower(filepath.Ext(name))]
	if !ok {
		return f, exitcode.Usagef("%s %s: want a name that ends in .csv or .mcap", what, name)
	}
	return f, nil
}

// csvSink writes rows.
type csvSink struct {
	*bufio.Writer
	sum hash.Hash
}

func newCSVSink(file *output.File, _ string, a *about) (sink, error) {
	sum := sha256.New()
	s := csvSink{bufio.NewWriterSize(io.MultiWriter(file, sum), 1<<16), sum}
	_, err := s.WriteString(strings.Join(a.Columns, ",") + "\n")
	return s, err
}

func (s csvSink) add(r outcome) error {
	_, err := s.Write(r.rows)
	return err
}

func (s csvSink) end() (string, error) {
	err := s.Flush()
	return hex.EncodeToString(s.sum.Sum(nil)), err
}
