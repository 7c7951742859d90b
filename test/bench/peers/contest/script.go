package contest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// Runner is program.py, from the root of the repository.
const Runner = "test/bench/peers/contest/program.py"

// Script is a program behind program.py, which runs until its standard input is closed.
type Script struct {
	Python    string
	Directory string // of the module
	Module    string
	Robot     any // as the module reads it from JSON

	in  io.Writer
	out *bufio.Reader
}

func (p *Script) start() error {
	cmd := exec.Command(p.Python, Runner, p.Module)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+p.Directory)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.in, p.out = in, bufio.NewReader(out)
	return cmd.Start()
}

// ask sends a request and reads the answer.
func (p *Script) ask(request, answer any) error {
	if p.in == nil {
		if err := p.start(); err != nil {
			return err
		}
	}
	if err := json.NewEncoder(p.in).Encode(request); err != nil {
		return err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s ends: %w", p.Module, err)
	}
	return json.Unmarshal(line, answer)
}

// Prepare implements Program.
func (p *Script) Prepare(s Setting) (x Prepared, err error) {
	return x, p.ask(map[string]any{"robot": p.Robot, "setting": s}, &x)
}

// Seconds implements Program.
func (p *Script) Seconds(i int) (float64, error) {
	var x struct{ Seconds float64 }
	err := p.ask(map[string]any{"again": i}, &x)
	return x.Seconds, err
}

// ProcessorTime returns the processor time that this process has used, s.
func ProcessorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)*1e-6 }
	return seconds(u.Utime) + seconds(u.Stime)
}
