package microrobot

import (
	"fmt"
	"math"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// Bounds on implicit steps of a swarm.
const (
	// maxImplicit bounds the robots whose motion is solved for together: the cost of a
	// substep grows with the cube of their number, and it takes 900 n² bytes.
	maxImplicit = 300
	// maxShift is how far a robot may move in a substep, over its radius.
	maxShift = 0.1
	// maxTurn is how far (rad) a robot may turn in a substep.
	maxTurn = 0.2
	// maxCollapse is how many solutions of a step are worth the time.
	maxCollapse = 5000
	// contactPenalty is how much stiffer a contact is made than what presses on it. The
	// solution does not depend on it, but the number of iterations does.
	contactPenalty = 30
)

// CollapseError is the error of a step in which a swarm moves too far to be followed. The
// state stays as it was before the step.
type CollapseError struct {
	Time float64 // of the start of the step, s
	Done float64 // how much of the step was possible, s
}

func (e *CollapseError) Error() string {
	return fmt.Sprintf("the robots of the swarm move too fast to be followed in the step from t = %.6g s: %d substeps reach %.3g s of it; use solver.step_s up to that, a larger swarm.spacing_m, or a weaker body.magnet.moment_a_m2",
		e.Time, maxCollapse, e.Done)
}

// implicitSwarm is the scratch of implicit steps of a swarm: the linearly implicit method
// of Euler for positions and attitudes of all robots together,
//
//	(R/h + K) Δ = F + Jᵀ λ,   0 ≤ λ ⊥ gap + J Δ ≥ 0,
//
// with the resistance R, the stiffness K of magnets in one another's field and in that of
// the environment, and reactions λ of contacts J. It follows motion of any speed in
// substeps short enough for the stiffness to hold, and takes long ones where the swarm is
// at rest. The contacts are solved for by the method of multipliers with a semismooth
// Newton iteration.
type implicitSwarm struct {
	correlation                   *stokes.Correlation
	resistance, stiffness, system stokes.Cholesky
	field                         []spatial.Vec // of the other robots, T
	force                         []spatial.Vec // of the other robots' magnets, N
	load, delta                   []float64
	contacts                      contacts
}

func newImplicitSwarm(fluid *stokes.Swarm, diameter float64) *implicitSwarm {
	n := fluid.Len()
	return &implicitSwarm{
		correlation: stokes.NewCorrelation(fluid), contacts: newContacts(n, diameter),
		resistance: stokes.NewCholesky(6 * n), stiffness: stokes.NewCholesky(6 * n), system: stokes.NewCholesky(6 * n),
		field: make([]spatial.Vec, n), force: make([]spatial.Vec, n),
		load: make([]float64, 6*n), delta: make([]float64, 6*n),
	}
}

// takeImplicit moves the swarm by dt seconds in implicit substeps and returns how many.
func (s *interactingSwarm) takeImplicit(dt float64) (float64, error) {
	m := s.implicit
	h, tries := dt, 0.0
	if kT := s.motion.constants.thermal; kT > 0 { // thermal motion is a quarter of maxShift at most
		h = math.Min(h, math.Pow(maxShift*s.radius()/4, 2)/(2*kT*s.motion.constants.trans.X))
	}
	substeps := 0.0
	for done := 0.0; done < dt; substeps++ {
		if err := s.linearize(done, substeps); err != nil {
			return substeps, err
		}
		for h = math.Min(h, dt-done); ; tries++ {
			size := math.Inf(1)
			if s.solveImplicit(done+h, h, 1) {
				size = m.size(s.radius())
			}
			if size <= 1 {
				break
			}
			if tries > maxCollapse || !(h > 0) {
				return substeps, &CollapseError{Time: s.motion.env.start, Done: done}
			}
			h *= math.Min(0.5, math.Max(0.1, 0.8/size))
		}
		if tries++; tries > maxCollapse {
			return substeps, &CollapseError{Time: s.motion.env.start, Done: done}
		}
		size := m.size(s.radius())
		s.applyImplicit(h)
		if s.thermal != nil && done+h >= dt*(1-1e-12) { // thermal motion has no velocity
			s.reportDrift(done+h, h)
		}
		if done += h; done >= dt*(1-1e-12) {
			break
		}
		h *= math.Min(4, math.Max(1, 0.8/size))
	}
	return substeps + 1, nil
}

// radius returns that of each sphere, m.
func (s *interactingSwarm) radius() float64 { return s.motion.robot.body.Shape.Radius }

// size returns how large the solution is beside the bounds on a substep.
func (m *implicitSwarm) size(radius float64) float64 {
	far := 0.0
	for i := 0; i < len(m.delta); i += 6 {
		d, turn := spatial.VecAt(m.delta[i:]), spatial.VecAt(m.delta[i+3:])
		far = math.Max(far, math.Max(d.Norm2()/(maxShift*maxShift*radius*radius), turn.Norm2()/(maxTurn*maxTurn)))
	}
	return math.Sqrt(far)
}

// linearize sets resistance, stiffness and contacts where the swarm is, t seconds into the
// step, and draws the thermal loads of substep number substep for a second.
func (s *interactingSwarm) linearize(t, substep float64) error {
	m := s.implicit
	for i := range s.x {
		s.at[i] = s.x[i].P
		s.moments[i] = s.x[i].Q.Apply(s.motion.constants.moment)
	}
	if err := m.correlation.Update(s.at); err != nil {
		return err
	}
	m.correlation.Resistance(&m.resistance)
	clear(m.stiffness.L)
	clear(m.field)
	clear(m.force)
	magnetics.AddInteraction(m.force, m.field, s.at, s.moments, 0, 1)
	m.contacts.find(s.at, 3*maxShift*s.radius())
	k := &m.stiffness
	for i := range s.x {
		b, g := s.motion.env.At(t, s.at[i])
		b = b.Add(m.field[i])
		mi := s.moments[i]
		outer := spatial.Outer(mi, b)
		k.AddBlock(6*i+3, 6*i+3, 1, spatial.Identity3().Scale(mi.Dot(b)).Sub(outer.Add(outer.T()).Scale(0.5)))
		k.AddBlock(6*i+3, 6*i, 1, g.Mat().Mul(spatial.Skew(mi)).T())
		for j := range i {
			p := magnetics.NewPairStiffness(s.at[i].Sub(s.at[j]), mi, s.moments[j])
			k.AddBlock(6*i, 6*j, -1, p.Place)
			k.AddBlock(6*i, 6*j+3, 1, p.TurnJ)
			k.AddBlock(6*i+3, 6*j, -1, p.TurnI.T())
			k.AddBlock(6*i+3, 6*j+3, 1, p.Cross)
			k.AddBlock(6*i, 6*i, 1, p.Place)
			k.AddBlock(6*j, 6*j, 1, p.Place)
			k.AddBlock(6*i+3, 6*i, 1, p.TurnI.T())
			k.AddBlock(6*j+3, 6*j, -1, p.TurnJ.T())
		}
	}
	for c := range m.contacts.pairs {
		p := &m.contacts.pairs[c]
		pull := magnetics.NewPairStiffness(s.at[p.i].Sub(s.at[p.j]), s.moments[p.i], s.moments[p.j]).Force
		p.guess = math.Max(0, -pull.Dot(p.normal))
	}
	if kT := s.motion.constants.thermal; kT > 0 {
		s.noise = newNoise(s.motion.robot.file.Seed, s.motion.env.step, substep, 0)
		m.correlation.ThermalLoads(s.thermalLoads, &s.noise, kT, 1)
		m.contacts.drawTouches(&s.noise)
	}
	return nil
}

// solveImplicit sets delta to the motion within h seconds under the loads of time t, with
// so many times the thermal loads. It reports whether there is one.
func (s *interactingSwarm) solveImplicit(t, h, thermal float64) bool {
	m, e := s.implicit, s.motion.env
	thermal /= math.Sqrt(h)
	for i := range s.x {
		rot := s.x[i].Q.Rot()
		f, n := e.load(t, s.x[i].P, &rot)
		force, moment := rot.Apply(f).Add(m.force[i]), rot.Apply(n).Add(s.moments[i].Cross(m.field[i]))
		if s.thermal != nil {
			force = force.AddScaled(thermal, s.thermalLoads[i].Force)
			moment = moment.AddScaled(thermal, s.thermalLoads[i].Moment)
		}
		s.loads[i] = spatial.Wrench{Force: force, Moment: moment}
	}
	if s.thermal != nil {
		s.moveFreely(s.w) // drift and thermal motion
		for i := range s.loads {
			f := &s.thermalLoads[i]
			s.loads[i], s.kept[i] = spatial.Wrench{Force: f.Force.Scale(thermal), Moment: f.Moment.Scale(thermal)}, s.loads[i]
		}
		s.moveFreely(s.v)
		copy(s.loads, s.kept)
		m.contacts.reflect(s.v, s.w, h, s.motion.constants.thermal*thermal*thermal*h, s.fluid)
	}
	s.addFlow(t)
	for i := range s.loads {
		s.loads[i].Force.Put(m.load[6*i:])
		s.loads[i].Moment.Put(m.load[6*i+3:])
	}
	for k := range m.contacts.pairs {
		m.contacts.pairs[k].turning = m.contacts.pairs[k].guess
	}
	if !m.solve(h, s.motion.constants) {
		return false
	}
	for k := range m.contacts.pairs {
		p := &m.contacts.pairs[k]
		p.turning = p.force
	}
	return len(m.contacts.pairs) == 0 || m.solve(h, s.motion.constants)
}

// moveFreely sets v to the velocities under the loads without contacts.
func (s *interactingSwarm) moveFreely(v []spatial.Vec) {
	s.workers.run(s.motionsJob)
	for i := range v {
		v[i] = s.pushed(i).Linear
	}
}

// addFlow adds to the loads those that make the robots go with the fluid.
func (s *interactingSwarm) addFlow(t float64) {
	m, e := s.implicit, s.motion.env
	if !e.flowing {
		return
	}
	for i := range s.x {
		rot := s.x[i].Q.Rot()
		putTwist(m.delta[6*i:], e.advection(t, s.x[i].P, &rot))
	}
	m.resistance.MulSymmetric(m.load, m.delta)
	for i := range s.loads {
		s.loads[i].Force = s.loads[i].Force.Add(spatial.VecAt(m.load[6*i:]))
		s.loads[i].Moment = s.loads[i].Moment.Add(spatial.VecAt(m.load[6*i+3:]))
	}
}

// solve sets delta to the motion within h seconds under the loads and the reactions of
// contacts.
func (m *implicitSwarm) solve(h float64, c *overdampedConstants) bool {
	const (
		maxIterations = 60
		tolerance     = 1e-7 // of the diameter
	)
	pairs, d := m.contacts.pairs, m.contacts.diameter
	pull := 24e-7 * c.moment.Norm2() / math.Pow(d, 5)
	penalty := contactPenalty * (1/(h*c.trans.X) + 10*pull)
	clear(m.delta)
	for k := range pairs {
		pairs[k].force, pairs[k].active = pairs[k].guess, false
	}
	factored := false
	for range maxIterations {
		changed := !factored
		for k := range pairs {
			p := &pairs[k]
			p.opening = p.gap - p.touch + p.normal.Dot(m.shift(p.i).Sub(m.shift(p.j)))
			active := p.force > penalty*p.opening
			changed = changed || active != p.active
			p.active = active
		}
		if !changed { // a solution for these forces: correct them
			off := 0.0
			for k := range pairs {
				if p := &pairs[k]; p.active {
					off = math.Max(off, math.Abs(p.opening))
					p.force -= penalty * p.opening
				} else {
					p.force = 0
				}
			}
			if off <= tolerance*d {
				return true
			}
		} else if factored = m.factor(h, penalty); !factored {
			return false
		}
		copy(m.delta, m.load)
		for k := range pairs {
			if p := &pairs[k]; p.active {
				f := p.normal.Scale(p.force - penalty*(p.gap-p.touch))
				m.push(p.i, f)
				m.push(p.j, f.Neg())
			}
		}
		m.system.SolveL(m.delta)
		m.system.SolveLT(m.delta)
	}
	return false
}

// shift returns by how much robot i moves.
func (m *implicitSwarm) shift(i int) spatial.Vec { return spatial.VecAt(m.delta[6*i:]) }

// push adds a force on robot i to the right-hand side in delta.
func (m *implicitSwarm) push(i int, f spatial.Vec) { m.shift(i).Add(f).Put(m.delta[6*i:]) }

// factor sets system to the factor of R/h + K with the penalty of active contacts.
func (m *implicitSwarm) factor(h, penalty float64) bool {
	a := &m.system
	for i := range a.N {
		row := a.L[i*a.N : i*a.N+i+1]
		for j := range row {
			row[j] = m.resistance.L[i*a.N+j]/h + m.stiffness.L[i*a.N+j]
		}
	}
	for k := range m.contacts.pairs {
		p := &m.contacts.pairs[k]
		if !p.active {
			continue
		}
		// the normal turns with the pair: without it a chain would resist to be turned
		across := p.turning / (m.contacts.diameter + p.gap)
		k := spatial.Outer(p.normal, p.normal).Scale(penalty + across).Sub(spatial.Identity3().Scale(across))
		a.AddBlock(6*p.i, 6*p.i, 1, k)
		a.AddBlock(6*p.j, 6*p.j, 1, k)
		a.AddBlock(6*p.i, 6*p.j, -1, k)
	}
	return a.Factor() == a.N
}

// applyImplicit moves the swarm by the solution of a substep of h seconds, and keeps the
// velocities.
func (s *interactingSwarm) applyImplicit(h float64) {
	m := s.implicit
	for i := range s.x {
		x := &s.x[i]
		x.P = x.P.Add(m.shift(i))
		x.Q = spatial.ExpQuat(spatial.VecAt(m.delta[6*i+3:])).Mul(x.Q).Normalized()
	}
	s.reportImplicit(h)
}
