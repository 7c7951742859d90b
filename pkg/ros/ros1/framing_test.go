package ros1

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
)

func frame(body string) string {
	return string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body
}

func TestReadFrame(t *testing.T) {
	in := strings.NewReader(frame("first") + frame("") + frame(strings.Repeat("x", 3*growth)) + frame("last"))
	var buf []byte
	for _, want := range []string{"first", "", strings.Repeat("x", 3*growth), "last"} {
		var err error
		if buf, err = readFrame(in, buf, maxMessage); err != nil || string(buf) != want {
			t.Fatalf("got %d bytes, %v; want %d", len(buf), err, len(want))
		}
	}
	for wire, want := range map[string]error{
		"":                    io.EOF,
		"\x01\x00":            io.ErrUnexpectedEOF,
		"\x01\x00\x00\x00":    io.ErrUnexpectedEOF,
		"\x03\x00\x00\x00ab":  io.ErrUnexpectedEOF,
		"\x01\x00\x00\x01a":   errPeer,
		"\xff\xff\xff\xffabc": errPeer,
	} {
		if _, err := readFrame(strings.NewReader(wire), nil, 1<<24); !errors.Is(err, want) {
			t.Errorf("%q: error %v, want %v", wire, err, want)
		}
	}
}

// TestFrameMemory checks that memory follows what arrives, not what is announced,
// and that a huge buffer is not kept for small messages.
func TestFrameMemory(t *testing.T) {
	announced := binary.LittleEndian.AppendUint32(nil, maxMessage)
	buf, err := readFrame(bytes.NewReader(append(announced, make([]byte, 1000)...)), nil, maxMessage)
	if err == nil || cap(buf) > 2*growth {
		t.Errorf("1000 bytes of %d took %d bytes, error %v", maxMessage, cap(buf), err)
	}
	large := frame(strings.Repeat("x", 2*maxKept))
	in := strings.NewReader(large + frame("small"))
	if buf, err = readFrame(in, nil, maxMessage); err != nil || len(buf) != 2*maxKept {
		t.Fatalf("%d bytes, %v", len(buf), err)
	}
	if buf, err = readFrame(in, buf, maxMessage); err != nil || cap(buf) > maxKept {
		t.Errorf("a buffer of %d bytes is kept, error %v", cap(buf), err)
	}
}

// FuzzFrame checks that no bytes panic or take more memory than they deserve, and
// that what is read is what was sent.
func FuzzFrame(f *testing.F) {
	f.Add([]byte(frame("a") + frame("bc")))
	f.Add([]byte("\xff\xff\xff\x7fgarbage"))
	f.Add([]byte("\x03\x00\x00\x00ab"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		in := bytes.NewReader(wire)
		var buf, again []byte
		for {
			var err error
			buf, err = readFrame(in, buf, 1<<24)
			if most := 2*len(wire) + 2*growth; cap(buf) > most {
				t.Fatalf("%d bytes took %d", len(wire), cap(buf))
			}
			if err != nil {
				break
			}
			again = append(again, frame(string(buf))...)
		}
		if !bytes.HasPrefix(wire, again) {
			t.Errorf("%q was read as %q", wire, again)
		}
	})
}

func TestBeginsWithHeader(t *testing.T) {
	for definition, want := range map[string]bool{
		"std_msgs/Header header\nfloat64 x\n":                            true,
		"uint8 ARROW=0\n\nHeader header\nstring ns\n":                    true,
		"float64 x\nstd_msgs/Header header\n":                            false,
		"geometry_msgs/TransformStamped[] transforms\n\n===\nMSG: a/B\n": false,
		"": false,
	} {
		if got := beginsWithHeader(definition); got != want {
			t.Errorf("%q: %v, want %v", definition, got, want)
		}
	}
}
