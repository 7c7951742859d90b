package microrobot

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// crowd is the state of a swarm: where all its robots are, the first of which is the
// robot that the other ports tell of.
type crowd struct {
	x, before []integrate.Placement
	pairs     *pairs // nil: the robots take no notice of each other
}

// newCrowd places the robots of a swarm on a cubic lattice around the body's position,
// layer by layer; nil for a single robot.
func (r *Robot) newCrowd() *crowd {
	s := r.file.Swarm
	if s == nil {
		return nil
	}
	c := &crowd{x: make([]integrate.Placement, s.Count), before: make([]integrate.Placement, s.Count)}
	side := int(math.Ceil(math.Cbrt(float64(s.Count)) - 1e-9))
	middle := float64(side-1) / 2
	for i := range c.x {
		cell := spatial.Vec{X: float64(i % side), Y: float64(i / side % side), Z: float64(i / (side * side))}
		cell = cell.Sub(spatial.Vec{X: middle, Y: middle, Z: middle})
		c.x[i] = integrate.Placement{Q: r.file.Body.Orientation, P: r.file.Body.Position.AddScaled(s.Spacing, cell)}
	}
	if s.Interaction == robotfile.FullInteraction {
		c.pairs = r.newPairs()
	}
	return c
}

// maxCorrelated is how many robots can be shaken together: their covariance takes
// 288 n² bytes.
const maxCorrelated = 300

// checkSwarm refuses what a swarm cannot do.
func (r *Robot) checkSwarm() error {
	s := r.file.Swarm
	if s == nil {
		return nil
	}
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("swarm: "+format, args...))
		}
	}
	full := s.Interaction == robotfile.FullInteraction
	refuse(r.walls != nil && !r.wallsLeaveRoom(), "robots at spacing_m %g m are inside a wall", s.Spacing)
	if full {
		_, permanent := r.magnet.IsPermanent()
		a := r.body.Shape.Radius
		refuse(a == 0, "interaction full is for spheres; use interaction none")
		refuse(a > 0 && s.Spacing < 2*a, "spacing_m = %g m, must be at least the diameter %g m", s.Spacing, 2*a)
		refuse(!permanent, "interaction full is for permanent magnets; use interaction none")
		refuse(r.walls != nil, "interaction full is for fluid without walls; use interaction none")
		refuse(r.kT > 0 && s.Count > maxCorrelated, "count = %d, with Brownian motion and interaction full at most %d: the cost grows with its cube", s.Count, maxCorrelated)
		refuse(r.method == cg4 || r.method == cg4Rational, "solver.method %s takes robots one by one; with interaction full use rkmk4 or lie-euler", r.file.Solver.Method)
	}
	return errors.Join(errs...)
}

func (r *Robot) wallsLeaveRoom() bool {
	rot := r.file.Body.Orientation.Rot()
	extent := r.extent(&rot)
	free := *r
	swarm := *r.file.Swarm
	swarm.Interaction = robotfile.NoInteraction
	free.file.Swarm = &swarm
	for _, x := range free.newCrowd().x {
		if r.walls.Check(x.P, &extent) != nil {
			return false
		}
	}
	return true
}

// pairs is what the robots of a swarm do to each other, an integrate.ManyKinematics,
// and the scratch for it.
type pairs struct {
	many    *integrate.Many
	fluid   *stokes.Swarm
	thermal *stokes.Correlation // nil: no Brownian motion

	dyn    *dynamics
	reach  float64 // diameter, within which spheres push each other apart, m
	spring float64 // N/m

	at, moments []spatial.Vec
	loads, heat []spatial.Wrench
	motions     []spatial.Twist
	v, w        []spatial.Vec
}

var _ integrate.ManyKinematics = (*pairs)(nil)

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
		loads: make([]spatial.Wrench, n), heat: make([]spatial.Wrench, n), motions: make([]spatial.Twist, n),
		v: make([]spatial.Vec, n), w: make([]spatial.Vec, n),
	}
	if r.kT > 0 {
		p.thermal = stokes.NewCorrelation(fluid)
	}
	return p
}

// Velocities is that of integrate.ManyKinematics.
func (p *pairs) Velocities(t float64, x []integrate.Placement, v, w []spatial.Vec) {
	d := p.dyn
	r := d.robot
	moment, _ := r.magnet.IsPermanent()
	for i := range x {
		rot := x[i].Q.Rot()
		f, m := d.load(t, x[i].P, &rot)
		p.loads[i] = spatial.Wrench{Force: rot.Apply(f).Add(p.heat[i].Force), Moment: rot.Apply(m).Add(p.heat[i].Moment)}
		p.at[i], p.moments[i] = x[i].P, rot.Apply(moment)
	}
	if moment != (spatial.Vec{}) {
		magnetics.AddInteraction(p.loads, p.at, p.moments)
	}
	p.separate()
	p.fluid.Motions(p.motions, p.at, p.loads)
	for i := range x {
		motion := p.motions[i]
		rot := x[i].Q.Rot()
		if d.streaming {
			a := d.ambient(t, x[i].P, &rot)
			motion = sum(motion, turned(&rot, r.body.Carried(&rot, &a)))
		}
		v[i], w[i] = motion.Linear, rot.ApplyT(motion.Angular)
	}
}

// separate pushes overlapping spheres apart with a force in proportion to the overlap,
// soft enough for the step: they come apart within a few parts of it.
func (p *pairs) separate() {
	limit := p.reach * p.reach
	for i := range p.at {
		for j := range i {
			d := p.at[i].Sub(p.at[j])
			r2 := d.Norm2()
			if r2 >= limit || r2 == 0 {
				continue
			}
			gap := math.Sqrt(r2)
			f := d.Scale(p.spring * (p.reach - gap) / gap)
			p.loads[i].Force = p.loads[i].Force.Add(f)
			p.loads[j].Force = p.loads[j].Force.Sub(f)
		}
	}
}

// advanceCrowd moves the swarm by dt seconds. After an error it is where it was.
func (m *Model) advanceCrowd(dt float64, how division) error {
	c := m.crowd
	copy(c.before, c.x)
	var err error
	if c.pairs != nil {
		err = m.advancePairs(dt, how)
	} else {
		for i := range c.x {
			c.x[i] = m.advance(c.x[i], dt, how, uint64(i))
		}
	}
	if err == nil && !finite(c.x) {
		err = &UnstableError{Time: m.time}
	}
	if err != nil {
		copy(c.x, c.before)
	}
	return err
}

// velocity is that of the (first) robot now, without the fluid's shaking, as
// integrate.Kinematics gives it.
func (m *Model) velocity() (v, w spatial.Vec) {
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

// finite reports whether no number is NaN or infinite.
func finite(x []integrate.Placement) bool {
	zero := 0.0
	for i := range x {
		p, q := &x[i].P, &x[i].Q
		zero += 0 * (p.X + p.Y + p.Z + q.X + q.Y + q.Z + q.W)
	}
	return zero == 0
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
	for i := 0.0; i < how.Substeps; i++ {
		if p.thermal != nil {
			for k := range c.x {
				p.at[k] = c.x[k].P
			}
			if err := p.thermal.Update(p.at); err != nil {
				return err
			}
			m.seed(i, 0)
			p.thermal.ThermalLoads(p.heat, &m.noise, r.kT, h)
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
