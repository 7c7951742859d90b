// Package rows gathers what the programs of test/bench/peers measure into one table.
package rows

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Row is the same work done by another program and by this one, on one machine in one run.
type Row struct {
	Peer  string // the other program, with its version
	Work  string // what both do
	Here  Cost
	There Cost
}

// Cost is what a program takes for the work, and how far its result is from the converged one.
type Cost struct {
	Value float64 // in Unit, which is that of both programs
	Unit  string
	Error string // with its unit; empty where the work is the same to the last digits
	Rate  bool   // more is better
}

// Ratio returns how many times better this program is than the other.
func (r *Row) Ratio() float64 {
	if r.Here.Rate {
		return r.Here.Value / r.There.Value
	}
	return r.There.Value / r.Here.Value
}

// Append adds rows to a file of JSON lines; without a path it does nothing.
func Append(path string, rows ...Row) (err error) {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for _, r := range rows {
		if err := json.NewEncoder(f).Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// Read returns the rows that Append wrote.
func Read(r io.Reader) (all []Row, err error) {
	d := json.NewDecoder(r)
	for {
		var row Row
		if err := d.Decode(&row); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(all)+1, err)
		}
		all = append(all, row)
	}
}

// Python returns a name and the version of its package in an installation of Python.
func Python(python, name, pkg string) (string, error) {
	out, err := exec.Command(python, "-c", "from importlib.metadata import version; print(version('"+pkg+"'))").Output()
	if err != nil {
		return "", fmt.Errorf("version of %s in %s: %w", pkg, python, err)
	}
	return name + " " + strings.TrimSpace(string(out)), nil
}

// Markdown returns the rows as a table.
func Markdown(all []Row) string {
	var b strings.Builder
	b.WriteString("| beside | work | error here, there | here | there | ratio |\n|---|---|---|---|---|---|\n")
	for _, r := range all {
		apart := "the same"
		switch {
		case r.Here.Error == r.There.Error && r.Here.Error != "":
			apart = r.Here.Error
		case r.Here.Error != "" || r.There.Error != "":
			apart = r.Here.Error + ", " + r.There.Error
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s %s | %s %s | %s |\n", r.Peer, r.Work, apart,
			digits(r.Here.Value), r.Here.Unit, digits(r.There.Value), r.There.Unit, digits(r.Ratio()))
	}
	return b.String()
}

// digits writes a number with two digits, or as a whole one.
func digits(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}
