package multibody

import (
	"errors"
	"fmt"
	"strconv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
)

var _ sim.Linearisable = (*Model)(nil)

// Linearise implements sim.Linearisable. The state is poses and velocities of the nodes of rods, as rod.0 at its start, and of bodies that
// move freely, now and one step before: pose and pose_before are body increments, to the right of the pose, m and rad; velocity and
// velocity_before are m/s in world axes, of a body that of its centre of mass, and rad/s in body axes. Inputs are those of Jacobian, of
// commanded bodies the poses at the end of the step, and forces and moments on ends of rods and origins of bodies, in the axes of what
// pushes there, without that in world axes. Outputs
// are poses of ends of rods and of bodies that move freely, which say what coordinates are.
//
// Stops, slack tendons and motors at their largest effort remain so, and joints that friction holds stay. At the first step, one step
// before is where constant accelerations have the robot. The error is sim.ErrNoLinearisation where rods, tendons or contacts have more
// state, and in a step with an impact.
func (m *Model) Linearise(dt float64) (*sim.Linearisation, error) {
	before := make([]float64, m.StateLen())
	m.Save(before)
	defer func() { _ = m.Restore(before) }() // which Save has written
	m.command(dt)
	in := m.stepInputs(dt)
	d, err := m.world.Linearise(dt, in.list)
	if no := new(mechanism.NotLinearisedError); errors.As(err, &no) {
		return nil, fmt.Errorf("%w: %s", sim.ErrNoLinearisation, no.Why)
	} else if err != nil {
		return nil, fmt.Errorf("t = %.6g s: %w", m.time, err)
	}
	return m.linearisation(&in, d), nil
}

// stepInputs lists the inputs of a step of dt seconds.
func (m *Model) stepInputs(dt float64) inputs {
	from := make([]float64, len(m.setpoint))
	for i := range from {
		from[i] = m.commandOf(i, dt)
	}
	in := m.inputs(from)
	m.addWrenchInputs(&in)
	return in
}

// addWrenchInputs adds forces and moments where an external wrench can act, in its axes.
func (m *Model) addWrenchInputs(in *inputs) {
	for _, x := range m.roles {
		if x.is != rodWrench && x.is != bodyWrench {
			continue
		}
		prefix := m.robot.linkName(x) + "."
		if x.is == rodWrench {
			prefix += "tip_"
		}
		was, isFollower := m.externalWrench(x)
		for k, axis := range [...]string{"x", "y", "z"} {
			in.add(prefix+"force_"+axis, "N", commandDifference, func(more float64) {
				now := was
				now.Force = now.Force.AddScaled(more, axisOf(k))
				m.setWrench(x, now, isFollower)
			})
		}
		for k, axis := range [...]string{"x", "y", "z"} {
			in.add(prefix+"moment_"+axis, "N m", commandDifference, func(more float64) {
				now := was
				now.Moment = now.Moment.AddScaled(more, axisOf(k))
				m.setWrench(x, now, isFollower)
			})
		}
	}
}

// linkName is that of the link on which an external wrench acts.
func (r *Robot) linkName(x role) string {
	if x.is == rodWrench {
		return r.file.Rods[x.index].Name
	}
	return r.file.Bodies[x.index].Name
}

// linearisation names the derivatives.
func (m *Model) linearisation(in *inputs, d *mechanism.StepDerivatives) *sim.Linearisation {
	var names []string
	var ends []string // prefixes of outputs, by node
	nodes := m.world.MovingNodes()
	for i, n := range nodes {
		switch isLast := i+1 == len(nodes) || nodes[i+1].Link != n.Link; {
		case n.Node < 0:
			names, ends = append(names, n.Link), append(ends, n.Link+".")
		case isLast:
			names, ends = append(names, n.Link+"."+strconv.Itoa(n.Node)), append(ends, n.Link+".tip_")
		default:
			names, ends = append(names, n.Link+"."+strconv.Itoa(n.Node)), append(ends, "")
		}
	}
	l := sim.NewTwoLevelLinearisation(names, in.names, in.units)
	for k := range d.ByState {
		sim.SetColumn(l.A, k, d.ByState[k].Pose, d.ByState[k].Velocity)
	}
	for k := range d.ByInput {
		sim.SetColumn(l.B, k, d.ByInput[k].Pose, d.ByInput[k].Velocity)
	}
	for i, prefix := range ends {
		if prefix != "" {
			l.AddPoseOutputs(prefix, i, &d.Poses[i].R)
		}
	}
	l.Inexact = d.Inexact
	return l
}
