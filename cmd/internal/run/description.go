package run

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strings"
	"time"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/parameter"
	"sinew/pkg/sim"
)

// defaultEffortN is the greatest effort of a joint whose tendon has no limit, N.
const defaultEffortN = 1000

// fastestRadS is the greatest speed of a motor that has no limit, rad/s: URDF has no infinity.
const fastestRadS = 1000

// farthestRad is the largest angle of a motor without stops, rad: 1000 turns.
const farthestRad = 2000 * math.Pi

// descriptionName is the private name of the description, as a topic and as a parameter.
const descriptionName = "robot_description"

// madeBy returns the comment that marks a description as made by a node of this name, now or in an
// earlier run.
func madeBy(node string) string { return "<!-- made by the node " + node + " -->" }

// description is a URDF of a node's robot with these ports, of length lengthM (m): its base, the links of a mechanism, whose poses are
// on /tf, and,
// for each tendon, a prismatic joint whose position is the pull (m) and whose effort is the
// tension (N), for each motor a revolute one. The shape, which bends, is in the markers. base is
// the frame of the base.
func description(name, node, base string, links []string, lengthM float64, ports []sim.Port) string {
	var b bytes.Buffer
	quoted := func(s string) string {
		var q bytes.Buffer
		_ = xml.EscapeText(&q, []byte(s)) // writes to a buffer do not fail
		return q.String()
	}
	prefix := strings.TrimPrefix(node, "/")
	fmt.Fprintf(&b, "<?xml version=\"1.0\"?>\n%s\n<robot name=\"%s\">\n  <link name=\"%s\"/>\n", madeBy(node), quoted(name), quoted(base))
	for _, link := range links {
		fmt.Fprintf(&b, "  <link name=\"%[1]s/%[2]s\"/>\n  <joint name=\"%[2]s_pose\" type=\"floating\">\n    <parent link=\"%[3]s\"/>\n    <child link=\"%[1]s/%[2]s\"/>\n  </joint>\n",
			quoted(prefix), quoted(link), quoted(base))
	}
	for i := range ports {
		p := &ports[i]
		if p.IsMotors() {
			for t, motor := range p.Labels {
				fmt.Fprintf(&b, "  <link name=\"%[1]s/%[2]s\"/>\n  <joint name=\"%[2]s\" type=\"revolute\">\n    <parent link=\"%[3]s\"/>\n    <child link=\"%[1]s/%[2]s\"/>\n"+
					"    <axis xyz=\"0 0 1\"/>\n    <limit lower=\"%[4]g\" upper=\"%[5]g\" effort=\"%[6]g\" velocity=\"%[7]g\"/>\n  </joint>\n",
					quoted(prefix), quoted(motor), quoted(base), max(p.Min[t], -farthestRad), min(p.Max[t], farthestRad), float64(defaultEffortN), min(p.MaxRate[t], fastestRadS))
			}
			break
		}
		if p.Kind != sim.Tension || p.Direction != sim.In {
			continue
		}
		for t, tendon := range p.Labels {
			effort := float64(defaultEffortN)
			if p.Max != nil && !math.IsInf(p.Max[t], 0) {
				effort = p.Max[t]
			}
			fmt.Fprintf(&b, "  <link name=\"%[1]s/%[2]s\"/>\n  <joint name=\"%[2]s\" type=\"prismatic\">\n    <parent link=\"%[3]s\"/>\n    <child link=\"%[1]s/%[2]s\"/>\n"+
				"    <axis xyz=\"0 0 -1\"/>\n    <limit lower=\"%[4]g\" upper=\"%[5]g\" effort=\"%[6]g\" velocity=\"1\"/>\n  </joint>\n",
				quoted(prefix), quoted(tendon), quoted(base), -lengthM, lengthM, effort)
		}
	}
	b.WriteString("</robot>\n")
	return b.String()
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
	var links []string
	if _, ok := n.made.Model.(sim.Mechanism); ok {
		base, links = sim.World, childFrames(n.sim.Ports())
	}
	d := &liveDescription{now: now, of: func(ports []sim.Port) string {
		return description(n.env.Robot.Name, n.names.Node(), base, links, n.made.LengthM, ports)
	}}
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

// childFrames lists the frames that the robot places in the world.
func childFrames(ports []sim.Port) (names []string) {
	for i := range ports {
		if p := &ports[i]; p.Kind == sim.Pose && p.Direction == sim.Out && p.Child != "" && p.Parent == sim.World {
			names = append(names, p.Child)
		}
	}
	return names
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
