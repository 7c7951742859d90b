//go:build unix

package testbench

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// takeTurn waits until no other package tests in real time, by a lock on a file that ends
// with the process that holds it.
func takeTurn(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX)
		if err != unix.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("lock of %s: %w", f.Name(), err)
	}
	return func() { f.Close() }, nil
}
