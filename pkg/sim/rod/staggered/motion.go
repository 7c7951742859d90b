package staggered

import "sinew/pkg/sim/spatial"

// motion has the variables that change from step to step.
type motion struct {
	pos   []spatial.Vec // nodes, world axes
	vel   []spatial.Vec
	dir   []Directors   // elements
	omega []spatial.Vec // body axes
}

func newMotion(elements int) motion {
	return motion{
		pos: make([]spatial.Vec, elements+1), vel: make([]spatial.Vec, elements+1),
		dir: make([]Directors, elements), omega: make([]spatial.Vec, elements),
	}
}

func (s *motion) copyFrom(a *motion) {
	copy(s.pos, a.pos)
	copy(s.vel, a.vel)
	copy(s.dir, a.dir)
	copy(s.omega, a.omega)
}

// pendingDrift is the time by which positions and directors lag behind; see Drift.
type pendingDrift struct {
	time  float64 // s
	count int     // number of drifts that make up time
}

// drift advances nodes and elements for h seconds.
func (s *motion) drift(h, offset float64) {
	pos, vel := s.pos, s.vel[:len(s.pos)]
	for k := range pos {
		p, v := &pos[k], &vel[k]
		p.X += h * v.X
		p.Y += h * v.Y
		p.Z += h * v.Z
	}
	dir, omega := s.dir, s.omega[:len(s.dir)]
	for e := range dir {
		dir[e].rotate(omega[e].Scale(h), offset)
	}
}
