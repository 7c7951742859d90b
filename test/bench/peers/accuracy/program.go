package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// program is one that simulates robots.
type program interface {
	// prepare runs a setting of the robot once.
	prepare(*robot, setting) (prepared, error)
	// seconds runs prepared setting i again and returns the processor time that took.
	seconds(i int) (float64, error)
}

// setting is how a program simulates.
type setting struct {
	Elements int     `json:"elements"` // or links of a chain, or segments
	Order    int     `json:"order"`    // of elements, or of polynomials in a segment
	Solver   string  `json:"solver"`
	Step     float64 `json:"step"` // s; 0: by the tolerance

	Tolerance float64 `json:"tolerance"`
}

// prepared is what a run gives.
type prepared struct {
	DOF  int          `json:"dof"`
	Tips [][3]float64 `json:"tips"` // at the samples, m
}

// script is a program behind program.py, which runs until its standard input is closed.
type script struct {
	python, directory, module string
	in                        io.Writer
	out                       *bufio.Reader
}

func (p *script) start() error {
	cmd := exec.Command(p.python, filepath.Join(p.directory, "program.py"), p.module)
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
func (p *script) ask(request, answer any) error {
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
		return fmt.Errorf("%s ends: %w", p.module, err)
	}
	return json.Unmarshal(line, answer)
}

// prepare implements program.
func (p *script) prepare(r *robot, s setting) (x prepared, err error) {
	return x, p.ask(map[string]any{"robot": r, "setting": s}, &x)
}

// seconds implements program.
func (p *script) seconds(i int) (float64, error) {
	var x struct{ Seconds float64 }
	err := p.ask(map[string]any{"again": i}, &x)
	return x.Seconds, err
}

// processorTime returns the processor time that this process has used, s.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)*1e-6 }
	return seconds(u.Utime) + seconds(u.Stime)
}

// apart returns the root mean square of the distances of two motions, m.
func apart(a, b [][3]float64) float64 {
	sum := 0.0
	for i := range a {
		for k := range a[i] {
			d := a[i][k] - b[i][k]
			sum += d * d
		}
	}
	return math.Sqrt(sum / float64(len(a)))
}

// extrapolate returns the last of motions, or of three, of which the second has half the step
// of the first and the third twice its elements, that without either error: that of the step of
// order 1, that of the elements of order 2.
func extrapolate(tips [][][3]float64) [][3]float64 {
	last := tips[len(tips)-1]
	if len(tips) < 3 {
		return last
	}
	x := make([][3]float64, len(last))
	for i := range x {
		for k := range x[i] {
			coarse, halved, fine := tips[0][i][k], tips[1][i][k], tips[2][i][k]
			x[i][k] = fine + 2*(halved-coarse) + (fine-coarse)/3
		}
	}
	return x
}
