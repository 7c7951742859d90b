package xmlrpc

import (
	"bytes"
	"errors"
	"fmt"
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

// scanner splits a document into tags and text. It keeps no stack: the decoder requests the tag
// that the grammar requires next.
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

// newScanner returns an error for text that is not XML 1.0 in UTF-8, and skips the prolog.
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

// expect consumes the tag that must come next.
func (s *scanner) expect(name string, end bool) error {
	t, err := s.next()
	if err != nil {
		return err
	}
	if w := (tag{name, end}); t != w {
		return fmt.Errorf("%v where %v belongs", t, w)
	}
	return nil
}

// finish returns an error if anything follows the document element.
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
