package run_test

import (
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"sinew/cmd/internal/run"
)

// The process tells of every file and goroutine more.
func TestProcessStatus(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells of open files")
	}
	look := func() map[string]int {
		got := map[string]int{}
		for _, v := range run.ProcessStatus().Values {
			n, err := strconv.Atoi(v.Value)
			if err != nil {
				t.Fatal(err)
			}
			got[v.Key] = n
		}
		return got
	}
	more := func() (before, after map[string]int) {
		before = look()
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		stop, stopped := make(chan struct{}), make(chan struct{})
		defer func() { close(stop); <-stopped }()
		go func() { <-stop; close(stopped) }()
		return before, look()
	}
	var before, after map[string]int
	for range 500 { // goroutines of other tests may still be ending
		before, after = more()
		if after["open_files"] == before["open_files"]+1 && after["goroutines"] == before["goroutines"]+1 && after["memory_bytes"] > 1<<20 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%v, then %v", before, after)
}
