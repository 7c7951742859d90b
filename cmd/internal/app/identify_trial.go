package app

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// trial is a series of commands and of poses measured under them.
type trial struct {
	name      string
	still     bool // every row is an equilibrium; else rows have times
	rotations bool // were measured too
	rows      []trialRow
	start     float64  // time of the first row in the file, s
	script    commands // of a motion, times as in rows
}

// trialRow is one row of a trial: what was commanded, and what was measured then.
type trialRow struct {
	t        float64 // s, 0 in the first row; unused where still
	commands portRow // of an equilibrium
	measured bool
	held     bool // only predicted
	pose     hardwarePoint
}

// hardwarePoint is a pose in the frame that the hardware is measured in.
type hardwarePoint struct {
	p spatial.Vec
	r spatial.Mat3
}

// columns says what the columns of a trial's file are.
type trialColumns struct {
	header  []string
	t       int // −1: none
	targets map[int]target
	pose    [7]int // x y z qx qy qz qw; −1: none
}

// readTrialCSV reads a CSV of commands and measured poses, such as sim writes: t,
// the columns of the robot's pose, and columns that command it. An empty cell is
// nothing commanded, or nothing measured.
func readTrialCSV(file string, robot *Robot, ports []sim.Port) (*trial, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cr := csv.NewReader(f)
	cr.Comment = '#'
	cr.TrimLeadingSpace = true
	header, err := cr.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: no header: %w", file, err)
	}
	c, err := findColumns(file, header, robot, ports)
	if err != nil {
		return nil, err
	}
	tr := &trial{name: file, still: c.t < 0, rotations: c.pose[3] >= 0}
	for {
		fields, err := cr.Read()
		if errors.Is(err, io.EOF) {
			return tr, tr.settle()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := cr.FieldPos(0)
		if err := tr.add(fmt.Sprintf("%s:%d", file, line), c, fields, ports); err != nil {
			return nil, err
		}
	}
}

// findColumns finds the meaning of every column. Those that sim writes besides are
// passed over.
func findColumns(file string, header []string, robot *Robot, ports []sim.Port) (*trialColumns, error) {
	c := &trialColumns{t: -1, targets: map[int]target{}, pose: [7]int{-1, -1, -1, -1, -1, -1, -1}}
	pose, others := poseColumns(robot, ports)
	names := commandColumns(ports)
	for i, h := range header {
		h = strings.TrimSpace(h)
		c.header = append(c.header, h)
		command, commands := names[h]
		switch k := slices.Index(pose, h); {
		case slices.Index(c.header, h) < i:
			return nil, fmt.Errorf("%s:1: two columns %q", file, h)
		case h == "t":
			c.t = i
		case k >= 0:
			c.pose[k] = i
		case commands:
			c.targets[i] = command
		case !slices.Contains(others, h):
			return nil, fmt.Errorf("%s:1: unknown column %q; there are t, %s and the commands %s", file, h, strings.Join(pose, ", "), strings.Join(sortedKeys(names), ", "))
		}
	}
	if err := c.checkActuators(file, ports); err != nil {
		return nil, err
	}
	return c, c.check(file, pose)
}

// checkActuators refuses two columns for one actuator.
func (c *trialColumns) checkActuators(file string, ports []sim.Port) error {
	seen := map[string]string{}
	for i, h := range c.header {
		t, ok := c.targets[i]
		if !ok {
			continue
		}
		actuator := fmt.Sprint(ports[t.port].Group, t.value)
		if other := seen[actuator]; other != "" {
			return fmt.Errorf("%s:1: columns %q and %q command the same actuator", file, other, h)
		}
		seen[actuator] = h
	}
	return nil
}

// check refuses columns that do not make a trial.
func (c *trialColumns) check(file string, pose []string) error {
	for k, name := range pose[:3] {
		if c.pose[k] < 0 {
			return fmt.Errorf("%s:1: no column %s; a trial needs the measured position %s", file, name, strings.Join(pose[:3], ", "))
		}
	}
	turned := 0
	for _, i := range c.pose[3:] {
		if i >= 0 {
			turned++
		}
	}
	if turned != 0 && turned != 4 {
		return fmt.Errorf("%s:1: %d of the four columns %s", file, turned, strings.Join(pose[3:], ", "))
	}
	return nil
}

// poseColumns are the seven columns of the pose of the port that the robot shows,
// and the other ones that sim writes.
func poseColumns(robot *Robot, ports []sim.Port) (pose, others []string) {
	for _, s := range robot.Samples(ports) {
		if s.Port == robot.Shown && len(s.Columns) >= 7 && pose == nil {
			pose, others = s.Columns[:7], append(others, s.Columns[7:]...)
		} else {
			others = append(others, s.Columns...)
		}
	}
	return pose, others
}

// add appends a row.
func (tr *trial) add(where string, c *trialColumns, fields []string, ports []sim.Port) error {
	value := func(i int) (v float64, given bool, err error) {
		text := strings.TrimSpace(fields[i])
		if text == "" {
			return 0, false, nil
		}
		v, err = strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, false, fmt.Errorf("%s: %s = %q is not a finite number", where, c.header[i], text)
		}
		return v, true, nil
	}
	var row trialRow
	if c.t >= 0 {
		t, given, err := value(c.t)
		switch n := len(tr.rows); {
		case err != nil:
			return err
		case !given:
			return fmt.Errorf("%s: no time", where)
		case n > 0 && t < tr.rows[n-1].t:
			return fmt.Errorf("%s: t = %g s goes back; the row before has %g s", where, t, tr.rows[n-1].t)
		}
		row.t = t
	}
	row.commands = portRow{}
	for i, t := range c.targets {
		v, given, err := value(i)
		if err != nil {
			return err
		}
		if !given {
			continue
		}
		if p := &ports[t.port]; p.Max != nil && v > p.Max[t.value] {
			return fmt.Errorf("%s: %s = %g %s is above the robot's limit of %g %s", where, c.header[i], v, p.Unit, p.Max[t.value], p.Unit)
		}
		if row.commands[t.port] == nil {
			row.commands[t.port] = slices.Repeat([]float64{sim.Keep}, ports[t.port].Width())
		}
		row.commands[t.port][t.value] = v
	}
	if err := row.measure(where, c, value); err != nil {
		return err
	}
	tr.rows = append(tr.rows, row)
	return nil
}

// measure reads the measured pose, all of it or nothing.
func (row *trialRow) measure(where string, c *trialColumns, value func(int) (float64, bool, error)) error {
	var v [7]float64
	count, want := 0, 0
	for k, i := range c.pose {
		if i < 0 {
			continue
		}
		want++
		x, given, err := value(i)
		if err != nil {
			return err
		}
		if given {
			v[k] = x
			count++
		}
	}
	if count != 0 && count != want {
		return fmt.Errorf("%s: %d of the %d numbers of the measured pose", where, count, want)
	}
	row.measured = count > 0
	row.pose.p = vec(v[:3])
	if row.measured && want == 7 {
		row.pose.r = rotation(v[3], v[4], v[5], v[6])
		if row.pose.r == (spatial.Mat3{}) {
			return fmt.Errorf("%s: the quaternion (%g, %g, %g, %g) is not of length 1", where, v[3], v[4], v[5], v[6])
		}
	}
	return nil
}

// checkPoses refuses a trial without measurements.
func (tr *trial) checkPoses() error {
	if !slices.ContainsFunc(tr.rows, func(r trialRow) bool { return r.measured }) {
		return fmt.Errorf("%s: nothing was measured", tr.name)
	}
	return nil
}

// checkLength refuses a motion that nobody would wait for, mostly because its time
// is in another unit.
func (tr *trial) checkLength(stepS float64) error {
	const most = 20_000_000 // steps
	last := tr.rows[len(tr.rows)-1].t
	if !tr.still && last/stepS > most {
		return fmt.Errorf("%s: t covers %g s, which are %.3g steps of %g s; is t in s?", tr.name, last, last/stepS, stepS)
	}
	return nil
}

// settle checks the rows of a CSV and lets time begin at 0.
func (tr *trial) settle() error {
	if err := tr.checkPoses(); err != nil {
		return err
	}
	for _, row := range tr.rows {
		tr.script.times = append(tr.script.times, row.t)
		tr.script.targets = append(tr.script.targets, row.commands)
	}
	tr.start = tr.rows[0].t
	for i := range tr.rows {
		tr.rows[i].t -= tr.start
		tr.script.times[i] -= tr.start
	}
	return nil
}

// command replaces what the trial's own columns command by a file of its own, with
// the same clock.
func (tr *trial) command(file string, ports []sim.Port) error {
	if tr.still {
		return fmt.Errorf("--commands %s: %s has no time", file, tr.name)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	script, err := readCommands(file, f, ports)
	if err != nil {
		return err
	}
	for i := range script.times {
		script.times[i] -= tr.start
	}
	tr.script = *script
	return nil
}

// hold keeps an evenly spread share of the measured rows out of the fit.
func (tr *trial) hold(share float64) {
	sum := 0.0
	for i := range tr.rows {
		if !tr.rows[i].measured {
			continue
		}
		if sum += share; sum >= 1-1e-9 {
			sum--
			tr.rows[i].held = true
		}
	}
}
