package identify

import (
	"fmt"
	"os"
	"strconv"

	"sinew/cmd/internal/offline"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/series"
	"sinew/cmd/internal/verb"
	"sinew/pkg/sim"
	"sinew/pkg/sim/commands"
	"sinew/pkg/sim/hil/identify"
)

// trialReader reads the trials of the command line for a robot.
type trialReader struct {
	env    *verb.Env
	cmd    *Cmd
	made   *program.Made
	trials []*identify.Trial
}

// readAll reads the data and says which rows are held out.
func (r *trialReader) readAll() ([]*identify.Trial, error) {
	share := 0.0
	for _, file := range r.cmd.Data {
		if err := r.read(file); err != nil {
			return nil, err
		}
	}
	for _, what := range r.cmd.HoldOut {
		if v, err := strconv.ParseFloat(what, 64); err == nil {
			if share != 0 || !(v > 0 && v < 1) {
				return nil, fmt.Errorf("--hold-out %s: a share is between 0 and 1, and given once", what)
			}
			share = v
		} else if err := r.read(what); err != nil {
			return nil, err
		}
	}
	if err := r.tellRobots(); err != nil {
		return nil, err
	}
	if err := r.readCommands(); err != nil {
		return nil, err
	}
	m := modelOf(r.made, r.env.Robot.Shown)
	for i, tr := range r.trials {
		if i >= len(r.cmd.Data) || len(r.cmd.Free) == 0 {
			tr.Hold(1)
		} else if share > 0 {
			tr.Hold(share)
		}
		if err := tr.Check(m); err != nil {
			return nil, err
		}
	}
	return r.trials, nil
}

// tellRobots says which robot of the trials is read, and refuses one that the robot file
// does not predict.
func (r *trialReader) tellRobots() error {
	var files []string
	var counts []int
	for _, tr := range r.trials {
		files, counts = append(files, tr.Name), append(counts, tr.Robots)
	}
	if err := r.cmd.Tell(r.env, files, counts); err != nil {
		return err
	}
	if s, ok := r.made.Model.(sim.Swarm); ok && s.Robots() > 0 && r.cmd.Number() != 0 {
		return fmt.Errorf("--robot %d: of the swarm of the robot file only robot 0 is predicted; identify with the file of one robot, which begins where that one does", r.cmd.Number())
	}
	return nil
}

// read reads a trial from a file.
func (r *trialReader) read(file string) error {
	var tr *identify.Trial
	var err error
	switch {
	case !verb.IsRecording(file):
		tr, err = r.readCSV(file)
	case r.cmd.Static:
		return fmt.Errorf("--static: %s is a recording of motion", file)
	default:
		tr, err = r.readRecording(file)
	}
	if err != nil {
		return err
	}
	tr.Static = tr.Static || r.cmd.Static
	r.trials = append(r.trials, tr)
	return nil
}

// readCSV reads a trial from the columns that sim writes.
func (r *trialReader) readCSV(file string) (*identify.Trial, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return identify.ReadTrial(file, in, layout(r.env.Robot, r.made, r.cmd.Number()))
}

// layout finds the seven columns of the pose of the port that the robot shows, and
// the other ones that sim writes.
func layout(robot *program.Robot, made *program.Made, number int) *identify.Layout {
	l := &identify.Layout{Ports: made.Model.Ports(), Numbered: robot.Numbered, Robot: number}
	for _, s := range robot.Samples(l.Ports) {
		if s.Port == robot.Shown && len(s.Columns) >= 7 && l.Pose == nil {
			l.Pose, l.Others = s.Columns[:7], append(l.Others, s.Columns[7:]...)
		} else {
			l.Others = append(l.Others, s.Columns...)
		}
	}
	return l
}

// readRecording reads a trial from a .mcap or .bag file: the poses of the hardware,
// and the commands.
func (r *trialReader) readRecording(file string) (*identify.Trial, error) {
	bar := r.env.ReadingProgress(series.Passes, file)
	track, err := series.Read(series.Source{File: file, Topic: r.cmd.HwTopic, Role: series.Measured, Alone: true, Progress: bar.Bytes})
	bar.End()
	if err != nil {
		return nil, err
	}
	if track.Warning != "" {
		fmt.Fprintf(r.env.Stderr, "%s: warning: %s: %s\n", r.env.Robot.Name, file, track.Warning)
	}
	if want := r.made.Hardware.Frame; track.Frame != want {
		return nil, fmt.Errorf("%s: measured in frame %q, but hardware.frame_id is %q", track.Name, track.Frame, want)
	}
	commanded, epoch, err := offline.RecordedCommands(r.env, file, r.cmd.Node, r.made)
	if err != nil {
		return nil, err
	}
	return identify.NewTrial(file, &track.Recording(epoch).Tip, commanded)
}

// readCommands gives files of commands to the trials that have times, in order.
func (r *trialReader) readCommands() error {
	files := r.cmd.Commands
	for _, tr := range r.trials {
		if len(files) == 0 || tr.Static {
			continue
		}
		in, err := os.Open(files[0])
		if err != nil {
			return err
		}
		commanded, err := commands.Read(files[0], in, r.made.Model.Ports())
		in.Close()
		if err != nil {
			return err
		}
		tr.SetCommands(commanded)
		files = files[1:]
	}
	if len(files) > 0 {
		return fmt.Errorf("--commands %s: there is no such trial with t", files[0])
	}
	return nil
}
