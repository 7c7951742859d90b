// Command tendonsim simulates a tendon-driven continuum robot in real time as a
// ROS node, and offline as fast as it can.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/progress"
	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/lint"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/trajectory"
)

func main() {
	os.Exit(app.Main(tendonsim(), os.Args[1:]))
}

// tendonsim is what the program simulates.
func tendonsim() program.Robot {
	return program.Robot{
		Name:    "tendonsim",
		Summary: "Real-time simulation of a tendon-driven continuum robot as a ROS node.",
		File:    program.RodOrMechanism(program.WatchedFiles(build), program.WatchedFiles(buildMechanism)),
		Builtin: robots.Of("tendonsim"),
		Shown:   "measured_cp",
		Shape:   &program.Shape{Path: "initial_state", Value: string(robotfile.Equilibrium), Without: string(robotfile.Straight), Port: "backbone"},
		Samples: samples,
	}
}

// build makes the robot of a robot file and shows the progress of what takes long on a bar.
func build(file *robotfile.Continuum, bar *progress.Bar) (*program.Instance, error) {
	coils, err := program.Calibration(file.Field.Coils)
	if err != nil {
		return nil, err
	}
	meshes, err := program.Meshes(&file.Environment, bar)
	if err != nil {
		return nil, err
	}
	files := continuum.Files{Coils: coils, Meshes: meshes}
	robot, err := continuum.NewRobotWith(file, files)
	if err != nil {
		return nil, err
	}
	model, err := robot.NewModel()
	if err != nil {
		return nil, placed(err, file, robot)
	}
	observed, err := observe(file, files, model)
	if err != nil {
		return nil, err
	}
	made := &program.Instance{
		Model:            observed,
		NewModel:         func() (sim.Model, error) { return newModel(file, files, robot) },
		DerivesFromStart: true,
		InEquilibrium:    file.InitialState == robotfile.Equilibrium,
		LengthM:          file.Rod.Length,
		ArcM:             robot.ArcLengths(),
		MarkM:            0.05 * file.Rod.Length,
		ShapeDistances:   robot.ShapeDistances(),
		MeshFindings:     robot.MeshFindings(),
		MeshNotes:        robot.MeshNotes(),
		Describe:         describe(file, robot),
		Markers:          file.Markers,
		Hardware:         file.Hardware,
		Timing:           program.TimingOf(file),
		Sketch: func(dst *sim.Scene, seen program.Observation) {
			robot.Sketch(dst, seen.Poses, seen.Nodes, seen.Centerline(), seen.Shapes)
		},
	}
	if rubs(file) {
		made.Equilibria = "walls are without friction in an equilibrium: friction_coefficient of environment acts in motions"
	}
	if file.Solver.Method == robotfile.Implicit {
		made.Refined = func(times int) (sim.Model, error) { return robot.Refined(times) }
	}
	return made, nil
}

// newModel makes a model of a robot, with its observer.
func newModel(file *robotfile.Continuum, files continuum.Files, robot *continuum.Robot) (sim.Model, error) {
	model, err := robot.NewModel()
	if err != nil {
		return nil, err
	}
	return observe(file, files, model)
}

// placed gives the error of a robot that has no initial state the key that it is about, and adds the flaws of
// the mesh that it is in, and its unit.
func placed(err error, file *robotfile.Continuum, robot *continuum.Robot) error {
	var wall *contact.InsideWallError
	switch {
	case errors.As(err, &wall): // also where it is why there is no equilibrium
		i := slices.IndexFunc(file.Environment.Shapes, func(s robotfile.EnvironmentShape) bool { return s.Name == wall.Wall })
		if curved(&file.Rod) && file.InitialState == robotfile.Straight {
			err = fmt.Errorf("%w, or give initial_state: equilibrium, in which walls straighten a precurved rod", err)
		}
		if i >= 0 {
			for _, m := range lint.Shapes(file, robot.ShapeDistances()) {
				if m.Key == fmt.Sprintf("environment.shapes[%d].mesh.file", i) {
					err = fmt.Errorf("%s %s; as it is, %w", m.Key, m.Problem, err)
				}
			}
			if flaws := robot.MeshFindings()[i]; flaws != "" {
				err = fmt.Errorf("%w; of the file of %s, %s", err, wall.Wall, flaws)
			}
		}
		return &program.KeyError{Key: fmt.Sprintf("environment.shapes[%d]", i), Err: err}
	case errors.Is(err, continuum.ErrNoEquilibrium):
		if rubs(file) {
			err = fmt.Errorf("%w; it would be one without the friction of walls", err)
		}
		return &program.SolverError{Err: err}
	}
	return err
}

// rubs reports whether a wall has friction.
func rubs(file *robotfile.Continuum) bool {
	return slices.ContainsFunc(file.Environment.Shapes, func(s robotfile.EnvironmentShape) bool { return s.Friction > 0 })
}

// curved reports whether the rod is precurved anywhere.
func curved(r *robotfile.Rod) bool {
	return slices.ContainsFunc(r.Segments(), func(s robotfile.Segment) bool { return s.Precurvature.Norm() > 0 })
}

// describe is the robot in one line.
func describe(f *robotfile.Continuum, r *continuum.Robot) string {
	return fmt.Sprintf("rod of %.6g mm, %d tendons, %d elements, method %s, step %.6g us",
		f.Rod.Length*1e3, len(f.Tendons), len(r.ArcLengths())-1, f.Solver.Method, f.Solver.Step*1e6) + describeObserver(f)
}

// samples are the tip's pose, the tension of each tendon at the base under the tendon's name,
// and the commanded angle of each joint, so that the file can be given back as commands.
func samples(ports []sim.Port) []program.Samples {
	if !slices.ContainsFunc(ports, func(p sim.Port) bool { return p.Name == "measured_cp" }) {
		return slices.Concat(mechanismSamples(ports), markerSamples(ports), program.SensorSamples(ports))
	}
	columns := []program.Samples{{
		Port:    "measured_cp",
		Columns: []string{"tip_x", "tip_y", "tip_z", "tip_qx", "tip_qy", "tip_qz", "tip_qw"},
	}}
	joints := trajectory.JointColumns(ports)
	for _, p := range ports {
		if p.Name == "measured_js" { // positions, velocities, efforts, in each of them joints last
			n := len(p.Labels)
			columns = append(columns, program.Samples{Port: p.Name, First: 2 * n, Columns: p.Labels[:n-len(joints)]})
		}
		if p.Name == "setpoint_js" && len(joints) > 0 {
			columns = append(columns, program.Samples{Port: p.Name, First: len(p.Labels) - len(joints), Columns: joints})
		}
	}
	columns = append(columns, markerSamples(ports)...)
	for _, p := range ports {
		switch p.Name {
		case "contacts":
			columns = append(columns, program.Samples{Port: p.Name, Columns: contactColumns})
		case "base_wrench":
			columns = append(columns, program.Samples{Port: p.Name, Columns: []string{"base_fx", "base_fy", "base_fz", "base_mx", "base_my", "base_mz"}})
		}
	}
	return slices.Concat(columns, program.SensorSamples(ports), estimateSamples(ports))
}

// markerSamples are the positions of markers.
func markerSamples(ports []sim.Port) (columns []program.Samples) {
	for _, p := range ports {
		if p.Name == "markers_measured" {
			for i, name := range p.Labels {
				m := robotfile.Marker{Name: name}
				columns = append(columns, program.Samples{Port: p.Name, First: 7 * i, Columns: m.Columns()})
			}
		}
	}
	return columns
}
