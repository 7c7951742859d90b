package force

import (
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Spring is a linear spring with a damper from a node of the rod to a point of the world.
type Spring struct {
	Name       string
	Node       int
	Anchor     spatial.Vec // in the world, m
	Stiffness  float64     // k, N/m
	RestLength float64     // L₀, m
	Damping    float64     // c, N s/m
}

// Springs are the springs of a robot. With L the distance of node and anchor, each pulls the node toward its anchor by
//
//	T = k (L − L₀) + c dL/dt,
//
// and pushes it away where that is negative. In a step dL/dt = γ (L − L̂), so T is the derivative of the incremental potential
// ½ k (L − L₀)² + ½ γ c (L − L̂)².
type Springs struct {
	passive
	springs []Spring
	states  []springState
	gamma   float64 // of the step, 1/s; 0 in an equilibrium
	factor  float64 // of the forces in the stress-free robot, in load stepping
}

// springState is a spring at the iterate, and its history.
type springState struct {
	direction    spatial.Vec // from the anchor to the node, world axes; 0 where both are at one point
	length       float64     // L, m
	free         float64     // L in the stress-free robot, of an equilibrium, m
	hat          float64     // L̂, m
	last, before float64     // L at the last two levels of time, m
	force        float64     // T at the end of the last step, N
}

var (
	_ equations.Stateful       = (*Springs)(nil)
	_ equations.Loaded         = (*Springs)(nil)
	_ equations.Checked        = (*Springs)(nil)
	_ equations.Gauged         = (*Springs)(nil)
	_ equations.Differentiable = (*Springs)(nil)
	_ equations.Stiff          = (*Springs)(nil)
)

// NewSprings makes springs an element.
func NewSprings(list []Spring) *Springs {
	return &Springs{springs: list, states: make([]springState, len(list)), factor: 1}
}

// UpdateKinematics implements equations.Element.
func (s *Springs) UpdateKinematics(state *strain.State) {
	for i := range s.springs {
		d := state.Pose[s.springs[i].Node].P.Sub(s.springs[i].Anchor)
		x := &s.states[i]
		x.length, x.direction = d.Norm(), spatial.Vec{}
		if x.length > 0 {
			x.direction = d.Scale(1 / x.length)
		}
	}
}

// MaxStiffness implements equations.Stiff.
func (s *Springs) MaxStiffness() (stiffest float64) {
	for i := range s.springs {
		stiffest = max(stiffest, s.springs[i].Stiffness)
	}
	return stiffest
}

// tension is T of spring i at the iterate, N, and its derivative by L, N/m.
func (s *Springs) tension(i int) (tension, stiffness float64) {
	p, x := &s.springs[i], &s.states[i]
	damping := s.gamma * p.Damping
	return p.Stiffness*(x.length-s.restLength(i)) + damping*(x.length-x.hat), p.Stiffness + damping
}

// restLength is L₀ of spring i at the present factor of the load, m: without load no spring pulls in the stress-free robot.
func (s *Springs) restLength(i int) float64 {
	return s.springs[i].RestLength + (1-s.factor)*(s.states[i].free-s.springs[i].RestLength)
}

// Assemble implements equations.Element.
func (s *Springs) Assemble(state *strain.State, q *strain.Equations) {
	s.AssembleWrenches(state, q)
	for i := range s.springs {
		node := s.springs[i].Node
		if node == 0 {
			continue
		}
		// along the spring its stiffness, across it that of a string under its tension, T/L
		t, along := s.tension(i)
		x := &s.states[i]
		across := along // of a spring without length at its anchor
		if x.length > 0 {
			across = t / x.length
		}
		r := &state.Pose[node].R
		n := r.ApplyT(x.direction)
		k := q.Diag[node]
		k.LinLin().AddDiag(across)
		var difference spatial.Lower3
		scaled := n.Scale(along - across)
		difference.AddOuter(&scaled, &n)
		k.LinLin().AddLower(difference)
		k.RotLin().AddSkew(n.Scale(-0.5 * t)) // the force keeps its direction in the world
	}
}

// AssembleWrenches implements equations.Element.
func (s *Springs) AssembleWrenches(state *strain.State, q *strain.Equations) {
	for i := range s.springs {
		w := &q.Wrench[s.springs[i].Node]
		w.Force = w.Force.Add(s.forceOn(i, state))
	}
}

// forceOn is the force of spring i on its node, body axes, N.
func (s *Springs) forceOn(i int, state *strain.State) spatial.Vec {
	t, _ := s.tension(i)
	return state.Pose[s.springs[i].Node].R.ApplyT(s.states[i].direction.Scale(-t))
}

// Potential implements equations.Element.
func (s *Springs) Potential(*strain.State) (sum float64) {
	for i := range s.springs {
		p, x := &s.springs[i], &s.states[i]
		e, v := x.length-s.restLength(i), x.length-x.hat
		sum += 0.5 * (p.Stiffness*e*e + s.gamma*p.Damping*v*v)
	}
	return sum
}

// SetLoadFactor implements equations.Loaded: what a spring pulls in the stress-free robot is a load, its stiffness is not.
func (s *Springs) SetLoadFactor(_ *strain.State, factor float64) { s.factor = factor }

// BaseWrench implements equations.Element.
func (s *Springs) BaseWrench(state *strain.State) (w spatial.Wrench) {
	for i := range s.springs {
		if s.springs[i].Node == 0 {
			w.Force = w.Force.AddScaled(-s.states[i].force, state.Base.R.ApplyT(s.states[i].direction))
		}
	}
	return w
}

// Reset implements equations.Stateful.
func (s *Springs) Reset(state *strain.State) { s.CommitAtRest(state) }

// BeginStep implements equations.Stateful.
func (s *Springs) BeginStep(_ *strain.State, step equations.Step, _ []spatial.Wrench) {
	f := &step.Formula
	s.gamma, s.factor = f.Gamma, 1
	for i := range s.states {
		x := &s.states[i]
		x.hat = hat(f, x.last, x.before)
	}
}

// hat is what the formula makes of a number at the last two levels of time.
func hat(f *integrate.BDF, last, before float64) float64 {
	return f.Hat(spatial.Vec{X: last}, spatial.Vec{X: before}).X
}

// BeginEquilibrium implements equations.Stateful.
func (s *Springs) BeginEquilibrium(state *strain.State) {
	s.gamma, s.factor = 0, 1
	for i := range s.states {
		s.states[i].free = state.StressFreePosition(s.springs[i].Node).Sub(s.springs[i].Anchor).Norm()
	}
}

// Commit implements equations.Stateful.
func (s *Springs) Commit(*strain.State) (impact bool) {
	for i := range s.states {
		x := &s.states[i]
		x.force, _ = s.tension(i)
		x.before, x.last = x.last, x.length
	}
	return false
}

// CommitEquilibrium implements equations.Stateful.
func (s *Springs) CommitEquilibrium(state *strain.State) { s.CommitAtRest(state) }

// Revert implements equations.Stateful: a step changes nothing of the history before it is committed.
func (s *Springs) Revert(*strain.State) {}

// CommitAtRest implements equations.Stateful.
func (s *Springs) CommitAtRest(state *strain.State) {
	s.gamma = 0
	s.UpdateKinematics(state)
	for i := range s.states {
		x := &s.states[i]
		x.last, x.before, x.hat = x.length, x.length, x.length
		x.force, _ = s.tension(i)
	}
}

// springStateLen is the number of values of a spring in a saved state.
const springStateLen = 3

// StateLen implements equations.Stateful.
func (s *Springs) StateLen() int { return springStateLen * len(s.states) }

// Save implements equations.Stateful.
func (s *Springs) Save(dst []float64) {
	for i := range s.states {
		x := &s.states[i]
		dst[0], dst[1], dst[2] = x.last, x.before, x.force
		dst = dst[springStateLen:]
	}
}

// Restore implements equations.Stateful.
func (s *Springs) Restore(src []float64, state *strain.State) {
	s.UpdateKinematics(state)
	for i := range s.states {
		x := &s.states[i]
		x.last, x.before, x.force = src[0], src[1], src[2]
		src = src[springStateLen:]
	}
}

// SpringError is the error of a spring that is so short that it has no direction in which it could push.
type SpringError struct {
	Time   float64 // s
	Spring string
	Length float64 // m
	Least  float64 // m
}

func (e *SpringError) Error() string {
	return fmt.Sprintf("spring %s is %.3g m long at t = %.6g s, allowed: at least %.3g m, a thousandth of its rest length, for below that its direction is undefined; use a shorter rest_length_m or another point_m",
		e.Spring, e.Length, e.Time, e.Least)
}

// leastLength is the share of its rest length down to which a spring can be compressed.
const leastLength = 1e-3

// Check implements equations.Checked.
func (s *Springs) Check(_ *strain.State, time float64, converged bool) error {
	for i := range s.springs {
		least := leastLength * s.springs[i].RestLength
		if l := s.states[i].length; converged && l < least {
			return &SpringError{Time: time, Spring: s.springs[i].Name, Length: l, Least: least}
		}
	}
	return nil
}

// Gauges implements equations.Gauged.
func (s *Springs) Gauges() []sim.Gauge { return []sim.Gauge{{Key: "spring_force_max", Unit: "N"}} }

// MeasureGauges implements equations.Gauged.
func (s *Springs) MeasureGauges(_ *strain.State, dst []float64) int {
	dst[0] = 0
	for i := range s.states {
		dst[0] = max(dst[0], math.Abs(s.states[i].force))
	}
	return 1
}

// Inputs implements equations.Differentiable: anchors are no inputs.
func (s *Springs) Inputs(*equations.Derivatives) []equations.Input { return nil }

// Nonlinearisable implements equations.Differentiable.
func (s *Springs) Nonlinearisable() string {
	for i := range s.springs {
		if s.springs[i].Damping > 0 {
			return "its springs have damping"
		}
	}
	return ""
}
