//go:build unix

package record_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sinew/pkg/ros/record"
)

// A pipe without a reader is refused at once; opening it would wait, and no signal would
// end the program.
func TestCreateRefusesPipes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pipe.mcap")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skip(err)
	}
	failed := make(chan error, 1)
	go func() {
		_, err := record.Create(file, record.Options{Overwrite: true})
		failed <- err
	}()
	select {
	case err := <-failed:
		if err == nil || !strings.Contains(err.Error(), "no regular file") {
			t.Errorf("%v", err)
		}
	case <-time.After(time.Minute):
		t.Error("waits for a reader of the pipe")
	}
}
