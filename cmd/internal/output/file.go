package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// File is an output under construction. It does not exist under its name before Commit.
type File struct {
	name    string // flag and name, as given, for messages
	out     writer // nil after Commit or Discard
	target  string // final path; empty for files that are written in place
	old     fs.FileInfo
	allowed func() error // returns an error if target must not be replaced
	cut     bool         // writing failed
}

// writer is a regular file or a wrapper of another one.
type writer interface {
	io.Writer
	io.WriterAt
	io.ReaderAt
	Truncate(size int64) error
	Sync() error
	Close() error
	Name() string
}

// plain is a stream, which can only be appended to.
type plain struct{ io.Writer }

var errStream = errors.New("not a regular file, so it cannot hold a recording")

func (plain) WriteAt([]byte, int64) (int, error) { return 0, errStream }
func (plain) ReadAt([]byte, int64) (int, error)  { return 0, errStream }
func (plain) Truncate(int64) error               { return errStream }
func (plain) Sync() error                        { return nil }
func (plain) Close() error                       { return nil }
func (plain) Name() string                       { return "" }

// device is a file that is not a regular one.
type device struct {
	plain
	f *os.File
}

func (d device) Close() error { return d.f.Close() }

// openInPlace opens a device, a pipe or a descriptor of this process.
func (f *File) openInPlace(name string) error {
	d, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, reason(err))
	}
	f.out = device{plain{d}, d}
	return nil
}

// isDescriptor reports whether a name is that of a descriptor of this process, which the caller
// opened and may have written to.
func isDescriptor(name string) bool {
	return strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/") || name == "/dev/stderr"
}

// openBeside opens a temporary file in the folder of target; old describes the existing target, or
// is nil.
func (f *File) openBeside(target string, old fs.FileInfo) error {
	mode := fs.FileMode(0o666) // less the umask
	if old != nil {
		mode = old.Mode().Perm()
		w, err := os.OpenFile(target, os.O_WRONLY, 0) // a write-protected file is not replaced
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, reason(err))
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	const tries = 100
	for range tries {
		beside := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%08x.part", filepath.Base(target), rand.Uint32()))
		out, err := os.OpenFile(beside, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: cannot write in its folder: %w", f.name, reason(err))
		}
		if old != nil {
			_ = out.Chmod(mode) // the umask has removed bits
		}
		f.out, f.target, f.old = out, target, old
		return nil
	}
	return fmt.Errorf("%s: no free name beside it", f.name)
}

// Write implements io.Writer.
func (f *File) Write(b []byte) (int, error) {
	n, err := f.out.Write(b)
	return n, f.failed(err)
}

// WriteAt implements io.WriterAt. For streams it returns an error.
func (f *File) WriteAt(b []byte, at int64) (int, error) {
	n, err := f.out.WriteAt(b, at)
	return n, f.failed(err)
}

// ReadAt implements io.ReaderAt. For streams it returns an error.
func (f *File) ReadAt(b []byte, at int64) (int, error) { return f.out.ReadAt(b, at) }

// Truncate changes the size of the file.
func (f *File) Truncate(size int64) error { return f.failed(f.out.Truncate(size)) }

// failed is named of an error after which the file is not whole.
func (f *File) failed(err error) error {
	f.cut = f.cut || err != nil
	return f.named(err)
}

// Commit renames the file to its name and so replaces an existing file atomically. After an error
// the existing file is unchanged, and what was written is removed. A file whose writing failed, which
// was reported then, is discarded.
func (f *File) Commit() error {
	if f.cut {
		f.Discard()
	}
	if f.out == nil {
		return nil
	}
	if f.target == "" {
		err := f.out.Close()
		f.out = nil
		return f.named(err)
	}
	if err := f.out.Sync(); err != nil {
		f.Discard()
		return f.named(err)
	}
	if err := f.allowed(); err != nil { // the target may have been created in the meantime
		kept := f.out.Name()
		err = fmt.Errorf("%w; what was to be written is in %s", err, kept)
		_ = f.out.Close()
		f.out = nil
		return err
	}
	err := f.out.Close()
	if err == nil {
		err = os.Rename(f.out.Name(), f.target)
	}
	if err != nil {
		f.Discard()
		return f.named(err)
	}
	f.out = nil
	return nil
}

// Discard removes what was written and keeps an existing file. After Commit it does nothing.
func (f *File) Discard() {
	if f.out == nil {
		return
	}
	_ = f.out.Close()
	if f.target != "" {
		_ = os.Remove(f.out.Name())
	}
	f.out = nil
}

// named adds flag and name to an error of the operating system, which has the temporary name.
func (f *File) named(err error) error {
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s: %w", f.name, reason(err))
	if f.target != "" {
		if f.old != nil {
			return fmt.Errorf("%w; the file that was there is as it was", err)
		}
		return fmt.Errorf("%w; nothing is left of it", err)
	}
	return err
}

// reason returns an error without the name of a file.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
