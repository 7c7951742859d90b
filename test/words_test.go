package test_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sinew/test/source"
)

// privateWord is a word of our own for something that has a name in the field.
type privateWord struct {
	word  string
	field string // what the field calls it
}

// These words are refused. anywhere is looked for in identifiers and their parts, comments,
// strings, names of files and documents; a word with capitals is a whole identifier.
// phrases are parts of sentences. identifiersOnly are plain English in a sentence and say
// nothing as a name: they are refused as whole identifiers.
var (
	anywhere = []privateWord{
		{"amendment", "reduced contact correction"},
		{"unamend", "discard"},
		{"mistakable", "linearisation error"},
		{"swerve", "curvature error"},
		{"GoOn", "extrapolate equilibrium"},
		{"IsGripRough", "stick-slip change"},
		{"stances", "static offsets"},
		{"EquilibrateBeside", "warm start from a nearby solution"},
		{"FollowBeside", "warm start from a nearby solution"},
		{"pushIn", "insertion homotopy"},
		{"unbend", "straight start"},
		{"regrip", "stick-slip change"},
		{"stopLane", "urgent requests"},
		{"pushOut", "penalty continuation, motion out of walls"},
		{"masterapi", "ROS master client"},
	}
	phrases = []privateWord{
		{"which only did what it does by itself", "the robot ran its demo"},
		{"no such thing", "is not supported by"},
		{"hardly mean", "suspicious value"},
	}
	identifiersOnly = []privateWord{
		{"comply", "element-wise relaxation (block Jacobi)"},
		{"Dips", "penetration between contact points"},
		{"bowl", "quadratic fit"},
		{"bite", "maximum penetration per step"},
		{"stance", "base contact"},
		{"sunk", "static offset of the base contact"},
		{"brace", "impact damping"},
		{"itself", "self-contact"},
		{"rub", "update friction"},
		{"grips", "sticks"},
		{"Grasp", "friction work length"},
		{"Remembers", "IsHistoryDependent"},
		{"Stretch", "Segment"},
		{"crew", "worker pool"},
		{"plausible", "lint"},
		{"Seen", "Observation"},
		{"Sleeper", "latency probe"},
		{"sleeper", "latency probe"},
		{"Station", "test peer, contact point"},
		{"dips", "penetration between contact points"},
		{"tally", "counters"},
		{"told", "last report"},
		{"Away", "shape distances"},
		{"joins", "self-contact columns"},
		{"leader", "reference solution"},
		{"neighbour", "nearby robot"},
		{"Lead", "reference solution"},
		{"Made", "Instance"},
		{"Another", "NewModel"},
		{"Settled", "defaults applied, in equilibrium"},
		{"Adopt", "Reconfigure"},
		{"Turn", "ScheduledSimulator, rotation"},
		{"Verdict", "CommandStatus, result"},
		{"hog", "starvation detector"},
		{"reel", "recording"},
		{"station", "test peer, contact point"},
		{"commanded", "reference trajectories, commands"},
		{"surroundings", "environment"},
		{"panel", "manifest"},
		{"attached", "rod magnets, attached bodies"},
	}
)

// wordsFile has all of them, and is not looked at.
const wordsFile = "words_test.go"

func TestArchWordsOfTheField(t *testing.T) {
	c := countWords(t, "..", documentsIn(t, ".."))
	check := func(list []privateWord, places map[string][]string) {
		for _, w := range list {
			for _, at := range places[w.word] {
				t.Errorf("%s: %q; the field says: %s", at, w.word, w.field)
			}
		}
	}
	check(anywhere, c.words)
	check(phrases, c.phrases)
	check(identifiersOnly, c.identifiers)
}

// images are words that make persons of packages, topics and robots. Sentences name a
// subscriber, a source, an error or a delay instead.
var images = regexp.MustCompile(`(?i)\b(told of|tells? of|is told|are told|nobody|somebody|whoever|remembers|gives? way|goes on|hardly)\b`)

// literalFolders are the folders whose sources are free of images, tests apart.
var literalFolders = []string{"pkg/ros", "cmd/internal/run", "cmd/internal/sweep", "cmd/internal/view", "cmd/internal/output", "cmd/internal/scheduling", "cmd/internal/program"}

func TestArchSourcesWithoutImages(t *testing.T) {
	for _, f := range source.Files(t, "..") {
		inside := func(folder string) bool {
			return strings.HasPrefix(f.Path, filepath.Join("..", folder)+string(filepath.Separator))
		}
		if strings.HasSuffix(f.Path, "_test.go") || !slices.ContainsFunc(literalFolders, inside) {
			continue
		}
		number := 0
		for line := range strings.Lines(f.Text) {
			number++
			if found := images.FindString(line); found != "" {
				t.Errorf("%s:%d: %q: name the subscriber, source, error or delay", f.Path, number, found)
			}
		}
	}
}

// documentsIn are the pages below root that tell of the present.
func documentsIn(t *testing.T, root string) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		if page := filepath.Join(root, name); fileExists(page) {
			pages = append(pages, page)
		}
	}
	return pages
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// wordPlaces are the places, as file:line, of each word of the lists.
type wordPlaces struct{ words, phrases, identifiers map[string][]string }

// countWords looks for the words of all lists in the Go files below root and in pages.
func countWords(t *testing.T, root string, pages []string) (c wordPlaces) {
	t.Helper()
	c = wordPlaces{map[string][]string{}, map[string][]string{}, map[string][]string{}}
	wanted := map[string]bool{}
	for _, w := range anywhere {
		wanted[w.word] = true
	}
	named := map[string]bool{}
	for _, w := range identifiersOnly {
		named[w.word] = true
	}
	texts := map[string]string{}
	for _, f := range source.Files(t, root) {
		if filepath.Base(f.Path) != wordsFile {
			texts[f.Path] = f.Text
		}
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		texts[page] = string(text)
	}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		text := texts[path]
		note := func(s, at string) {
			for _, token := range letters.FindAllString(s, -1) {
				for _, word := range partsOf(token) {
					if wanted[word] {
						c.words[word] = append(c.words[word], at)
					}
				}
			}
		}
		note(filepath.Base(path), path)
		number := 0
		for line := range strings.Lines(text) {
			number++
			at := fmt.Sprintf("%s:%d", path, number)
			note(line, at)
			for _, p := range phrases {
				for range strings.Count(strings.ToLower(line), p.word) {
					c.phrases[p.word] = append(c.phrases[p.word], at)
				}
			}
		}
		if filepath.Ext(path) == ".go" {
			findIdentifiers(path, text, named, c.identifiers)
		}
	}
	return c
}

// letters are what identifiers and words of sentences are made of.
var letters = regexp.MustCompile(`[A-Za-z]+`)

// hump is a part of an identifier in mixed caps.
var hump = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)

// partsOf returns a token and, in lower case, its parts: solveAmendment is itself, solve
// and amendment.
func partsOf(token string) []string {
	parts := []string{token}
	for _, p := range hump.FindAllString(token, -1) {
		if p = strings.ToLower(p); !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	return parts
}

// findIdentifiers notes the identifiers of a Go file that are wanted. Import paths,
// comments and other strings have none.
func findIdentifiers(path, text string, wanted map[string]bool, places map[string][]string) {
	set := token.NewFileSet()
	file := set.AddFile(path, -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, 0)
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			return
		}
		if kind == token.IDENT && wanted[literal] {
			places[literal] = append(places[literal], fmt.Sprintf("%s:%d", path, set.Position(pos).Line))
		}
	}
}

// TestPrivateWordsAreFound shows that the test above can fail.
func TestPrivateWordsAreFound(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"swerve.go": "package p\n",
		"a.go":      "package p\n\n// The amendment is dropped.\nfunc solveAmendment() { told := goOn; _ = told }\n\n// It is told to go on.\nfunc GoOn() {}\n",
		"page.md": "The value is hardly meant so.\n" +
			"An amendments\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := countWords(t, root, []string{filepath.Join(root, "page.md")})
	for _, want := range []struct {
		word   string
		places []string
		in     []string
	}{
		{"amendment", c.words["amendment"], []string{"a.go:3", "a.go:4"}},
		{"swerve", c.words["swerve"], []string{"swerve.go"}},
		{"GoOn", c.words["GoOn"], []string{"a.go:7"}},
		{"told", c.identifiers["told"], []string{"a.go:4", "a.go:4"}},
		{"hardly mean", c.phrases["hardly mean"], []string{"page.md:1"}},
	} {
		if !slices.EqualFunc(want.places, want.in, func(got, want string) bool { return filepath.Base(got) == want }) {
			t.Errorf("%s: %q, want %q", want.word, want.places, want.in)
		}
	}
}
