package main

import (
	"fmt"
	"math"

	"sinew/pkg/sim/continuum"
)

// sinew is this program.
type sinew struct{ runs []*sinewRun }

type sinewRun struct {
	robot robot
	step  float64
	model *continuum.Model
	start []float64
	tip   int // port
}

// prepare implements program.
func (p *sinew) prepare(r *robot, s setting) (prepared, error) {
	m, err := continuum.New(r.file(s.Elements, s.Order))
	if err != nil {
		return prepared{}, err
	}
	run := &sinewRun{robot: *r, step: s.Step, model: m, start: make([]float64, m.StateLen())}
	for i, port := range m.Ports() {
		if port.Name == "measured_cp" {
			run.tip = i
		}
	}
	m.Save(run.start)
	p.runs = append(p.runs, run)
	tips := make([][3]float64, r.Samples)
	if err := run.simulate(tips); err != nil {
		return prepared{}, err
	}
	return prepared{DOF: 6 * (len(m.Robot().ArcLengths()) - 1), Tips: tips}, nil
}

// seconds implements program.
func (p *sinew) seconds(i int) (float64, error) {
	run := p.runs[i]
	begin := processorTime()
	err := run.simulate(nil)
	return processorTime() - begin, err
}

// simulate runs from the start and stores the tip at the samples, where there is room.
func (run *sinewRun) simulate(tips [][3]float64) error {
	run.model.Restore(run.start)
	between := run.robot.Duration / float64(run.robot.Samples)
	steps := int(math.Round(between / run.step))
	dt := between / float64(steps)
	pose := make([]float64, 7)
	for i := range run.robot.Samples {
		for range steps {
			if err := run.model.Step(dt); err != nil {
				return fmt.Errorf("sinew: %w", err)
			}
		}
		if tips != nil {
			run.model.Value(run.tip, pose)
			tips[i] = [3]float64(pose[:3])
		}
	}
	return nil
}
