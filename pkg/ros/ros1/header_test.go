package ros1_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"sinew/pkg/ros/ros1"
)

func TestHeader(t *testing.T) {
	h := ros1.Header{"callerid": "/x", "topic": "/a=b", "md5sum": "", "other": "1"}
	in := bytes.NewBuffer(append(h.Append(nil), "rest"...))
	got, err := ros1.ReadHeader(in)
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
		if _, err := ros1.ReadHeader(strings.NewReader(wire)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", wire, err, want)
		}
	}
}
