package docs_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sinew/test/source"
	"sinew/test/testbench"
)

// These tests hold the documents to what the programs do. commands_test.go
// executes every command.

// documents are the pages that users read first.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("documents: %q, %v", pages, err)
	}
	// in the order of the README's table
	first := []string{"../../README.md", "../../docs/guide.md", "../../docs/ros.md", "../../docs/hil.md"}
	pages = slices.DeleteFunc(pages, func(p string) bool { return slices.Contains(first, p) })
	return slices.Concat(first, pages, []string{"../../launch/examples/hil/README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md"})
}

// block is one fenced block of a page.
type block struct {
	page string
	line int    // of the fence
	mark string // of the HTML comment above the fence, without its arrows
	kind string // after the fence: sh, yaml, …
	text string
}

var markLine = regexp.MustCompile(`^<!-- (.*) -->$`)

// blocks splits a page into its fenced blocks.
func blocks(t *testing.T, page string) (all []block) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "```") {
			continue
		}
		b := block{page: filepath.Base(page), line: i + 1, kind: strings.TrimPrefix(lines[i], "```")}
		if m := markLine.FindStringSubmatch(lines[max(0, i-1)]); m != nil {
			b.mark = m[1]
		}
		for i++; i < len(lines) && lines[i] != "```"; i++ {
			b.text += lines[i] + "\n"
		}
		if i == len(lines) {
			t.Errorf("%s:%d: the block has no end", b.page, b.line)
		}
		all = append(all, b)
	}
	return all
}

var (
	inlineLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	anyHeading = regexp.MustCompile("(?m)^#+ (.*)$")
	notInSlug  = regexp.MustCompile("[^a-z0-9_ -]")
)

// anchors are the targets that the headings of a page make.
func anchors(text string) (all []string) {
	for _, h := range anyHeading.FindAllStringSubmatch(text, -1) {
		slug := notInSlug.ReplaceAllString(strings.ToLower(h[1]), "")
		all = append(all, strings.ReplaceAll(slug, " ", "-"))
	}
	return all
}

func TestLinksOfDocuments(t *testing.T) {
	for _, page := range documents(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range inlineLink.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(l[1], "http") {
				continue
			}
			name, anchor, _ := strings.Cut(l[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			to, err := os.ReadFile(target)
			if info, statErr := os.Stat(target); statErr == nil && info.IsDir() {
				continue
			}
			if err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, l[1])
			} else if anchor != "" && !slices.Contains(anchors(string(to)), anchor) {
				t.Errorf("%s: %s has no heading for #%s; it has %q", page, target, anchor, anchors(string(to)))
			}
		}
	}
}

// readmeLines is how long a README may be that is read to its end.
const readmeLines = 150

func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > readmeLines {
		t.Errorf("README.md has %d lines, want at most %d", n, readmeLines)
	}
}

// TestProgramsPrintTheReference runs params --markdown.
func TestProgramsPrintTheReference(t *testing.T) {
	want, err := os.ReadFile("../../docs/robot-file.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{testbench.BuildTendonsim(t), testbench.BuildMicrorobot(t)} {
		got, err := exec.Command(program, "params", "--markdown").Output()
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s params --markdown is not docs/robot-file.md: %v", filepath.Base(program), err)
		}
	}
}

// TestImagesAreShown finds images that no page shows.
func TestImagesAreShown(t *testing.T) {
	images, err := filepath.Glob("../../docs/images/*")
	if err != nil || len(images) == 0 {
		t.Fatalf("images: %q, %v", images, err)
	}
	for _, image := range images {
		if !slices.ContainsFunc(documents(t), func(page string) bool {
			text, err := os.ReadFile(page)
			return err == nil && bytes.Contains(text, []byte("images/"+filepath.Base(image)))
		}) {
			t.Errorf("no page shows %s", image)
		}
	}
}

// TestCopiesInDocuments compares blocks that show a file with that file, from its
// first statement on.
func TestCopiesInDocuments(t *testing.T) {
	found := 0
	for _, page := range documents(t) {
		for _, b := range blocks(t, page) {
			name, ok := strings.CutPrefix(b.mark, "copy of: ")
			if !ok {
				continue
			}
			found++
			file, err := os.ReadFile("../../" + name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(string(file), "\n"+b.text) {
				t.Errorf("%s:%d: the block differs from %s", b.page, b.line, name)
			}
		}
	}
	if found == 0 {
		t.Error("no page shows a file")
	}
}

// codeWord is a path or a Go name in backquotes.
var (
	codePath = regexp.MustCompile("`((?:pkg|cmd|msgs|test|launch|docs)/[A-Za-z0-9_./-]+)`")
	walkStep = regexp.MustCompile("(?m)^[0-9]+\\. `([A-Za-z0-9_.]+)` in `([A-Za-z0-9_/]+\\.go)`")
	testName = regexp.MustCompile("`((?:Test|Benchmark|Fuzz|Example)[A-Z][A-Za-z0-9_]*)`")
	goName   = regexp.MustCompile("`([a-z0-9]+)\\.([A-Z][A-Za-z0-9]*)`")
	treeLine = regexp.MustCompile(`(?m)^((?:pkg|cmd)/[a-z0-9_/]+) `)
)

// TestNamesInDocuments looks for every path, test and function that a page names.
func TestNamesInDocuments(t *testing.T) {
	code := source.Files(t, "../..")
	for _, page := range documents(t) {
		if strings.HasSuffix(page, "CHANGELOG.md") {
			continue // tells of what is gone
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codePath.FindAllStringSubmatch(string(text), -1) {
			name := strings.TrimSuffix(m[1], "/...")
			if found, _ := filepath.Glob("../../" + name); found == nil && !strings.HasPrefix(name, "launch/bin") {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
		for _, m := range testName.FindAllStringSubmatch(string(text), -1) {
			if !slices.ContainsFunc(code, func(f source.File) bool { return strings.Contains(f.Text, "func "+m[1]+"(") }) {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
		for _, m := range goName.FindAllStringSubmatch(string(text), -1) {
			of := slices.DeleteFunc(slices.Clone(code), func(f source.File) bool { return filepath.Base(filepath.Dir(f.Path)) != m[1] })
			declared := regexp.MustCompile(`(?m)^(?:(?:func|type|var|const) |\t)` + m[2] + `\b`)
			if len(of) > 0 && !slices.ContainsFunc(of, func(f source.File) bool { return declared.MatchString(f.Text) }) {
				t.Errorf("%s: package %s has no %s", page, m[1], m[2])
			}
		}
	}
}

// TestWalksInArchitecture looks for every function of the walks in the file that
// they name.
func TestWalksInArchitecture(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := walkStep.FindAllStringSubmatch(string(text), -1)
	const fewest = 20 // of both walks
	if len(steps) < fewest {
		t.Errorf("%d steps of walks, want at least %d; a step begins: 1. `Type.Func` in `pkg/…/file.go`", len(steps), fewest)
	}
	for _, s := range steps {
		file, err := os.ReadFile("../../" + s[2])
		if err != nil {
			t.Error(err)
			continue
		}
		receiver, name, method := strings.Cut(s[1], ".")
		pattern := `(?m)^func ` + regexp.QuoteMeta(receiver) + `[\[(]`
		if method {
			pattern = fmt.Sprintf(`(?m)^func \(\w+ \*?%s(\[\w+\])?\) %s\(`, regexp.QuoteMeta(receiver), regexp.QuoteMeta(name))
		}
		if !regexp.MustCompile(pattern).Match(file) {
			t.Errorf("%s has no function %s", s[2], s[1])
		}
	}
}

// TestTreeInArchitecture looks for a line about every package, and for a package
// of every line.
func TestTreeInArchitecture(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range source.Packages(t) {
		name := strings.TrimPrefix(p.ImportPath, source.Module+"/")
		if top, _, _ := strings.Cut(name, "/"); top != "pkg" && top != "cmd" {
			continue
		}
		if !strings.Contains(string(text), "\n"+name+" ") {
			t.Errorf("docs/architecture.md has no line about %s", name)
		}
	}
	for _, m := range treeLine.FindAllStringSubmatch(string(text), -1) {
		if files, _ := filepath.Glob("../../" + m[1] + "/*.go"); files == nil {
			t.Errorf("docs/architecture.md has a line about %s, which is no package", m[1])
		}
	}
}
