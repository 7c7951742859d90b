package microrobot

import (
	"slices"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sensor"
	"sinew/pkg/sim/spatial"
)

// addSensors makes the sensors of the robot file, which look at the first robot, and adds their ports to those of the model.
func (m *Model) addSensors() {
	f := &m.robot.file
	m.firstSensor = len(m.ports)
	m.sensors = sensor.New(f.Sensors, f.Seed, &sensor.Robot{
		Ports: slices.Clone(m.ports),
		Value: m.Value,
		Frame: func(at *robotfile.Place) sensor.Frame {
			return sensor.Body(m.pose, m.twist, *at.Position)
		},
		Field:   m.fieldAt,
		Solids:  m.solids(),
		Gravity: f.Gravity,
	})
	for _, p := range m.sensors.Ports() {
		m.ports, m.roles = append(m.ports, p), append(m.roles, sensorValues)
	}
}

// solids are the shapes of the environment.
func (m *Model) solids() (all []sensor.Solid) {
	for k, s := range m.robot.shapes {
		all = append(all, sensor.Solid{
			Name: m.robot.file.Environment.Shapes[k].Name, Shape: s, Pose: func() spatial.Pose { return m.robot.walls.SurfacePose(k) },
		})
	}
	return all
}

// pose is that of the body.
func (m *Model) pose() spatial.Pose {
	x := m.placement()
	return spatial.Pose{R: x.Q.Rot(), P: x.P}
}

// twist is the motion of the body under the present loads, world axes.
func (m *Model) twist() spatial.Twist {
	m.prepare()
	v, w := m.engine.Velocity()
	return spatial.Twist{Linear: v, Angular: m.placement().Q.Apply(w)}
}

// fieldAt is the flux density at a point of the world, T; not finite at the place of a dipole.
func (m *Model) fieldAt(p spatial.Vec) spatial.Vec {
	m.prepare()
	b, _ := m.env.At(0, p)
	return b
}
