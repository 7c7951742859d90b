package multibody

import (
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/spatial"
)

var _ sim.Differentiable = (*Model)(nil)

// HasDerivatives implements sim.Differentiable.
func (m *Model) HasDerivatives() bool { return true }

// Jacobian implements sim.Differentiable: how the ends of rods, the origins of bodies, in world axes and rotations as rotation vectors,
// and the coordinates of joints answer tensions, efforts, commands of motors and small motions of commanded bodies. Numbers of the robot
// count with the commands that their models have, and where tendons have friction in the first equilibrium alone. Tendons with friction continue
// to slip as they did last, and what sticks sticks.
func (m *Model) Jacobian(by ...sim.Varied) (*sim.Jacobian, error) {
	before := make([]float64, m.StateLen())
	m.Save(before)
	m.commandMotors()
	if !m.world.HasTendonFriction() || !m.world.IsEquilibrium() { // from one, friction might begin to move back by round-off
		if err := m.Equilibrate(); err != nil {
			return nil, err
		}
	}
	j, err := m.tangent(by)
	_ = m.Restore(before) // which Save has written
	return j, err
}

// Differences of inputs between which the equations, most of which are linear in them, are taken.
const (
	commandDifference = 1e-3 // N, N m, m and rad
	pullDifference    = 1e-6 // m
	poseDifference    = 1e-8 // of the size of the robot, and rad: contact is linear for nanometres only
)

// Tangent implements sim.Differentiable.
func (m *Model) Tangent() (*sim.Jacobian, error) { return m.tangent(nil) }

func (m *Model) tangent(by []sim.Varied) (*sim.Jacobian, error) {
	j := &sim.Jacobian{Inexact: mechanism.SensitivityError}
	in := m.inputs(m.present())
	j.Inputs, j.InputUnits = in.names, in.units
	var numbers []mechanism.Number
	for k := range by {
		v := &by[k]
		lower, upper := v.Lower.(*Model), v.Upper.(*Model)
		lower.commandMotors()
		upper.commandMotors()
		j.Inputs, j.InputUnits = append(j.Inputs, v.Name), append(j.InputUnits, v.Unit)
		numbers = append(numbers, mechanism.Number{Name: v.Name, Lower: lower.world, Upper: upper.world, Difference: v.Difference})
	}
	columns, err := m.world.Sensitivities(in.list, numbers)
	if err != nil {
		return nil, err
	}
	m.listOutputs(j)
	j.Values = make([][]float64, len(j.Outputs))
	for k := range columns {
		for i, v := range flatten(&columns[k]) {
			j.Values[i] = append(j.Values[i], v)
		}
	}
	return j, nil
}

// inputs are what derivatives are taken by.
type inputs struct {
	names, units []string
	list         []mechanism.Input
}

func (in *inputs) add(name, unit string, difference float64, set func(more float64)) {
	in.names, in.units = append(in.names, name), append(in.units, unit)
	in.list = append(in.list, mechanism.Input{Set: set, Difference: difference})
}

// present returns the commands of motors by coordinate: of prescribed coordinates the present values.
func (m *Model) present() []float64 {
	from := slices.Clone(m.setpoint)
	for i := range m.robot.coordinates {
		if m.robot.coordinates[i].motor == mechanism.PrescribedMotor {
			from[i] = m.now[i]
		}
	}
	return from
}

// inputs lists tendons, motors, whose commands are from by coordinate, and poses of commanded bodies.
func (m *Model) inputs(from []float64) (in inputs) {
	for k := range m.length {
		name := m.robot.file.Tendons[k].Name
		if pull, isControlled := m.world.TendonPull(k); isControlled {
			in.add(name, "m", pullDifference, func(more float64) { m.world.SetPull(k, pull+more) })
			continue
		}
		tension := m.world.TendonTension(k)
		in.add(name, "N", commandDifference, func(more float64) { m.world.SetTension(k, tension+more) })
	}
	for i := range m.robot.coordinates {
		c := &m.robot.coordinates[i]
		unit := m.robot.unit(c)
		switch c.motor {
		case mechanism.NoMotor:
			continue
		case mechanism.EffortMotor:
			unit = m.robot.effortUnit(c)
		}
		in.add(c.name, unit, commandDifference, func(more float64) { m.world.Command(c.joint, c.index, from[i]+more) })
	}
	for _, i := range m.robot.posed {
		for k, axis := range poseAxes {
			name, unit, difference := m.robot.file.Bodies[i].Name+"."+axis, "m", poseDifference*m.robot.size
			if k >= 3 {
				unit, difference = "rad", poseDifference
			}
			in.add(name, unit, difference, func(more float64) {
				m.world.PlaceBody(i, displaced(m.world.BodyPose(i), k, more))
			})
		}
	}
	return in
}

// axisOf returns the world axis of component k of a small motion or a wrench.
func axisOf(k int) spatial.Vec { return [...]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}[k%3] }

// displaced returns a pose after a small motion: component k of poseAxes is more.
func displaced(g spatial.Pose, k int, more float64) spatial.Pose {
	by := axisOf(k).Scale(more)
	if k < 3 {
		return spatial.Pose{R: g.R, P: g.P.Add(by)}
	}
	return spatial.Pose{R: spatial.ExpRot(by).Mul(g.R), P: g.P}
}

// poseAxes are the components of a small motion: translation, then rotation vector.
var poseAxes = [...]string{"x", "y", "z", "rx", "ry", "rz"}

// listOutputs names ends of rods, bodies and coordinates, as columns of sim do.
func (m *Model) listOutputs(j *sim.Jacobian) {
	pose := func(prefix string) {
		for k, axis := range poseAxes {
			unit := "m"
			if k >= 3 {
				unit = "rad"
			}
			j.Outputs, j.OutputUnits = append(j.Outputs, prefix+axis), append(j.OutputUnits, unit)
		}
	}
	for i := range m.robot.file.Rods {
		pose(m.robot.file.Rods[i].Name + ".tip_")
	}
	for i := range m.robot.file.Bodies {
		pose(m.robot.file.Bodies[i].Name + ".")
	}
	for i := range m.robot.coordinates {
		c := &m.robot.coordinates[i]
		j.Outputs, j.OutputUnits = append(j.Outputs, c.name), append(j.OutputUnits, m.robot.unit(c))
	}
}

// flatten puts outputs in the order of listOutputs.
func flatten(s *mechanism.Sensitivity) (all []float64) {
	for _, twists := range [...][]spatial.Twist{s.Ends, s.Bodies} {
		for _, t := range twists {
			all = append(all, t.Linear.X, t.Linear.Y, t.Linear.Z, t.Angular.X, t.Angular.Y, t.Angular.Z)
		}
	}
	for _, q := range s.Coordinates {
		all = append(all, q...)
	}
	return all
}
