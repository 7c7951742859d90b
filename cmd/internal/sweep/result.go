package sweep

import (
	"encoding/json"
	"fmt"

	"sinew/cmd/internal/output"
)

// result is a file of samples in the order of their indices, with its description.
type result struct {
	name       string
	format     format
	file, json *output.File
	about      about
}

// newResult begins the files of --out.
func newResult(files *output.Set, flag, name string) (*result, error) {
	f, err := formatOf(flag, name)
	if err != nil {
		return nil, err
	}
	file, err := files.Create(flag, name, output.People())
	if err != nil {
		return nil, err
	}
	beside, err := files.Create(flag, name+aboutSuffix, output.People())
	return &result{name: name, format: f, file: file, json: beside}, err
}

// write writes the samples for which each calls its argument.
func (r *result) write(a *about, each func(func(outcome) error) error) error {
	r.about = *a
	r.about.Failed, r.about.FirstError = 0, ""
	to, err := r.format.sink(r.file, r.name, a)
	if err != nil {
		return err
	}
	err = each(func(s outcome) error {
		if s.failure != "" {
			if r.about.Failed++; r.about.Failed == 1 {
				r.about.FirstError = fmt.Sprintf("sample %d: %s", s.sample, s.failure)
			}
		}
		return to.add(s)
	})
	if err != nil {
		return err
	}
	if r.about.Sum, err = to.end(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r.about, "", "  ")
	if err != nil {
		return err
	}
	_, err = r.json.Write(append(text, '\n'))
	return err
}
