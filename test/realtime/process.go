package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// usage is what a process and the whole machine have used so far.
type usage struct {
	at         time.Time
	used       float64 // processor time of the process, s
	busy, idle float64 // of all processors together, s
	rss        float64 // resident memory of the process, MiB
}

// The kernel counts processor time for /proc in hundredths of a second on every
// architecture that Go knows.
const ticksPerSecond = 100

// readUsage reads /proc.
func readUsage(pid int) (usage, error) {
	u := usage{at: time.Now()}
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
	line, _, _ := strings.Cut(string(all), "\n")
	for i, field := range strings.Fields(line)[1:9] { // guests' time is in user already
		ticks, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return u, fmt.Errorf("/proc/stat: %w", err)
		}
		if s := float64(ticks) / ticksPerSecond; i == 3 || i == 4 { // idle, waiting for disks
			u.idle += s
		} else {
			u.busy += s
		}
	}
	return u, nil
}
