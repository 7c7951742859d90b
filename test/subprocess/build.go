package subprocess

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
)

// Build builds a program of this module in a folder, with flags of go build.
func Build(dir, name string, flags ...string) (path string, err error) {
	path = filepath.Join(dir, name)
	args := slices.Concat([]string{"build", "-o", path}, flags, []string{"sinew/cmd/" + name})
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}
