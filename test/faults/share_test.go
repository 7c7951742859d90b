package faults_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"sinew/test/latency"
)

// abovePriority is above all threads of the program: what a probe of that priority skips,
// the program cannot have taken.
const abovePriority = 12

// share is what the computer takes from any program meanwhile: the periods that probes
// skip, on the processor that skips most, at a priority above the program's.
type share struct {
	t       *testing.T
	probe   *latency.Probe
	lost    int           // periods, since the start
	begun   int           // of them, when the fault began
	silence time.Duration // longest gap since then
}

func newShare(t *testing.T) *share {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asPeer+"="+probes)
	s := &share{t: t}
	if s.probe, err = latency.Start(cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.probe.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// look brings the share up to date.
func (s *share) look() {
	s.t.Helper()
	lateness, err := s.probe.Take()
	if err != nil {
		s.t.Fatal(err)
	}
	s.lost += lateness.Skipped
	s.silence = max(s.silence, time.Duration(lateness.Max*1e3))
}

// begin counts anew.
func (s *share) begin() {
	s.t.Helper()
	s.look()
	s.begun, s.silence = s.lost, 0
}

// periods are those that were taken since begin.
func (s *share) periods() int { return s.lost - s.begun }

// time is what was taken since the start.
func (s *share) time() time.Duration {
	s.t.Helper()
	s.look()
	return time.Duration(s.lost) * latency.Period
}
