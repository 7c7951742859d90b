package docs_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var literally = flag.Bool("literally", false, "TestCommandsOfDocuments reads all pages in one clone, one after the other, and compiles there")

// freshClone is what a clone would be of the repository as it stands: the files that git
// knows or would add, with the modes of its index, and nothing that was built.
func freshClone(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	tracked, err := exec.Command("git", "-C", "../..", "ls-files", "-s", "-z").Output()
	if err != nil { // no git, or no repository: what is there
		if err := os.CopyFS(dir, os.DirFS("../..")); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for entry := range bytes.SplitSeq(tracked, []byte{0}) {
		about, name, found := strings.Cut(string(entry), "\t")
		if mode := os.FileMode(0o644); found {
			if strings.HasPrefix(about, "100755 ") {
				mode = 0o755
			}
			cloneFile(t, dir, name, mode)
		}
	}
	added, err := exec.Command("git", "-C", "../..", "ls-files", "-o", "--exclude-standard", "-z").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range bytes.SplitSeq(added, []byte{0}) {
		if info, err := os.Stat(filepath.Join("../..", string(name))); err == nil && len(name) > 0 {
			cloneFile(t, dir, string(name), info.Mode().Perm())
		}
	}
	return dir
}

// cloneFile copies a file, unless it was deleted.
func cloneFile(t *testing.T, dir, name string, mode os.FileMode) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../..", name))
	if os.IsNotExist(err) {
		return
	}
	to := filepath.Join(dir, name)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, data, mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}
