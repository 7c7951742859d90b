package multibody

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
)

var _ sim.PathFollower = (*Model)(nil)

// PathOutputs implements sim.PathFollower: poses of the ends of rods and of the origins of bodies, and coordinates of joints, under the
// names of the columns of sim.
func (m *Model) PathOutputs() (names []string) {
	pose := func(prefix string) {
		for _, c := range [...]string{"x", "y", "z", "qx", "qy", "qz", "qw"} {
			names = append(names, prefix+c)
		}
	}
	for i := range m.robot.file.Rods {
		pose(m.robot.file.Rods[i].Name + ".tip_")
	}
	for i := range m.robot.file.Bodies {
		pose(m.robot.file.Bodies[i].Name + ".")
	}
	for i := range m.robot.coordinates {
		names = append(names, m.robot.coordinates[i].name)
	}
	return names
}

// FollowPath implements sim.PathFollower: from undeformed links where the file and joints place them, under the present commands. The
// number of unstable modes is that of the symmetric part of the tangent. The error is mechanism.ErrPathHistory where friction acts.
func (m *Model) FollowPath(visit func(*sim.PathPoint) error) error {
	x, err := m.robot.newModel()
	if err != nil {
		return err
	}
	x.world.TakeCommands(m.world)
	copy(x.setpoint, m.setpoint)
	x.commandMotors()
	return x.world.FollowPath(func(p mechanism.PathPoint) error {
		at := sim.PathPoint{Load: p.Load, Unstable: p.Unstable, Event: p.String()}
		for _, l := range x.Links() {
			g := &l.Poses[len(l.Poses)-1]
			q := g.R.Quat()
			at.Outputs = append(at.Outputs, g.P.X, g.P.Y, g.P.Z, q.X, q.Y, q.Z, q.W)
		}
		for _, j := range x.Joints() {
			at.Outputs = append(at.Outputs, j.Coordinates...)
		}
		return visit(&at)
	})
}
