package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// sleepPeriod is the control period of robots at 1 kHz.
const sleepPeriod = time.Millisecond

// sleeper is what the machine makes of a program that does nothing but wake up at
// 1 kHz: the node cannot be better. It is a process of its own, this program
// again, because in a busy one Go's scheduler and collector would delay it.
type sleeper struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// asSleeper is the argument that makes this program the sleeper.
const asSleeper = "sleeper"

// startSleeper begins to sleep.
func startSleeper() (*sleeper, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &sleeper{cmd: exec.Command(self, asSleeper)}
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	return s, s.cmd.Start()
}

// take returns how many periods were skipped and the greatest lateness (µs)
// since the last call.
func (s *sleeper) take() (skipped int, worst float64, err error) {
	if _, err = fmt.Fprintln(s.in); err == nil {
		_, err = fmt.Fscanln(s.out, &skipped, &worst)
	}
	if err != nil {
		err = fmt.Errorf("sleeper: %w", err)
	}
	return skipped, worst, err
}

// close ends the sleeper, which ends when it hears no more.
func (s *sleeper) close() error {
	_ = s.in.Close()
	return s.cmd.Wait()
}

// sleep is the sleeper: it answers each line with what happened since the last.
func sleep(in io.Reader, out io.Writer) {
	debug.SetGCPercent(-1) // there is next to nothing to collect
	var skipped, worst atomic.Int64
	go sleepForEver(func(late time.Duration) {
		skipped.Add(int64(late / sleepPeriod))
		worst.Store(max(worst.Load(), int64(late))) // a reset in between is undone: rare, and harmless
	})
	for lines := bufio.NewScanner(in); lines.Scan(); {
		fmt.Fprintln(out, skipped.Swap(0), float64(worst.Swap(0))/1e3)
	}
}
