// Command microrobot simulates a magnetically actuated microrobot in real time as a
// ROS node, and offline as fast as it can.
package main

import (
	"fmt"
	"os"
	"slices"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/progress"
	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

func main() {
	os.Exit(app.Main(program.Robot{
		Name:        "microrobot",
		Summary:     "Real-time simulation of a magnetically actuated microrobot as a ROS node.",
		File:        program.WatchedFiles(build),
		Builtin:     robots.Of("microrobot"),
		Shown:       "measured_cp",
		Samples:     samples,
		RobotColumn: "robot",
	}, os.Args[1:]))
}

// build makes the robot of a robot file and shows the progress of what takes long on a bar.
func build(file *robotfile.Microrobot, bar *progress.Bar) (*program.Instance, error) {
	coils, err := program.Calibration(file.Field.Coils)
	if err != nil {
		return nil, err
	}
	meshes, err := program.Meshes(&file.Environment, bar)
	if err != nil {
		return nil, err
	}
	robot, err := microrobot.NewRobotWith(file, microrobot.Files{Coils: coils, Meshes: meshes})
	if err != nil {
		return nil, err
	}
	made := &program.Instance{
		Model:          robot.NewModel(),
		NewModel:       func() (sim.Model, error) { return robot.NewModel(), nil },
		LengthM:        robot.Length(),
		MarkM:          robot.Length(),
		ShapeDistances: robot.ShapeDistances(),
		MeshFindings:   robot.MeshFindings(),
		MeshNotes:      robot.MeshNotes(),
		Describe:       robot.String(),
		Hardware:       file.Hardware,
		Timing:         program.TimingOf(file),
		Sketch:         func(dst *sim.Scene, seen program.Observation) { robot.Sketch(dst, seen.Poses, seen.Shapes) },
	}
	if file.Swarm != nil {
		made.Probe = func(dt float64) program.Probe { return probe(robot, file.Swarm.Count, dt) }
	}
	return made, nil
}

// probe is a part of a swarm that is small enough to be stepped in a fraction of a second,
// by one substep of a step of dt seconds.
func probe(robot *microrobot.Robot, count int, dt float64) program.Probe {
	const most = 1000
	part, times := robot.Part(most)
	model := part.NewModel()
	substeps := model.Substeps(dt)
	p := program.Probe{Model: model, StepS: dt / substeps, Times: times * substeps}
	if times > 1 {
		p.From = fmt.Sprintf("%d of %d robots", most, count)
	}
	return p
}

// samples are pose and velocity, the acceleration of a body with inertia, and what touches an environment.
func samples(ports []sim.Port) []program.Samples {
	columns := []program.Samples{
		{Port: "measured_cp", Columns: []string{"x", "y", "z", "qx", "qy", "qz", "qw"}},
		{Port: "measured_cv", Columns: []string{"vx", "vy", "vz", "wx", "wy", "wz"}},
	}
	has := func(name string) bool {
		return slices.ContainsFunc(ports, func(p sim.Port) bool { return p.Name == name })
	}
	const acceleration, contacts = "measured_ca", "contacts"
	if has(acceleration) {
		columns = append(columns, program.Samples{Port: acceleration, Columns: []string{"ax", "ay", "az", "alpha_x", "alpha_y", "alpha_z"}})
	}
	if has(contacts) && !has("poses") { // of a swarm columns are those of each robot
		columns = append(columns, program.Samples{Port: contacts, Columns: []string{"contact_count", "contact_force_max", "penetration_max"}})
	}
	if !has("poses") {
		columns = append(columns, program.SensorSamples(ports)...)
	}
	return columns
}
