package microrobot

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// interactingSwarm is the engine of a swarm of spheres with pairwise interaction: hydrodynamic,
// magnetic as of dipoles, and by contact. It implements integrate.MultiBodyKinematics.
//
// It integrates by the method of the robot file as far as that resolves the motion, and then moves
// overlapping spheres apart. It takes implicit steps where magnets respond to one another or to the
// field too fast, and where thermal motion brings spheres together.
//
// The pairs are distributed over lanes that are computed concurrently and summed in order. The
// number of lanes depends on the swarm alone, so that the sums have the same bits on any number of
// processors.
type interactingSwarm struct {
	swarm
	many         *integrate.MultiBody
	fluid        *stokes.Swarm
	contacts     contacts
	slopesJob    func()              // sets how contacts open under their forces
	h            float64             // of the present substep, s
	least        float64             // least distance of two robots at the start of the step, m; 0: not known
	spacing      float64             // the same on the lattice, until the first division of a step; 0 then
	implicit     *implicitSwarm      // nil: too many robots
	thermal      *stokes.Correlation // nil: no Brownian motion
	thermalLoads []spatial.Wrench    // thermal loads of the substep, world axes
	kept         []spatial.Wrench    // loads while those of thermal motion take their place
	noise        stokes.Noise        // of the substep

	at, moments []spatial.Vec // of the stage, world axes
	loads       []spatial.Wrench
	lanes       []laneSums
	workers     *workers
	loadsJob    func(worker, lane int) // sumLoads
	motionsJob  func(worker, lane int) // sumMotions
	v, w        []spatial.Vec

	// reported says how the velocities are known, and moved are those of the last substep,
	// as Motions returns them.
	reported    reported
	moved       []spatial.Twist
	movedBefore []spatial.Twist       // moved of the step before
	from        []integrate.Placement // where the robots were before the substep
	solves      stepCounts
}

var (
	_ engine                        = (*interactingSwarm)(nil)
	_ multiBodyEngine               = (*interactingSwarm)(nil)
	_ integrate.MultiBodyKinematics = (*interactingSwarm)(nil)
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
func newInteractingSwarm(r *Robot, env *externalLoads) *interactingSwarm {
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
		swarm: newSwarm(r, env), many: integrate.NewMultiBody(n), fluid: fluid, contacts: newContacts(n, 2*a),
		thermalLoads: make([]spatial.Wrench, n), kept: make([]spatial.Wrench, n), loads: make([]spatial.Wrench, n),
		at: make([]spatial.Vec, n), moments: make([]spatial.Vec, n),
		v: make([]spatial.Vec, n), w: make([]spatial.Vec, n),
		moved: make([]spatial.Twist, n), movedBefore: make([]spatial.Twist, n), from: make([]integrate.Placement, n),
		lanes: make([]laneSums, 1), spacing: r.file.Swarm.Spacing,
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
	s.slopesJob = s.setSlopes
	if n <= maxImplicit {
		s.implicit = newImplicitSwarm(fluid, 2*a)
	}
	return s
}

// StiffSwarmError is the error of a large swarm that moves too fast for explicit methods. The
// state stays as it was before the step.
type StiffSwarmError struct {
	Time  float64 // of the start of the step, s
	Count int     // robots
}

func (e *StiffSwarmError) Error() string {
	return fmt.Sprintf("at t = %.6g s the robots turn or move toward one another within 1/25 of the step, which swarms with interaction of up to %d robots can follow, and swarm.count is %d; use a smaller solver.step_s, a smaller swarm.count, a weaker field or weaker magnets",
		e.Time, maxImplicit, e.Count)
}

// OverlapError is the error of a step in which the forces between robots that touch were not
// found. The state stays as it was before the step.
type OverlapError struct {
	Time float64 // of the start of the step, s
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("the step from t = %.6g s failed: the forces between the robots that touch were not found; use a smaller solver.step_s", e.Time)
}

// errOverlap is that a substep does not find the forces of contact.
var errOverlap = errors.New("the forces between the robots that touch were not found")

// maxParts is into how many parts a step is divided whose contacts are not found.
const maxParts = 64

// collapseShare is the share of the time in which attraction grows that an explicit substep
// may take: to move robots and then to part them turns clusters at rest, in order 1.
const collapseShare = 0.025

// Divide implements engine.
func (s *interactingSwarm) Divide(dt float64) division {
	how := s.swarm.Divide(dt)
	n := dt * s.collapseRate() / collapseShare
	switch {
	case n > maxSubsteps:
		how.Alignment = instantaneous
	case how.Alignment == integrated:
		how.Substeps = math.Max(how.Substeps, wholeSubsteps(n))
	}
	return how
}

// collapseRate bounds the rate at which the attraction of the two nearest robots grows as
// they approach, 1/s; where they may touch soon, that at contact.
func (s *interactingSwarm) collapseRate() float64 {
	const near = 3 // diameters
	m2, d := s.motion.constants.moment.Norm2(), s.contacts.diameter
	s.least = 0
	if m2 == 0 {
		return 0
	}
	s.least, s.spacing = s.spacing, 0
	if s.least == 0 {
		s.least = math.Sqrt(s.nearest2())
	}
	r := s.least
	if r < near*d {
		r = d
	}
	return 2 * s.motion.constants.trans.X * 24e-7 * m2 / math.Pow(r, 5)
}

// nearest2 returns the least squared distance of two robots, m².
func (s *interactingSwarm) nearest2() float64 {
	least := math.Inf(1)
	for i := range s.x {
		s.at[i] = s.x[i].P
	}
	for i, at := range s.at {
		for _, other := range s.at[:i] {
			if r2 := at.Sub(other).Norm2(); r2 < least { // min takes three times as long
				least = r2
			}
		}
	}
	return least
}

// Step implements engine.
func (s *interactingSwarm) Step(dt float64) (division, error) {
	how := s.Divide(dt)
	start := s.motion.env.start
	if err := s.motion.env.check(&how); err != nil {
		return how, err
	}
	implicit := how.Alignment == instantaneous || s.mayCollideThermally(dt)
	if implicit && s.implicit == nil {
		return how, &StiffSwarmError{Time: start, Count: len(s.x)}
	}
	copy(s.spare, s.x)
	reported := s.reported
	copy(s.movedBefore, s.moved)
	s.workers.start()
	defer s.workers.stop()
	var err error
	if implicit {
		how.Substeps, err = s.takeImplicit(dt)
		s.reported = fromSubstep
	} else {
		s.reported = fromLoads
		parts := 1.
		for err = s.takeSubsteps(dt, how.Substeps); errors.Is(err, errOverlap) && parts < maxParts; parts *= 2 {
			how.Substeps *= 2
			copy(s.x, s.spare)
			err = s.takeSubsteps(dt, how.Substeps)
		}
		if parts > 1 {
			s.solves.divided++
		}
		if errors.Is(err, errOverlap) {
			err = &OverlapError{Time: start}
		}
	}
	if err == nil && !areFinite(s.x) {
		err = &UnstableError{Time: start}
	}
	if err != nil {
		s.solves.unconverged++
		copy(s.x, s.spare)
		s.reported = reported
		copy(s.moved, s.movedBefore)
	}
	return how, err
}

// mayCollideThermally reports whether thermal motion may bring robots together within dt seconds.
func (s *interactingSwarm) mayCollideThermally(dt float64) bool {
	const deviations = 10
	c := s.motion.constants
	if c.thermal == 0 {
		return false
	}
	gap := math.Sqrt(s.nearest2()) - s.contacts.diameter
	return gap*gap < deviations*deviations*4*c.thermal*c.trans.X*dt || gap < 0
}

// takeSubsteps moves the swarm by dt seconds in n substeps.
func (s *interactingSwarm) takeSubsteps(dt, n float64) error {
	s.h = dt / n
	h := s.h
	for i := 0.0; i < n; i++ {
		if s.thermal != nil {
			if err := s.drawThermal(h, i); err != nil {
				return err
			}
		}
		copy(s.from, s.x)
		switch t := i * h; {
		case s.thermal != nil:
			s.many.LieMidpoint(s, t, h, s.x)
		case s.motion.constants.method == lieEuler:
			s.many.LieEuler(s, t, h, s.x)
		default:
			s.many.RKMK4(s, t, h, s.x)
		}
		if !s.separate() {
			return errOverlap
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

// Velocities implements integrate.MultiBodyKinematics.
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
		motion := s.pushed(i)
		rot := x[i].Q.Rot()
		if e.flowing {
			motion = addTwists(motion, e.advection(t, x[i].P, &rot))
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
}

// sumMotions sums motions over the pairs of the lane.
func (s *interactingSwarm) sumMotions(_, lane int) {
	l := &s.lanes[lane]
	clear(l.motions)
	s.fluid.AddInteraction(l.motions, s.at, s.loads, lane, len(s.lanes))
}
