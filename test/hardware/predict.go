package main

import (
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// predict returns where the marker of the robot is in the rows at index (m, in the
// frame of the motion capture).
func predict(f *robotfile.Continuum, rows []row, index []int) ([]spatial.Vec, error) {
	m, err := continuum.New(f)
	if err != nil {
		return nil, err
	}
	pull, tip := port(m, "servo_jp"), port(m, "measured_cp")
	frame := f.Hardware.Orientation.Conj()
	commands, pose := make([]float64, tendonCount), make([]float64, 7)
	p := make([]spatial.Vec, len(index))
	for n, i := range index {
		servo := servoAt(rows, i, *f.Hardware.Latency)
		for k := range commands {
			commands[k] = *f.Tendons[k].Pull + servo[k]
		}
		m.Command(pull, commands)
		if err := m.Equilibrate(); err != nil {
			return nil, fmt.Errorf("row %d, %s: %w", i+1, rows[i].label, err)
		}
		m.Value(tip, pose)
		q := spatial.Quat{X: pose[3], Y: pose[4], Z: pose[5], W: pose[6]}
		end := spatial.Vec{X: pose[0], Y: pose[1], Z: pose[2]}
		p[n] = frame.Apply(end.AddScaled(markerBeyond, q.Apply(spatial.Vec{Z: 1})))
	}
	return p, nil
}

func port(m sim.Model, name string) int {
	for i, p := range m.Ports() {
		if p.Name == name {
			return i
		}
	}
	panic("no port " + name)
}

// errorsOf are predicted minus measured positions less their mean, m: where the
// origins of robot and motion capture are is not known.
func errorsOf(predicted []spatial.Vec, rows []row, index []int) []spatial.Vec {
	e := make([]spatial.Vec, len(index))
	var mean spatial.Vec
	for n, i := range index {
		e[n] = predicted[n].Sub(rows[i].tip)
		mean = mean.AddScaled(1/float64(len(index)), e[n])
	}
	for n := range e {
		e[n] = e[n].Sub(mean)
	}
	return e
}
