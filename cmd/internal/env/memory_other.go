//go:build !unix

package env

import "errors"

type memory struct {
	path  string
	bytes []byte
}

func newMemory(string, []byte, int) (*memory, error) {
	return nil, errors.New("env is not supported on this system; use Linux, macOS or another Unix")
}

func (m *memory) close() error { return nil }
