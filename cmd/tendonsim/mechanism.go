package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sinew/cmd/internal/program"
	"sinew/cmd/internal/progress"
	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/robotfile"
)

// buildMechanism makes the robot of a robot file with rods, bodies and joints.
func buildMechanism(file *robotfile.Mechanism, bar *progress.Bar) (*program.Instance, error) {
	files, err := program.MechanismFiles(file, bar)
	if err != nil {
		return nil, err
	}
	robot, err := multibody.NewRobot(file, files)
	if err != nil {
		return nil, placedMechanism(err, file)
	}
	model, err := robot.NewModel()
	if err != nil {
		return nil, err
	}
	made := &program.Instance{
		Model:         model,
		NewModel:      func() (sim.Model, error) { return robot.NewModel() },
		Refined:       func(times int) (sim.Model, error) { return robot.Refined(times) },
		InEquilibrium: file.InitialState == robotfile.Equilibrium,
		LengthM:       robot.Size(),
		MarkM:         0.05 * robot.Size(),
		Hardware:      robotfile.Hardware{Frame: sim.World},
		Timing:        program.TimingOf(file),
		Describe:      fmt.Sprintf("mechanism of %s, step %.6g us", parts(file), file.Solver.Step*1e6),
	}
	links := model.Links() // rods first
	shown := links[len(links)-1]
	if n := len(file.Rods); n > 0 {
		shown = links[n-1]
	}
	made.Shown = robotfile.TopicOf(shown.Name) + "/measured_cp"
	return made, nil
}

// parts says how many links, joints and tendons a mechanism has; what it has none of is left out.
func parts(file *robotfile.Mechanism) string {
	var all []string
	for _, p := range []struct {
		n         int
		one, many string
	}{
		{len(file.Rods), "rod", "rods"}, {len(file.Bodies), "body", "bodies"}, {len(file.Joints), "joint", "joints"}, {len(file.Tendons), "tendon", "tendons"},
	} {
		switch {
		case p.n == 1:
			all = append(all, "1 "+p.one)
		case p.n > 1:
			all = append(all, fmt.Sprint(p.n, " ", p.many))
		}
	}
	return strings.Join(all, ", ")
}

// placedMechanism gives the error of a mechanism that has no initial state the key that it is about.
func placedMechanism(err error, file *robotfile.Mechanism) error {
	var position *mechanism.PositionError
	switch {
	case errors.As(err, &position):
		i := slices.IndexFunc(file.Joints, func(j robotfile.LinkJoint) bool { return j.Name == position.Joint })
		return &program.KeyError{Key: fmt.Sprintf("joints[%d].position", i), Err: err}
	case errors.Is(err, multibody.ErrOpen):
		return &program.KeyError{Key: "initial_state", Err: err}
	case errors.Is(err, multibody.ErrNoEquilibrium):
		return &program.SolverError{Err: err}
	}
	return &program.KeyError{Key: entryOf(err, file), Err: err}
}

// quotedName is a name of a link, joint, tendon or wall in a message.
var quotedName = regexp.MustCompile(`"([A-Za-z_][A-Za-z0-9_-]*)"`)

// entryOf returns the entry of the file that an error names first, names being unique in a file; joints where it names none.
func entryOf(err error, file *robotfile.Mechanism) string {
	keys := map[string]string{}
	add := func(list string, i int, name string) { keys[name] = fmt.Sprintf("%s[%d]", list, i) }
	for i := range file.Rods {
		add("rods", i, file.Rods[i].Name)
	}
	for i := range file.Bodies {
		add("bodies", i, file.Bodies[i].Name)
	}
	for i := range file.Joints {
		add("joints", i, file.Joints[i].Name)
	}
	for i := range file.Tendons {
		add("tendons", i, file.Tendons[i].Name)
	}
	for i := range file.Environment.Shapes {
		add("environment.shapes", i, file.Environment.Shapes[i].Name)
	}
	for _, found := range quotedName.FindAllStringSubmatch(err.Error(), -1) {
		if key := keys[found[1]]; key != "" {
			return key
		}
	}
	return "joints"
}

// poseColumns are those of a pose.
var poseColumns = []string{"x", "y", "z", "qx", "qy", "qz", "qw"}

// contactColumns are what contacts are in sum: their number, the largest normal force (N) and the largest penetration (m).
var contactColumns = []string{"contact_count", "contact_force_max", "penetration_max"}

// mechanismSamples are the poses of the ends of rods and of the origins of bodies, the coordinates of joints, the tensions of
// tendons under their names, and what contacts are in sum.
func mechanismSamples(ports []sim.Port) (columns []program.Samples) {
	has := func(name string) bool {
		return slices.ContainsFunc(ports, func(p sim.Port) bool { return p.Name == name })
	}
	for _, p := range ports {
		link, ok := strings.CutSuffix(p.Name, "/measured_cp")
		if !ok {
			continue
		}
		prefix := link + "."
		if has(link + "/backbone") {
			prefix += "tip_"
		}
		var names []string
		for _, c := range poseColumns {
			names = append(names, prefix+c)
		}
		columns = append(columns, program.Samples{Port: p.Name, Columns: names})
	}
	for _, p := range ports {
		if p.Name == "measured_js" {
			first := slices.IndexFunc(p.Labels, func(name string) bool {
				joint, _, _ := strings.Cut(name, ".")
				return has(robotfile.TopicOf(joint) + "/reaction")
			})
			if first < 0 {
				first = len(p.Labels)
			}
			columns = append(columns,
				program.Samples{Port: p.Name, First: first, Columns: p.Labels[first:]},
				program.Samples{Port: p.Name, First: 2 * len(p.Labels), Columns: p.Labels[:first]})
		}
	}
	if has("contacts") {
		columns = append(columns, program.Samples{Port: "contacts", Columns: contactColumns})
	}
	return columns
}
