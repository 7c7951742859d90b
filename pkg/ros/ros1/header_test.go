package ros1

import (
	"bytes"
	"io"
	"maps"
	"strings"
	"testing"

	"go.uber.org/zap"
)

func TestHeader(t *testing.T) {
	h := header{"callerid": "/x", "topic": "/a=b", "md5sum": "", "other": "1"}
	in := bytes.NewBuffer(append(h.append(nil), "rest"...))
	got, err := readHeader(in)
	if err != nil || !maps.Equal(got, h) {
		t.Errorf("read %v, %v; want %v", got, err, h)
	}
	if in.String() != "rest" {
		t.Errorf("%q is left, want what follows the header", in)
	}
	for wire, want := range map[string]string{
		"":                                   "EOF",
		"\x05\x00":                           "EOF",
		"\x00\x00\x00\x00":                   "0 bytes announced",
		"\x00\x00\x00\x01":                   "16777216 bytes announced",
		"\x08\x00\x00\x00\x01":               "EOF",
		"\x02\x00\x00\x00ab":                 "message length is too short",
		"\x06\x00\x00\x00\x03\x00\x00\x00a=": "invalid field length",
		"\x06\x00\x00\x00\x02\x00\x00\x00ab": "missing separator",
		"\x06\x00\x00\x00\x02\x00\x00\x00=b": "a field has no name",
		"\x04\x00\x00\x00\x00\x00\x00\x00":   "invalid field length",
	} {
		if _, err := readHeader(strings.NewReader(wire)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", wire, err, want)
		}
	}
}

// FuzzHeader checks that no bytes panic, and that what is read is written and
// read again as the same.
func FuzzHeader(f *testing.F) {
	f.Add(header{"callerid": "/x", "topic": "/a"}.append(nil))
	f.Add([]byte("\x06\x00\x00\x00\x03\x00\x00\x00a="))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add(header{"topic": "/sim/out", "md5sum": "*", "message_definition": "x"}.append(nil))
	s := newServer("/sim", nil, 0, zap.NewNop())
	known := newPublication(poseTopic("/sim/out"), s)
	if err := s.addPublication(known); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		h, err := readHeader(bytes.NewReader(wire))
		if err != nil {
			return
		}
		if e, err := s.match(h); err == nil && (e != known || h["topic"] != known.topic.Name) {
			t.Errorf("%v leads to %v", h, e)
		}
		again, err := readHeader(io.LimitReader(bytes.NewReader(header(h).append(nil)), int64(len(wire))))
		if err != nil || !maps.Equal(again, h) {
			t.Errorf("%q reads as %v, then as %v, %v", wire, h, again, err)
		}
	})
}
