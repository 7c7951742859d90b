package xmlrpc

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tag is the opening or closing tag of an element.
type tag struct {
	name string
	end  bool
}

func (t tag) String() string {
	if t.end {
		return "</" + t.name + ">"
	}
	return "<" + t.name + ">"
}

// scanner cuts a document into tags and text. It keeps no stack: the decoder
// asks for the tag that the grammar wants next.
type scanner struct {
	src    []byte
	pos    int
	queue  [2]tag // tags read but not consumed: two after an empty element
	queued int
}

var (
	errEnd     = errors.New("document ends too early")
	errComment = errors.New("malformed comment")
)

// newScanner refuses what is not XML 1.0 text in UTF-8 and skips the prolog.
func newScanner(src []byte) (*scanner, error) {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if !legal(r, size) {
			return nil, fmt.Errorf("byte %d: %q is not a character of XML in UTF-8", i, src[i:i+size])
		}
		i += size
	}
	s := &scanner{src: bytes.TrimPrefix(src, []byte("\ufeff"))}
	if bytes.HasPrefix(s.src, []byte("<?xml ")) {
		end := bytes.Index(s.src, []byte("?>"))
		if end < 0 {
			return nil, errEnd
		}
		s.pos = end + 2
	}
	return s, nil
}

// next consumes a tag; only white space may precede it.
func (s *scanner) next() (tag, error) {
	t, err := s.peek()
	if err == nil {
		s.queue[0] = s.queue[1]
		s.queued--
	}
	return t, err
}

// peek reads a tag without consuming it.
func (s *scanner) peek() (tag, error) {
	if s.queued > 0 {
		return s.queue[0], nil
	}
	between, err := s.text()
	if err != nil {
		return tag{}, err
	}
	if !blank(between) {
		return tag{}, fmt.Errorf("text %q between elements", shorten(between))
	}
	return s.scanTag()
}

// want consumes the tag that must come next.
func (s *scanner) want(name string, end bool) error {
	t, err := s.next()
	if err != nil {
		return err
	}
	if w := (tag{name, end}); t != w {
		return fmt.Errorf("%v where %v belongs", t, w)
	}
	return nil
}

// finish checks that nothing follows the document element.
func (s *scanner) finish() error {
	rest, err := s.text()
	if err != errEnd {
		return errors.New("more than one element")
	}
	if !blank(rest) {
		return fmt.Errorf("text %q after the document", shorten(rest))
	}
	return nil
}

// scanTag reads the tag at pos and queues it.
func (s *scanner) scanTag() (tag, error) {
	rest := s.src[s.pos+1:] // text stopped at a '<'
	end := bytes.IndexByte(rest[:min(len(rest), maxTag)], '>')
	if end < 0 {
		return tag{}, fmt.Errorf("tag %q does not end within %d bytes", shorten(string(rest)), maxTag)
	}
	s.pos += end + 2
	body, closing := strings.CutPrefix(string(rest[:end]), "/")
	body, empty := strings.CutSuffix(body, "/")
	name := strings.TrimRight(body, space)
	if name == "" || strings.Trim(name, nameCharacters) != "" || (closing && empty) {
		return tag{}, fmt.Errorf("malformed tag %q (XML-RPC has no attributes)", "<"+shorten(string(rest[:end]))+">")
	}
	s.queue = [2]tag{{name, closing}, {name, true}}
	s.queued = 1
	if empty {
		s.queued = 2
	}
	return s.queue[0], nil
}

const (
	maxTag         = 64
	space          = " \t\r\n"
	nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789."
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

// lineFeeds normalises line ends as XML 1.0 §2.11 asks.
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
