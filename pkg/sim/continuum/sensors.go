package continuum

import (
	"slices"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sensor"
	"sinew/pkg/sim/spatial"
)

// addSensors makes the sensors of the robot file and adds their ports to those of the model.
func (m *Model) addSensors() {
	r := m.robot
	m.firstSensor = len(m.ports)
	m.sensors = sensor.New(r.file.Sensors, r.file.Seed, &sensor.Robot{
		Ports: slices.Clone(m.ports),
		Value: m.Value,
		Frame: func(at *robotfile.Place) sensor.Frame {
			return sensor.On(m.engine, r.rod.PlaceAt(*at.At), *at.Position)
		},
		Strain:  func(_ string, s float64) func() sensor.Strain { return m.strainAt(s) },
		Field:   m.fieldAt,
		Solids:  m.solids(),
		Gravity: r.file.Gravity,
	})
	for _, p := range m.sensors.Ports() {
		m.ports, m.roles = append(m.ports, p), append(m.roles, sensorValues)
	}
}

// solids are the walls.
func (m *Model) solids() (all []sensor.Solid) {
	for w := range m.robot.walls {
		all = append(all, sensor.Solid{
			Name: m.robot.walls[w].Name, Shape: m.robot.walls[w].Shape, Pose: func() spatial.Pose { return m.contacts().WallPose(w) },
		})
	}
	return all
}

// strainAt returns the strain at arc length s (m) as a function: with method implicit that of the element there, which is constant or
// linear along it by its order; with the others the mean between the nodes around.
func (m *Model) strainAt(s float64) func() sensor.Strain {
	c := m.robot.rod.PlaceAt(s)
	if e, ok := m.engine.(*implicit); ok {
		return func() sensor.Strain { return sensor.StrainOf(e.system.State.StrainAt(c.Node, c.Share)) }
	}
	h := m.robot.rod.ArcLengths[c.Node+1] - m.robot.rod.ArcLengths[c.Node]
	return func() sensor.Strain {
		way := m.engine.NodePose(c.Node).Inv().Mul(m.engine.NodePose(c.Node + 1)).Log()
		return sensor.StrainOf(spatial.Twist{Linear: way.Linear.Scale(1 / h), Angular: way.Angular.Scale(1 / h)})
	}
}

// fieldAt is the flux density of all but the magnets of the rod at a point of the world, T; not finite at the place of a dipole.
func (m *Model) fieldAt(p spatial.Vec) spatial.Vec {
	m.atTip.Set(0)
	b, _ := m.atTip.Here(p)
	return b
}
