package robotfile_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"sinew/pkg/sim/robotfile"
)

//go:generate go test -run TestReferenceIsUpToDate -update .

var update = flag.Bool("update", false, "write docs/robot-file.md anew")

// reference is the page of the documents that Markdown makes.
const reference = "../../../docs/robot-file.md"

func TestReferenceIsUpToDate(t *testing.T) {
	made := robotfile.Markdown()
	if *update {
		if err := os.WriteFile(reference, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, made) {
		t.Error("docs/robot-file.md is stale; run: go generate ./pkg/sim/robotfile")
	}
}
