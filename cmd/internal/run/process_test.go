package run

import (
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// The process tells of every file and goroutine more.
func TestProcessStatus(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells of open files")
	}
	look := func() map[string]int {
		got := map[string]int{}
		for _, v := range processStatus().Values {
			n, err := strconv.Atoi(v.Value)
			if err != nil {
				t.Fatal(err)
			}
			got[v.Key] = n
		}
		return got
	}
	before := look()
	for range 100 { // goroutines of other tests may still be ending
		time.Sleep(20 * time.Millisecond)
		last := before
		if before = look(); before["goroutines"] == last["goroutines"] && before["open_files"] == last["open_files"] {
			break
		}
	}
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stop := make(chan struct{})
	defer close(stop)
	go func() { <-stop }()
	after := look()
	if after["open_files"] != before["open_files"]+1 || after["goroutines"] != before["goroutines"]+1 || after["memory_bytes"] < 1<<20 {
		t.Errorf("%v, then %v", before, after)
	}
}
