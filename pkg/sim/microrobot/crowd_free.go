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

	dyn      *dynamics
	from, to []integrate.Placement
	dt       float64
	how      division
	steps    int         // taken
	failed   atomic.Bool // a robot's motion is no longer finite
}

var _ job = (*flock)(nil)

// hand is what one worker steps robots with: an integrate.ManyKinematics.
type hand struct {
	dyn   dynamics
	steps int // of the flock, when dyn was set
	many  *integrate.Many

	x      []integrate.Placement // the chunk in hand
	first  int                   // number of its first robot
	dt     float64
	how    division
	finite bool
}

var _ integrate.ManyKinematics = (*hand)(nil)

// chunk is how many robots are stepped stage by stage: few enough for the stages to
// stay in the cache next to the processor.
const chunk = 64

// chunks is how many chunks n robots are.
func chunks(n int) int { return (n + chunk - 1) / chunk }

func (r *Robot) newFlock(n int) *flock {
	load := r.stages()
	if !r.simple || r.kT > 0 {
		load *= generalLoad
	}
	f := &flock{}
	f.team = newTeam(f, chunks(n), chunk*load, n*load)
	f.hands = make([]hand, f.team.workers())
	for i := range f.hands {
		f.hands[i].many = integrate.NewMany(min(n, chunk))
		f.hands[i].x = make([]integrate.Placement, 0, min(n, chunk))
	}
	return f
}

// advance sets to to where the robots at from are after dt seconds, and reports
// whether all their motions are finite.
func (f *flock) advance(d *dynamics, from, to []integrate.Placement, dt float64, how division) bool {
	f.dyn, f.from, f.to, f.dt, f.how = d, from, to, dt, how
	f.steps++
	f.failed.Store(false)
	f.team.begin()
	f.team.do()
	f.team.end()
	return !f.failed.Load()
}

// load is that of job, as are the next two; a task is a chunk.
func (f *flock) load(worker, task int) {
	h := &f.hands[worker]
	if h.steps != f.steps {
		h.dyn.become(f.dyn)
		h.steps, h.dt, h.how = f.steps, f.dt, f.how
	}
	h.first = task * chunk
	h.x = append(h.x[:0], f.from[h.first:min(h.first+chunk, len(f.from))]...)
}

func (f *flock) work(worker, _ int) { f.hands[worker].advance() }

func (f *flock) store(worker, task int) {
	h := &f.hands[worker]
	copy(f.to[task*chunk:], h.x)
	if !h.finite {
		f.failed.Store(true)
	}
}

// advance moves the robots in hand: each to the last bit as dynamics.advance does.
func (h *hand) advance() {
	d, x := &h.dyn, h.x
	m := d.robot.method
	switch part := h.dt / h.how.Substeps; {
	case !d.free || h.how.Follow || !(m == rkmk4 || m == lieEuler):
		for i := range x {
			x[i] = d.advance(x[i], h.dt, h.how, uint64(h.first+i))
		}
	case m == lieEuler:
		for i := 0.0; i < h.how.Substeps; i++ {
			h.many.LieEuler(h, i*part, part, x)
		}
	default:
		for i := 0.0; i < h.how.Substeps; i++ {
			h.many.RKMK4(h, i*part, part, x)
		}
	}
	h.finite = finite(x)
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
