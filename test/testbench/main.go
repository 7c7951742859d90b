package testbench

import (
	"fmt"
	"os"
	"testing"

	"sinew/test/latency"
)

// Programs is where the programs under test are built, each once.
var Programs string

// Main runs the tests of a package and ends the process.
func Main(m *testing.M) { os.Exit(run(m, false)) }

// MainInRealTime is Main for tests in real time, or with the whole machine.
func MainInRealTime(m *testing.M) { os.Exit(run(m, true)) }

func run(m *testing.M, alone bool) (code int) {
	if os.Getenv(asProbe) != "" {
		latency.SleepOnAll(aboveProgram, os.Stdin, os.Stdout)
		return 0
	}
	if alone {
		release, err := takeTurn()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer release()
	}
	var err error
	if Programs, err = os.MkdirTemp("", "sinew"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(Programs)
	return m.Run()
}
