package ros1_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"sinew/pkg/ros/ros1"
)

func TestReadFrame(t *testing.T) {
	in := strings.NewReader(ros1.Frame("first") + ros1.Frame("") + ros1.Frame(strings.Repeat("x", 3*ros1.Growth)) + ros1.Frame("last"))
	var buf []byte
	for _, want := range []string{"first", "", strings.Repeat("x", 3*ros1.Growth), "last"} {
		var err error
		if buf, err = ros1.ReadFrame(in, buf, ros1.MaxMessage); err != nil || string(buf) != want {
			t.Fatalf("got %d bytes, %v; want %d", len(buf), err, len(want))
		}
	}
	for wire, want := range map[string]error{
		"":                    io.EOF,
		"\x01\x00":            io.ErrUnexpectedEOF,
		"\x01\x00\x00\x00":    io.ErrUnexpectedEOF,
		"\x03\x00\x00\x00ab":  io.ErrUnexpectedEOF,
		"\x01\x00\x00\x01a":   ros1.ErrPeer,
		"\xff\xff\xff\xffabc": ros1.ErrPeer,
	} {
		if _, err := ros1.ReadFrame(strings.NewReader(wire), nil, 1<<24); !errors.Is(err, want) {
			t.Errorf("%q: error %v, want %v", wire, err, want)
		}
	}
}

// TestFrameMemory checks that memory follows what arrives, not what is announced,
// and that a huge buffer is not kept for small messages.
func TestFrameMemory(t *testing.T) {
	announced := binary.LittleEndian.AppendUint32(nil, ros1.MaxMessage)
	buf, err := ros1.ReadFrame(bytes.NewReader(append(announced, make([]byte, 1000)...)), nil, ros1.MaxMessage)
	if err == nil || cap(buf) > 2*ros1.Growth {
		t.Errorf("1000 bytes of %d took %d bytes, error %v", ros1.MaxMessage, cap(buf), err)
	}
	large := ros1.Frame(strings.Repeat("x", 2*ros1.MaxKept))
	in := strings.NewReader(large + ros1.Frame("small"))
	if buf, err = ros1.ReadFrame(in, nil, ros1.MaxMessage); err != nil || len(buf) != 2*ros1.MaxKept {
		t.Fatalf("%d bytes, %v", len(buf), err)
	}
	if buf, err = ros1.ReadFrame(in, buf, ros1.MaxMessage); err != nil || cap(buf) > ros1.MaxKept {
		t.Errorf("a buffer of %d bytes is kept, error %v", cap(buf), err)
	}
}

// FuzzFrame checks that no bytes panic or take more memory than they deserve, and
// that what is read is what was sent.
func FuzzFrame(f *testing.F) {
	f.Add([]byte(ros1.Frame("a") + ros1.Frame("bc")))
	f.Add([]byte("\xff\xff\xff\x7fgarbage"))
	f.Add([]byte("\x03\x00\x00\x00ab"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		in := bytes.NewReader(wire)
		var buf, again []byte
		for {
			var err error
			buf, err = ros1.ReadFrame(in, buf, 1<<24)
			if most := 2*len(wire) + 2*ros1.Growth; cap(buf) > most {
				t.Fatalf("%d bytes took %d", len(wire), cap(buf))
			}
			if err != nil {
				break
			}
			again = append(again, ros1.Frame(string(buf))...)
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
		if got := ros1.BeginsWithHeader(definition); got != want {
			t.Errorf("%q: %v, want %v", definition, got, want)
		}
	}
}
