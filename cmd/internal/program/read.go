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

// ReadFile reads a file or a pipe, such as that of <(command) in a shell, of at most the given
// number of bytes. It does not wait for a writer and limits the time for the content, so that it
// returns for every kind of file.
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
	// files without deadlines, such as regular ones and /dev/null, do not block
	_ = in.SetReadDeadline(time.Now().Add(pipeDeadline))
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("%s has not ended after %v; want a file", name, pipeDeadline)
	case err != nil:
		return nil, err
	case len(data) == 0 && pipe:
		return nil, fmt.Errorf("%s is a pipe without a writer; want a file", name)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("%s: larger than %d bytes, the maximum", name, most)
	}
	return data, nil
}
