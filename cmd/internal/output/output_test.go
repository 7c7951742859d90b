package output_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
)

// A file is there when it is whole; until then, and after a Discard, there is what was
// there before.
func TestCommitAndDiscard(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.csv")
	for _, old := range []string{"", "ours, old"} {
		s := output.New(nil, output.Force{})
		output.Write(t, s, file, "half")
		if got := output.TextInTest(t, file); got != old {
			t.Errorf("before Commit the file has %q, want %q", got, old)
		}
		s.Discard()
		if got := output.TextInTest(t, file); got != old {
			t.Errorf("after Discard the file has %q, want %q", got, old)
		}
		s = output.New(nil, output.Force{})
		output.Write(t, s, file, "ours, new")
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
		s.Discard() // does nothing any more
		if got := output.TextInTest(t, file); got != "ours, new" {
			t.Errorf("after Commit the file has %q", got)
		}
		output.Put(t, file, "ours, old")
	}
	output.Alone(t, dir, "x.csv")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// What another program wrote is replaced with --force only.
func TestForce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.csv")
	output.Put(t, file, "theirs")
	_, err := output.New(nil, output.Force{}).Create("--out", file, output.Ours)
	if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "--out "+file+" exists") || !strings.Contains(err.Error(), "--force") {
		t.Errorf("error %v", err)
	}
	s := output.New(nil, output.Force{Force: true})
	output.Write(t, s, file, "new")
	if err := s.Commit(); err != nil || output.TextInTest(t, file) != "new" {
		t.Errorf("%v, %q", err, output.TextInTest(t, file))
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want that of the file that was there", info.Mode())
	}
	output.Put(t, file, "")
	output.Write(t, output.New(nil, output.Force{}), file, "over an empty file").Discard()
}

// Whatever a file that is read is called, nothing is written onto it, with --force
// neither.
func TestInputsStay(t *testing.T) {
	dir := t.TempDir()
	in, link, hard, other := filepath.Join(dir, "in"), filepath.Join(dir, "link"), filepath.Join(dir, "hard"), filepath.Join(dir, "other")
	output.Put(t, in, "ours")
	if err := errors.Join(os.Symlink("in", link), os.Link(in, hard), os.Symlink(dir, other)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{in, link, hard, filepath.Join(other, "in"), dir + "/./in"} {
		s := output.New(nil, output.Force{Force: true})
		s.Reads("the table of --commands", in)
		_, err := s.Create("--out", name, output.Ours)
		if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "is the table of --commands") {
			t.Errorf("%s: error %v", name, err)
		}
		if err := s.InPlace("--record", name); exitcode.Code(err) != exitcode.Mistake {
			t.Errorf("%s: in place: error %v", name, err)
		}
	}
	// what is read through a link is not written over either
	s := output.New(nil, output.Force{Force: true})
	s.Reads("the table of --commands", link)
	if _, err := s.Create("--out", in, output.Ours); exitcode.Code(err) != exitcode.Mistake {
		t.Errorf("error %v", err)
	}
}

// Two outputs are two files.
func TestOutputsDiffer(t *testing.T) {
	dir := t.TempDir()
	s := output.New(nil, output.Force{})
	defer s.Discard()
	output.Write(t, s, filepath.Join(dir, "x"), "ours")
	_, err := s.Create("--stats", dir+"/./x", output.Ours)
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
		s := output.New(nil, output.Force{})
		output.Write(t, s, link, "ours")
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
		if to, err := os.Readlink(link); err != nil || to != "target" || output.TextInTest(t, filepath.Join(dir, "target")) != "ours" {
			t.Errorf("the link leads to %q, %v", to, err)
		}
	}
}

// Standard output, pipes and devices are written as they are.
func TestStreams(t *testing.T) {
	var out bytes.Buffer
	s := output.New(&out, output.Force{})
	for _, name := range []string{"-", "/dev/stdout", os.DevNull} {
		output.Write(t, s, name, "x")
	}
	if err := s.Commit(); err != nil || out.String() != "xx" {
		t.Errorf("%v, %q", err, out.String())
	}
	f := output.Write(t, s, "-", "")
	if _, err := f.WriteAt([]byte("x"), 0); err == nil {
		t.Error("a recording went to a stream")
	}
	if _, err := s.Create("--out", t.TempDir(), output.Ours); exitcode.Code(err) != exitcode.Mistake {
		t.Errorf("a folder: %v", err)
	}
}

// A file that somebody made in the meantime is not lost, and neither is what was
// written.
func TestMadeInTheMeantime(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.csv")
	s := output.New(nil, output.Force{})
	output.Write(t, s, file, "ours, new")
	output.Put(t, file, "theirs")
	err := s.Commit()
	if err == nil || output.TextInTest(t, file) != "theirs" {
		t.Fatalf("error %v, the file has %q", err, output.TextInTest(t, file))
	}
	_, kept, found := strings.Cut(err.Error(), "what was to be written is in ")
	if !found || output.TextInTest(t, kept) != "ours, new" {
		t.Errorf("error %v", err)
	}
}

// A live recording is written in place, and never over another.
func TestInPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.bag")
	check := func(force bool) error { return output.New(nil, output.Force{Force: force}).InPlace("--record", file) }
	if err := check(false); err != nil {
		t.Errorf("a new file: %v", err)
	}
	output.Put(t, file, "something")
	if err := check(false); exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("error %v", err)
	}
	if err := check(true); err != nil {
		t.Errorf("with --force: %v", err)
	}
}
