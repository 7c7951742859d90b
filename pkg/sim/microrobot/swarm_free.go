package microrobot

import (
	"sync/atomic"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// freeSwarm is the engine of a swarm whose robots do not act on one another: each moves
// as it would alone, to the last bit. They are stepped by chunks, on all processors.
type freeSwarm struct {
	swarm
	workers  *workers
	job      func(worker, task int) // stepChunk
	steppers []chunkStepper         // of the workers

	dt       float64 // of the step
	how      division
	steps    int         // begun
	unstable atomic.Bool // a robot's motion is no longer finite
	slipped  atomic.Bool // a robot turned too fast to be followed
	lost     atomic.Bool // a robot moved along walls too fast to be followed
}

var _ engine = (*freeSwarm)(nil)

// chunk is how many robots are stepped stage by stage: few enough for the stages to
// stay in the cache next to the processor.
const chunk = 64

// newFreeSwarm returns the engine of the robot's swarm, on its lattice, in env.
func newFreeSwarm(r *Robot, env *externalLoads) *freeSwarm {
	s := &freeSwarm{swarm: newSwarm(r, env)}
	n, c := len(s.x), s.motion.constants
	load := c.stages()
	if !c.diagonal || c.thermal > 0 {
		load *= generalLoad
	}
	s.workers, s.job = newWorkers((n+chunk-1)/chunk, n*load), s.stepChunk
	s.steppers = make([]chunkStepper, s.workers.count())
	for i := range s.steppers {
		s.steppers[i].many = integrate.NewMultiBody(min(n, chunk))
	}
	return s
}

// Step implements engine.
func (s *freeSwarm) Step(dt float64) (division, error) {
	s.how, s.dt = s.Divide(dt), dt
	if err := s.motion.env.check(&s.how); err != nil {
		return s.how, err
	}
	s.steps++
	s.unstable.Store(false)
	s.slipped.Store(false)
	s.lost.Store(false)
	s.workers.start()
	s.workers.run(s.job)
	s.workers.stop()
	if s.slipped.Load() {
		return s.how, newSlipError(s.motion.env.start, 1/s.how.Time)
	}
	if s.lost.Load() {
		return s.how, &WallError{Time: s.motion.env.start}
	}
	if s.unstable.Load() {
		return s.how, &UnstableError{Time: s.motion.env.start}
	}
	s.balance = s.how.balance()
	s.x, s.spare = s.spare, s.x
	return s.how, nil
}

// Velocity implements engine.
func (s *freeSwarm) Velocity() (v, w spatial.Vec) {
	return s.motion.currentVelocity(s.balance, s.x[0])
}

// Motions implements multiBodyEngine.
func (s *freeSwarm) Motions(dst []spatial.Twist) {
	for i := range s.x {
		dst[i].Linear, dst[i].Angular = s.motion.currentVelocity(s.balance, s.x[i])
	}
}

// stepChunk sets a chunk of spare to where its robots are after the step.
func (s *freeSwarm) stepChunk(worker, task int) {
	c := &s.steppers[worker]
	if c.steps != s.steps {
		c.env.copyFrom(s.motion.env)
		c.motion = s.motion
		c.motion.env = &c.env
		c.steps = s.steps
	}
	first := task * chunk
	x := s.spare[first:min(first+chunk, len(s.spare))]
	copy(x, s.x[first:])
	c.motion.slipped, c.motion.lost = 0, false
	c.advance(x, s.dt, s.how, first)
	if c.motion.slipped > 0 {
		s.slipped.Store(true)
	}
	if c.motion.lost {
		s.lost.Store(true)
	}
	if !areFinite(x) {
		s.unstable.Store(true)
	}
}

// chunkStepper steps chunks of robots for one worker: it has an equation of motion of its
// own, and the scratch of methods for many.
type chunkStepper struct {
	env    externalLoads
	motion overdampedMotion
	steps  int // number of the step for which motion is set
	many   *integrate.MultiBody
}

var _ integrate.MultiBodyKinematics = (*chunkStepper)(nil)

// advance moves the robots at x, the first of which has the given number, to the same bits as
// overdampedMotion.advance.
func (c *chunkStepper) advance(x []integrate.Placement, dt float64, how division, first int) {
	k := &c.motion
	method := k.constants.method
	switch h := dt / how.Substeps; {
	case !k.uniform || how.Alignment == instantaneous || !(method == rkmk4 || method == lieEuler):
		for i := range x {
			x[i] = k.advance(x[i], dt, how, uint64(first+i))
		}
	case method == lieEuler:
		for i := 0.0; i < how.Substeps; i++ {
			c.many.LieEuler(c, i*h, h, x)
		}
	default:
		for i := 0.0; i < how.Substeps; i++ {
			c.many.RKMK4(c, i*h, h, x)
		}
	}
}

// Velocities implements integrate.MultiBodyKinematics, where overdampedMotion.isUniform.
func (c *chunkStepper) Velocities(t float64, x []integrate.Placement, v, w []spatial.Vec) {
	k := &c.motion
	c.env.Reach(t)
	v, w = v[:len(x)], w[:len(x)]
	for i := range x {
		v[i], w[i] = k.inUniformField(x[i].Q, x[i].P)
	}
}
