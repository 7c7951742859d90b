package record_test

import (
	"os"
	"strings"
	"testing"

	"sinew/pkg/ros/record"
)

func TestAttachmentIsReadBack(t *testing.T) {
	for _, ext := range extensions {
		file, w := create(t, ext)
		record.Tell(t, w, record.Story(50))
		record.Must(t, w.Close())
		b, err := record.Attachment(file, record.SampleOptions.RobotName)
		record.Must(t, err)
		if want := string(record.SampleOptions.Robot); ext == ".mcap" && string(b) != want || ext == ".bag" && b != nil {
			t.Errorf("%s: %q", ext, b)
		}
		if b, err := record.Attachment(file, "other.yaml"); b != nil || err != nil {
			t.Errorf("%s: %q, %v under a name that is not there", ext, b, err)
		}
	}
}

// However a file is cut or spoilt, there is the attachment, nothing, or an error.
func TestAttachmentOfDamagedFiles(t *testing.T) {
	file, w := create(t, ".mcap")
	record.Must(t, w.Close())
	whole, err := os.ReadFile(file)
	record.Must(t, err)
	start := strings.Index(string(whole), record.SampleOptions.RobotName) - 32
	end := strings.Index(string(whole), string(record.SampleOptions.Robot)) + 32
	for i := start; i < end; i++ {
		for _, spoilt := range [][]byte{whole[:i], record.Flip(whole, i)} {
			record.Must(t, os.WriteFile(file, spoilt, 0o600))
			if b, err := record.Attachment(file, record.SampleOptions.RobotName); err == nil && len(b) > len(whole) {
				t.Errorf("byte %d: %d bytes", i, len(b))
			}
		}
	}
	if _, err := record.Attachment(file+"x", "robot.yaml"); err == nil {
		t.Error("no error without a file")
	}
}
