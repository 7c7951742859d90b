package continuum

import (
	"errors"
	"fmt"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equilibrium"
)

// HasDerivatives implements sim.Differentiable: with method implicit.
func (m *Model) HasDerivatives() bool {
	_, ok := m.engine.(*implicit)
	return ok
}

// Jacobian implements sim.Differentiable: how pose of the tip and tensions answer the tension or the
// pull of each tendon, small motions of the base, and force and moment on the tip, all in world axes
// and rotations as rotation vectors; with magnets on the rod also a uniform field and small motions of the magnets around
// it. The tip's answer to force and moment is its compliance. It is the derivative of the
// equations of the equilibrium, by the implicit function theorem, and needs method implicit. Tendons
// that are slack or yield remain so; friction acts as in the equilibrium. Numbers of the robot count with the commands
// that their models have; those of robots with friction need models that have not moved, in their first equilibrium.
func (m *Model) Jacobian(by ...sim.Varied) (*sim.Jacobian, error) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return nil, ErrNoJacobian
	}
	before := m.beginEquilibrium()
	e.command(&m.in)
	j, err := e.solver.Jacobian(nearbyNumbers(by))
	e.settle()
	_ = m.Restore(before) // which Save has written
	if err != nil {
		return nil, noEquilibrium(err)
	}
	return j, nil
}

// Stability implements sim.StabilityAnalyser, for method implicit, by the modes of equilibrium.Solver. It also
// says which unstable equilibria the last search escaped.
func (m *Model) Stability() (v sim.Stability, err error) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return v, ErrNoStability
	}
	escaped := slices.Clone(e.solver.EscapedSaddles())
	before := m.beginEquilibrium()
	e.command(&m.in)
	mode, err := e.solver.Stability()
	e.settle()
	_ = m.Restore(before) // which Save has written
	if err != nil {
		return v, fmt.Errorf("the stability of the equilibrium is unknown: %w", err)
	}
	v = sim.Stability{IsStable: mode.Stability == equilibrium.Stable, IsNeutral: mode.Stability == equilibrium.Neutral, Description: "the equilibrium is " + mode.String()}
	for k := range escaped {
		v.Description += fmt.Sprintf("; the search escaped an equilibrium that is %v, to the side of less energy", &escaped[k].Mode)
	}
	return v, nil
}

// IsClearlyStable implements sim.StabilityAnalyser: false with other methods than implicit, with friction and with loads without a potential.
func (m *Model) IsClearlyStable() bool {
	e, ok := m.engine.(*implicit)
	if !ok {
		return false
	}
	before := m.beginEquilibrium()
	e.command(&m.in)
	stable := e.solver.IsMinimum()
	e.settle()
	_ = m.Restore(before) // which Save has written
	return stable
}

// PathOutputs implements sim.PathFollower: those of the tip.
func (m *Model) PathOutputs() []string { return []string{"x", "y", "z", "qx", "qy", "qz", "qw"} }

// FollowPath implements sim.PathFollower. The error is ErrNoStability with other methods than implicit, equilibrium.ErrPathHistory of a robot
// with friction, ErrNoEquilibrium, or that of visit.
func (m *Model) FollowPath(visit func(*sim.PathPoint) error) error {
	e, ok := m.engine.(*implicit)
	if !ok {
		return ErrNoStability
	}
	before := m.beginEquilibrium()
	e.command(&m.in)
	tip := len(e.system.State.Pose) - 1
	var stopped error
	err := e.solver.FollowPath(func(p equilibrium.PathPoint) error {
		x := sim.PathPoint{Load: p.Load, Outputs: make([]float64, 7), Unstable: p.Unstable, Event: p.String()}
		putPose(x.Outputs, e.system.State.Pose[tip])
		stopped = visit(&x)
		return stopped
	})
	e.settle()
	_ = m.Restore(before) // which Save has written
	if err != nil && stopped == nil && !errors.Is(err, equilibrium.ErrPathHistory) {
		err = noEquilibrium(err)
	}
	return err
}

// nearbyNumbers makes the numbers of by those of robots nearby.
func nearbyNumbers(by []sim.Varied) (all []equilibrium.Number) {
	for k := range by {
		v := &by[k]
		all = append(all, equilibrium.Number{Name: v.Name, Unit: v.Unit, Difference: v.Difference, Lower: nearbyRobot(v.Lower), Upper: nearbyRobot(v.Upper)})
	}
	return all
}

// nearbyRobot returns the solver of a model and how searches with it begin and end; no solver if
// the method of the model is not implicit.
func nearbyRobot(of sim.Model) (n equilibrium.PerturbedRobot) {
	m, _ := sim.As[*Model](of)
	if m == nil {
		return n
	}
	e, ok := m.engine.(*implicit)
	if !ok {
		return n
	}
	var before []float64
	n.Solver = e.solver
	n.Begin = func() {
		before = m.beginEquilibrium()
		e.command(&m.in)
	}
	n.End = func() { _ = m.Restore(before) } // which Save has written
	return n
}

// Tangent implements sim.Differentiable: the Jacobian of the equations without inertia and damping at
// the present strains, tensions and base. What is out of equilibrium counts as a dead load. Friction of
// tendons and in the rod is as in an equilibrium from there, that of walls is part of the dead load.
func (m *Model) Tangent() (*sim.Jacobian, error) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return nil, ErrNoJacobian
	}
	before := make([]float64, m.StateLen())
	m.Save(before)
	m.setLoads()
	m.in.Time = m.time
	e.command(&m.in)
	j, err := e.solver.Tangent()
	_ = m.Restore(before) // which Save has written
	if err != nil {
		return nil, fmt.Errorf("no derivative at the present shape: %w", err)
	}
	return j, nil
}

// Linearise implements sim.Linearisable. What decides the next step of BDF2, and so is the state, are poses and velocities of
// the nodes from 1 on, now and one step before, in four parts of six numbers a node: pose and pose_before are body increments, to
// the right of the pose, m and rad; velocity and velocity_before are m/s in world axes and rad/s in body axes. Inputs are those of
// Jacobian, held during the step; base and magnets around the robot are their poses at the end, those of before stay. Outputs are the tip at the end, in world axes.
// Tendons that are slack or yield remain so. Walls without friction press by how deep the rod is in them at both ends of the step; where they
// go is given. What motors of drives do is no part of the state: inputs are the pulls and tensions that they
// have at the end of the step, and their lag comes before. The derivative is by the implicit function theorem, with the factored tangent of the
// solved step; how its equations change with the state is taken by differences of them, of every third node at once.
// The error is sim.ErrNoLinearisation where a robot has more state than that, or kinks, ErrNoJacobian with other methods, and that
// of Step where the step is not solved as a whole.
func (m *Model) Linearise(dt float64) (*sim.Linearisation, error) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return nil, ErrNoJacobian
	}
	before := make([]float64, m.StateLen())
	m.Save(before)
	m.setLoads()
	m.in.Time = m.time
	m.moveBase(dt)
	m.moveShapes(dt)
	m.joints.advance(dt, &m.in)
	e.command(&m.in)
	l, err := e.stepper.Linearise(m.time, dt)
	_ = m.Restore(before) // which Save has written
	return l, err
}
