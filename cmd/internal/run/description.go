package run

import (
	"math"
	"strings"
	"time"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/parameter"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// descriptionName is the private name of the description, as a topic and as a parameter.
const descriptionName = "robot_description"

// description is a URDF of a node's robot with these ports, of length lengthM (m): its base and,
// for each tendon, a prismatic joint whose position is the pull (m) and whose effort is the
// tension (N), for each motor a revolute one. The shape, which bends, is in the markers. base is
// the frame of the base.
func description(name, node, base string, lengthM float64, ports []sim.Port) string {
	d := newURDF(name, node, base)
	prefix := strings.TrimPrefix(node, "/") + "/"
	joint := func(kind sim.FrameJoint, label string, axis spatial.Vec, least, most, effort, rate float64) {
		d.frame(&sim.TreeFrame{
			Name: prefix + label, Parent: base, Joint: label, Type: kind, Origin: spatial.IdentityPose(), Axis: axis,
			Min: least, Max: most, MaxEffort: effort, MaxRate: rate,
		})
	}
	for i := range ports {
		p := &ports[i]
		if p.IsMotors() {
			for t, motor := range p.Labels {
				joint(sim.RevoluteFrame, motor, spatial.Vec{Z: 1}, max(p.Min[t], -farthestRad), min(p.Max[t], farthestRad), defaultEffortN, p.MaxRate[t])
			}
			break
		}
		if p.Kind != sim.Tension || p.Direction != sim.In {
			continue
		}
		for t, tendon := range p.Labels {
			effort := math.Inf(1)
			if p.Max != nil {
				effort = p.Max[t]
			}
			joint(sim.PrismaticFrame, tendon, spatial.Vec{Z: -1}, -lengthM, lengthM, effort, 1)
		}
	}
	return d.end()
}

// liveDescription is the description of a robot whose limits may be set while it runs. Its
// methods are for one goroutine at a time.
type liveDescription struct {
	of         func(ports []sim.Port) string
	text       string
	publishers []ros.Publisher
	offer      *parameter.Offer     // nil without ROS 1
	now        func() time.Duration // clock of the stamps
}

// describeRobot publishes the description on the latched topic robot_description and sets the
// parameter of that name on the parameter server of ROS 1, where robot_state_publisher and rviz of
// ROS 1 read it. now is the clock of the stamps.
func (n *node) describeRobot(transports []ros.Transport, now func() time.Duration) (*liveDescription, error) {
	name, err := n.names.Resolve("~" + descriptionName)
	if err != nil {
		return nil, err
	}
	base := n.names.Frame("body")
	if hasBase(n.sim.Ports()) {
		base = n.names.Frame("base")
	}
	d := &liveDescription{now: now, of: func(ports []sim.Port) string {
		return description(n.env.Robot.Name, n.names.Node(), base, n.made.LengthM, ports)
	}}
	if m, ok := sim.As[sim.Mechanism](n.made.Model); ok {
		tree := m.FrameTree()
		d.of = func(ports []sim.Port) string {
			return mechanismDescription(n.env.Robot.Name, n.names.Node(), n.names.Frame, &tree, ports)
		}
	}
	for _, t := range transports {
		p, err := t.Advertise(ros.Topic{Name: name, Type: std_msgs.StringType, Latched: true})
		if err != nil {
			return nil, err
		}
		d.publishers = append(d.publishers, p)
	}
	d.update(n.sim.Ports())
	if one := n.net.ros1; one != nil && one.transport != nil {
		d.offer = parameter.NewOffer(one.client(), name, d.text, func(there any) bool {
			was, _ := there.(string)
			return strings.Contains(was, madeBy(n.names.Node()))
		}, n.log)
	}
	return d, nil
}

// update publishes the description of the robot with these ports if it has changed.
func (d *liveDescription) update(ports []sim.Port) {
	text := d.of(ports)
	if text == d.text {
		return
	}
	d.text = text
	s := ros.NewSample(&std_msgs.String{Data: text})
	s.Time = msgs.At(d.now())
	for _, p := range d.publishers {
		p.Publish(s)
	}
	if d.offer != nil {
		d.offer.Set(text)
	}
}

// checkServer restores the parameter on the parameter server if it has been lost.
func (d *liveDescription) checkServer() {
	if d.offer != nil {
		d.offer.Recheck()
	}
}

// close deletes the description from the parameter server.
func (d *liveDescription) close() {
	if d != nil && d.offer != nil {
		d.offer.Close()
	}
}

// hasBase reports whether motors or tendons are commanded; such robots have a base.
func hasBase(ports []sim.Port) bool {
	for i := range ports {
		if ports[i].Kind == sim.Tension || ports[i].IsMotors() {
			return true
		}
	}
	return false
}
