package sweep

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sinew/cmd/internal/output"
)

// result is a file of samples in the order of their indices, and what is beside it.
type result struct {
	csv, json *output.File
	about     about
}

// newResult begins the files of --out.
func newResult(files *output.Set, flag, name string) (*result, error) {
	csv, err := files.Create(flag, name, output.People())
	if err != nil {
		return nil, err
	}
	beside, err := files.Create(flag, name+aboutSuffix, output.People())
	return &result{csv: csv, json: beside}, err
}

// write writes the samples that each gives, in its order.
func (r *result) write(a *about, each func(func(record) error) error) error {
	r.about = *a
	r.about.Failed, r.about.FirstError = 0, ""
	hash := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(r.csv, hash), 1<<16)
	_, _ = w.WriteString(strings.Join(a.Columns, ",") + "\n") // Flush tells the first error
	err := each(func(s record) error {
		if s.failure != "" {
			if r.about.Failed++; r.about.Failed == 1 {
				r.about.FirstError = fmt.Sprintf("sample %d: %s", s.sample, s.failure)
			}
		}
		_, err := w.Write(s.rows)
		return err
	})
	if err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	r.about.CSV = hex.EncodeToString(hash.Sum(nil))
	text, err := json.MarshalIndent(r.about, "", "  ")
	if err != nil {
		return err
	}
	_, err = r.json.Write(append(text, '\n'))
	return err
}
