//go:build linux || freebsd || netbsd || openbsd || dragonfly

package ros

import (
	"time"

	"golang.org/x/sys/unix"
)

// nap sleeps for about d, or less after a signal. It asks the kernel directly:
// time.Sleep waits in epoll, whose resolution is 1 ms (golang/go issue 44343).
func nap(d time.Duration) {
	ts := unix.NsecToTimespec(d.Nanoseconds())
	// The only errors are EINTR, after which the caller measures anew what is
	// left, and those of a wrong argument, which d > 0 is not.
	_ = unix.Nanosleep(&ts, nil)
}
