package multibody

import (
	"slices"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sensor"
	"sinew/pkg/sim/spatial"
)

// addSensors makes the sensors of the robot file and adds their ports to those of the model.
func (m *Model) addSensors() {
	f := &m.robot.file
	m.firstSensor = len(m.ports)
	m.sensors = sensor.New(f.Sensors, f.Seed, &sensor.Robot{
		Ports: slices.Clone(m.ports), Value: m.Value, Frame: m.sensorFrame, Strain: m.strainAt, Solids: m.solids(), Gravity: f.Gravity,
	})
	for i, p := range m.sensors.Ports() {
		m.ports, m.roles = append(m.ports, p), append(m.roles, role{sensorValues, i})
	}
}

// sensorFrame is the point of a link that carries a sensor.
func (m *Model) sensorFrame(at *robotfile.Place) sensor.Frame {
	if at.Rod != "" {
		i := m.rodIndex(at.Rod)
		return sensor.On(rodNodes{m.world, i}, m.world.Mesh(i).PlaceAt(*at.At), *at.Position)
	}
	i := slices.IndexFunc(m.robot.file.Bodies, func(b robotfile.BodyLink) bool { return b.Name == at.Body })
	return sensor.Body(
		func() spatial.Pose { return m.world.BodyPose(i) },
		func() spatial.Twist {
			t := m.world.BodyVelocity(i)
			t.Angular = m.world.BodyPose(i).R.Apply(t.Angular)
			return t
		}, *at.Position)
}

// solids are the walls and the shapes of bodies.
func (m *Model) solids() (all []sensor.Solid) {
	p := &m.robot.parameters
	for i := range p.Walls {
		all = append(all, sensor.Solid{Name: p.Walls[i].Name, Shape: p.Walls[i].Shape, Pose: func() spatial.Pose { return m.world.WallPose(i) }})
	}
	for i := range p.Bodies {
		b := &p.Bodies[i]
		for k := range b.Shapes {
			all = append(all, sensor.Solid{Name: b.Name, Body: b.Name, Shape: b.Shapes[k].Shape, Pose: func() spatial.Pose { return m.world.BodyPose(i) }})
		}
	}
	return all
}

// strainAt returns the strain at arc length s (m) of a rod as a function.
func (m *Model) strainAt(name string, s float64) func() sensor.Strain {
	i := m.rodIndex(name)
	c := m.world.Mesh(i).PlaceAt(s)
	return func() sensor.Strain { return sensor.StrainOf(m.world.StrainAt(i, c)) }
}

func (m *Model) rodIndex(name string) int {
	return slices.IndexFunc(m.robot.file.Rods, func(r robotfile.RodLink) bool { return r.Name == name })
}

// rodNodes are the nodes of a rod of a mechanism.
type rodNodes struct {
	world *mechanism.World
	rod   int
}

// NodePose implements rod.Nodes.
func (n rodNodes) NodePose(i int) spatial.Pose { return n.world.NodePoses(n.rod)[i] }

// NodeTwist implements rod.Nodes.
func (n rodNodes) NodeTwist(i int) spatial.Twist { return n.world.NodeTwist(n.rod, i) }
