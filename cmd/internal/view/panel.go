package view

import (
	"fmt"
	"path"

	"sinew/cmd/internal/verb"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros/panel"
)

// plotted are the kinds of what the page plots, with their units.
var plotted = map[*msgs.Type]struct{ kind, unit string }{
	geometry_msgs.PoseStampedType:   {"pose", "m"},
	geometry_msgs.TwistStampedType:  {"twist", "m/s, rad/s"},
	geometry_msgs.WrenchStampedType: {"wrench", "N, N m"},
	sensor_msgs.JointStateType:      {"joint_state", "m, m/s, N"},
	sensor_msgs.MagneticFieldType:   {"field", "T"},
}

// panel describes the recordings to the page.
func (p *player) panel(e *verb.Env) func() map[string]string {
	first := p.reels[0]
	d := panel.Panel{
		Program: e.Robot.Name, Version: verb.Version, Shown: first.shown,
		About: fmt.Sprintf("recording %s, %.6g s", path.Base(first.file), (first.last - first.first).Seconds()),
	}
	for _, r := range p.reels {
		for _, t := range r.Topics() {
			k, known := plotted[t.Type]
			if t.Type == nil || !known {
				continue
			}
			name := path.Base(t.Name)
			if r.overlay {
				name = "overlay " + name
			}
			d.Ports = append(d.Ports, panel.Port{Name: name, Topic: r.topic(t.Name), Schema: t.Type.ROS2Name, Kind: k.kind, Unit: k.unit})
		}
	}
	if len(p.reels) > 1 {
		d.About += ", under " + path.Base(p.reels[1].file)
	}
	return d.Metadata
}
