package scheduling

import (
	"io/fs"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// lockMemory locks the pages of the process in memory once they have been touched, so that
// the loop never waits for a disk, and reports whether that is permitted. Go reserves far
// more address space than it uses; MCL_ONFAULT locks only the pages in use. Where the
// amount is limited nothing is locked: all reservations would count, and a later one that
// fails ends the program.
func lockMemory(root fs.FS) bool {
	if !lockPermitted(root, memoryLimit()) {
		return false
	}
	return unix.Mlockall(unix.MCL_CURRENT|unix.MCL_FUTURE|unix.MCL_ONFAULT) == nil
}

// memoryLimit returns how much memory an ordinary user may lock, bytes.
func memoryLimit() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit) != nil {
		return 0
	}
	return limit.Cur
}

// lockPermitted reports whether any amount of memory may be locked: there is no limit, or
// the process has the capability CAP_IPC_LOCK.
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
