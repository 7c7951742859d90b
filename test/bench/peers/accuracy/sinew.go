package main

import (
	"fmt"
	"math"

	"sinew/pkg/sim/continuum"
	"sinew/test/bench/peers/contest"
)

// sinew is this program.
type sinew struct {
	robot *robot
	runs  []*sinewRun
}

type sinewRun struct {
	robot robot
	step  float64
	model *continuum.Model
	start []float64
	tip   int // port
}

// Prepare implements contest.Program.
func (p *sinew) Prepare(s contest.Setting) (contest.Prepared, error) {
	r := p.robot
	m, err := continuum.New(r.file(s.Elements, s.Order))
	if err != nil {
		return contest.Prepared{}, err
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
		return contest.Prepared{}, err
	}
	return contest.Prepared{DOF: 6 * (len(m.Robot().ArcLengths()) - 1), Tips: tips}, nil
}

// Seconds implements contest.Program.
func (p *sinew) Seconds(i int) (float64, error) {
	run := p.runs[i]
	begin := contest.ProcessorTime()
	err := run.simulate(nil)
	return contest.ProcessorTime() - begin, err
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
