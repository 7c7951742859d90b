package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tests of what has no exported name.

// A disk without room gives an error with its file, and leaves what was there.
func TestDiskFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no /dev/full here: %v", err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "x.csv")
	Put(t, file, "ours, old")
	s := New(nil, Force{})
	f := Write(t, s, file, "new")
	f.out = fullDisk{f.out, full}
	_, err = f.Write([]byte("more"))
	if err == nil || !strings.HasPrefix(err.Error(), "--out "+file+": no space left on device") || !strings.Contains(err.Error(), "as it was") {
		t.Errorf("error %v", err)
	}
	s.Discard()
	if TextInTest(t, file) != "ours, old" {
		t.Errorf("the file has %q", TextInTest(t, file))
	}
	Alone(t, dir, "x.csv")
}

// fullDisk is a file on a disk that is full.
type fullDisk struct {
	writer
	full *os.File
}

func (d fullDisk) Write(b []byte) (int, error) { return d.full.Write(b) }

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
		Put(t, file, c.text)
		if got := Rows("t,x", ",", 0).recognize(file); got != c.want {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
	Put(t, file, "0.010000000 0.25 1\n")
	if !Rows("", " ", 1).recognize(file) {
		t.Error("a trajectory without header")
	}
	Put(t, file, "0.010000000 0.1 1\n")
	if Rows("", " ", 1).recognize(file) {
		t.Error("the trajectory of another program")
	}
}
