package multibody

import (
	"slices"
	"strings"

	"sinew/pkg/sim/mechanism"
)

// World returns what the model moves.
func (m *Model) World() *mechanism.World { return m.world }

// StepWith moves the links, and nothing else, by a step of dt seconds in which an input is more by the given amount.
func (m *Model) StepWith(dt float64, input int, more float64) error {
	m.command(dt)
	in := m.stepInputs(dt)
	for k, i := range m.robot.posed {
		link, axis, _ := strings.Cut(in.names[input], ".")
		if a := slices.Index(poseAxes[:], axis); a >= 0 && link == m.robot.file.Bodies[i].Name {
			m.world.MoveBody(i, displaced(m.poses[k].Next(m.world.BodyPose(i), m.time, dt), a, more))
			return m.world.Step(dt)
		}
	}
	in.list[input].Set(more)
	return m.world.Step(dt)
}
