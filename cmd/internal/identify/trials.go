package identify

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/offline"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/trajectoryfile"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/hil/identify"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/trajectory"
)

// trialReader reads the trials of a plan for a robot.
type trialReader struct {
	env     *cli.Env
	cmd     *Cmd
	made    *program.Instance
	shown   string // Out port with the pose that is measured
	plan    *plan
	trials  []*identify.Trial   // whole, by the names of their files
	headers map[string][]string // names of the columns of CSVs, by the names of their files
}

// readAll reads every file of the plan once.
func (r *trialReader) readAll() error {
	for _, from := range r.plan.sources() {
		if err := r.read(from); err != nil {
			return r.placed(from.file, err)
		}
	}
	if err := r.tellRobots(); err != nil {
		return err
	}
	return r.readCommands()
}

// placed adds where a plan names a file to the error of it.
func (r *trialReader) placed(name string, err error) error {
	place := ""
	r.plan.each(func(d *planData) {
		if d.file == name && place == "" {
			place = d.place
		}
	})
	if place == "" {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}

// stage gathers the trials of a stage.
func (r *trialReader) stage(s *planStage, numbers []robotfile.Number) (*stage, error) {
	st := &stage{planStage: *s}
	m := modelOf(r.made, r.shown)
	add := func(d *planData, held bool) error {
		i := slices.IndexFunc(r.trials, func(tr *identify.Trial) bool { return tr.Name == d.file && tr.Topic == d.topic })
		rows := d.rows
		if held {
			rows.Weight = 0
		}
		tr, err := r.trials[i].Select(rows)
		if err != nil {
			return err
		}
		if d.static && record.IsRecording(d.file) {
			return fmt.Errorf("static: %s is a recording of motion", d.file)
		}
		tr.Static = tr.Static || d.static
		if d.noise > 0 {
			tr.PoseNoise = d.noise
		}
		if tr.Sets, err = d.settings(numbers); err != nil {
			return err
		}
		if held || len(s.free) == 0 {
			tr.Hold(1)
		} else if r.plan.share > 0 {
			tr.Hold(r.plan.share)
		}
		st.trials = append(st.trials, tr)
		return tr.Check(m)
	}
	for i := range s.data {
		if err := add(&s.data[i], false); err != nil {
			return nil, r.placed(s.data[i].file, err)
		}
	}
	for i := range r.plan.held {
		if err := add(&r.plan.held[i], true); err != nil {
			return nil, r.placed(r.plan.held[i].file, err)
		}
	}
	if identify.Balance(st.trials) {
		for _, tr := range st.trials {
			if tr.PoseNoise == 0 && tr.Fitted() > 0 {
				fmt.Fprintf(r.env.Stderr, "%s: warning: the noise of %s is not known: it counts as much as that of the least noisy sensor; noise_m of the plan's data states it\n", r.env.Robot.Name, strings.TrimSpace(tr.Name+" "+cmp.Or(tr.Topic, r.cmd.HwTopic)))
			}
		}
	}
	return st, nil
}

// findBegins finds where the motions of a stage begin.
func (s *stage) findBegins(base identify.File) error {
	for _, tr := range s.trials {
		note, err := tr.FindBegin(base)
		if err != nil {
			return fmt.Errorf("%s: %w", tr.Name, err)
		}
		if note != "" {
			s.notes = append(s.notes, note)
		}
	}
	return nil
}

// settings finds what a recording sets in the robot file.
func (d *planData) settings(numbers []robotfile.Number) (list []identify.Setting, err error) {
	for _, s := range d.sets {
		found, err := identify.Find(numbers, s.name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", s.place, err)
		case len(found) == 0:
			return nil, fmt.Errorf("%s: no such number in the robot file; %s", s.place, identify.Nearest(numbers, s.name))
		}
		for i := range found {
			if m := &found[i]; s.value < m.Min || s.value > m.Max {
				return nil, fmt.Errorf("%s: %g %s; allowed: from %g to %g", s.place, s.value, m.Unit, m.Min, m.Max)
			}
			list = append(list, identify.Setting{Path: found[i].Path, Value: s.value})
		}
	}
	return list, nil
}

// refuseSet refuses free numbers that a fitted recording sets.
func (r *trialReader) refuseSet(s *stage, free []identify.Free) error {
	for i := range free {
		for _, path := range free[i].Paths() {
			for k, tr := range s.trials[:len(s.data)] {
				if slices.ContainsFunc(tr.Sets, func(set identify.Setting) bool { return set.Path == path }) {
					return fmt.Errorf("%s: %s is free, but %s sets it", cmp.Or(s.place, "--free"), path, s.data[k].place)
				}
			}
		}
	}
	return nil
}

// refuseSeen refuses rows that are only predicted and that a stage fits: their error would not
// be that of a motion which the fit has not seen.
func (r *trialReader) refuseSeen(stages []*stage) error {
	for i := range r.plan.held {
		d := &r.plan.held[i]
		for _, s := range stages {
			held := s.trials[len(s.data)+i]
			for k := range s.data {
				if s.data[k].file != d.file || s.data[k].topic != d.topic {
					continue
				}
				if row := held.Shared(s.trials[k]); row >= 0 {
					return fmt.Errorf("%s: %s is to be predicted only, but row %d of it is fitted", cmp.Or(d.place, "--hold-out"), d.file, row)
				}
			}
		}
	}
	return nil
}

// refuseCommanded refuses free numbers that the commands of every trial replace.
func (r *trialReader) refuseCommanded(s *stage, free []identify.Free, numbers []robotfile.Number) error {
	ports := r.made.Model.Ports()
	for i := range free {
		for _, path := range free[i].Paths() {
			if column := identify.CommandedBy(path, numbers, ports, s.trials); column != "" {
				return fmt.Errorf("%s: %s is free, but every trial commands %s from its beginning, so that it has no effect", cmp.Or(s.place, "--free"), path, column)
			}
		}
	}
	return nil
}

// tellRobots says which robot of the trials is read, and refuses one that the robot file
// does not predict.
func (r *trialReader) tellRobots() error {
	var files []string
	var counts []int
	for _, tr := range r.trials {
		files, counts = append(files, tr.Name), append(counts, tr.Robots)
	}
	if err := r.cmd.ReportRobot(r.env, files, counts); err != nil {
		return err
	}
	if s, ok := sim.As[sim.Swarm](r.made.Model); ok && s.Robots() > 0 && r.cmd.Number() != 0 {
		return fmt.Errorf("--robot %d: of the swarm of the robot file only robot 0 is predicted; identify with the file of one robot, which begins where that one does", r.cmd.Number())
	}
	return nil
}

// read reads a trial.
func (r *trialReader) read(from source) error {
	var tr *identify.Trial
	var err error
	file, topic := from.file, cmp.Or(from.topic, r.cmd.HwTopic)
	switch {
	case !record.IsRecording(file):
		tr, err = r.readCSV(file, topic)
	case r.cmd.Static:
		return fmt.Errorf("--static: %s is a recording of motion", file)
	default:
		tr, err = r.readRecording(file, topic)
	}
	if err != nil {
		return err
	}
	tr.Static = tr.Static || r.cmd.Static
	tr.Topic = from.topic
	tr.Port = shownFor(r.env, r.made, topic)
	if p := sensorOf(r.made, topic); p != nil && p.Noise != nil {
		tr.PoseNoise = p.Noise[0]
	}
	r.trials = append(r.trials, tr)
	return nil
}

// readCSV reads a trial from the columns that sim writes.
func (r *trialReader) readCSV(file, topic string) (*identify.Trial, error) {
	if p := sensorOf(r.made, "sensors/"+path.Base(strings.TrimSuffix(topic, ros.WithCovariance))); topic != "" && p != nil {
		return nil, fmt.Errorf("%s: %s is a sensor, whose measurements have times of their own, and rows of a CSV have those of the rows; give a recording, such as sim --out FILE.mcap writes", file, topic)
	}
	known := markers(r.made)
	l := layout(r.env.Robot, r.made, shownFor(r.env, r.made, topic))
	l.Markers = known.Names
	t, err := trajectoryfile.Read(trajectoryfile.Source{File: file, CSV: trajectory.Options{Robot: l, Numbered: r.env.Robot.RobotColumn, Number: r.cmd.Number(), Body: topic, Commanded: len(r.cmd.Commands) > 0, TimeUnit: float64(r.cmd.TimeUnit)}})
	if err != nil {
		return nil, err
	}
	r.headers[file] = t.Header
	r.leaveOutOccluded(t, file)
	return r.trial(t, known)
}

// leaveOutOccluded leaves out what was not seen in a motion, and reports it with what was assumed of the file. Rows that are
// equilibria are no motion.
func (r *trialReader) leaveOutOccluded(t *trajectory.Trajectory, file string) {
	if !r.cmd.KeepOccluded && !r.cmd.Static && !r.plan.isStatic(file) {
		t.LeaveOutOccluded()
	}
	for _, remark := range t.Remarks {
		fmt.Fprintf(r.env.Stderr, "%s: warning: %s\n", r.env.Robot.Name, remark)
	}
}

// trial makes a trial of a trajectory. Where only rotations were measured, 1 rad counts as much as the length of the robot.
func (r *trialReader) trial(t *trajectory.Trajectory, known identify.Markers) (*identify.Trial, error) {
	tr, err := identify.NewTrial(t, known)
	if err == nil && t.Tip.Unplaced {
		tr.AngleM = r.made.LengthM
		fmt.Fprintf(r.env.Stderr, "%s: %s has rotations and no positions: rotations are fitted\n", r.env.Robot.Name, t.File)
	}
	return tr, err
}

// layout finds the seven columns of the pose of the port that the robot shows, and
// the other ones that sim writes.
func layout(robot *program.Robot, made *program.Instance, shown string) *trajectory.Layout {
	l := &trajectory.Layout{Ports: made.Model.Ports()}
	for _, s := range robot.Samples(l.Ports) {
		if s.Port == shown && len(s.Columns) >= 7 && l.Pose == nil {
			l.Pose, l.Others = s.Columns[:7], append(l.Others, s.Columns[7:]...)
		} else {
			l.Others = append(l.Others, s.Columns...)
		}
	}
	return l
}

// markers are those of the robot file.
func markers(made *program.Instance) (m identify.Markers) {
	for i := range made.Markers {
		m.Names, m.Weights = append(m.Names, made.Markers[i].Name), append(m.Weights, made.Markers[i].Weight)
	}
	return m
}

// readRecording reads a trial from a recording: the poses of the hardware,
// and the commands.
func (r *trialReader) readRecording(file, topic string) (*identify.Trial, error) {
	bar := r.env.ReadingProgress(trajectoryfile.Passes, file)
	t, err := trajectoryfile.Read(trajectoryfile.Source{File: file, Topic: topic, Role: trajectoryfile.Measured, Alone: true, Progress: bar.Bytes})
	bar.End()
	if err != nil {
		return nil, err
	}
	if t.Warning != "" {
		fmt.Fprintf(r.env.Stderr, "%s: warning: %s: %s\n", r.env.Robot.Name, file, t.Warning)
	}
	fmt.Fprintf(r.env.Stderr, "%s: hardware is %s\n", r.env.Robot.Name, t.From())
	if want := r.made.Hardware.Frame; t.Frame != want && !t.Unframed {
		return nil, fmt.Errorf("%s: measured in frame %q, but hardware.frame_id is %q", t.Name, t.Frame, want)
	}
	var zero time.Duration
	t.Commands, zero, err = offline.RecordedCommands(r.env, file, r.cmd.Node, r.made)
	switch {
	case err != nil && len(r.cmd.Commands) > 0: // of the hardware alone
		t.Commands, zero = &trajectory.Commands{}, t.Start()
		fmt.Fprintf(r.env.Stderr, "%s: %v; time 0 of --commands is its first pose\n", r.env.Robot.Name, err)
	case err != nil:
		return nil, fmt.Errorf("%w; --commands takes them from a CSV, with time 0 at the first pose", err)
	}
	t.CountFrom(zero)
	r.leaveOutOccluded(t, file)
	return r.trial(t, markers(r.made))
}

// together brings commands onto the clock of a trial, where both are to begin at 0. It refuses clocks that cannot be one.
func (r *trialReader) together(tr *identify.Trial, commands *trajectory.Commands) error {
	switch {
	case r.cmd.StartTogether:
		zero := 0.0
		if len(commands.T) > 0 && trajectory.SinceEpoch(commands.T[0]) {
			zero = commands.T[0]
		}
		commands.Shift(zero - tr.Start())
	case len(commands.T) > 0 && trajectory.SinceEpoch(tr.Start()) != trajectory.SinceEpoch(commands.T[0]):
		return fmt.Errorf("%s and %s do not have the same clock: one has times since 1970, the other its own; --start-together lets both begin at 0", tr.Name, commands.File)
	}
	return nil
}

// readCommands gives files of commands to the trials that have times, in order.
func (r *trialReader) readCommands() error {
	files := r.cmd.Commands
	for _, tr := range r.trials {
		if tr.Static {
			continue
		}
		if len(files) == 0 {
			if err := r.warnOfSim(tr.Name); err != nil {
				return err
			}
			continue
		}
		commands, err := trajectoryfile.ReadCommands(files[0], r.made.Model.Ports())
		if err != nil {
			return err
		}
		if err := r.together(tr, commands); err != nil {
			return err
		}
		tr.SetCommands(commands)
		files = files[1:]
	}
	if len(files) > 0 {
		return fmt.Errorf("--commands %s: there is no such trial with t", files[0])
	}
	return nil
}
