package main

import (
	"strings"

	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/observer"
	"sinew/pkg/sim/robotfile"
)

// observe puts the observer of a robot file, if it has one, beside a model of the robot.
func observe(file *robotfile.Continuum, files continuum.Files, model *continuum.Model) (sim.Model, error) {
	if file.Observer == nil {
		return model, nil
	}
	predicting, err := continuum.NewRobotWith(file.Predicting(), files)
	if err != nil {
		return nil, &program.KeyError{Key: "observer", Err: err}
	}
	o, err := observer.New(model, file, func() (sim.Estimable, error) { return predicting.NewModel() })
	if err != nil {
		return nil, &program.KeyError{Key: "observer", Err: err}
	}
	return o, nil
}

// describeObserver says what is estimated from what; empty without an observer.
func describeObserver(file *robotfile.Continuum) string {
	o := file.Observer
	if o == nil {
		return ""
	}
	var what []string
	if f := o.Force; f != nil {
		where := "at the tip"
		if f.Anywhere {
			where = "anywhere on the rod"
		}
		what = append(what, "a force "+where)
	}
	if o.Stiffness != nil {
		what = append(what, "the stiffness")
	}
	return ", observer of " + strings.Join(what, ", ") + " from " + strings.Join(o.Sensors, ", ")
}

// estimateSamples are the pose of the tip and the unknown numbers that an observer estimates.
func estimateSamples(ports []sim.Port) (columns []program.Samples) {
	for i := range ports {
		p := &ports[i]
		all := p.Components()
		switch p.Name {
		case "estimate/measured_cp":
			all = all[:sim.PoseWidth]
		case "estimate/parameters":
		default:
			continue
		}
		s := program.Samples{Port: p.Name}
		for _, c := range all {
			s.Columns = append(s.Columns, "estimate."+c.Name)
		}
		columns = append(columns, s)
	}
	return columns
}
