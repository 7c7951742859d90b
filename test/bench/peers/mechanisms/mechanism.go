package main

import (
	"embed"
	"math"

	"sinew/pkg/sim/robotfile"
	"sinew/test/bench/peers/contest"
)

//go:embed *.yaml
var files embed.FS

// mechanism is a robot file, and how it moves.
type mechanism struct {
	contest.Problem
	samples  int    // of the point, at equal times, the last at the end
	point    string // link, whose origin or end counts
	commands func(t float64) []float64

	module   string // of the other program
	peer     contest.Contestant
	ours     []contest.Setting
	ourLimit []contest.Setting
}

// motion is what the modules of other programs read.
type motion struct {
	Name     string      `json:"name"`
	Duration float64     `json:"duration"` // s
	Samples  int         `json:"samples"`
	Commands [][]float64 `json:"commands"` // from sample to sample: of all motors, m or rad
}

// parse reads the robot file.
func (m *mechanism) parse() (*robotfile.Mechanism, error) {
	name := m.Name + ".yaml"
	data, err := files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return robotfile.Parse[robotfile.Mechanism](name, data)
}

// motion returns the commands from sample to sample.
func (m *mechanism) motion() motion {
	x := motion{Name: m.Name, Duration: m.Duration, Samples: m.samples}
	for i := range m.samples {
		if m.commands != nil {
			x.Commands = append(x.Commands, m.commands(float64(i)*m.Duration/float64(m.samples)))
		}
	}
	return x
}

// contestants returns this program and the other one.
func (m *mechanism) contestants(python, scripts string) ([]*contest.Contestant, error) {
	f, err := m.parse()
	if err != nil {
		return nil, err
	}
	m.peer.Program = &contest.Script{Python: python, Directory: scripts, Module: m.module, Robot: m.motion()}
	ours := &contest.Contestant{Name: "sinew", Program: &sinew{mechanism: m, file: f}, Settings: m.ours, Reference: m.ourLimit}
	return []*contest.Contestant{ours, &m.peer}, nil
}

// parts returns the steps of which so many are between two samples.
func (m *mechanism) parts(numbers ...int) (steps []float64) {
	for _, k := range numbers {
		steps = append(steps, m.Duration/float64(m.samples)/float64(k))
	}
	return steps
}

// grasp closes the fingers in 0.3 s, lifts the palm from 0.5 s to 1.5 s, and holds.
func grasp(t float64) []float64 {
	smooth := func(x float64) float64 {
		x = math.Max(0, math.Min(1, x))
		return x * x * (3 - 2*x)
	}
	close, lift := 0.35*smooth(t/0.3), 0.1*smooth(t-0.5)
	return []float64{lift, close, 0, close, 0}
}
