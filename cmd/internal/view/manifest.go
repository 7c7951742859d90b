package view

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros/manifest"
	"sinew/pkg/ros/record"
)

// plotted maps the types of messages that the page plots to kinds and units.
var plotted = map[*msgs.Type]struct{ kind, unit string }{
	geometry_msgs.PoseStampedType:   {"pose", "m"},
	geometry_msgs.TwistStampedType:  {"twist", "m/s, rad/s"},
	geometry_msgs.WrenchStampedType: {"wrench", "N, N m"},
	sensor_msgs.JointStateType:      {"joint_state", "m, m/s, N"},
	sensor_msgs.MagneticFieldType:   {"field", "T"},
}

// about describes a recording.
func (r *recording) about() string {
	text := r.content
	if r.lacks != "" {
		text += ", " + r.lacks
	}
	switch {
	case r.drawnAs != "":
		text += ", drawn as " + r.drawnAs
	case r.lacks != "" && !r.flat:
		text += ", --config FILE draws the robot"
	}
	return text
}

// swarm describes where the poses of all robots of a recorded swarm are; nil for a single robot, and for a CSV, of which
// --robot chooses one.
func (r *recording) swarm() *manifest.Swarm {
	if _, memory := r.messageSource.(*Memory); memory || r.rod || r.shown == "" {
		return nil
	}
	s := manifest.Swarm{Topic: path.Join(path.Dir(r.shown), "poses")}
	_ = r.At(r.last, func(m record.Message) { // errors of reading are logged when the message is shown
		if all, ok := m.Message.(*geometry_msgs.PoseArray); ok && m.Topic == s.Topic {
			s.Count = len(all.Poses)
		}
	})
	if s.Count == 0 {
		return nil
	}
	return &s
}

// metadata returns the manifest of the recordings for the page. Its text is title, or a line
// about each recording if title is empty.
func (p *player) metadata(e *cli.Env, title string) func() map[string]string {
	d := manifest.Manifest{Program: e.Robot.Name, Version: cli.Version, Shown: p.recordings[0].shown, About: title, Ports: []manifest.Port{}}
	d.Swarm = p.recordings[0].swarm()
	for i, r := range p.recordings {
		if r.overlay && r.shown != "" && d.Overlay == "" {
			d.Overlay = r.topic(r.shown)
		}
		for _, t := range r.Topics() {
			k, known := plotted[t.Type]
			if t.Type == nil || !known || slices.Contains(r.without, t.Name) {
				continue
			}
			name := path.Base(t.Name)
			if t.Type == sensor_msgs.JointStateType && !strings.HasSuffix(name, "_js") {
				k.unit = "" // joints of other robots may be revolute or prismatic
			}
			if r.overlay {
				name = "overlay " + name
			}
			d.Ports = append(d.Ports, manifest.Port{Name: name, Topic: r.topic(t.Name), Schema: t.Type.ROS2Name, Kind: k.kind, Unit: k.unit})
		}
		if title == "" && r.content != "" {
			if i > 0 {
				d.About += "; over it "
			}
			d.About += fmt.Sprintf("%s: %s", path.Base(r.file), r.about())
		}
	}
	return d.Metadata
}
