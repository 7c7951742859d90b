//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package ros

import "time"

// nap sleeps for at least d.
func nap(d time.Duration) { time.Sleep(d) }
