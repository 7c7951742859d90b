package main

import (
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/robotfile"
	"sinew/test/bench/peers/contest"
)

// sinew is this program.
type sinew struct {
	mechanism *mechanism
	file      *robotfile.Mechanism
	runs      []*run
}

// run is a setting of this program.
type run struct {
	motion       motion
	step         float64
	model        *multibody.Model
	start        []float64
	point, motor int // ports
}

// Prepare implements contest.Program.
func (p *sinew) Prepare(s contest.Setting) (contest.Prepared, error) {
	f := *p.file
	f.Solver.Step = s.Step
	f.Rods = append([]robotfile.RodLink{}, f.Rods...)
	dof := 0
	for i := range f.Rods {
		f.Rods[i].Elements, f.Rods[i].Order = s.Elements, s.Order
		dof += 6 * (s.Elements*s.Order/2 + 1)
	}
	for _, b := range f.Bodies {
		if b.Motion == robotfile.FreeBody {
			dof += 6
		}
	}
	robot, err := multibody.NewRobot(&f, multibody.Files{})
	if err != nil {
		return contest.Prepared{}, err
	}
	m, err := robot.NewModel()
	if err != nil {
		return contest.Prepared{}, err
	}
	r := &run{motion: p.mechanism.motion(), step: s.Step, model: m, start: make([]float64, m.StateLen())}
	for i, port := range m.Ports() {
		switch {
		case port.Name == p.mechanism.point+"/measured_cp":
			r.point = i
		case port.Name == "servo_jp" && port.Direction == sim.In:
			r.motor = i
		}
	}
	m.Save(r.start)
	p.runs = append(p.runs, r)
	tips := make([][3]float64, r.motion.Samples)
	return contest.Prepared{DOF: dof, Tips: tips}, r.simulate(tips)
}

// Seconds implements contest.Program.
func (p *sinew) Seconds(i int) (float64, error) {
	r := p.runs[i]
	begin := contest.ProcessorTime()
	err := r.simulate(nil)
	return contest.ProcessorTime() - begin, err
}

// simulate runs from the start and stores the point at the samples, where there is room.
func (r *run) simulate(tips [][3]float64) error {
	if err := r.model.Restore(r.start); err != nil {
		return err
	}
	between := r.motion.Duration / float64(r.motion.Samples)
	steps := int(math.Round(between / r.step))
	dt := between / float64(steps)
	pose := make([]float64, 7)
	for i := range r.motion.Samples {
		if r.motion.Commands != nil {
			r.model.Command(r.motor, r.motion.Commands[i])
		}
		for range steps {
			if err := r.model.Step(dt); err != nil {
				return fmt.Errorf("sinew: %w", err)
			}
		}
		if tips != nil {
			r.model.Value(r.point, pose)
			tips[i] = [3]float64(pose[:3])
		}
	}
	return nil
}
