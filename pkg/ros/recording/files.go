package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxSameName bounds the files that begin in one second.
const maxSameName = 100

// newFile makes a new empty file, named after the node and the time.
func (c *Control) newFile(now time.Time) (string, error) {
	dir, err := filepath.Abs(c.options.Dir)
	if err != nil {
		return "", fmt.Errorf("cannot record: %w", err)
	}
	stem := strings.ReplaceAll(strings.TrimPrefix(c.options.Node, "/"), "/", "_") + now.Format("_2006-01-02-15-04-05")
	for i := range maxSameName {
		name := stem + c.options.Extension
		if i > 0 {
			name = fmt.Sprintf("%s_%d%s", stem, i+1, c.options.Extension)
		}
		if _, taken := c.File(name); taken { // in another folder
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("cannot record: %w", err)
		}
		return f.Name(), f.Close()
	}
	return "", fmt.Errorf("cannot record: %s has %d files named %s already", dir, maxSameName, stem)
}

// offer makes a complete file available to File.
func (c *Control) offer(s *session) {
	c.mu.Lock()
	name := filepath.Base(s.path)
	if _, again := c.files[name]; !again {
		c.names = append(c.names, name)
	}
	c.files[name] = s.path
	c.mu.Unlock()
	c.notifyState()
}

// File returns the path of a complete recording of this run, given its name without a folder.
func (c *Control) File(name string) (path string, is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	path, is = c.files[name]
	return path, is
}

// Running returns the name of the file under way, empty if there is none.
func (c *Control) Running() string {
	if s := c.running(); s != nil {
		return s.Name()
	}
	return ""
}
