package rtps

import (
	"slices"
	"strings"
)

// samePartition reports whether a partition of one endpoint and one of another match; an empty list
// is the partition "". A name with wildcards is a pattern of fnmatch of POSIX. It matches names, but
// no other pattern (DDS 1.4, 2.2.3.13).
func samePartition(a, b []string) bool {
	if len(a) == 0 {
		a = []string{""}
	}
	if len(b) == 0 {
		b = []string{""}
	}
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return partitionsMatch(x, y) })
	})
}

func partitionsMatch(x, y string) bool {
	switch {
	case !isPattern(x) && !isPattern(y):
		return x == y
	case isPattern(x) && isPattern(y):
		return false
	case isPattern(x):
		return fnmatch(x, y)
	}
	return fnmatch(y, x)
}

// isPattern reports whether a name has wildcards. A [ without a ] is none.
func isPattern(name string) bool {
	if strings.ContainsAny(name, "*?") {
		return true
	}
	i := strings.IndexByte(name, '[')
	return i >= 0 && setEnd(name[i:]) > 0
}

// fnmatch reports whether a name matches a pattern of POSIX: * any bytes, ? any byte, [a-c] one of a
// set, [!a-c] none of it, \ the next byte itself. Its time is bounded by the product of the lengths.
func fnmatch(pattern, name string) bool {
	p, n := 0, 0
	star, retry := -1, 0 // the last *, and where what it matches ends
	for n < len(name) || p < len(pattern) {
		if p < len(pattern) && pattern[p] == '*' {
			star, retry = p, n
			p++
			continue
		}
		if p < len(pattern) && n < len(name) {
			if length, ok := matchByte(pattern[p:], name[n]); ok {
				p += length
				n++
				continue
			}
		}
		if star < 0 || retry >= len(name) {
			return false
		}
		retry++
		p, n = star+1, retry
	}
	return true
}

// matchByte reports whether c matches the begin of a pattern, which is not *, and the length of that
// begin.
func matchByte(pattern string, c byte) (length int, ok bool) {
	switch pattern[0] {
	case '?':
		return 1, true
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == c
		}
	case '[':
		if end := setEnd(pattern); end > 0 {
			return end + 1, inSet(pattern[1:end], c)
		}
	}
	return 1, pattern[0] == c
}

// setEnd returns the index of the ] that ends the set at the begin of a pattern, 0 without one. A ]
// in the first place is an element.
func setEnd(pattern string) int {
	i := 1
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		i++
	}
	for first := i; i < len(pattern); i++ {
		if pattern[i] == ']' && i > first {
			return i
		}
	}
	return 0
}

// inSet reports whether c is in the set between the brackets.
func inSet(set string, c byte) bool {
	not := set[0] == '!' || set[0] == '^'
	if not {
		set = set[1:]
	}
	found := false
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			found = found || set[i] <= c && c <= set[i+2]
			i += 2
			continue
		}
		found = found || set[i] == c
	}
	return found != not
}
