//go:build unix

package sweep

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock locks a file for this process until it is closed. It returns no error on file systems
// without locks.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return nil
	}
	return err
}
