//go:build unix

package testbench

import (
	"path/filepath"
	"testing"
	"time"
)

// TestTurnsFollowOneAnother takes a second turn while the first one lasts.
func TestTurnsFollowOneAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turn.lock")
	end, err := takeTurn(path)
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan func())
	go func() {
		end, err := takeTurn(path)
		if err != nil {
			t.Error(err)
		}
		second <- end
	}()
	select {
	case <-second:
		t.Fatal("two turns at once")
	case <-time.After(50 * time.Millisecond):
	}
	end()
	(<-second)()
}
