package main

import (
	"os"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

const (
	duration  = 12.0 // s
	commandHz = 50.0
	nodeEvery = 4 // one of so many nodes of the backbone is recorded
)

// state is what is recorded at one instant.
type state struct {
	t        float64 // s
	tip      spatial.Pose
	pull     []float64 // m
	tension  []float64 // N
	backbone []spatial.Pose
}

// simulate runs the robot of files, laid over one another, under the commands and
// returns its states at stamps, which ascend.
func simulate(stamps []float64, files ...string) ([]state, error) {
	var draft robotfile.Draft[robotfile.Continuum]
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		draft.Merge(f, data)
	}
	file, err := draft.Robot()
	if err != nil {
		return nil, err
	}
	m, err := continuum.New(file)
	if err != nil {
		return nil, err
	}
	ports := m.Ports()
	port := func(name string) int {
		return slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == name })
	}
	command, in := port("servo_jf"), sim.NewInputs(m)
	read := func(name string) []float64 {
		v := make([]float64, ports[port(name)].Width())
		m.Value(port(name), v)
		return v
	}
	var out []state
	dt := file.Solver.Step
	perCommand := int(1 / commandHz / dt)
	before := shot(0, read)
	for k := 0; len(out) < len(stamps); k++ {
		if k%perCommand == 0 {
			f := tensions(float64(k) * dt)
			in.Set(command, f[:])
		}
		in.Advance(dt)
		if err := m.Step(dt); err != nil {
			return nil, err
		}
		now := shot(float64(k+1)*dt, read)
		for len(out) < len(stamps) && stamps[len(out)] <= now.t+1e-9 {
			out = append(out, between(before, now, stamps[len(out)]))
		}
		before = now
	}
	return out, nil
}

// shot reads the ports of a model.
func shot(t float64, read func(string) []float64) state {
	joints := read("measured_js") // positions, velocities, efforts
	n := len(joints) / 3
	s := state{t: t, tip: pose(read("measured_cp")), pull: joints[:n], tension: joints[2*n:]}
	nodes := read("backbone")
	for i := 0; i < len(nodes); i += 7 * nodeEvery {
		s.backbone = append(s.backbone, pose(nodes[i:]))
	}
	return s
}

func pose(v []float64) spatial.Pose {
	q := spatial.Quat{X: v[3], Y: v[4], Z: v[5], W: v[6]}
	return spatial.Pose{R: q.Rot(), P: spatial.Vec{X: v[0], Y: v[1], Z: v[2]}}
}

// between interpolates the pose of the tip within a step. All other values are those
// at the end of the step.
func between(a, b state, t float64) state {
	u := (t - a.t) / (b.t - a.t)
	out := b
	out.t = t
	out.tip.P = a.tip.P.AddScaled(u, b.tip.P.Sub(a.tip.P))
	out.tip.R = a.tip.R.Mul(spatial.ExpRot(a.tip.R.TMul(b.tip.R).Log().Scale(u)))
	return out
}
