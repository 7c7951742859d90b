package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"sinew/pkg/sim/spatial"
)

// bench runs the program of a robot on its converted recordings, in a directory that has
// copies of all that the program reads.
type bench struct {
	robot     *robot
	root      string   // of the repository
	from      string   // folder of the recordings
	work      string   // directory in which the program runs
	temporary bool     // remove it
	files     []string // that are to be predicted
}

// newBench builds the program and converts the recordings. An empty work is a
// temporary directory.
func newBench(r *robot, root, from, work string) (*bench, error) {
	if _, err := os.Stat(from); err != nil {
		return nil, fmt.Errorf("the recordings of %s are missing: %w", r.name, err)
	}
	b := &bench{robot: r, root: root, from: from, work: work}
	var err error
	if work == "" {
		b.temporary = true
		b.work, err = os.MkdirTemp("", "hardware")
	} else {
		err = os.MkdirAll(work, 0o755)
	}
	if err != nil {
		return nil, err
	}
	if err := b.fill(); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) close() {
	if b.temporary {
		_ = os.RemoveAll(b.work)
	}
}

// folder is that of the robot in the repository.
func (b *bench) folder() string {
	return filepath.Join(b.root, "test", "bench", "hardware", b.robot.name)
}

// fill puts all into the working directory that the program needs, and the program.
func (b *bench) fill() (err error) {
	if err := os.CopyFS(b.work, clobbering{os.DirFS(b.folder()), b.work}); err != nil {
		return err
	}
	target, err := filepath.Abs(filepath.Join(b.work, b.robot.program))
	if err != nil {
		return err
	}
	build := exec.Command("go", "build", "-o", target, "./cmd/"+b.robot.program)
	build.Dir, build.Stderr = b.root, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build ./cmd/%s: %w", b.robot.program, err)
	}
	b.files, err = b.robot.convert(b.from, b.work)
	return err
}

// clobbering is a file system whose files replace those in a directory when they are
// copied there, which os.CopyFS does not do.
type clobbering struct {
	fs.FS
	target string
}

// Open implements fs.FS.
func (c clobbering) Open(name string) (fs.File, error) {
	if info, err := fs.Stat(c.FS, name); err == nil && info.Mode().IsRegular() {
		if err := os.Remove(filepath.Join(c.target, name)); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
	}
	return c.FS.Open(name)
}

// identify runs identify of the program, whose messages are shown.
func (b *bench) identify(args ...string) error { return b.identifyIn(".", args...) }

// identifyIn runs identify in a folder of the working directory.
func (b *bench) identifyIn(dir string, args ...string) error {
	program, err := filepath.Abs(filepath.Join(b.work, b.robot.program))
	if err != nil {
		return err
	}
	file, err := filepath.Rel(dir, "robot.yaml")
	if err != nil {
		return err
	}
	c := exec.Command(program, append([]string{"identify", "--force", "--config", file}, args...)...)
	var said bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = filepath.Join(b.work, dir), &said, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s identify: %w\n%s", b.robot.program, err, said.String())
	}
	_, err = os.Stderr.Write(said.Bytes())
	return err
}

// fit finds the numbers of the plan and keeps them in the repository.
func (b *bench) fit() error {
	if b.robot.fit != nil {
		return b.robot.fit(b)
	}
	if err := b.identify("--plan", "plan.yaml", "--starts", "1", "--out", "fitted.yaml"); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(b.work, "fitted.yaml"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.folder(), "fitted.yaml"), text, 0o644)
}

// alike are the files that are to be predicted, those together that set the same.
func (b *bench) alike() (groups [][]string) {
	for _, f := range b.files {
		k := slices.IndexFunc(groups, func(g []string) bool { return b.robot.sets[g[0]] == b.robot.sets[f] })
		if k < 0 {
			groups = append(groups, nil)
			k = len(groups) - 1
		}
		groups[k] = append(groups[k], f)
	}
	return groups
}

// predict predicts the files of the robot with what was found.
func (b *bench) predict() (*prediction, error) {
	if b.robot.predict != nil {
		return b.robot.predict(b)
	}
	p := &prediction{from: b.from}
	for _, files := range b.alike() {
		args := append([]string{"--config", "fitted.yaml", "--points", "points.csv"}, files...)
		if set := b.robot.sets[files[0]]; set != "" {
			args = append(args, set)
		}
		if err := b.identify(args...); err != nil {
			return nil, err
		}
		if err := p.read(filepath.Join(b.work, "points.csv"), false); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// leaveOut adds what each recording of the plan is predicted to be by a fit to the others. The
// search begins at what was found, which is near: the least squares at which it ends have not
// seen what is left out, if priors in the plan name their values.
func (b *bench) leaveOut(p *prediction) error {
	if b.robot.leaveOut != nil {
		return b.robot.leaveOut(b, p)
	}
	if err := b.identify("--config", "fitted.yaml", "--plan", "plan.yaml", "--starts", "1", "--leave-one-out", "--points", "left_out.csv"); err != nil {
		return err
	}
	return p.read(filepath.Join(b.work, "left_out.csv"), true)
}

// read adds the points of a file that identify wrote, or only those left out.
func (p *prediction) read(file string, leftOut bool) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	records, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, r := range records[1:] {
		one := point{file: r[0], t: math.NaN(), name: r[3], leftOut: r[4] == "left_out"}
		if one.leftOut != leftOut {
			continue
		}
		if one.row, err = strconv.Atoi(r[1]); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		one.row--
		if r[2] != "" {
			if one.t, err = strconv.ParseFloat(r[2], 64); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		var x [6]float64
		for k := range x {
			if x[k], err = strconv.ParseFloat(r[5+k], 64); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		one.measured, one.predicted = spatial.Vec{X: x[0], Y: x[1], Z: x[2]}, spatial.Vec{X: x[3], Y: x[4], Z: x[5]}
		p.points = append(p.points, one)
	}
	return nil
}
