package scheduling_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"

	"sinew/cmd/internal/scheduling"
)

func TestLockPermitted(t *testing.T) {
	status := func(text string) fstest.MapFS {
		return fstest.MapFS{"proc/self/status": {Data: []byte(text)}}
	}
	for _, c := range []struct {
		name  string
		root  fstest.MapFS
		limit uint64
		want  bool
	}{
		{"no limit", fstest.MapFS{}, unix.RLIM_INFINITY, true},
		{"capability", status("Name:\tx\nCapPrm:\t0000000000000000\nCapEff:\t0000000000004000\nCapBnd:\t0\n"), 8 << 20, true},
		{"all but this one", status("CapPrm:\t4000\nCapEff:\t000001ffffffbfff\nCapBnd:\tffff\n"), 8 << 20, false},
		{"no status", fstest.MapFS{}, 8 << 20, false},
		{"another status", status("\nCapEff:\n"), 8 << 20, false},
	} {
		if got := scheduling.LockPermitted(c.root, c.limit); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Memory is locked where that is permitted, in a process of its own, and what the program
// touches stays about what it was: reservations are not filled.
func TestLockMemory(t *testing.T) {
	const child = "SINEW_LOCK_MEMORY"
	if os.Getenv(child) == "" {
		run := exec.Command(os.Args[0], "-test.run=^TestLockMemory$", "-test.v")
		run.Env = append(os.Environ(), child+"=1")
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	before := statusValue(t, "VmRSS")
	locked := scheduling.LockMemory(os.DirFS("/"))
	if permitted := scheduling.LockPermitted(os.DirFS("/"), scheduling.MemoryLimit()); locked != permitted {
		t.Errorf("locked %v, permitted %v", locked, permitted)
	}
	if got := statusValue(t, "VmLck") > 0; got != locked {
		t.Errorf("memory is locked: %v, told: %v", got, locked)
	}
	used := make([]byte, 8<<20)
	for i := 0; i < len(used); i += 4096 {
		used[i] = 1
	}
	if grown := statusValue(t, "VmRSS") - before; grown < 8<<10 || grown > 24<<10 {
		t.Errorf("memory grew by %d kB, want the 8 MB that were touched and little more", grown)
	}
}

// statusValue is a value of /proc/self/status, kB.
func statusValue(t *testing.T, key string) (kilobytes int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); name == key {
			for _, c := range strings.TrimSpace(value) {
				if c < '0' || c > '9' {
					break
				}
				kilobytes = 10*kilobytes + int(c-'0')
			}
		}
	}
	return kilobytes
}
