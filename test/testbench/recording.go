package testbench

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"sinew/pkg/ros/record"
)

// mcapLibrary is where the JavaScript libraries of MCAP are installed.
const mcapLibrary = "../testdata/mcap"

// LibraryRecording is what read.js tells of an MCAP file.
type LibraryRecording struct {
	Profile string
	Topics  map[string]struct {
		Type        string
		Messages    int
		First, Last string         // ns
		Sample      map[string]any // the last message
	}
	Attachments map[string]string
	Metadata    map[string]map[string]string
}

// ReadWithLibrary reads an MCAP file by its index with @mcap/core and decodes all
// messages with @foxglove/rosmsg2-serialization.
func ReadWithLibrary(t *testing.T, file string) (f LibraryRecording) {
	t.Helper()
	Need(t, "node")
	if _, err := os.Stat(mcapLibrary + "/node_modules/@mcap/core"); err != nil {
		t.Skip("needs @mcap/core: npm ci --prefix test/testdata/mcap")
	}
	cmd := exec.Command("node", Absolute(t, mcapLibrary+"/read.js"), file)
	var faults bytes.Buffer
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &f)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", file, err, faults.String())
	}
	return f
}

// ReadMessages reads a recording by topic.
func ReadMessages(t *testing.T, file string) map[string][]record.Message {
	t.Helper()
	list := map[string][]record.Message{}
	if err := record.Read(file, nil, func(m record.Message) error {
		list[m.Topic] = append(list[m.Topic], m)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}
