package sweep

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
)

// Merge is the verb merge.
type Merge struct {
	output.Force

	Parts []string `arg:"" help:"Read the files that sweep --shard wrote, all of one sweep." placeholder:"FILE.csv|.mcap"`
	Out   string   `required:"" help:"Write all samples to this file, as sweep without --shard does." placeholder:"FILE.csv|.mcap"`
}

// Run joins the parts. It returns an error if a sample is missing.
func (c *Merge) Run(e *cli.Env) error {
	files := e.Outputs(c.Force, nil, nil)
	files.Reads("a part that is merged", c.Parts...)
	for _, name := range c.Parts {
		files.Reads("beside a part that is merged", name+aboutSuffix)
	}
	defer files.Discard()
	whole, parts, err := openParts(c.Parts, c.Out)
	defer func() {
		for _, p := range parts {
			_ = p.file.Close()
		}
	}()
	if err != nil {
		return err
	}
	out, err := newResult(files, "--out", c.Out)
	if err != nil {
		return err
	}
	var missing []int
	err = out.write(whole, func(use func(outcome) error) error { missing, err = joined(whole, parts, use); return err })
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("%d of %d samples are missing: %s; nothing is written", len(missing), whole.Samples, ranges(missing))
	}
	if err := files.Commit(); err != nil {
		return err
	}
	fmt.Fprintf(e.Stderr, "%s: %d samples of %d parts in %s\n", e.Robot.Name, whole.Samples, len(parts), c.Out)
	return failureOf(&out.about)
}

// openParts opens the parts, which must be files of one sweep in the format of the file out. The
// caller closes what it opened, also after an error.
func openParts(names []string, out string) (whole *about, parts []*part, err error) {
	for _, name := range names {
		f, err := formatOf("merge", name)
		if err != nil {
			return nil, parts, err
		}
		if a, b := filepath.Ext(name), filepath.Ext(out); !strings.EqualFold(a, b) {
			return nil, parts, exitcode.Usagef("%s and --out %s: parts are merged into a file of their own kind, %s", name, out, a)
		}
		a, err := readAbout(name)
		if err != nil {
			if _, e := os.Stat(name + partSuffix); e == nil {
				return nil, parts, fmt.Errorf("%s is not complete: the command that writes it is still running, or was ended; the same command continues", name)
			}
			return nil, parts, exitcode.Usage(err)
		}
		if whole == nil {
			one := *a
			one.Shard = ""
			whole = &one
		}
		if a.identity(false) != whole.identity(false) {
			return nil, parts, exitcode.Usagef("%s and %s are not of one sweep: %s", names[0], name, whole.difference(a))
		}
		hash, err := hashOf(name)
		if err != nil {
			return nil, parts, exitcode.Usage(err)
		}
		if hash != a.Sum {
			return nil, parts, exitcode.Usagef("%s is not as sweep wrote it: its checksum is not that of %s", name, name+aboutSuffix)
		}
		p, err := openPart(name, f, a)
		if err != nil {
			return nil, parts, err
		}
		parts = append(parts, p)
	}
	return whole, parts, nil
}

// joined calls use with all samples in their order, each once, and returns the indices of the
// missing ones. Parts may share samples with equal rows, as after a task that was started twice.
func joined(whole *about, parts []*part, use func(outcome) error) (missing []int, err error) {
	for i := range whole.Samples {
		var found *part
		var sample outcome
		for _, p := range parts {
			if p.over || p.now.sample != i {
				continue
			}
			if found != nil && !(bytes.Equal(sample.rows, p.now.rows) && bytes.Equal(sample.message, p.now.message)) {
				return nil, fmt.Errorf("sample %d is not the same in %s and %s", i, found.name, p.name)
			}
			found, sample = p, p.now
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
		if found == nil {
			missing = append(missing, i)
			continue
		}
		if err := use(sample); err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// ranges writes sorted numbers as ranges, the first ones of many.
func ranges(n []int) string {
	const most = 10
	var list []string
	for i := 0; i < len(n); {
		k := i
		for k+1 < len(n) && n[k+1] == n[k]+1 {
			k++
		}
		if len(list) == most {
			return strings.Join(list, ", ") + fmt.Sprintf(" and %d more", len(n)-i)
		}
		if k > i {
			list = append(list, fmt.Sprintf("%d to %d", n[i], n[k]))
		} else {
			list = append(list, strconv.Itoa(n[i]))
		}
		i = k + 1
	}
	return strings.Join(list, ", ")
}
