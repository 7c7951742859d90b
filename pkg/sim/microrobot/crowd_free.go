package microrobot

import (
	"sync/atomic"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// flock steps a swarm whose robots take no notice of each other: by chunks, on all
// processors.
type flock struct {
	team  *team
	hands []hand

	from, to []integrate.Placement
	dt       float64
	how      division
	failed   atomic.Bool // a robot's motion is no longer finite
}

// hand is what one goroutine steps robots with: an integrate.ManyKinematics.
type hand struct {
	dyn  dynamics
	many *integrate.Many
}

var _ integrate.ManyKinematics = (*hand)(nil)

// chunk is how many robots are stepped stage by stage: few enough for the stages to
// stay in the cache next to the processor.
const chunk = 64

// chunks is how many chunks n robots are.
func chunks(n int) int { return (n + chunk - 1) / chunk }

func (r *Robot) newFlock(n int) *flock {
	f := &flock{}
	load := n * r.stages()
	if !r.simple || r.kT > 0 {
		load *= generalLoad
	}
	f.team = newTeam(load, f.step)
	f.hands = make([]hand, f.team.workers())
	for i := range f.hands {
		f.hands[i].many = integrate.NewMany(min(n, chunk))
	}
	return f
}

// advance sets to to where the robots at from are after dt seconds, and reports
// whether all their motions are finite.
func (f *flock) advance(d *dynamics, from, to []integrate.Placement, dt float64, how division) bool {
	for i := range f.hands {
		f.hands[i].dyn.become(d)
	}
	f.from, f.to, f.dt, f.how = from, to, dt, how
	f.failed.Store(false)
	f.team.begin()
	f.team.do(chunks(len(from)))
	f.team.end()
	return !f.failed.Load()
}

// step does the chunk of that number.
func (f *flock) step(worker, number int) {
	first := number * chunk
	x := f.to[first:min(first+chunk, len(f.to))]
	copy(x, f.from[first:])
	f.hands[worker].advance(x, f.dt, f.how, uint64(first))
	if !finite(x) {
		f.failed.Store(true)
	}
}

// advance moves the robots x, the first of which has the given number, by dt seconds:
// each to the last bit as dynamics.advance does.
func (h *hand) advance(x []integrate.Placement, dt float64, how division, number uint64) {
	d := &h.dyn
	m := d.robot.method
	if !d.free || how.Follow || !(m == rkmk4 || m == lieEuler) {
		for i := range x {
			x[i] = d.advance(x[i], dt, how, number+uint64(i))
		}
		return
	}
	part := dt / how.Substeps
	for i := 0.0; i < how.Substeps; i++ {
		if m == lieEuler {
			h.many.LieEuler(h, i*part, part, x)
		} else {
			h.many.RKMK4(h, i*part, part, x)
		}
	}
}

// Velocities is that of integrate.ManyKinematics, where dynamics.isFree.
func (h *hand) Velocities(t float64, x []integrate.Placement, v, w []spatial.Vec) {
	d := &h.dyn
	if t != d.now {
		d.drive(t)
	}
	v, w = v[:len(x)], w[:len(x)]
	for i := range x {
		v[i], w[i] = d.freely(x[i].Q, x[i].P)
	}
}
