package program_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sinew/cmd/internal/program"
)

// Whatever is named, reading returns: a pipe without a writer, a directory, a device
// without end, a file beyond the bound.
func TestReadFile(t *testing.T) {
	folder := t.TempDir()
	pipe, file := filepath.Join(folder, "pipe"), filepath.Join(folder, "file")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{pipe: "without a writer", folder: "is a directory", "/dev/zero": "larger than 4 bytes", file: "larger than 4 bytes", filepath.Join(folder, "none"): "no such file"} {
		if data, err := program.ReadFile(name, 4); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want %q", name, data, err, want)
		}
	}
	if data, err := program.ReadFile(file, 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := program.ReadFile(os.DevNull, 5); err != nil || len(data) > 0 {
		t.Errorf("%q, %v", data, err)
	}
	// a writer that does not go away is not waited for
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		data, err := program.ReadFile(pipe, 100)
		if string(data) != "" || err == nil || !strings.Contains(err.Error(), "has not ended") {
			t.Errorf("a pipe that stays open: %q, %v", data, err)
		}
		done <- nil
	}()
	if _, err := writer.WriteString("rod: {}"); err != nil {
		t.Fatal(err)
	}
	<-done
	writer.Close()
}
