package subprocess

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Times of background programs.
const (
	longest    = 900 // s, for one that the test ends, on a busy machine too
	waitLimit  = time.Minute
	pollPeriod = 20 * time.Millisecond
)

// Limited is a command that does not run for longer than so many seconds: ROS tools can
// ignore SIGTERM. Where timeout(1) is not installed it has no limit but the test's.
func Limited(seconds int, signal, tool string, args ...string) *exec.Cmd {
	if _, err := exec.LookPath("timeout"); err != nil {
		return exec.Command(tool, args...)
	}
	return exec.Command("timeout", append([]string{"-s", signal, "-k", "2", strconv.Itoa(seconds), tool}, args...)...)
}

// Process is a program in the background.
type Process struct {
	Cmd  *exec.Cmd     // timeout(1) where it is installed
	Done chan struct{} // closed when it has ended

	t    *testing.T
	name string
	err  error // valid when it has ended

	mu  sync.Mutex
	out bytes.Buffer
}

// Start runs a program until the test ends it, or ends.
func Start(t *testing.T, env []string, tool string, args ...string) *Process {
	t.Helper()
	p := &Process{t: t, name: tool, Done: make(chan struct{}), Cmd: Limited(longest, "INT", tool, args...)}
	p.Cmd.Env = env
	p.Cmd.Stdout, p.Cmd.Stderr = p, p
	p.Cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.Cmd.WaitDelay = 10 * time.Second
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.Cmd.Wait()
		close(p.Done)
	}()
	t.Cleanup(p.Kill)
	return p
}

// Write takes the program's output.
func (p *Process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

// Output returns what the program wrote so far.
func (p *Process) Output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// Running reports whether the program has not ended.
func (p *Process) Running() bool {
	select {
	case <-p.Done:
		return false
	default:
		return true
	}
}

// Signal sends a signal to the program and all it started.
func (p *Process) Signal(s syscall.Signal) {
	if p.Running() {
		_ = syscall.Kill(-p.Cmd.Process.Pid, s) // the group, which Start made; it may just have ended
	}
}

// Kill ends the program and all it started with SIGKILL.
func (p *Process) Kill() {
	p.Signal(syscall.SIGKILL)
	<-p.Done
}

// PID is the number of the process of the program itself.
func (p *Process) PID() int {
	p.t.Helper()
	parent := p.Cmd.Process.Pid
	if filepath.Base(p.Cmd.Path) != "timeout" {
		return parent
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		p.t.Fatal(err)
	}
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ") // the name may hold blanks
		var state string
		var of int
		if _, err := fmt.Sscan(rest, &state, &of); err == nil && of == parent {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			return pid
		}
	}
	p.t.Fatalf("%s has no process:\n%s", p.name, p.Output())
	return 0
}

// End interrupts the program and returns its exit code. It must end in time.
func (p *Process) End(limit time.Duration) int {
	p.t.Helper()
	if p.Running() {
		_ = p.Cmd.Process.Signal(syscall.SIGINT) // timeout(1) passes it on
	}
	return p.Wait(limit)
}

// Wait returns the program's exit code. It must end in time, as a Stopwatch measures that.
func (p *Process) Wait(limit time.Duration) int {
	p.t.Helper()
	w := NewStopwatch()
	defer w.Stop()
	if !w.Within(p.Done, limit) {
		p.Kill()
		p.t.Fatalf("%s has not ended within %v:\n%s", p.name, limit, p.Output())
	}
	var exit *exec.ExitError
	if p.err != nil && !errors.As(p.err, &exit) {
		p.t.Fatalf("%s: %v", p.name, p.err)
	}
	return p.Cmd.ProcessState.ExitCode()
}

// Expect waits until the program has written text.
func (p *Process) Expect(text string) {
	p.t.Helper()
	p.ExpectWithin(text, waitLimit)
}

// ExpectWithin is Expect for a program that may take longer, or must not, as a Stopwatch
// measures that.
func (p *Process) ExpectWithin(text string, limit time.Duration) {
	p.t.Helper()
	w := NewStopwatch()
	defer w.Stop()
	for ; !strings.Contains(p.Output(), text); time.Sleep(pollPeriod) {
		if !p.Running() || w.Read() > limit {
			p.t.Fatalf("%s did not write %q:\n%s", p.name, text, p.Output())
		}
	}
}
