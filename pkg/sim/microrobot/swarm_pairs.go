package microrobot

import (
	"errors"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// interactingSwarm is the engine of a swarm of spheres every pair of which drags each
// other through the fluid, attracts or repels as dipoles do, and keeps apart. It is the
// integrate.ManyKinematics of itself.
//
// The pairs are dealt to lanes that are worked on at once and summed up in order. How
// many lanes there are depends on the swarm alone, so that the sums have the same bits on
// any number of processors.
type interactingSwarm struct {
	swarm
	many         *integrate.Many
	fluid        *stokes.Swarm
	contact      contact
	thermal      *stokes.Correlation // nil: no Brownian motion
	thermalLoads []spatial.Wrench    // thermal loads of the substep, world axes
	noise        stokes.Noise        // of the substep

	at, moments []spatial.Vec // of the stage, world axes
	loads       []spatial.Wrench
	lanes       []laneSums
	workers     *workers
	loadsJob    func(worker, lane int) // sumLoads
	motionsJob  func(worker, lane int) // sumMotions
	v, w        []spatial.Vec
}

var (
	_ engine                   = (*interactingSwarm)(nil)
	_ integrate.ManyKinematics = (*interactingSwarm)(nil)
)

// laneSums are the sums over a lane's share of the pairs.
type laneSums struct {
	force, field []spatial.Vec   // on and at each robot, of the others, N and T
	motions      []spatial.Twist // of each robot, under the loads of the others
}

// Lanes of swarms: as many as tasks are easily dealt to two or four processors, and
// one where that is not worth adding them up.
const (
	lanes        = 4
	robotsOfLane = 20 // at least
)

// newInteractingSwarm returns the engine of the robot's swarm, on its lattice, in env.
func newInteractingSwarm(r *Robot, env *environment) *interactingSwarm {
	n, a := r.file.Swarm.Count, r.body.Shape.Radius
	radii := make([]float64, n)
	for i := range radii {
		radii[i] = a
	}
	fluid, err := stokes.NewSwarm(radii, r.body.Viscosity)
	if err != nil { // the radius has been checked by making the sphere
		panic("microrobot: " + err.Error())
	}
	s := &interactingSwarm{
		swarm: newSwarm(r, env), many: integrate.NewMany(n), fluid: fluid, contact: contact{diameter: 2 * a},
		thermalLoads: make([]spatial.Wrench, n), loads: make([]spatial.Wrench, n),
		at: make([]spatial.Vec, n), moments: make([]spatial.Vec, n),
		v: make([]spatial.Vec, n), w: make([]spatial.Vec, n),
		lanes: make([]laneSums, 1),
	}
	c := s.motion.constants
	// two magnets in line on either side at contact
	s.neighbours = 2 * 2e-7 * c.moment.Norm() / math.Pow(2*r.size, 3)
	if c.thermal > 0 {
		s.thermal = stokes.NewCorrelation(fluid)
	}
	if n >= lanes*robotsOfLane {
		s.lanes = make([]laneSums, lanes)
	}
	for i := range s.lanes {
		s.lanes[i] = laneSums{make([]spatial.Vec, n), make([]spatial.Vec, n), make([]spatial.Twist, n)}
	}
	load := n * (n - 1) / 2 * c.stages()
	s.workers, s.loadsJob, s.motionsJob = newWorkers(len(s.lanes), load), s.sumLoads, s.sumMotions
	return s
}

// errStiffSwarm is the error of a field that aligns interacting robots too fast.
var errStiffSwarm = errors.New("the robots align within 1/500 of the step, for which a swarm with interaction has no method; use a smaller step_s or a weaker field")

// Step implements engine.
func (s *interactingSwarm) Step(dt float64) (division, error) {
	how := s.Divide(dt)
	switch {
	case !(how.Substeps >= 1):
		return how, &UnstableError{Time: s.motion.env.start}
	case how.Alignment == instantaneous:
		return how, errStiffSwarm
	}
	copy(s.spare, s.x)
	err := s.takeSubsteps(dt, how.Substeps)
	if err == nil && !areFinite(s.x) {
		err = &UnstableError{Time: s.motion.env.start}
	}
	if err != nil {
		copy(s.x, s.spare)
	}
	return how, err
}

// takeSubsteps moves the swarm by dt seconds in n substeps.
func (s *interactingSwarm) takeSubsteps(dt, n float64) error {
	h := dt / n
	s.contact.soften(s.motion.robot.body.Viscosity, h)
	s.workers.start()
	defer s.workers.stop()
	for i := 0.0; i < n; i++ {
		if s.thermal != nil {
			if err := s.drawThermal(h, i); err != nil {
				return err
			}
		}
		switch t := i * h; {
		case s.thermal != nil:
			s.many.LieMidpoint(s, t, h, s.x)
		case s.motion.constants.method == lieEuler:
			s.many.LieEuler(s, t, h, s.x)
		default:
			s.many.RKMK4(s, t, h, s.x)
		}
	}
	return nil
}

// drawThermal draws the correlated thermal loads of substep i of this step, h seconds long.
func (s *interactingSwarm) drawThermal(h, i float64) error {
	for k := range s.x {
		s.at[k] = s.x[k].P
	}
	if err := s.thermal.Update(s.at); err != nil {
		return err
	}
	s.noise = newNoise(s.motion.robot.file.Seed, s.motion.env.step, i, 0)
	s.thermal.ThermalLoads(s.thermalLoads, &s.noise, s.motion.constants.thermal, h)
	return nil
}

// Velocity implements engine.
func (s *interactingSwarm) Velocity() (v, w spatial.Vec) {
	s.motion.begin()
	clear(s.thermalLoads)
	s.Velocities(0, s.x, s.v, s.w)
	return s.v[0], s.w[0]
}

// Velocities implements integrate.ManyKinematics.
func (s *interactingSwarm) Velocities(t float64, x []integrate.Placement, v, w []spatial.Vec) {
	e := s.motion.env
	for i := range x {
		rot := x[i].Q.Rot()
		f, m := e.load(t, x[i].P, &rot)
		s.loads[i] = spatial.Wrench{Force: rot.Apply(f).Add(s.thermalLoads[i].Force), Moment: rot.Apply(m).Add(s.thermalLoads[i].Moment)}
		s.at[i], s.moments[i] = x[i].P, rot.Apply(s.motion.constants.moment)
	}
	s.workers.run(s.loadsJob)
	for i := range s.loads {
		l, m := &s.loads[i], s.moments[i]
		for k := range s.lanes {
			l.Force = l.Force.Add(s.lanes[k].force[i])
			l.Moment = l.Moment.Add(m.Cross(s.lanes[k].field[i]))
		}
	}
	s.workers.run(s.motionsJob)
	for i := range x {
		motion := s.fluid.Alone(i, s.loads[i])
		for k := range s.lanes {
			motion = addTwists(motion, s.lanes[k].motions[i])
		}
		rot := x[i].Q.Rot()
		if e.flowing {
			motion = addTwists(motion, e.carried(t, x[i].P, &rot))
		}
		v[i], w[i] = motion.Linear, rot.ApplyT(motion.Angular)
	}
}

// sumLoads sums forces and fields over the pairs of the lane.
func (s *interactingSwarm) sumLoads(_, lane int) {
	l := &s.lanes[lane]
	clear(l.force)
	clear(l.field)
	if s.moments[0] != (spatial.Vec{}) { // all are alike
		magnetics.AddInteraction(l.force, l.field, s.at, s.moments, lane, len(s.lanes))
	}
	s.contact.addForces(l.force, s.at, lane, len(s.lanes))
}

// sumMotions sums motions over the pairs of the lane.
func (s *interactingSwarm) sumMotions(_, lane int) {
	l := &s.lanes[lane]
	clear(l.motions)
	s.fluid.AddInteraction(l.motions, s.at, s.loads, lane, len(s.lanes))
}
