package testbench

import (
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"sinew/test/latency"
)

// Programs is where the programs under test are built, each once. Packages that take turns share
// it, for the Go tool links nothing again that has not changed.
var Programs string

// inTurn is set for the processes that tests start: those that run tests of the same package
// in a network of their own do not wait for the package.
const inTurn = "SINEW_TEST_IN_TURN"

// Main runs the tests of a package and ends the process.
func Main(m *testing.M) { os.Exit(run(m, false)) }

// MainInRealTime is Main for tests in real time, or with the whole machine. Flag -short leaves them out: they wait for
// the clock, and for each other.
func MainInRealTime(m *testing.M) { os.Exit(run(m, true)) }

func run(m *testing.M, alone bool) (code int) {
	if os.Getenv(asProbe) != "" {
		latency.ServeOnAllProcessors(aboveProgram, os.Stdin, os.Stdout)
		return 0
	}
	if flag.Parse(); alone && testing.Short() {
		fmt.Println("tests in real time are left out with -short")
		return 0
	}
	if alone && os.Getenv(inTurn) == "" {
		release, err := takeTurn(filepath.Join(os.TempDir(), fmt.Sprintf("sinew-testbench-%d.lock", os.Getuid())))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer release()
		os.Setenv(inTurn, "1")
	}
	if alone {
		Programs = sharedFolder()
	}
	if Programs == "" {
		var err error
		if Programs, err = os.MkdirTemp("", "sinew"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(Programs)
	}
	return m.Run()
}

// sharedFolder is a folder for the programs of this clone that is kept for other packages, or "" where there is none.
func sharedFolder() string {
	here, err := filepath.Abs("..")
	if err != nil {
		return ""
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("sinew-testbench-%d-%08x", os.Getuid(), crc32.ChecksumIEEE([]byte(here))))
	if os.MkdirAll(dir, 0o700) != nil || os.Chmod(dir, 0o700) != nil { // another user's
		return ""
	}
	return dir
}
