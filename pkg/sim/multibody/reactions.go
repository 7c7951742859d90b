package multibody

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
)

// reactionPort tells what a joint does to its child, as a force-torque sensor in the joint does: in the frame of the link and about its
// origin.
func (r *Robot) reactionPort(i int, w *mechanism.World) sim.Port {
	t := tree{robot: r, world: w}
	frame := sim.World
	if s := &r.parameters.Joints[i].Child; s.Link != "" {
		frame = t.sideFrame(s, -1).Name
	}
	return sim.Port{Name: topic(r.file.Joints[i].Name) + "/measured_cf", Kind: sim.Wrench, Direction: sim.Out, Unit: "N, N m", Frames: []string{frame}}
}

// putReaction writes the values of reactionPort.
func (m *Model) putReaction(i int, dst []float64) {
	on, joint := m.world.Reaction(i), m.world.JointFrame(i)
	link := joint.Mul(m.robot.parameters.Joints[i].Child.Frame.Inv())
	moment := on.Moment.Add(joint.P.Sub(link.P).Cross(on.Force))
	link.R.ApplyT(on.Force).Put(dst)
	link.R.ApplyT(moment).Put(dst[3:])
}
