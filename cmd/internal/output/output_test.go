package output

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/exitcode"
)

// ours knows files that begin with "ours".
var ours = Text("ours")

// text reads a file, "" where there is none.
func text(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

// put writes a file.
func put(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o640); err != nil {
		t.Fatal(err)
	}
}

// alone checks that nothing is in the folder but the files named.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	if got, want := strings.Join(found, " "), strings.Join(names, " "); got != want {
		t.Errorf("the folder has %q, want %q", got, want)
	}
}

// write creates name and writes content; it does not commit.
func write(t *testing.T, s *Set, name, content string) *File {
	t.Helper()
	f, err := s.Create("--out", name, ours)
	if err == nil {
		_, err = f.Write([]byte(content))
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A file is there when it is whole; until then, and after a Discard, there is what was
// there before.
func TestCommitAndDiscard(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.csv")
	for _, old := range []string{"", "ours, old"} {
		s := New(nil, Force{})
		write(t, s, file, "half")
		if got := text(t, file); got != old {
			t.Errorf("before Commit the file has %q, want %q", got, old)
		}
		s.Discard()
		if got := text(t, file); got != old {
			t.Errorf("after Discard the file has %q, want %q", got, old)
		}
		s = New(nil, Force{})
		write(t, s, file, "ours, new")
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
		s.Discard() // does nothing any more
		if got := text(t, file); got != "ours, new" {
			t.Errorf("after Commit the file has %q", got)
		}
		put(t, file, "ours, old")
	}
	alone(t, dir, "x.csv")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// What another program wrote is replaced with --force only.
func TestForce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.csv")
	put(t, file, "theirs")
	_, err := New(nil, Force{}).Create("--out", file, ours)
	if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "--out "+file+" exists") || !strings.Contains(err.Error(), "--force") {
		t.Errorf("error %v", err)
	}
	s := New(nil, Force{Force: true})
	write(t, s, file, "new")
	if err := s.Commit(); err != nil || text(t, file) != "new" {
		t.Errorf("%v, %q", err, text(t, file))
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want that of the file that was there", info.Mode())
	}
	put(t, file, "")
	write(t, New(nil, Force{}), file, "over an empty file").Discard()
}

// Whatever a file that is read is called, nothing is written onto it, with --force
// neither.
func TestInputsStay(t *testing.T) {
	dir := t.TempDir()
	in, link, hard, other := filepath.Join(dir, "in"), filepath.Join(dir, "link"), filepath.Join(dir, "hard"), filepath.Join(dir, "other")
	put(t, in, "ours")
	if err := errors.Join(os.Symlink("in", link), os.Link(in, hard), os.Symlink(dir, other)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{in, link, hard, filepath.Join(other, "in"), dir + "/./in"} {
		s := New(nil, Force{Force: true})
		s.Reads("the table of --commands", in)
		_, err := s.Create("--out", name, ours)
		if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "is the table of --commands") {
			t.Errorf("%s: error %v", name, err)
		}
		if err := s.InPlace("--record", name); exitcode.Code(err) != exitcode.Mistake {
			t.Errorf("%s: in place: error %v", name, err)
		}
	}
	// what is read through a link is not written over either
	s := New(nil, Force{Force: true})
	s.Reads("the table of --commands", link)
	if _, err := s.Create("--out", in, ours); exitcode.Code(err) != exitcode.Mistake {
		t.Errorf("error %v", err)
	}
}

// Two outputs are two files.
func TestOutputsDiffer(t *testing.T) {
	dir := t.TempDir()
	s := New(nil, Force{})
	defer s.Discard()
	write(t, s, filepath.Join(dir, "x"), "ours")
	_, err := s.Create("--stats", dir+"/./x", ours)
	if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "is --out "+filepath.Join(dir, "x")+" as well") {
		t.Errorf("error %v", err)
	}
}

// A link stays a link, to the new file, also when there was none.
func TestLinksStay(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s := New(nil, Force{})
		write(t, s, link, "ours")
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
		if to, err := os.Readlink(link); err != nil || to != "target" || text(t, filepath.Join(dir, "target")) != "ours" {
			t.Errorf("the link leads to %q, %v", to, err)
		}
	}
}

// Standard output, pipes and devices are written as they are.
func TestStreams(t *testing.T) {
	var out bytes.Buffer
	s := New(&out, Force{})
	for _, name := range []string{"-", "/dev/stdout", os.DevNull} {
		write(t, s, name, "x")
	}
	if err := s.Commit(); err != nil || out.String() != "xx" {
		t.Errorf("%v, %q", err, out.String())
	}
	f := write(t, s, "-", "")
	if _, err := f.WriteAt([]byte("x"), 0); err == nil {
		t.Error("a recording went to a stream")
	}
	if _, err := s.Create("--out", t.TempDir(), ours); exitcode.Code(err) != exitcode.Mistake {
		t.Errorf("a folder: %v", err)
	}
}

// A disk without room is told of with its file, and leaves what was there.
func TestDiskFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no /dev/full here: %v", err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "x.csv")
	put(t, file, "ours, old")
	s := New(nil, Force{})
	f := write(t, s, file, "new")
	f.out = fullDisk{f.out, full}
	_, err = f.Write([]byte("more"))
	if err == nil || !strings.HasPrefix(err.Error(), "--out "+file+": no space left on device") || !strings.Contains(err.Error(), "as it was") {
		t.Errorf("error %v", err)
	}
	s.Discard()
	if text(t, file) != "ours, old" {
		t.Errorf("the file has %q", text(t, file))
	}
	alone(t, dir, "x.csv")
}

// fullDisk is a file on a disk that is full.
type fullDisk struct {
	writer
	full *os.File
}

func (d fullDisk) Write(b []byte) (int, error) { return d.full.Write(b) }

// A file that somebody made in the meantime is not lost, and neither is what was
// written.
func TestMadeInTheMeantime(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.csv")
	s := New(nil, Force{})
	write(t, s, file, "ours, new")
	put(t, file, "theirs")
	err := s.Commit()
	if err == nil || text(t, file) != "theirs" {
		t.Fatalf("error %v, the file has %q", err, text(t, file))
	}
	_, kept, found := strings.Cut(err.Error(), "what was to be written is in ")
	if !found || text(t, kept) != "ours, new" {
		t.Errorf("error %v", err)
	}
}

// A live recording is written in place, and never over another.
func TestInPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.bag")
	check := func(force bool) error { return New(nil, Force{Force: force}).InPlace("--record", file) }
	if err := check(false); err != nil {
		t.Errorf("a new file: %v", err)
	}
	put(t, file, "something")
	if err := check(false); exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("error %v", err)
	}
	if err := check(true); err != nil {
		t.Errorf("with --force: %v", err)
	}
}

// Rows are ours by header and digits: measurements under the same columns are not.
func TestRows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.csv")
	for _, c := range []struct {
		text string
		want bool
	}{
		{"t,x,a\n0,0,0\n0.01,0.10000000000000001,\n", true},
		{"t,x,a\n", true},
		{"t,x,a\n0,0,0\n0.01,0.1", true}, // cut off in a number
		{"t,x,a\n0,0,0\n0.01,0.1,0\n", false},
		{"t,x,a\n0,0.3,0\n", false},
		{"t,x,a\n0,one,0\n", false},
		{"t,a,x\n0,0,0\n", false},
		{"notes\n", false},
	} {
		put(t, file, c.text)
		if got := Rows("t,x", ",", 0).recognize(file); got != c.want {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
	put(t, file, "0.010000000 0.25 1\n")
	if !Rows("", " ", 1).recognize(file) {
		t.Error("a trajectory without header")
	}
	put(t, file, "0.010000000 0.1 1\n")
	if Rows("", " ", 1).recognize(file) {
		t.Error("the trajectory of another program")
	}
}
