// Package view is the verb view: it shows recordings on a page in the browser. Other verbs use it
// to show their results.
package view

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/trajectoryfile"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// Cmd is the verb view.
type Cmd struct {
	Files    []string    `arg:"" name:"recording" help:"Show this recording (.mcap, .bag, .db3, folder) or CSV, or two over each other."`
	View     string      `help:"Serve at HOST:PORT or HOST." detail:"HOST alone takes the first free port from 8080. Addresses beyond loopback require the printed token." default:"127.0.0.1" placeholder:"HOST[:PORT]"`
	Config   []string    `help:"Read the robot file for drawing poses that lack a picture." detail:"Later files override earlier ones." placeholder:"FILE" sep:"none"`
	Offset   *float64    `help:"Delay the second recording by this time, s." detail:"The default aligns the log times or, if the recordings do not overlap, the beginnings." placeholder:"S"`
	Duration cli.Seconds `help:"Stop after this wall time." placeholder:"D"`
	cli.RobotNumber
}

// AfterApply makes robot files among the recordings those of Config. It is called by kong.
func (c *Cmd) AfterApply() error {
	cli.TakeRobotFiles(&c.Files, &c.Config)
	if len(c.Files) == 0 {
		return exitcode.Usagef("view: %s: no recording or CSV is given beside the robot file", strings.Join(c.Config, ", "))
	}
	return nil
}

// messageSource is a source of recorded messages: a file or a Memory.
type messageSource interface {
	Topics() []record.Topic
	Span() (first, last time.Duration, ok bool)
	At(t time.Duration, visit func(record.Message)) error
	Between(from, to time.Duration, visit func(record.Message)) error
	Next(after time.Duration) (at time.Duration, ok bool)
	Close() error
}

// maxOffset bounds the offset of a recording, s.
const maxOffset = 3.2e9

// Run serves until a signal or the end of the duration.
func (c *Cmd) Run(e *cli.Env) (err error) {
	if len(c.Files) > 2 {
		return exitcode.Usagef("%d recordings; allowed: one, or two over one another", len(c.Files))
	}
	if c.Offset != nil && len(c.Files) < 2 {
		return exitcode.Usagef("--offset %g: there is no second recording that it could move", *c.Offset)
	}
	if c.Offset != nil && !(math.Abs(*c.Offset) <= maxOffset) {
		return exitcode.Usagef("--offset %g s: allowed are %g to %g, a century", *c.Offset, -maxOffset, maxOffset)
	}
	if err := c.Check(e); err != nil {
		return err
	}
	recordings, err := c.open(e)
	defer func() {
		for _, r := range recordings {
			err = errors.Join(err, r.Close())
		}
	}()
	if err != nil {
		return err
	}
	if len(recordings) > 1 {
		fmt.Fprintln(e.Stdout, recordings[1].align(recordings[0], c.Offset))
	}
	return serve(e, recordings, Page{Address: c.View, Duration: c.Duration})
}

// open opens all files and finds the robot by which they are drawn. After an error the caller
// closes what it returns.
func (c *Cmd) open(e *cli.Env) (recordings []*recording, err error) {
	var motions []*trajectory.Trajectory
	counts := make([]int, len(c.Files))
	for i, file := range c.Files {
		r, m, err := openFile(e, file, c.Number())
		if err != nil {
			return recordings, err
		}
		r.overlay = i > 0
		recordings = append(recordings, r)
		if m != nil {
			motions, counts[i] = append(motions, m), m.Robots
		}
	}
	if err := c.ReportRobot(e, c.Files, counts); err != nil {
		return recordings, err
	}
	for _, m := range motions {
		warnNotShown(e, m)
	}
	made, name, err := c.robot(e, recordings, motions)
	for _, r := range recordings {
		if made != nil {
			r.useSketch(made, name)
		}
	}
	return recordings, err
}

// openFile opens a recording or a CSV.
func openFile(e *cli.Env, file string, number int) (*recording, *trajectory.Trajectory, error) {
	if trajectoryfile.IsCSV(file) {
		r, m, err := openMotion(e, file, number)
		if err != nil {
			return nil, nil, exitcode.Usage(err)
		}
		return r, m, r.describe(e)
	}
	r, err := openRecording(e, file)
	return r, nil, err
}

// openRecording opens a recording.
func openRecording(e *cli.Env, file string) (*recording, error) {
	if !record.IsRecording(file) {
		return nil, exitcode.Usagef("%s: no recording; allowed: .mcap, .bag, .csv, .db3, folders of rosbag2, and tables of numbers", file)
	}
	bar := e.Progress("reading "+file, -1, "")
	x, err := record.OpenIndex(file)
	bar.End()
	if x == nil {
		return nil, exitcode.Usage(err)
	}
	if err != nil && len(x.Topics()) == 0 {
		return nil, exitcode.Usage(errors.Join(err, x.Close()))
	}
	r := &recording{messageSource: x, file: file}
	if err = e.WarnIncomplete(err); err == nil {
		err = r.describe(e)
	}
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return r, nil
}

// robot is the robot of the robot files or, without any, that of the robot file in the first recording that has no
// picture of its robot, or else the built-in one where tendons of a CSV have the names of its own, with its name; otherwise nil.
func (c *Cmd) robot(e *cli.Env, recordings []*recording, motions []*trajectory.Trajectory) (made *program.Instance, name string, err error) {
	i := slices.IndexFunc(recordings, func(r *recording) bool { return !r.hasMarkers() && e.CarriesRobot(r.file) })
	switch {
	case len(c.Config) > 0:
		f, origin, err := e.DraftRecorded(c.Config, c.Files...)
		if err != nil {
			return nil, "", err
		}
		origin.Report(e)
		made, err = e.Make(f)
		return made, strings.Join(c.Config, " and "), err
	case i >= 0:
		f, origin, err := e.DraftRecorded(nil, recordings[i].file)
		if err == nil {
			made, err = e.Make(f)
		}
		if err != nil { // poses can be shown without it
			fmt.Fprintf(e.Stderr, "%s: warning: the robot file in %s is not used: %v\n", e.Robot.Name, recordings[i].file, err)
			return nil, "", nil
		}
		origin.Report(e)
		return made, "the robot " + origin.String(), nil
	}
	for _, m := range motions {
		if len(m.Actuation.Names) == 0 || len(e.Robot.Builtin) == 0 {
			continue
		}
		made, err = e.Open(nil, nil)
		if err != nil {
			return nil, "", err
		}
		for _, p := range made.Model.Ports() {
			if p.Kind == sim.JointState && p.Samples == 0 && slices.Equal(p.Labels, m.Actuation.Names) {
				return made, "the built-in " + e.Robot.Builtin[0].Name + ", whose tendons have these names", nil
			}
		}
	}
	return nil, "", nil
}

// listTopics names topics for an error.
func listTopics(topics []record.Topic) string {
	var names []string
	for _, t := range topics {
		names = append(names, t.Name+" ("+t.TypeName+")")
	}
	return listNames(names)
}

// listNames lists the first few names and the number of the others.
func listNames(names []string) string {
	const most = 10
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "...")
	}
	return strings.Join(names, ", ")
}
