package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sinew/cmd/internal/exitcode"
)

// Force is the flag --force of verbs that write files.
type Force struct {
	Force bool `help:"Overwrite files that this program did not write."`
}

// Set is the set of all outputs of one run of a verb.
type Set struct {
	stdout io.Writer
	force  bool
	inputs []input
	files  []*File
}

// input is a file that no output may replace, and its role for the verb.
type input struct {
	file, role string
	info       fs.FileInfo // nil if it does not exist
}

// New returns a Set whose "-" is stdout.
func New(stdout io.Writer, force Force) *Set { return &Set{stdout: stdout, force: force.Force} }

// Reads declares files that the verb reads; no output may replace them, not even with --force. role
// completes the sentence "--out x.csv is …".
func (s *Set) Reads(role string, files ...string) {
	for _, f := range files {
		if f == "" {
			continue
		}
		info, err := os.Stat(f)
		if err != nil {
			info = nil
		}
		s.inputs = append(s.inputs, input{f, role, info})
	}
}

// Create begins the output of a flag. If name is a device or a pipe, it is written in place; "-" is
// the standard output. An existing file is replaced if ours recognizes it, if it is empty, or with
// --force.
func (s *Set) Create(flag, name string, ours Recognizer) (*File, error) {
	f, err := s.create(flag, name, ours)
	if err != nil {
		return nil, err
	}
	s.files = append(s.files, f)
	return f, nil
}

func (s *Set) create(flag, name string, ours Recognizer) (*File, error) {
	if name == "-" || name == "/dev/stdout" {
		return &File{name: flag + " " + name, out: plain{s.stdout}}, nil
	}
	f := &File{name: flag + " " + name}
	target, err := followLinks(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, reason(err))
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.name, reason(err))
	case info.IsDir():
		return nil, exitcode.Usagef("%s is a folder", f.name)
	case !info.Mode().IsRegular() || isDescriptor(name):
		return f, f.openInPlace(name)
	}
	if err := s.mayWrite(f.name, target, info); err != nil {
		return nil, err
	}
	f.allowed = func() error { return s.mayReplace(f.name, target, ours) }
	if err := f.allowed(); err != nil {
		return nil, err
	}
	return f, f.openBeside(target, info)
}

// mayWrite returns an error for a file that the verb reads or writes already. info is nil for a
// file that does not exist.
func (s *Set) mayWrite(name, target string, info fs.FileInfo) error {
	for _, in := range s.inputs {
		if in.info != nil && info != nil && os.SameFile(in.info, info) || in.info == nil && samePath(in.file, target) {
			return exitcode.Usagef("%s is %s; choose another name", name, in.role)
		}
	}
	for _, f := range s.files {
		if f.target != "" && (samePath(f.target, target) || info != nil && f.old != nil && os.SameFile(f.old, info)) {
			return exitcode.Usagef("%s is %s as well; choose another name", name, f.name)
		}
	}
	return nil
}

// mayReplace returns an error for a file that ours does not recognize.
func (s *Set) mayReplace(name, target string, ours Recognizer) error {
	info, err := os.Stat(target)
	if err != nil || info.Size() == 0 || s.force || ours.recognize(target) {
		return nil
	}
	return exitcode.Usagef("%s exists and is not a file that %s; choose another name, or replace it with --force", name, ours.what)
}

// InPlace checks the name of a file that is written in place, such as a recording, which must be
// readable after a crash. It returns an error if the file exists and is not empty, unless --force
// is given.
func (s *Set) InPlace(flag, name string) error {
	target, err := followLinks(name)
	if err != nil {
		return fmt.Errorf("%s %s: %w", flag, name, reason(err))
	}
	info, err := os.Stat(target)
	if err != nil {
		info = nil
	}
	if err := s.mayWrite(flag+" "+name, target, info); err != nil || info == nil {
		return err
	}
	if info.Mode().IsRegular() && info.Size() > 0 && !s.force {
		return exitcode.Usagef("%s %s exists already, and a recording is not written over without --force; choose another name", flag, name)
	}
	return nil
}

// Commit renames all files that are whole to their names, also where another one fails.
func (s *Set) Commit() error {
	var failed error
	for _, f := range s.files {
		failed = errors.Join(failed, f.Commit())
	}
	return failed
}

// Discard removes all files that are not committed. Callers defer it.
func (s *Set) Discard() {
	for _, f := range s.files {
		f.Discard()
	}
}

// followLinks returns the file that a name refers to through symbolic links, which need not exist.
func followLinks(name string) (string, error) {
	const most = 40
	for range most {
		info, err := os.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return name, nil // opening the file reports what is wrong
		}
		to, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return "", errors.New("too many symbolic links")
}

// samePath reports whether two names refer to the same file, which does not exist.
func samePath(a, b string) bool {
	return absolute(a) == absolute(b)
}

func absolute(name string) string {
	if to, err := followLinks(name); err == nil {
		name = to
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(dir, filepath.Base(full))
	}
	return full
}
