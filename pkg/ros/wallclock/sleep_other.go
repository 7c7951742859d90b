//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package wallclock

import "time"

// sleep waits for at least d.
func sleep(d time.Duration) { time.Sleep(d) }
