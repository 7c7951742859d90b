package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
)

// Suffixes of the files beside that of --out.
const (
	partSuffix  = ".part" // the samples so far, until all are computed
	aboutSuffix = ".json" // an about
)

// about describes a file of samples: enough to compute it again, and to distinguish the parts of
// one sweep from those of another.
type about struct {
	Format     int               `json:"sweep"` // version of this structure
	Program    string            `json:"program"`
	Version    string            `json:"version"`
	Commit     string            `json:"commit"`
	Vary       []string          `json:"vary"`
	Samples    int               `json:"samples"`
	Seed       uint64            `json:"seed"`
	DurationS  float64           `json:"duration_s,omitempty"` // 0: equilibria
	SampleHz   float64           `json:"sample_hz,omitempty"`  // 0: the end only
	Commands   string            `json:"commands_sha256,omitempty"`
	Files      map[string]string `json:"files_sha256,omitempty"` // of the files that the robot file names
	Columns    []string          `json:"columns"`
	Robot      string            `json:"robot"` // the complete robot file
	Shard      string            `json:"shard,omitempty"`
	Failed     int               `json:"failed,omitempty"`      // samples
	FirstError string            `json:"first_error,omitempty"` // of the first of them
	Sum        string            `json:"sha256,omitempty"`      // of the file of samples
}

const aboutFormat = 1

// newAbout describes the sweep of a command.
func newAbout(robot *program.Robot, s *study, c *Cmd) (*about, error) {
	a := &about{
		Format: aboutFormat, Program: robot.Name, Version: cli.Version, Commit: cli.Commit(),
		Samples: s.plan.Samples, Seed: s.plan.Seed, Files: map[string]string{},
	}
	for i := range s.plan.Variations {
		v := &s.plan.Variations[i]
		a.Vary = append(a.Vary, v.Name+"="+v.Text)
	}
	if s.motion != nil {
		a.DurationS, a.SampleHz = s.motion.durationS, s.motion.rowsHz
	}
	if s.shard.Of > 1 {
		a.Shard = s.shard.String()
	}
	text, err := s.base.Print()
	if err != nil {
		return nil, err
	}
	a.Robot = string(text)
	if a.Columns, err = s.columns(); err != nil {
		return nil, exitcode.Usage(err)
	}
	if c.Commands != "" {
		if a.Commands, err = hashOf(c.Commands); err != nil {
			return nil, err
		}
	}
	for _, name := range s.made.Files {
		if a.Files[name], err = hashOf(name); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// unchanged returns an error if a file that the robot file names, and that each sample reads, was
// changed between samples. The samples stay in the journal.
func (a *about) unchanged(journal string) error {
	for name, before := range a.Files {
		if now, err := hashOf(name); err != nil || now != before {
			return errors.Join(fmt.Errorf("%s, which the robot file names, is not what it was when the sweep began: samples may be of either; remove %s and begin anew", name, journal), err)
		}
	}
	return nil
}

// identity returns a text that is equal for two files with the same samples; without the shard it
// is equal for all parts of a sweep.
func (a *about) identity(withShard bool) string {
	b := *a
	b.Failed, b.FirstError, b.Sum = 0, "", ""
	if !withShard {
		b.Shard = ""
	}
	text, err := json.Marshal(b)
	if err != nil {
		panic("sweep: " + err.Error()) // marshals only strings and finite numbers
	}
	return string(text)
}

// inside returns the description for a file that has the robot file attached.
func (a *about) inside() string {
	b := *a
	b.Robot = ""
	return b.identity(true)
}

// difference names what differs between two sweeps, for people.
func (a *about) difference(b *about) string {
	switch {
	case a.Program != b.Program || a.Version != b.Version || a.Commit != b.Commit:
		return fmt.Sprintf("made by %s %s (commit %s), not by %s %s (%s)", b.Program, b.Version, b.Commit, a.Program, a.Version, a.Commit)
	case fmt.Sprint(a.Vary) != fmt.Sprint(b.Vary):
		return fmt.Sprintf("--vary was %q", b.Vary)
	case a.Samples != b.Samples:
		return fmt.Sprintf("--samples was %d", b.Samples)
	case a.Seed != b.Seed:
		return fmt.Sprintf("--seed was %d", b.Seed)
	case a.DurationS != b.DurationS || a.SampleHz != b.SampleHz:
		return "--duration or --sample-hz was another"
	case a.Robot != b.Robot:
		return "the robot file was another"
	case a.Shard != b.Shard:
		return fmt.Sprintf("--shard was %q", b.Shard)
	}
	return "the commands or a file that the robot file names was another"
}

// readAbout reads the description beside a file of samples.
func readAbout(samples string) (*about, error) {
	const most = 64 << 20 // bytes
	data, err := program.ReadFile(samples+aboutSuffix, most)
	if err != nil {
		return nil, err
	}
	a := new(about)
	if err := json.Unmarshal(data, a); err != nil || a.Format != aboutFormat {
		return nil, fmt.Errorf("%s does not say what a sweep of this version made", samples+aboutSuffix)
	}
	return a, nil
}

// written reports whether a file has all samples of this sweep. Its error is that of the samples
// that failed.
func (a *about) written(samples string) (bool, error) {
	there, err := readAbout(samples)
	if err != nil || there.identity(true) != a.identity(true) {
		return false, nil // --out is refused, or replaced with --force
	}
	hash, err := hashOf(samples)
	if err != nil || hash != there.Sum {
		return false, nil
	}
	return true, failureOf(there)
}

// failureOf returns the error of a sweep with failed samples, nil without any.
func failureOf(a *about) error {
	if a.Failed == 0 {
		return nil
	}
	return fmt.Errorf("%d samples failed (column error), the first: %s", a.Failed, a.FirstError)
}

// hashOf returns the SHA-256 of a file in hexadecimal digits.
func hashOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumOf(f)
}

// sumOf returns the SHA-256 of the bytes of in in hexadecimal digits.
func sumOf(in io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
