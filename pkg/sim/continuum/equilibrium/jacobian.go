package equilibrium

import (
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
)

// baseStep is by how much the base moves either way, in rad or lengths of the rod, for the derivative of the equations: its
// strains stay, so that nothing stiff enters.
const baseStep = 1e-5

// Jacobian searches for the equilibrium under the present commands, and takes its
// derivatives: of the pose of the tip and the multipliers (tensions) by the inputs of all elements, the pose of the base and the
// numbers of the robot in by. See sim.Differentiable.
func (s *Solver) Jacobian(by []Number) (*sim.Jacobian, error) {
	if err := s.Solve(); err != nil {
		return nil, err
	}
	return s.differentiate(by)
}

// Tangent is the Jacobian of the equations without inertia and damping at the present shape. The residual there counts as dead loads: forces and moments that keep their direction in the world.
func (s *Solver) Tangent() (*sim.Jacobian, error) {
	q := s.system
	s.begin()
	q.State.UpdateKinematics()
	q.UpdateKinematics()
	s.Assemble(0)
	wrenches := q.Wrenches()
	for i := 1; i < len(wrenches); i++ {
		l, w, r := &q.State.Loads[i], &wrenches[i], &q.State.Pose[i].R
		l.Force = l.Force.Sub(r.Apply(w.Force))
		l.Moment = l.Moment.Sub(r.Apply(w.Moment))
	}
	return s.differentiate(nil)
}

// differentiate takes the Jacobian at the present shape, which is in equilibrium.
func (s *Solver) differentiate(by []Number) (*sim.Jacobian, error) {
	q := s.system
	columns := equations.Derivatives{System: q, Assemble: func() { s.Assemble(0) }, BaseStep: baseStep}
	all := columns.Inputs()
	for k := range by {
		x, err := s.numberInput(&columns, &by[k])
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	q.UpdateKinematics()
	if err := s.factorStable(); err != nil {
		return nil, err
	}
	j := &sim.Jacobian{
		Outputs:     []string{"tip.x", "tip.y", "tip.z", "tip.rx", "tip.ry", "tip.rz"},
		OutputUnits: []string{"m", "m", "m", "rad", "rad", "rad"},
	}
	for _, name := range q.MultiplierNames() {
		j.Outputs, j.OutputUnits = append(j.Outputs, name), append(j.OutputUnits, "N")
	}
	j.Values = make([][]float64, len(j.Outputs))
	for k := range all {
		x := &all[k]
		j.Inputs, j.InputUnits = append(j.Inputs, x.Name), append(j.InputUnits, x.Unit)
		response, inexact, err := s.respond(x)
		if err != nil {
			return nil, err
		}
		j.Inexact = max(j.Inexact, inexact)
		for i, v := range response {
			if x.Name == j.Outputs[i] { // a commanded tension is as commanded
				v = 1
			}
			j.Values[i] = append(j.Values[i], v)
		}
	}
	return j, nil
}

// factorStable factors the exact tangent at the measured shape. It fails where that is singular, and where its eigenvalues show that
// the equilibrium is unstable: history-dependent friction hides them, so they are counted without it.
func (s *Solver) factorStable() error {
	q := s.system
	history, conservative := q.FollowsHistory(), q.HasPotential()
	s.skipFriction = 0
	s.Assemble(0)
	if history && conservative {
		if s.Negative() > 0 {
			return ErrUnstable
		}
		s.skipFriction = 0
		s.Assemble(0)
	}
	switch _, negative, ok := s.Increment(); {
	case !ok:
		return integrate.ErrSingularTangent
	case negative > 0 && conservative && !history:
		return ErrUnstable
	}
	return nil
}

// respond returns how the last node moves with an input, m and rad in world axes, and then by multiplier its change, N, by the factored
// tangent. Multipliers at a bound stay there. inexact is as of equations.System.Respond.
func (s *Solver) respond(x *equations.Input) (out []float64, inexact float64, err error) {
	q := s.system
	if inexact, err = q.Respond(x); err != nil {
		return nil, 0, fmt.Errorf("by %s: %w", x.Name, err)
	}
	out = make([]float64, 6+len(x.Gap))
	q.Constraints.PutIncrements(out[6:])
	n := len(q.X)
	end, base := &q.State.Pose[n], q.State.Base.P
	end.R.Apply(q.X[n-1].Linear()).Add(x.Rigid.Linear).Add(x.Rigid.Angular.Cross(end.P.Sub(base))).Put(out)
	end.R.Apply(q.X[n-1].Angular()).Add(x.Rigid.Angular).Put(out[3:])
	return out, inexact, nil
}
