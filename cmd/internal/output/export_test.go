package output

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// Ours knows files that begin with "ours".
var Ours = Text("ours")

// TextInTest reads a file, "" where there is none.
func TextInTest(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

// Put writes a file.
func Put(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o640); err != nil {
		t.Fatal(err)
	}
}

// Alone checks that nothing is in the folder but the files named.
func Alone(t *testing.T, dir string, names ...string) {
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

// Write creates name and writes content; it does not commit.
func Write(t *testing.T, s *Set, name, content string) *File {
	t.Helper()
	f, err := s.Create("--out", name, Ours)
	if err == nil {
		_, err = f.Write([]byte(content))
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}
