package program

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// pipeDeadline is how long ReadFile waits for more from a pipe.
const pipeDeadline = 5 * time.Second

// ReadFile reads a file of at most so many bytes, or a pipe, such as that of <(command) in a
// shell. It waits for no writer, and not for long for what is written, so that it returns
// whatever the name is.
func ReadFile(name string, most int64) ([]byte, error) {
	in, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory; want a file", name)
	}
	pipe := info.Mode()&fs.ModeNamedPipe != 0
	// what knows no deadline, such as files and /dev/null, keeps nobody waiting
	_ = in.SetReadDeadline(time.Now().Add(pipeDeadline))
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("%s has not ended after %v; want a file", name, pipeDeadline)
	case err != nil:
		return nil, err
	case len(data) == 0 && pipe:
		return nil, fmt.Errorf("%s is a pipe into which nobody writes; want a file", name)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("%s: larger than %d bytes, which are the most that are read", name, most)
	}
	return data, nil
}
