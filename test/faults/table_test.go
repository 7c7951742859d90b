package faults_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// page is the document whose table this package writes.
const page = "../../docs/reliability.md"

const tableHead = `| fault | network | what the user sees | what continues | what recovers by itself | measured | at most |
|---|---|---|---|---|---|---|
`

// row is the line of a fault: fixed cells from its declaration, those in between from an
// outcome.
func (f *fault) row(o outcome) string {
	return fmt.Sprintf("%s %s | %s | %s | %s | %s |\n", f.rowHead(), f.seen(), o.kept(f), f.recovers, round(o.took), f.within)
}

// rowHead begins the row of a fault and of no other.
func (f *fault) rowHead() string { return fmt.Sprintf("| %s: %s | %s |", f.name, f.cause, f.network) }

// seen is the cell of what the user sees.
func (f *fault) seen() string {
	var all []string
	for _, s := range f.sees {
		all = append(all, s.String())
	}
	if len(f.sees)+len(f.after) == 0 {
		all = append(all, "nothing; diagnostics stay OK")
	}
	for i, s := range f.after {
		text := s.String()
		if i == 0 && len(f.sees) > 0 {
			text = "then " + text
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// kept is the cell of what continues.
func (o outcome) kept(f *fault) string {
	var all []string
	if o.poses > 0 {
		all = append(all, fmt.Sprintf("poses at 1 kHz: %d of %d lost, the computer took %d (at most 1.5 times that and %g %%), none for %s, the computer %s (at most %s more)",
			o.lost, o.poses, o.taken, 100*f.mostLost(), round(o.silence), round(o.gap), f.longestSilence()))
	}
	if f.keeps != "" {
		all = append(all, f.keeps)
	}
	return strings.Join(all, "; ")
}

// String tells an outcome in the log of a test.
func (o outcome) String(f *fault) string {
	return fmt.Sprintf("%s: %s after %s; %s", f.title(), f.recovers, round(o.took), o.kept(f))
}

// round writes a time with two digits.
func round(d time.Duration) string {
	for unit := time.Second; unit >= time.Microsecond; unit /= 10 {
		if d >= 10*unit {
			return d.Round(unit).String()
		}
	}
	return d.Round(time.Microsecond).String()
}

// table is that of the page, with the text around it.
func table() (before, rows, after string, err error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return "", "", "", err
	}
	before, rest, found := strings.Cut(string(text), tableHead)
	if !found {
		return "", "", "", fmt.Errorf("%s has no table that begins\n%s", page, tableHead)
	}
	rows, after, found = strings.Cut("\n"+rest, "\n\n")
	if !found {
		return "", "", "", fmt.Errorf("%s ends with its table", page)
	}
	return before, strings.TrimPrefix(rows, "\n") + "\n", "\n" + after, nil
}

// writeTable puts the rows of outcomes in place of those of the page, in the order of the
// faults. Faults that have not run keep their rows.
func writeTable(outcomes map[string]outcome) error {
	before, old, after, err := table()
	if err != nil {
		return err
	}
	var rows strings.Builder
	var missing []string
	for _, f := range faults() {
		o, ran := outcomes[f.title()]
		for line := range strings.Lines(old) {
			if !ran && strings.HasPrefix(line, f.rowHead()) {
				rows.WriteString(line)
				ran = true
			}
		}
		switch {
		case o.took > 0:
			rows.WriteString(f.row(o))
		case !ran:
			missing = append(missing, f.title())
		}
	}
	if err := os.WriteFile(page, []byte(before+tableHead+rows.String()+after), 0o644); err != nil || missing == nil {
		return err
	}
	return fmt.Errorf("%s has no row yet of %q", page, missing)
}

// measured are the numbers of one run in a row.
var measured = regexp.MustCompile(`(\d+) of (\d+) lost, the computer took (\d+) \(at most 1\.5 times that and [\d.]+ %\), none for (\S+), the computer (\S+) \(`)

// TestTableOfFaults compares the page with the declarations, number by number with their
// bounds, without running anything.
func TestTableOfFaults(t *testing.T) {
	_, rows, _, err := table()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(rows, "\n"), "\n")
	all := faults()
	if len(lines) != len(all) {
		t.Errorf("%s has %d rows, want one of each of %d faults", page, len(lines), len(all))
	}
	for i, f := range all[:min(len(all), len(lines))] {
		o, err := readRow(lines[i])
		if err != nil {
			t.Errorf("%s: %v: %s", f.title(), err, lines[i])
			continue
		}
		if want := f.row(o); lines[i]+"\n" != want {
			t.Errorf("%s has\n%s\nwant, but for what was measured,\n%s", page, lines[i], want)
		}
		if least := int(0.95 * leastCounted.Seconds() * poseHz); o.poses > 0 && o.poses < least {
			t.Errorf("%s: of %d poses, want %d or more", f.title(), o.poses, least)
		}
		if o.took > f.within || o.disturbed(&f) {
			t.Errorf("%s: measured is more than the bound: %s", f.title(), lines[i])
		}
	}
}

// readRow finds what was measured.
func readRow(line string) (o outcome, err error) {
	cells := strings.Split(line, " | ")
	if len(cells) != strings.Count(tableHead, " | ")+1 {
		return o, fmt.Errorf("%d cells", len(cells))
	}
	if o.took, err = time.ParseDuration(cells[len(cells)-2]); err != nil {
		return o, err
	}
	if m := measured.FindStringSubmatch(line); m != nil {
		o.lost, _ = strconv.Atoi(m[1])
		o.poses, _ = strconv.Atoi(m[2])
		o.taken, _ = strconv.Atoi(m[3])
		var errs [2]error
		o.silence, errs[0] = time.ParseDuration(m[4])
		o.gap, errs[1] = time.ParseDuration(m[5])
		return o, errors.Join(errs[:]...)
	}
	return o, nil
}
