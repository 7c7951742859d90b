package rtps

import (
	"strings"
	"testing"
	"time"
)

// TestPartitions: names are compared, patterns are matched with names as fnmatch of POSIX does, and not with patterns.
func TestPartitions(t *testing.T) {
	for _, c := range []struct {
		a, b []string
		want bool
	}{
		{nil, nil, true}, {nil, []string{""}, true}, {[]string{"a"}, nil, false}, {[]string{"a", "b"}, []string{"c", "b"}, true},
		{[]string{"*"}, nil, true}, {[]string{"*"}, []string{"lab/left"}, true}, {[]string{"lab*"}, []string{"lab/left"}, true},
		{[]string{"lab*"}, []string{"la"}, false}, {[]string{"*left"}, []string{"lab/left"}, true}, {[]string{"*a*a*b"}, []string{"aaaab"}, true},
		{[]string{"*a*a*b"}, []string{"aaaac"}, false}, {[]string{"l?b"}, []string{"lab"}, true}, {[]string{"l?b"}, []string{"lb"}, false}, {[]string{"?"}, nil, false},
		{[]string{"lab[12]"}, []string{"lab2"}, true}, {[]string{"lab[1-3]"}, []string{"lab4"}, false}, {[]string{"lab[!1-3]"}, []string{"lab4"}, true},
		{[]string{"lab[]x]"}, []string{"lab]"}, true}, {[]string{"lab["}, []string{"lab["}, true}, {[]string{"[*"}, []string{"[x"}, true}, {[]string{`\*?`}, []string{"x1"}, false},
		{[]string{"*"}, []string{"*"}, false}, {[]string{"lab*"}, []string{"l*"}, false}, {[]string{"lab*", "x"}, []string{"l*", "x"}, true},
	} {
		if got := samePartition(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %t, want %t", c.a, c.b, got, c.want)
		}
		if got := samePartition(c.b, c.a); got != c.want {
			t.Errorf("%q and %q: %t, want %t", c.b, c.a, got, c.want)
		}
	}
	start := time.Now()
	fnmatch(strings.Repeat("a*", 127)+"b", strings.Repeat("a", 255))
	if d := time.Since(start); d > prompt {
		t.Errorf("a long pattern took %v", d)
	}
}

// FuzzPartition: no pattern panics, and a name without wildcards matches itself alone.
func FuzzPartition(f *testing.F) {
	f.Add("lab[!a-", "lab")
	f.Add(`a\`, "[]")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got := partitionsMatch(a, b); !isPattern(a) && !isPattern(b) && got != (a == b) {
			t.Errorf("%q and %q: %t", a, b, got)
		}
	})
}
