package testbench

import (
	"os"
	"os/exec"
	"testing"

	"sinew/test/latency"
)

// asProbe is the variable of the environment by which a process of this test program only sleeps, as Probes of
// test/latency do, with a priority above all threads of the programs: what those meet no program has done.
const (
	asProbe      = "SINEW_TEST_PROBE"
	aboveProgram = 12
)

// StartProbe begins to measure what the computer takes from any program.
func StartProbe(t *testing.T) *latency.Probe {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asProbe+"=1")
	s, err := latency.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// ReadProbe is what a probe has met since the last call.
func ReadProbe(t *testing.T, s *latency.Probe) latency.Lateness {
	t.Helper()
	x, err := s.Take()
	if err != nil {
		t.Fatal(err)
	}
	return x
}
