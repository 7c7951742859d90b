package run

import (
	"io/fs"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// lockMemory keeps the pages of the program in memory once they are there, so that the loop
// never waits for a disk, and reports whether it may. Go reserves address space far beyond
// what it uses, so that locked are only pages that have been touched; and where the amount
// is limited nothing is, because all reservations would count and a later one that fails
// ends the program.
func lockMemory(root fs.FS) bool {
	if !lockPermitted(root, memoryLimit()) {
		return false
	}
	return unix.Mlockall(unix.MCL_CURRENT|unix.MCL_FUTURE|unix.MCL_ONFAULT) == nil
}

// memoryLimit is how much memory an ordinary user may lock, bytes.
func memoryLimit() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit) != nil {
		return 0
	}
	return limit.Cur
}

// lockPermitted reports whether any amount of memory may be locked: there is no limit, or the
// program has the capability to pass it.
func lockPermitted(root fs.FS, limit uint64) bool {
	if limit == unix.RLIM_INFINITY {
		return true
	}
	status, err := fs.ReadFile(root, "proc/self/status")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(status), "\nCapEff:")
	text, _, _ := strings.Cut(rest, "\n")
	capabilities, err := strconv.ParseUint(strings.TrimSpace(text), 16, 64)
	return err == nil && capabilities&(1<<unix.CAP_IPC_LOCK) != 0
}
