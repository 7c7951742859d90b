//go:build unix

package env

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// memory is a file that this process and its caller map.
type memory struct {
	path  string
	bytes []byte
}

// folder is a directory whose files are in memory.
const folder = "/dev/shm"

// newMemory creates a file of the given size that begins with begin: at path, which must not
// exist, or in a directory with enough space.
func newMemory(path string, begin []byte, size int) (*memory, error) {
	f, err := newFile(path)
	if err != nil {
		return nil, fmt.Errorf("--shm: %w", err)
	}
	m := &memory{path: f.Name()}
	// write every page: a hole would end the process with SIGBUS if the memory is full
	_, err = f.Write(append(begin, make([]byte, size-len(begin))...))
	if err == nil {
		m.bytes, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(m.path)
		return nil, fmt.Errorf("--shm: %d bytes of shared memory: %w", size, err)
	}
	return m, nil
}

// newFile makes the file. Its own name has a random part: processes of several containers may
// have the same number and one /dev/shm.
func newFile(path string) (*os.File, error) {
	if path != "" {
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	}
	dir := folder
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = os.TempDir()
	}
	return os.CreateTemp(dir, fmt.Sprintf("sinew-env-%d-*", os.Getpid()))
}

// close removes the file, unless the caller has.
func (m *memory) close() error {
	err := os.Remove(m.path)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, unix.Munmap(m.bytes))
}
