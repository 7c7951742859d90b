package test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// programs is where the programs under test are built, each once.
var programs string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if programs, err = os.MkdirTemp("", "sinew"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(programs)
		return m.Run()
	}())
}

var (
	tendonsimBuilt  = sync.OnceValues(func() (string, error) { return build("tendonsim") })
	microrobotBuilt = sync.OnceValues(func() (string, error) { return build("microrobot") })
)

func build(name string) (path string, err error) {
	path = filepath.Join(programs, name)
	if out, err := exec.Command("go", "build", "-o", path, "sinew/cmd/"+name).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// buildTendonsim is the path of the built program.
func buildTendonsim(t *testing.T) string {
	t.Helper()
	return must(t)(tendonsimBuilt())
}

// buildMicrorobot is the path of the built program.
func buildMicrorobot(t *testing.T) string {
	t.Helper()
	return must(t)(microrobotBuilt())
}

func must(t *testing.T) func(string, error) string {
	return func(s string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}
