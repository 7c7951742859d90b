package microrobot

import (
	"errors"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// pairs is what the robots of a swarm do to each other, an integrate.ManyKinematics,
// and the scratch for it. The pairs are dealt to lanes that are worked on at once and
// summed up in order; how many lanes there are depends on the swarm alone, so that the
// sums have the same bits on any number of processors.
type pairs struct {
	many    *integrate.Many
	fluid   *stokes.Swarm
	thermal *stokes.Correlation // nil: no Brownian motion
	team    *team
	lanes   []sums
	scratch []laneWork // of each worker

	dyn  *dynamics
	heat []spatial.Wrench
	laneTask
	v, w []spatial.Vec
}

var (
	_ integrate.ManyKinematics = (*pairs)(nil)
	_ job                      = (*pairs)(nil)
)

// sums are those over a lane's share of the pairs.
type sums struct {
	force, field []spatial.Vec   // on and at each robot, of the others, N and T
	motions      []spatial.Twist // of each robot, under the loads of the others
}

// laneTask is what all lanes do.
type laneTask struct {
	moving      bool    // sum motions, not loads
	reach       float64 // diameter, within which spheres push each other apart, m
	spring      float64 // N/m
	at, moments []spatial.Vec
	loads       []spatial.Wrench
}

// laneWork is what a worker has of a lane.
type laneWork struct {
	laneTask
	sums
}

// Lanes of swarms: as many as tasks are easily dealt to two or four processors, and
// one where that is not worth adding them up.
const (
	lanes        = 4
	robotsOfLane = 20 // at least
)

func (r *Robot) newPairs() *pairs {
	n, a := r.file.Swarm.Count, r.body.Shape.Radius
	radii := make([]float64, n)
	for i := range radii {
		radii[i] = a
	}
	fluid, err := stokes.NewSwarm(radii, r.body.Viscosity)
	if err != nil { // the radius has been checked by making the sphere
		panic("microrobot: " + err.Error())
	}
	p := &pairs{
		many: integrate.NewMany(n), fluid: fluid, heat: make([]spatial.Wrench, n),
		laneTask: newLaneTask(n, 2*a),
		v:        make([]spatial.Vec, n), w: make([]spatial.Vec, n),
		lanes: make([]sums, 1),
	}
	if n >= lanes*robotsOfLane {
		p.lanes = make([]sums, lanes)
	}
	for i := range p.lanes {
		p.lanes[i] = newSums(n)
	}
	load := n * (n - 1) / 2
	p.team = newTeam(p, len(p.lanes), load/len(p.lanes), load*r.stages())
	p.scratch = make([]laneWork, p.team.workers())
	for i := range p.scratch {
		p.scratch[i] = laneWork{newLaneTask(n, 2*a), newSums(n)}
	}
	if r.kT > 0 {
		p.thermal = stokes.NewCorrelation(fluid)
	}
	return p
}

func newLaneTask(n int, reach float64) laneTask {
	return laneTask{reach: reach, at: make([]spatial.Vec, n), moments: make([]spatial.Vec, n), loads: make([]spatial.Wrench, n)}
}

func newSums(n int) sums {
	return sums{make([]spatial.Vec, n), make([]spatial.Vec, n), make([]spatial.Twist, n)}
}

// Velocities is that of integrate.ManyKinematics.
func (p *pairs) Velocities(t float64, x []integrate.Placement, v, w []spatial.Vec) {
	d := p.dyn
	r := d.robot
	for i := range x {
		rot := x[i].Q.Rot()
		f, m := d.load(t, x[i].P, &rot)
		p.loads[i] = spatial.Wrench{Force: rot.Apply(f).Add(p.heat[i].Force), Moment: rot.Apply(m).Add(p.heat[i].Moment)}
		p.at[i], p.moments[i] = x[i].P, rot.Apply(r.moment)
	}
	p.moving = false
	p.team.do()
	for i := range p.loads {
		l, m := &p.loads[i], p.moments[i]
		for k := range p.lanes {
			l.Force = l.Force.Add(p.lanes[k].force[i])
			l.Moment = l.Moment.Add(m.Cross(p.lanes[k].field[i]))
		}
	}
	p.moving = true
	p.team.do()
	for i := range x {
		motion := p.fluid.Alone(i, p.loads[i])
		for k := range p.lanes {
			motion = sum(motion, p.lanes[k].motions[i])
		}
		rot := x[i].Q.Rot()
		if d.streaming {
			a := d.ambient(t, x[i].P, &rot)
			motion = sum(motion, turned(&rot, r.body.Carried(&rot, &a)))
		}
		v[i], w[i] = motion.Linear, rot.ApplyT(motion.Angular)
	}
}

// load is that of job, as are the next two; a task is a lane.
func (p *pairs) load(worker, _ int) {
	l := &p.scratch[worker]
	l.moving, l.spring = p.moving, p.spring
	copy(l.at, p.at)
	if l.moving {
		copy(l.loads, p.loads)
	} else {
		copy(l.moments, p.moments)
	}
}

func (p *pairs) work(worker, lane int) {
	l := &p.scratch[worker]
	if l.moving {
		clear(l.motions)
		p.fluid.AddInteraction(l.motions, l.at, l.loads, lane, len(p.lanes))
		return
	}
	clear(l.force)
	clear(l.field)
	if l.magnetic() {
		magnetics.AddInteraction(l.force, l.field, l.at, l.moments, lane, len(p.lanes))
	}
	l.separate(lane, len(p.lanes))
}

func (p *pairs) store(worker, lane int) {
	p.lanes[lane], p.scratch[worker].sums = p.scratch[worker].sums, p.lanes[lane]
}

// magnetic reports whether the robots are magnets, all of which are alike.
func (l *laneTask) magnetic() bool { return l.moments[0] != spatial.Vec{} }

// separate pushes overlapping spheres apart with a force in proportion to the overlap,
// soft enough for the step: they come apart within a few parts of it. It does one part
// of the given number of parts of all pairs.
func (l *laneWork) separate(part, parts int) {
	limit := l.reach * l.reach
	for i := part; i < len(l.at); i += parts {
		at := l.at[i]
		for j := range i {
			d := at.Sub(l.at[j])
			r2 := d.Norm2()
			if r2 >= limit || r2 == 0 {
				continue
			}
			gap := math.Sqrt(r2)
			f := d.Scale(l.spring * (l.reach - gap) / gap)
			l.force[i] = l.force[i].Add(f)
			l.force[j] = l.force[j].Sub(f)
		}
	}
}

// velocity is that of the (first) robot now, without the fluid's shaking, as
// integrate.Kinematics gives it.
func (m *Model) velocity() (v, w spatial.Vec) {
	if m.inertia != nil {
		return m.x.Q.Apply(m.inertia.twist.Linear), m.inertia.twist.Angular
	}
	if m.crowd == nil || m.crowd.pairs == nil {
		return m.dyn.Velocity(0, m.x)
	}
	c := m.crowd
	p := c.pairs
	p.dyn = &m.dyn
	clear(p.heat)
	p.Velocities(0, c.x, p.v, p.w)
	return p.v[0], p.w[0]
}

// errStiffSwarm is the error of a field that aligns interacting robots too fast.
var errStiffSwarm = errors.New("the robots align within 1/500 of the step, for which a swarm with interaction has no method; use a smaller step_s or a weaker field")

// advancePairs moves a swarm with interaction.
func (m *Model) advancePairs(dt float64, how division) error {
	if how.Follow {
		return errStiffSwarm
	}
	c, p, r := m.crowd, m.crowd.pairs, m.robot
	h := dt / how.Substeps
	p.dyn = &m.dyn
	p.spring = 1.5 * math.Pi * r.body.Viscosity * p.reach / 2 / h // 6πηa/4h
	p.team.begin()
	defer p.team.end()
	for i := 0.0; i < how.Substeps; i++ {
		if p.thermal != nil {
			for k := range c.x {
				p.at[k] = c.x[k].P
			}
			if err := p.thermal.Update(p.at); err != nil {
				return err
			}
			m.dyn.seed(i, 0)
			p.thermal.ThermalLoads(p.heat, &m.dyn.noise, r.kT, h)
		}
		switch t := i * h; {
		case p.thermal != nil:
			p.many.LieMidpoint(p, t, h, c.x)
		case r.method == lieEuler:
			p.many.LieEuler(p, t, h, c.x)
		default:
			p.many.RKMK4(p, t, h, c.x)
		}
	}
	return nil
}
