//go:build linux || freebsd || netbsd || openbsd || dragonfly

package wallclock

import (
	"time"

	"golang.org/x/sys/unix"
)

// sleep waits for about d, or less after a signal. It asks the kernel directly:
// time.Sleep waits in epoll, whose resolution is 1 ms (golang/go issue 44343).
func sleep(d time.Duration) {
	ts := unix.NsecToTimespec(d.Nanoseconds())
	// The only errors are EINTR, after which the caller measures anew what is
	// left, and those of a wrong argument, which d > 0 is not.
	_ = unix.Nanosleep(&ts, nil)
}
