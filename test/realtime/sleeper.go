package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"sinew/pkg/sim"
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

// Slept is what a sleeper met.
type Slept struct {
	Skipped int `json:"skipped_periods"`
	// Quantiles of the lateness, us.
	P50  float64 `json:"lateness_us_p50"`
	P99  float64 `json:"lateness_us_p99"`
	P999 float64 `json:"lateness_us_p999"`
	Max  float64 `json:"lateness_us_max"`
}

// asSleeper is the argument, before a real-time priority, that makes this program the
// sleeper.
const asSleeper = "sleeper"

// startSleeper begins to sleep with the real-time priority of the node's loop, where
// that is permitted.
func startSleeper(priority int) (*sleeper, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &sleeper{cmd: exec.Command(self, asSleeper, strconv.Itoa(priority))}
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

// take returns what happened since the last call.
func (s *sleeper) take() (x Slept, err error) {
	if _, err = fmt.Fprintln(s.in); err == nil {
		_, err = fmt.Fscanln(s.out, &x.Skipped, &x.P50, &x.P99, &x.P999, &x.Max)
	}
	if err != nil {
		err = fmt.Errorf("sleeper: %w", err)
	}
	return x, err
}

// close ends the sleeper, which ends when it hears no more.
func (s *sleeper) close() error {
	_ = s.in.Close()
	return s.cmd.Wait()
}

// sleep is the sleeper: it answers each line with what happened since the last.
func sleep(priority int, in io.Reader, out io.Writer) {
	debug.SetGCPercent(-1) // there is next to nothing to collect
	var mu sync.Mutex
	var skipped int
	var late sim.Histogram
	go sleepForEver(priority, func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		skipped += int(d / sleepPeriod)
		late.Add(d)
	})
	us := func(d time.Duration) float64 { return float64(d) / 1e3 }
	for lines := bufio.NewScanner(in); lines.Scan(); {
		mu.Lock()
		n, l := skipped, late
		skipped, late = 0, sim.Histogram{}
		mu.Unlock()
		fmt.Fprintln(out, n, us(l.Quantile(0.5)), us(l.Quantile(0.99)), us(l.Quantile(0.999)), us(l.Max()))
	}
}
