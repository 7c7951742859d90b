package xmlrpc

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// text consumes character data up to the next tag. At the end of the document
// it returns what it found and errEnd.
func (s *scanner) text() (string, error) {
	if s.queued > 0 {
		return "", nil
	}
	var parts []string // more than one only around comments and CDATA
	for {
		rest := s.src[s.pos:]
		end := bytes.IndexByte(rest, '<')
		if end < 0 {
			s.pos = len(s.src)
			return strings.Join(append(parts, string(rest)), ""), errEnd
		}
		part, err := unescape(rest[:end])
		if err != nil {
			return "", err
		}
		s.pos += end
		if len(rest) <= end+1 || rest[end+1] != '!' {
			if parts == nil {
				return part, nil
			}
			return strings.Join(append(parts, part), ""), nil
		}
		literal, err := s.declaration(rest[end:])
		if err != nil {
			return "", err
		}
		if part += literal; part != "" || parts == nil {
			parts = append(parts, part)
		}
	}
}

// declaration consumes a comment, which yields nothing, or a CDATA section.
func (s *scanner) declaration(rest []byte) (literal string, err error) {
	if body, ok := bytes.CutPrefix(rest, []byte("<![CDATA[")); ok {
		literal, _, ok := bytes.Cut(body, []byte("]]>"))
		if !ok {
			return "", errEnd
		}
		s.pos += len(literal) + len("<![CDATA[]]>")
		return lineFeeds(string(literal)), nil
	}
	body, ok := bytes.CutPrefix(rest, []byte("<!--"))
	if !ok {
		return "", errors.New("document type declarations are refused")
	}
	comment, after, _ := bytes.Cut(body, []byte("--"))
	if len(after) == 0 || after[0] != '>' {
		return "", errComment
	}
	s.pos += len(comment) + len("<!---->")
	return "", nil
}

var entities = map[string]string{"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": "\""}

// unescape resolves entities and character references and normalises line ends.
func unescape(raw []byte) (string, error) {
	if bytes.Contains(raw, []byte("]]>")) {
		return "", errors.New("]]> in text")
	}
	text := lineFeeds(string(raw))
	first := strings.IndexByte(text, '&')
	if first < 0 {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	for {
		before, rest, found := strings.Cut(text, "&")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		end := strings.IndexByte(rest[:min(len(rest), maxReference)], ';')
		if end < 0 {
			return "", fmt.Errorf("unknown reference %q", "&"+shorten(rest))
		}
		literal, err := reference(rest[:end])
		if err != nil {
			return "", err
		}
		b.WriteString(literal)
		text = rest[end+1:]
	}
}

const maxReference = 12

// reference resolves the inside of &...; .
func reference(name string) (string, error) {
	if literal, ok := entities[name]; ok {
		return literal, nil
	}
	digits, numeric := strings.CutPrefix(name, "#")
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	code, err := strconv.ParseUint(digits, base, 21)
	if !numeric || err != nil || code > utf8.MaxRune || !legal(rune(code), 3) {
		return "", fmt.Errorf("unknown reference %q", "&"+name+";")
	}
	return string(rune(code)), nil
}

// lineFeeds normalises line ends as required by XML 1.0 §2.11.
func lineFeeds(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func blank(s string) bool { return strings.Trim(s, space) == "" }

// shorten keeps error messages readable whatever the peer sent.
func shorten(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}

// appendText escapes s. A carriage return would reach the peer as a line feed
// unless it is written as a character reference.
func appendText(dst []byte, s string) ([]byte, error) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !legal(r, size) {
			return dst, fmt.Errorf("text holds %q at byte %d, which XML cannot carry", s[i:i+size], i)
		}
		switch r {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '\r':
			dst = append(dst, "&#13;"...)
		default:
			dst = append(dst, s[i:i+size]...)
		}
		i += size
	}
	return dst, nil
}

// legal reports whether r, decoded from size bytes, is a character of XML 1.0.
func legal(r rune, size int) bool {
	switch {
	case r == utf8.RuneError && size <= 1:
		return false
	case r < 0x20:
		return r == '\t' || r == '\n' || r == '\r'
	}
	return r != 0xFFFE && r != 0xFFFF && (r < 0xD800 || r > 0xDFFF)
}

// printable replaces what XML cannot carry by U+FFFD.
func printable(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if !legal(r, utf8.RuneLen(r)) {
			r = utf8.RuneError
		}
		out = append(out, r)
	}
	return string(out)
}
