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
	lanes   []lane

	dyn    *dynamics
	moving bool    // the lanes are to do motions, not loads
	reach  float64 // diameter, within which spheres push each other apart, m
	spring float64 // N/m

	at, moments []spatial.Vec
	loads, heat []spatial.Wrench
	v, w        []spatial.Vec
}

var _ integrate.ManyKinematics = (*pairs)(nil)

// lane is the sums over its share of the pairs.
type lane struct {
	force, field []spatial.Vec   // on and at each robot, of the others, N and T
	motions      []spatial.Twist // of each robot, under the loads of the others
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
		many: integrate.NewMany(n), fluid: fluid, reach: 2 * a,
		at: make([]spatial.Vec, n), moments: make([]spatial.Vec, n),
		loads: make([]spatial.Wrench, n), heat: make([]spatial.Wrench, n),
		v: make([]spatial.Vec, n), w: make([]spatial.Vec, n),
	}
	p.lanes = make([]lane, 1)
	if n >= lanes*robotsOfLane {
		p.lanes = make([]lane, lanes)
	}
	for i := range p.lanes {
		p.lanes[i] = lane{make([]spatial.Vec, n), make([]spatial.Vec, n), make([]spatial.Twist, n)}
	}
	p.team = newTeam(n*(n-1)/2*r.stages(), p.work)
	if r.kT > 0 {
		p.thermal = stokes.NewCorrelation(fluid)
	}
	return p
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
	p.team.do(len(p.lanes))
	for i := range p.loads {
		l, m := &p.loads[i], p.moments[i]
		for k := range p.lanes {
			l.Force = l.Force.Add(p.lanes[k].force[i])
			l.Moment = l.Moment.Add(m.Cross(p.lanes[k].field[i]))
		}
	}
	p.moving = true
	p.team.do(len(p.lanes))
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

// work does a lane.
func (p *pairs) work(_, number int) {
	l := &p.lanes[number]
	if p.moving {
		clear(l.motions)
		p.fluid.AddInteraction(l.motions, p.at, p.loads, number, len(p.lanes))
		return
	}
	clear(l.force)
	clear(l.field)
	if p.dyn.robot.moment != (spatial.Vec{}) {
		magnetics.AddInteraction(l.force, l.field, p.at, p.moments, number, len(p.lanes))
	}
	p.separate(l.force, number)
}

// separate pushes overlapping spheres apart with a force in proportion to the overlap,
// soft enough for the step: they come apart within a few parts of it. It does the
// lane of that number.
func (p *pairs) separate(force []spatial.Vec, number int) {
	limit := p.reach * p.reach
	for i := number; i < len(p.at); i += len(p.lanes) {
		at := p.at[i]
		for j := range i {
			d := at.Sub(p.at[j])
			r2 := d.Norm2()
			if r2 >= limit || r2 == 0 {
				continue
			}
			gap := math.Sqrt(r2)
			f := d.Scale(p.spring * (p.reach - gap) / gap)
			force[i] = force[i].Add(f)
			force[j] = force[j].Sub(f)
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
