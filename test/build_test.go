package test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"sinew/test/latency"
	"sinew/test/subprocess"
)

// programs is where the programs under test are built, each once.
var programs string

func TestMain(m *testing.M) {
	if os.Getenv(asSleeper) != "" {
		latency.SleepOnAll(aboveProgram, os.Stdin, os.Stdout)
		return
	}
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
	tendonsimBuilt  = sync.OnceValues(func() (string, error) { return subprocess.Build(programs, "tendonsim") })
	microrobotBuilt = sync.OnceValues(func() (string, error) { return subprocess.Build(programs, "microrobot") })
)

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
