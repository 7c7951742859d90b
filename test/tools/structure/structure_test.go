package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// example is a module in which step.go uses shape.go through a field and a method, and
// shape.go uses step.go through a function: two arrows, one of them back.
var example = map[string]string{
	"go.mod": "module example\n\ngo 1.26\n",
	"rod/step.go": `package rod

import "strings"

// Step uses both others.
func Step(s *Shape) int { return s.nodes + s.Length() + len(strings.Fields(margin)) }

func half(n int) int { return n / 2 }
`,
	"rod/shape.go": `package rod

type Shape struct{ nodes int }

func (s *Shape) Length() int { return half(s.nodes) }
`,
	"rod/shape_margin.go":  "package rod\n\nconst margin = \"a b\"\n",
	"rod/shape_windows.go": "package rod\n\nconst system = half\n",
	"rod/inside_test.go":   "package rod\n\nimport \"testing\"\n\nfunc TestInside(t *testing.T) {}\n\nfunc TestMore(t *testing.T) {}\n",
	"rod/outside_test.go":  "package rod_test\n\nimport \"testing\"\n\nfunc TestOutside(t *testing.T) {}\n",
	"use/use.go":           "package use\n\nimport \"example/rod\"\n\nvar Result = rod.Step(nil)\n",
}

func exampleModule(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range example {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTable(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"-C", exampleModule(t)}, &out); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"back in cycles arrows files lines exported sharing a prefix test files white-box tests package",
		"1 2 3 3 16 3 2 shape 2 1 3 example/rod",
		"0 0 0 1 5 1 0 0 0 example/use",
		"1 2 3 4 21 4 2 most 2 1 3 total of 2 packages",
	}
	if got := strings.Join(rows, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestArrowsOfOnePackage(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"-C", exampleModule(t), "-pkg", "./rod"}, &out); err != nil {
		t.Fatal(err)
	}
	const want = `example/rod: 3 files, 3 arrows, 2 of them in cycles, 1 back
shape.go
  down step.go: [half]
step.go
  BACK shape.go: [Length Shape nodes]
  down shape_margin.go: [margin]
shape_margin.go
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

func TestErrorsNameTheCause(t *testing.T) {
	if err := run([]string{"-C", exampleModule(t), "./absent"}, new(strings.Builder)); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("%v, want the name of the package", err)
	}
}
