package multibody

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Inputs that push links from outside: the end of every rod, and the origin of every body that moves freely.

// wrenchPort takes the wrench on a link, in world axes or in its own.
func wrenchPort(link string) sim.Port {
	name := topic(link) + "/external_wrench"
	return sim.Port{Name: name, Kind: sim.Wrench, Direction: sim.In, Unit: "N, N m", Frames: []string{sim.World, topic(link)}, Group: name}
}

// addWrenchPorts adds the ports of all links that can be pushed.
func (r *Robot) addWrenchPorts(add func(is roleKind, index int, p sim.Port)) {
	for i := range r.file.Rods {
		add(rodWrench, i, wrenchPort(r.file.Rods[i].Name))
	}
	for i := range r.file.Bodies {
		if b := &r.file.Bodies[i]; b.Motion == robotfile.FreeBody {
			add(bodyWrench, i, wrenchPort(b.Name))
		}
	}
}

// commandWrench changes the values of an external wrench that are not to be kept.
func (m *Model) commandWrench(x role, v []float64) {
	var now [7]float64
	m.putWrench(x, now[:])
	for k, value := range v {
		if !sim.IsKeep(value) {
			now[k] = value
		}
	}
	m.setWrench(x, spatial.Wrench{Force: spatial.VecAt(now[:]), Moment: spatial.VecAt(now[3:])}, now[6] != 0)
}

func (m *Model) setWrench(x role, wrench spatial.Wrench, isFollower bool) {
	if x.is == rodWrench {
		m.world.SetRodWrench(x.index, wrench, isFollower)
	} else {
		m.world.SetBodyWrench(x.index, wrench, isFollower)
	}
}

// putWrench writes an external wrench and its frame, an index of wrenchPort's.
func (m *Model) putWrench(x role, dst []float64) {
	wrench, isFollower := m.externalWrench(x)
	wrench.Force.Put(dst)
	wrench.Moment.Put(dst[3:])
	dst[6] = flag(isFollower)
}

func (m *Model) externalWrench(x role) (wrench spatial.Wrench, isFollower bool) {
	if x.is == rodWrench {
		return m.world.RodWrench(x.index)
	}
	return m.world.BodyWrench(x.index)
}

// countPushed returns the number of inputs of wrenches.
func (m *Model) countPushed() (n int) {
	for _, x := range m.roles {
		if x.is == rodWrench || x.is == bodyWrench {
			n++
		}
	}
	return n
}

// Proportions of the arrows of forces.
const (
	arrowShare  = 0.1   // their length under the weight of a body, and of the largest contact force, over the size of the robot
	arrowRadius = 0.003 // of their shafts over the same
	earth       = 9.80665
)

// drawPushes draws an arrow for the force of every wrench: as long as it would bend a rod by small deflection theory, or in proportion
// to the weight of a body, at most as long as the robot.
func (m *Model) drawPushes(dst []sim.Arrow) {
	size, k := m.robot.size, 0
	for _, x := range m.roles {
		if x.is != rodWrench && x.is != bodyWrench {
			continue
		}
		wrench, isFollower := m.externalWrench(x)
		g, name, perNewton := m.pushedFrame(x)
		f := wrench.Force
		if isFollower {
			f = g.R.Apply(f)
		}
		a := sim.Arrow{Name: name, From: g.P, To: g.P, Radius: arrowRadius * size, Color: axisColor}
		if n := f.Norm(); n > 0 {
			a.To = g.P.AddScaled(min(n*perNewton, size)/n, f)
		}
		dst[k] = a
		k++
	}
}

// pushedFrame returns where a wrench acts, what its arrow is called, by which the page tells what its length means, and that length, m/N.
func (m *Model) pushedFrame(x role) (g spatial.Pose, name string, perNewton float64) {
	if x.is == bodyWrench {
		return m.world.BodyPose(x.index), "body_force", arrowShare * m.robot.size / (earth * m.robot.file.Bodies[x.index].Mass)
	}
	mesh, poses := m.world.Mesh(x.index), m.world.NodePoses(x.index)
	return poses[len(poses)-1], "external_force", mesh.Length * mesh.Length * mesh.Length / (3 * mesh.Stiffness.Bend.X)
}
