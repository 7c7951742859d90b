package app

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sinew/pkg/ros/record"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/hil/report"
	"sinew/pkg/sim/spatial"
)

// compareCmd is the verb compare: simulation against hardware.
type compareCmd struct {
	Sim      string `arg:"" help:"Recording of the simulation, or of both: .mcap, .bag or .csv."`
	Hardware string `arg:"" optional:"" name:"hw" help:"Recording of the hardware."`

	SimTopic string `help:"Poses of the simulation; without it the topic …/measured_cp. /tf:FRAME is a transform." placeholder:"TOPIC"`
	HwTopic  string `help:"Poses of the hardware; without it …/hardware/measured_cp or /hw/…/measured_cp." placeholder:"TOPIC"`

	Align         string      `help:"Frame of the hardware: none, origin (equal first positions) or se3 (best rigid motion)." enum:"none,origin,se3" default:"none"`
	AlignRotation string      `help:"Mean rotation to take out of measured rotations: none, left (world) or right (tip)." enum:"none,left,right" default:"none"`
	Latency       latencyFlag `help:"Latency of the hardware to remove: auto estimates it, none leaves it in, or s." default:"auto" placeholder:"auto|none|S"`
	MaxGap        seconds     `help:"Longest time between simulated samples to interpolate." default:"50ms" placeholder:"D"`
	StartTogether bool        `help:"Let both recordings begin at t = 0, for clocks that have nothing in common."`

	Config  []string `help:"Robot file, for length and frame of the hardware; several are laid over one another. Without it that of the recording, or the built-in robot." placeholder:"FILE" sep:"none"`
	LengthM float64  `help:"Length of the robot, m, instead of that of the robot file." placeholder:"M"`

	Out            string  `help:"Directory for report.html, metrics.json, samples.csv, sim.tum and hw.tum; - writes none." default:"comparison" placeholder:"DIR"`
	MaxRmsePercent float64 `help:"Exit with 3 if the RMSE is larger, in percent of the robot's length." placeholder:"X"`
	MaxRmseMm      float64 `help:"Exit with 3 if the RMSE is larger, in mm." placeholder:"X"`
}

// robotName is the name under which a recording has the robot file.
const robotName = "robot.yaml"

// latencyFlag is auto, none or a number of seconds of either sign.
type latencyFlag struct {
	mode hil.LatencyMode
	s    float64
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *latencyFlag) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case "auto":
		*l = latencyFlag{mode: hil.LatencyAuto}
	case "none":
		*l = latencyFlag{mode: hil.LatencyNone}
	default:
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "s"), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%q is neither auto nor none nor a number of seconds", s)
		}
		*l = latencyFlag{hil.LatencyFixed, v}
	}
	return nil
}

// Run compares, writes the files and prints a summary.
func (c *compareCmd) Run(e *env) error {
	if c.LengthM < 0 || c.MaxRmsePercent < 0 || c.MaxRmseMm < 0 {
		return usagef("--length-m, --max-rmse-percent and --max-rmse-mm must not be negative")
	}
	sim, hw, err := c.read()
	if err != nil {
		return usage(err)
	}
	robot, err := c.robot(e)
	if err != nil {
		return err
	}
	if robot.moved && (hw.frame == "" || hw.frame == robot.frame) { // as the live comparison takes it
		hw.place(robot.place)
	}
	a, b, err := recordings(sim, hw, c.StartTogether)
	if err != nil {
		return usage(err)
	}
	result, err := hil.Compare(a, b, hil.Options{
		Align: hil.Alignment(c.Align), AlignRotation: hil.RotationAlignment(c.AlignRotation),
		Latency: c.Latency.mode, LatencyS: c.Latency.s,
		MaxGapS: float64(c.MaxGap), LengthM: robot.lengthM, ReachM: robot.reachM,
	})
	if err != nil {
		return usage(fmt.Errorf("%s: %w", c.files(), err))
	}
	result.Warnings = append(result.Warnings, c.notes(sim, hw, robot)...)
	document := &report.Document{
		Title:      "Simulation against hardware",
		Simulation: sim.name, Hardware: hw.name, Robot: robot.text, Program: e.robot.Name + " " + version,
		Continuum:  e.robot.Shape != nil,
		MaxPercent: c.MaxRmsePercent, MaxMM: c.MaxRmseMm,
		Comparison: result,
	}
	if c.Out != "-" {
		if err := writeReport(c.Out, document); err != nil {
			return err
		}
	}
	c.summarize(e, document)
	if !document.Passed() {
		return &codedError{exitThreshold, errors.New("the RMSE exceeds the limit")}
	}
	return nil
}

// files names what is compared.
func (c *compareCmd) files() string {
	if c.Hardware == "" {
		return c.Sim
	}
	return c.Sim + ", " + c.Hardware
}

// read reads both motions.
func (c *compareCmd) read() (sim, hw *track, err error) {
	file := c.Hardware
	if alone := file != ""; !alone {
		if strings.EqualFold(filepath.Ext(c.Sim), ".csv") {
			return nil, nil, fmt.Errorf("%s: a .csv holds one motion; name that of the hardware after it", c.Sim)
		}
		file = c.Sim
	}
	if sim, err = readTrack(source{c.Sim, c.SimTopic, simulated, c.Hardware != ""}); err != nil {
		return nil, nil, err
	}
	hw, err = readTrack(source{file, c.HwTopic, measured, c.Hardware != ""})
	return sim, hw, err
}

// comparedRobot is what a comparison must know of the robot.
type comparedRobot struct {
	text    string // for people
	lengthM float64
	reachM  float64 // 0: unknown
	frame   string  // of the hardware
	place   spatial.Pose
	moved   bool // place is not the world's own
}

// robot reads the robot file.
func (c *compareCmd) robot(e *env) (comparedRobot, error) {
	f, of, err := c.robotFile(e)
	if err != nil {
		return comparedRobot{}, err
	}
	made, err := makeRobot(f)
	if err != nil {
		return comparedRobot{}, err
	}
	r := comparedRobot{lengthM: made.LengthM, frame: made.Hardware.Frame, place: spatial.Pose{R: made.Hardware.Orientation.Rot(), P: made.Hardware.Position}}
	r.moved = r.place != spatial.IdentityPose()
	if c.LengthM > 0 {
		r.lengthM, of = c.LengthM, "as given"
	}
	if e.robot.Shape != nil { // clamped at its base
		r.reachM = 2 * r.lengthM
	}
	r.text = fmt.Sprintf("length %.6g mm, %s", 1e3*r.lengthM, of)
	return r, nil
}

// robotFile finds the robot file and says in a few words which it is.
func (c *compareCmd) robotFile(e *env) (File, string, error) {
	if len(c.Config) == 0 {
		for _, file := range []string{c.Sim, c.Hardware} {
			if !strings.EqualFold(filepath.Ext(file), ".mcap") {
				continue
			}
			data, err := record.Attachment(file, robotName)
			if err != nil {
				return nil, "", usage(err)
			}
			if data != nil {
				f := e.robot.File()
				f.Merge(robotName+" of "+file, data)
				return f, "of the recording", nil
			}
		}
	}
	f, err := e.draft(c.Config, nil)
	if len(c.Config) == 0 {
		return f, "of the built-in robot", err
	}
	return f, "of " + strings.Join(c.Config, " and "), err
}

// notes are warnings about the files.
func (c *compareCmd) notes(sim, hw *track, robot comparedRobot) []string {
	var notes []string
	for _, m := range []*track{sim, hw} {
		if m.warning != "" {
			notes = append(notes, m.warning+".")
		}
		if m.repeated > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d samples with the stamp of the one before were left out.", m.name, m.repeated))
		}
	}
	if hw.frame != "" && hw.frame != "world" && hw.frame != robot.frame && c.Align == string(hil.AlignNone) {
		notes = append(notes, fmt.Sprintf("The hardware was measured in the frame %q, which was taken for the world; say where it is with hardware.frame_id in the robot file, or align.", hw.frame))
	}
	return notes
}

// writeReport writes all files of a comparison into a directory.
func writeReport(dir string, d *report.Document) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range []struct {
		name  string
		write func(*os.File) error
	}{
		{"report.html", func(w *os.File) error { return d.WriteHTML(w) }},
		{"metrics.json", func(w *os.File) error { return d.WriteMetrics(w) }},
		{"samples.csv", func(w *os.File) error { return d.WriteSamples(w) }},
		{"sim.tum", func(w *os.File) error { return d.WriteTUM(w, false) }},
		{"hw.tum", func(w *os.File) error { return d.WriteTUM(w, true) }},
	} {
		w, err := os.Create(filepath.Join(dir, f.name))
		if err != nil {
			return err
		}
		err = f.write(w)
		if e := w.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// summarize prints the result in a few lines.
func (c *compareCmd) summarize(e *env, d *report.Document) {
	r := d.Comparison.Removed
	line := func(name, format string, args ...any) {
		fmt.Fprintf(e.stdout, "%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("samples", "%d of the hardware compared; %s", len(r.Pairs), d.Robot)
	if l := d.Comparison.Latency; l != nil {
		line("latency", "%.1f ms, 95 %% interval %.1f to %.1f ms, correlation %.4f", 1e3*l.Seconds, 1e3*l.Low, 1e3*l.High, l.Correlation)
	}
	line("frame", "%s", d.Aligned())
	unit := report.LengthUnit(d.Comparison)
	position := func(v float64) string {
		if p := r.Percent(v); !math.IsNaN(p) {
			return fmt.Sprintf("%.3f %s (%.3f %%)", unit.PerMetre*v, unit.Name, p)
		}
		return fmt.Sprintf("%.3f %s", unit.PerMetre*v, unit.Name)
	}
	if d.Comparison.Recorded != r {
		line("recorded", "RMSE %s with the latency in", position(d.Comparison.Recorded.Position.RMSE))
	}
	line("position", "RMSE %s, median %s, 95 %% below %s, max %s", position(r.Position.RMSE), position(r.Position.Median), position(r.Position.P95), position(r.Position.Max))
	if r.Rotations {
		line("rotation", "RMSE %.3f deg, max %.3f deg", r.Angle.RMSE*180/math.Pi, r.Angle.Max*180/math.Pi)
	}
	for _, w := range d.Comparison.Warnings {
		line("warning", "%s", w)
	}
	if c.Out != "-" {
		line("report", "%s", filepath.Join(c.Out, "report.html"))
	}
}
