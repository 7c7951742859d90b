package trajectoryfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/trajectoryfile"
)

// Files of other kinds are refused.
func TestUnknownFormat(t *testing.T) {
	if _, err := trajectoryfile.Read(trajectoryfile.Source{File: "x.txt"}); err == nil || !strings.Contains(err.Error(), "neither .csv nor .mcap nor .bag") {
		t.Errorf("error %v", err)
	}
}

// TestTableByItsRows: a file whose name says nothing is a CSV if it has rows of numbers.
func TestTableByItsRows(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"x.txt": {"t\tx\ty\tz\n0\t1\t2\t3\n", true}, "x.tum": {"0 1 2 3 0 0 0 1\n", true}, "x.md": {"words and words\n", false}, "x": {"\x00\x01", false}, "none": {"", false},
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := trajectoryfile.IsCSV(file); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
