package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const source = `package p

import "errors"

type t struct{ x [3]int }

func f(a, b int, c bool) (n int, err error) {
	defer g()
	for i := 0; i < b; i++ {
		if c && a == i {
			continue
		}
		n += a * i
	}
	switch {
	case a >= b:
		return -n, errors.New("a")
	}
	h := func() error {
		return err
	}
	c = true
	return n, h()
}

var x = 0.0 + 1.5
`

// Every kind of change is found where it is possible, and nowhere else.
func TestMutations(t *testing.T) {
	found, err := mutations("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		got = append(got, fmt.Sprintf("%d %s %s: %s → %s", m.line, m.function, m.kind, m.before, m.after))
	}
	want := []string{
		"8 f statement: defer g() → nothing",
		"9 f boundary: i < b → i <= b",
		"9 f comparison: i < b → i > b",
		"9 f condition: i < b → !(i < b)",
		"9 f constant: i := 0 → i := 1",
		"9 f operator: i++ → i--",
		"10 f comparison: a == i → a != i",
		"10 f condition: c && a == i → !(c && a == i)",
		"10 f logic: c && a == i → c || a == i",
		"11 f statement: continue → nothing",
		"13 f operator: a * i → a / i",
		"13 f operator: n += a * i → n -= a * i",
		"13 f statement: n += a * i → nothing",
		"16 f boundary: a >= b → a > b",
		"16 f comparison: a >= b → a <= b",
		"16 f condition: a >= b → !(a >= b)",
		`17 f error: return -n, errors.New("a") → return -n, nil`,
		"17 f operator: -n → +n",
		"20 f error: return err → return nil",
		"22 f constant: c = true → c = false",
		"22 f statement: c = true → nothing",
		"23 f error: return n, h() → return n, nil",
		"26  constant: 0.0 + 1.5 → 1.0 + 1.5",
		"26  constant: 0.0 + 1.5 → 0.0 + (2 * 1.5)",
		"26  operator: 0.0 + 1.5 → 0.0 - 1.5",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A mutated file can be parsed and has the lines of the original.
func TestApply(t *testing.T) {
	found, err := mutations("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		mutated := m.apply([]byte(source))
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", mutated, 0); err != nil {
			t.Errorf("%s: %v", m.row(), err)
		}
		if string(mutated) == source || strings.Count(string(mutated), "\n") != strings.Count(source, "\n") {
			t.Errorf("%s gives\n%s", m.row(), mutated)
		}
	}
}

// A seed gives the same sample again, without repetition, with every kind in it.
func TestSample(t *testing.T) {
	found, err := mutations("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	draw := func(seed uint64) (all []string) {
		for s := newSample(found, seed); ; {
			m, ok := s.next()
			if !ok {
				return all
			}
			all = append(all, m.row())
		}
	}
	a, b := draw(1), draw(2)
	if !slices.Equal(a, draw(1)) || slices.Equal(a, b) {
		t.Error("the order does not depend on the seed alone")
	}
	slices.Sort(a)
	if len(slices.Compact(a)) != len(found) {
		t.Errorf("%d of %d mutations were drawn", len(a), len(found))
	}
}

// An expression chooses mutants by file, line, function, kind and change.
func TestMatching(t *testing.T) {
	found, err := mutations("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for expression, want := range map[string]int{"": len(found), `p\.go:13 f operator`: 2, " f logic c && a": 1, "^q": 0} {
		if list, err := matching(found, expression); err != nil || len(list) != want {
			t.Errorf("%q chooses %d, %v; want %d", expression, len(list), err, want)
		}
	}
	if _, err := matching(found, "("); err == nil {
		t.Error("an expression that is none is accepted")
	}
}

func TestJudge(t *testing.T) {
	failed := errors.New("exit status 1")
	for _, c := range []struct {
		out  string
		err  error
		want outcome
		test string
	}{
		{"ok  \tsinew/pkg/sim/hil\t0.1s\n", nil, survived, ""},
		{"--- FAIL: TestLag (0.00s)\nFAIL\n", failed, killed, "TestLag"},
		{"panic: index out of range [3]\n", failed, killed, "index out of range [3]"},
		{"fatal error: all goroutines are asleep - deadlock!\n", failed, killed, "all goroutines are asleep - deadlock!"},
		{"panic: test timed out after 10s\n", failed, timedOut, ""},
	} {
		if r := judge(mutation{}, []byte(c.out), c.err); r.outcome != c.want || r.test != c.test {
			t.Errorf("%q: %s, test %q", c.out, r.outcome, r.test)
		}
	}
}

// A row of the table, with any line number, marks a mutant as equivalent.
func TestEquivalents(t *testing.T) {
	m := mutation{file: "a/b.go", line: 12, function: "f", kind: boundary, before: "x < 1", after: "x <= 1"}
	file := filepath.Join(t.TempDir(), "list")
	row := strings.ReplaceAll(m.row(), "\t", "    ")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# comment\n\n" + row + " # x is never 1\n")
	list, err := readEquivalents(file)
	m.line = 99
	if err != nil || list[key(m.row())] != "x is never 1" {
		t.Errorf("%v, %v", list, err)
	}
	var out strings.Builder
	other := m
	other.function = "g"
	results := []result{{m, survived, ""}, {other, survived, ""}, {m, killed, ""}, {m, notCompile, ""}}
	if err := writeTable(&out, results, list); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasPrefix(got, "a/b.go:99  g  boundary  x < 1 → x <= 1\n") ||
		!strings.Contains(got, "3 mutants: 1 killed, 0 timed out, 1 survived, 1 equivalent; 1 more do not compile; 50 % of 2 caught") {
		t.Errorf("table\n%s", got)
	}
	write(row + "\n")
	if _, err := readEquivalents(file); err == nil {
		t.Error("a row without a reason is accepted")
	}
}
