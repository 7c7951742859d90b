package robotfile

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

//go:generate go test -run TestReferenceIsUpToDate -update .

var update = flag.Bool("update", false, "write docs/robot-file.md anew")

// reference is the page of the documents that Markdown makes.
const reference = "../../../docs/robot-file.md"

func TestReferenceIsUpToDate(t *testing.T) {
	made := Markdown()
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

// TestReferenceHasEveryKey looks for a row for every key of the schema, and for the
// target of every link.
func TestReferenceHasEveryKey(t *testing.T) {
	text := string(Markdown())
	look := func(path string, f *field) {
		if !strings.Contains(text, "\n| `"+f.key+"` |") {
			t.Errorf("%s has no row", path)
		}
		if f.doc == "" {
			t.Errorf("%s has no meaning", path)
		}
	}
	eachField(reflect.TypeFor[Continuum](), "", look)
	eachField(reflect.TypeFor[Microrobot](), "", look)

	headings := map[string]bool{}
	for _, h := range regexp.MustCompile("(?m)^#+ (.*)$").FindAllStringSubmatch(text, -1) {
		slug := regexp.MustCompile("[^a-z0-9_ -]").ReplaceAllString(strings.ToLower(h[1]), "")
		slug = strings.ReplaceAll(slug, " ", "-")
		if headings[slug] {
			t.Errorf("two headings %q", h[1])
		}
		headings[slug] = true
	}
	for _, l := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if !headings[l[1]] {
			t.Errorf("a link leads to #%s, which is no heading", l[1])
		}
	}
}
