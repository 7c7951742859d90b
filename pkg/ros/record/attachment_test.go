package record

import (
	"os"
	"strings"
	"testing"
)

func TestAttachmentIsReadBack(t *testing.T) {
	for _, ext := range extensions {
		file, w := create(t, ext)
		tell(t, w, story(50))
		must(t, w.Close())
		b, err := Attachment(file, testOptions.RobotName)
		must(t, err)
		if want := string(testOptions.Robot); ext == ".mcap" && string(b) != want || ext == ".bag" && b != nil {
			t.Errorf("%s: %q", ext, b)
		}
		if b, err := Attachment(file, "other.yaml"); b != nil || err != nil {
			t.Errorf("%s: %q, %v under a name that is not there", ext, b, err)
		}
	}
}

// However a file is cut or spoilt, there is the attachment, nothing, or an error.
func TestAttachmentOfDamagedFiles(t *testing.T) {
	file, w := create(t, ".mcap")
	must(t, w.Close())
	whole, err := os.ReadFile(file)
	must(t, err)
	start := strings.Index(string(whole), testOptions.RobotName) - 32
	end := strings.Index(string(whole), string(testOptions.Robot)) + 32
	for i := start; i < end; i++ {
		for _, spoilt := range [][]byte{whole[:i], flip(whole, i)} {
			must(t, os.WriteFile(file, spoilt, 0o600))
			if b, err := Attachment(file, testOptions.RobotName); err == nil && len(b) > len(whole) {
				t.Errorf("byte %d: %d bytes", i, len(b))
			}
		}
	}
	if _, err := Attachment(file+"x", "robot.yaml"); err == nil {
		t.Error("no error without a file")
	}
}

func flip(b []byte, i int) []byte {
	c := append([]byte{}, b...)
	c[i] ^= 0xff
	return c
}
