package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// usage is what a process and the whole machine have used so far.
type usage struct {
	at   time.Time
	used float64 // processor time of the process, s
	loop float64 // of that, of the thread of its loop; 0 where that has no priority to be known by
	idle float64 // of all processors together, s
	rss  float64 // resident memory of the process, MiB
}

// The kernel counts processor time for /proc in hundredths of a second on every
// architecture that Go knows.
const ticksPerSecond = 100

// readUsage reads /proc; loop is the directory of a thread.
func readUsage(pid int, loop string) (usage, error) {
	u := usage{at: time.Now()}
	if b, err := os.ReadFile(loop + "/schedstat"); err == nil {
		if f := strings.Fields(string(b)); len(f) > 0 {
			u.loop = number(f[0]) / 1e9
		}
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, err
	}
	// the name, in parentheses, may hold blanks; state is the first field after it
	_, rest, _ := strings.Cut(string(stat), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return u, fmt.Errorf("/proc/%d/stat has %d fields after the name", pid, len(f))
	}
	u.used = (number(f[11]) + number(f[12])) / ticksPerSecond // in user mode and in the kernel

	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			u.rss = number(strings.TrimSuffix(strings.TrimSpace(kb), " kB")) / 1024
		}
	}
	all, err := os.ReadFile("/proc/stat")
	if err != nil {
		return u, err
	}
	// The busy times beside are sampled with the timer's tick, which a loop of
	// 1 kHz can hide from; the idle time is measured.
	f = strings.Fields(string(all))
	if len(f) < 6 {
		return u, fmt.Errorf("/proc/stat has %d fields", len(f))
	}
	u.idle = (number(f[4]) + number(f[5])) / ticksPerSecond // idle, and waiting for disks
	return u, nil
}
