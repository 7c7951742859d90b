// Package compare is the verb compare: simulation against hardware.
package compare

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/trajectoryfile"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/hil/report"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Cmd is the verb compare.
type Cmd struct {
	Sim      string `arg:"" help:"Read the simulation, or both motions, from a recording or a CSV." detail:"A recording is a .mcap, .bag or .db3 file or a folder of rosbag2."`
	Hardware string `arg:"" optional:"" name:"hw" help:"Read the hardware's motion from a recording or a CSV."`

	Robot []string `arg:"" optional:"" name:"robot" help:"Read the robot file, as by --config." sep:"none"`

	SimTopic string `help:"Read the simulated poses from this topic or /tf:FRAME." detail:"The default is the topic …/measured_cp." placeholder:"TOPIC"`
	HwTopic  string `help:"Read the hardware's poses from this topic or /tf:FRAME." detail:"The default is …/hardware/measured_cp or /hw/…/measured_cp. Of a CSV of motion capture it is the name of a body." placeholder:"TOPIC"`

	Align         string       `help:"Align frames: none, origin (equal first positions) or se3 (best rigid motion)." enum:"none,origin,se3" default:"none"`
	AlignRotation string       `help:"Remove the mean rotation of the hardware: none, left (world) or right (body)." enum:"none,left,right" default:"none"`
	Latency       latencyFlag  `help:"Remove the latency of the hardware: auto (estimate), none, or a time in s." default:"auto" placeholder:"auto|none|S"`
	MaxGap        cli.Seconds  `help:"Interpolate gaps of at most this time between simulated samples." default:"50ms" placeholder:"D"`
	StartTogether bool         `help:"Start both recordings at t = 0, for clocks that are not synchronised."`
	KeepOccluded  bool         `help:"Keep samples that look occluded, and repeated ones."`
	TimeUnit      cli.TimeUnit `help:"Read times of the hardware's CSV in this unit: s, ms, us, ns or S seconds." detail:"The default is the unit that the name of the column says, or s. Where frames are counted it is the time between two of them." placeholder:"UNIT"`

	output.Force
	cli.RobotNumber
	Config  []string `help:"Read the robot file for the length and the frame of the hardware." detail:"Later files override earlier ones. The default is the robot file in the recording, or the built-in robot." placeholder:"FILE" sep:"none"`
	LengthM float64  `help:"Set the length of the robot, m (default: from the robot file)." placeholder:"M"`

	Out  string `help:"Write the report and its data to this directory; - writes none." detail:"The files are report.html, metrics.json, samples.csv, sim.tum and hw.tum." default:"comparison" placeholder:"DIR"`
	Open bool   `help:"Show both motions and the error in the browser."`
	cli.ShowFlags

	MaxRmsePercent float64 `help:"Exit with 3 if the RMSE exceeds this percentage of the robot's length." placeholder:"X"`
	MaxRmseMm      float64 `help:"Exit with 3 if the RMSE exceeds this value, mm." placeholder:"X"`
}

// AfterApply makes robot files among the arguments those of Config. It is called by kong.
func (c *Cmd) AfterApply() error {
	if cli.IsRobotFile(c.Hardware) { // both motions are in one recording
		c.Hardware, c.Robot = "", slices.Concat([]string{c.Hardware}, c.Robot)
	}
	c.Config = slices.Concat(c.Robot, c.Config)
	return nil
}

// Run compares, writes the files and prints a summary.
func (c *Cmd) Run(e *cli.Env) error {
	if err := c.Check(e); err != nil {
		return err
	}
	if c.LengthM < 0 || c.MaxRmsePercent < 0 || c.MaxRmseMm < 0 {
		return exitcode.Usagef("--length-m, --max-rmse-percent and --max-rmse-mm must not be negative")
	}
	sim, hw, err := c.read(e)
	if err == nil {
		err = c.ReportRobot(e, []string{sim.File, hw.File}, []int{sim.Robots, hw.Robots})
	}
	if err != nil {
		return exitcode.Usage(err)
	}
	robot, err := c.robot(e)
	if err != nil {
		return err
	}
	if !c.KeepOccluded {
		hw.LeaveOutOccluded() // as the tracker wrote them: in other axes zeros are no zeros
	}
	recording := filepath.Base(hw.File)
	if place := robot.hardware.FramePoseOf(recording); place != spatial.IdentityPose() && (hw.Frame == "" || hw.Frame == robot.frame) { // as the live comparison takes it
		if err := hw.ToWorld(place, robot.hardware.Mirror()); err != nil {
			return exitcode.Usage(err)
		}
	}
	hw.Advance(robot.hardware.ExtraLatency(recording))
	c.followLink(sim, hw)
	followed, err := trajectory.FollowMarker(sim, hw)
	if err != nil {
		return exitcode.Usage(err)
	}
	start := sim.Start()
	if err := trajectory.Synchronize(sim, hw, c.StartTogether); err != nil {
		return exitcode.Usage(err)
	}
	if err := trajectory.CheckTimes(sim, hw); err != nil {
		return exitcode.Usage(err)
	}
	var motors [2][]string
	sim.Actuation, motors[0] = robot.withoutJoints(sim.Actuation)
	hw.Actuation, motors[1] = robot.withoutJoints(hw.Actuation)
	bar := e.Progress("comparing", -1, "")
	result, err := hil.Compare(sim, hw, hil.Options{
		Align: hil.Alignment(c.Align), AlignRotation: hil.RotationAlignment(c.AlignRotation),
		Latency: c.Latency.mode, LatencyS: c.Latency.s,
		MaxGapS: float64(c.MaxGap), LengthM: robot.lengthM, ReachM: robot.reachM,
	})
	bar.End()
	if errors.Is(err, hil.ErrNoOverlap) && !c.StartTogether {
		err = fmt.Errorf("%w, or --start-together lets both begin at 0", err)
	}
	if errors.Is(err, hil.ErrTooFew) && c.TimeUnit == 0 && hw.IsSluggish() {
		err = fmt.Errorf("%w; if times of the hardware are not in s, --time-unit says their unit", err)
	}
	if err != nil {
		return exitcode.Usage(fmt.Errorf("%s: %w", c.files(), err))
	}
	result.Warnings = append(result.Warnings, c.notes(sim, hw, robot)...)
	for _, text := range robot.differences {
		result.Warnings = append(result.Warnings, strings.ToUpper(text[:1])+text[1:]+".")
	}
	if names := slices.Concat(motors[:]...); names != nil {
		slices.Sort(names)
		result.Warnings = append(result.Warnings, fmt.Sprintf("Coordinates and efforts of joints are not compared: %s.", strings.Join(slices.Compact(names), ", ")))
	}
	if followed != "" {
		result.Warnings = append(result.Warnings, fmt.Sprintf("No pose of the tip is in both files: what is said of position and latency is that of marker %s.", followed))
	}
	if sim.Link != "" {
		result.Warnings = append(result.Warnings, linkNote(sim.Link, hw.Link))
	}
	document := &report.Document{
		Title:      "Simulation against hardware",
		Simulation: sim.Name, Hardware: hw.Name, Robot: robot.text, Program: e.Robot.Name + " " + cli.Version,
		Continuum:  e.Robot.Shape != nil,
		MaxPercent: c.MaxRmsePercent, MaxMM: c.MaxRmseMm,
		Comparison: result,
	}
	fmt.Fprintf(e.Stdout, "%-10s %s\n%-10s %s\n", "simulation", sim.From(), "hardware", hw.From())
	c.summarize(e, document)
	if c.Out != "-" { // after the summary, which is valid without it
		files := e.Outputs(c.Force, c.Config, nil)
		defer files.Discard()
		files.Reads("a recording that is compared", c.Sim, c.Hardware)
		if err := writeReport(files, c.Out, document); err != nil {
			return err
		}
		fmt.Fprintf(e.Stdout, "%-10s %s\n", "report", filepath.Join(c.Out, "report.html"))
	}
	if c.Open || c.View.Given {
		if err := c.show(e, sim, hw, start, result, robot); err != nil {
			return err
		}
	}
	if !document.Passed() {
		return exitcode.Exceeded(errors.New("the RMSE exceeds the limit"))
	}
	return nil
}

// followLink has the same link of a mechanism compared in both motions, if they have one in common, where no flag chooses it: that of
// the hardware, or else that of the simulation.
func (c *Cmd) followLink(sim, hw *trajectory.Trajectory) {
	if c.SimTopic == "" && sim.UseLink(hw.Link) || c.HwTopic != "" {
		return
	}
	hw.UseLink(sim.Link)
}

// linkNote says of which link of a mechanism position and latency are.
func linkNote(sim, hw string) string {
	if hw == sim {
		return fmt.Sprintf("What is said of position and latency is that of link %s; --sim-topic and --hw-topic choose another.", sim)
	}
	if hw == "" {
		hw = "what was measured, which has no name"
	}
	return fmt.Sprintf("Link %s of the simulation is compared with %s; --sim-topic chooses another.", sim, hw)
}

// files names what is compared.
func (c *Cmd) files() string {
	if c.Hardware == "" {
		return c.Sim
	}
	return c.Sim + ", " + c.Hardware
}

// read reads both motions.
func (c *Cmd) read(e *cli.Env) (sim, hw *trajectory.Trajectory, err error) {
	file, alone := c.Hardware, c.Hardware != ""
	if !alone {
		if trajectoryfile.IsCSV(c.Sim) {
			return nil, nil, fmt.Errorf("%s: a .csv holds one motion; name that of the hardware after it", c.Sim)
		}
		file = c.Sim
	}
	bar := e.ReadingProgress(trajectoryfile.Passes, c.Sim, file)
	defer bar.End()
	unit := map[trajectoryfile.Role]float64{trajectoryfile.Measured: float64(c.TimeUnit)}
	of := func(role trajectoryfile.Role, file, topic string) (*trajectory.Trajectory, error) {
		return trajectoryfile.Read(trajectoryfile.Source{
			File: file, Topic: topic, Role: role, Alone: alone, Simulations: alone, Progress: bar.Bytes,
			CSV: trajectory.Options{Numbered: e.Robot.RobotColumn, Number: c.Number(), Body: topic, TimeUnit: unit[role]},
		})
	}
	if sim, err = of(trajectoryfile.Simulated, c.Sim, c.SimTopic); err == nil {
		hw, err = of(trajectoryfile.Measured, file, c.HwTopic)
	}
	if err == nil && !alone && sim.Topic == hw.Topic && !strings.Contains(c.HwTopic, ":") {
		err = fmt.Errorf("%s: %s would be both the simulation and the hardware; choose two topics with --sim-topic and --hw-topic", file, sim.Topic)
	}
	return sim, hw, err
}

// notes are warnings about the files.
func (c *Cmd) notes(sim, hw *trajectory.Trajectory, robot comparedRobot) []string {
	var notes []string
	for _, m := range []*trajectory.Trajectory{sim, hw} {
		if m.Warning != "" {
			notes = append(notes, m.Warning+".")
		}
		notes = append(notes, m.Remarks...)
		if m.Repeated > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d samples with the stamp of the one before were left out.", m.Name, m.Repeated))
		}
	}
	for _, m := range []*trajectory.Trajectory{sim, hw} {
		if m.Angles != nil {
			notes = append(notes, fmt.Sprintf("%s: angles of motors are not compared: %s.", m.Name, strings.Join(m.Angles, ", ")))
		}
		if m.Dropped > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d rows in which ok is 0 were left out.", m.Name, m.Dropped))
		}
	}
	if hw.Frame != "" && hw.Frame != "world" && hw.Frame != robot.frame && c.Align == string(hil.AlignNone) {
		notes = append(notes, fmt.Sprintf("The hardware was measured in the frame %q, which was taken for the world; say where it is with hardware.frame_id in the robot file, or align.", hw.Frame))
	}
	return notes
}
