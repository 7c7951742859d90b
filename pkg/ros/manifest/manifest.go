// Package manifest describes a robot to viewers: its ports with their topics, units and bounds.
// The page in the browser builds its controls from a Manifest, so that a new robot needs no
// change there.
package manifest

import (
	"encoding/json"
	"fmt"
	"math"

	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

// Manifest describes a robot. It is part of the metadata of the server, as JSON.
type Manifest struct {
	Program string  `json:"program"`
	Version string  `json:"version"`
	About   string  `json:"about"`   // the robot, in one line
	Shown   string  `json:"shown"`   // topic of the pose that stands for the robot
	Length  float64 `json:"length"`  // m, of the robot; 0: not applicable
	Timeout float64 `json:"timeout"` // s, of commands; 0: none
	Ports   []Port  `json:"ports"`

	Overlay string  `json:"overlay,omitempty"` // topic of the pose of a second recording that lies over the first
	Swarm   *Swarm  `json:"swarm,omitempty"`   // of a swarm
	Fleet   []Robot `json:"fleet,omitempty"`   // of a fleet: all of its robots
}

// Swarm tells where the robots of a swarm are. The ports are those of the first one, and commands act on all.
type Swarm struct {
	Topic string `json:"topic"` // of the poses of all, a PoseArray
	Count int    `json:"count"`
}

// Robot is a robot of a fleet, with the page of its node.
type Robot struct {
	Name string `json:"name"` // of the node, absolute
	Path string `json:"path"` // of its page at the address of all
}

// Port describes a sim.Port and its topic. Infinite bounds are null.
type Port struct {
	Name   string   `json:"name"`
	Topic  string   `json:"topic"`
	Schema string   `json:"schema"`
	Kind   string   `json:"kind"`
	In     bool     `json:"in"`
	Labels []string `json:"labels,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	// Units are the SI units of the values of the labels, where they differ; of a JointState port with efforts those of the efforts.
	Units  []string   `json:"units,omitempty"`
	Frames []string   `json:"frames,omitempty"`
	Group  string     `json:"group,omitempty"`
	Min    []*float64 `json:"min,omitempty"`
	Max    []*float64 `json:"max,omitempty"`
	Rate   []*float64 `json:"rate,omitempty"` // greatest, unit/s
	Safe   []*float64 `json:"safe,omitempty"`

	// The topic of the applied command, if it has one, and how fast a pose follows at most; 0: no bound.
	Setpoint     string  `json:"setpoint,omitempty"`
	Speed        float64 `json:"speed,omitempty"`         // m/s
	AngularSpeed float64 `json:"angular_speed,omitempty"` // rad/s
}

// Ports describes ports. It leaves out the labels of outputs with more than a hundred.
func Ports(ports []sim.Port, names *naming.Names) ([]Port, error) {
	const mostLabels = 100
	var list []Port
	for i := range ports {
		p := &ports[i]
		if p.Silent || p.Direction == sim.In && p.Samples > 0 { // the page measures nothing
			continue
		}
		topic, err := names.Resolve("~" + p.Name)
		if err != nil {
			return nil, err
		}
		t := ros.MessageType(p.Kind)
		if t == nil {
			return nil, fmt.Errorf("port %q has unknown kind %d", p.Name, p.Kind)
		}
		out := Port{
			Name: p.Name, Topic: topic, Schema: t.ROS2Name, Kind: p.Kind.String(), In: p.Direction == sim.In,
			Labels: p.Labels, Unit: p.Unit, Group: p.Group,
			Min: bounds(p.Min), Max: bounds(p.Max), Rate: bounds(p.MaxRate), Safe: bounds(p.Safe),
		}
		if len(p.Units) > 0 {
			out.Units = p.Units[len(p.Units)-len(p.Labels):] // efforts come last
		}
		for _, f := range p.Frames {
			out.Frames = append(out.Frames, names.Frame(f))
		}
		if name := ros.SetpointTopic(p); name != "" {
			if out.Setpoint, err = names.Resolve(name); err != nil {
				return nil, err
			}
			out.Speed, out.AngularSpeed = p.Speed, p.AngularSpeed
		}
		if p.Direction == sim.Out && len(p.Labels) > mostLabels {
			out.Labels, out.Units = nil, nil
		}
		list = append(list, out)
	}
	return list, nil
}

// bounds returns values for JSON, where those that are not finite are null.
func bounds(values []float64) []*float64 {
	var list []*float64
	for _, x := range values {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			list = append(list, nil)
		} else {
			list = append(list, &x)
		}
	}
	return list
}

// Key is the key of a Manifest in the metadata of a server.
const Key = "panel"

// Metadata returns the metadata of a server: the Manifest under its Key.
func (m Manifest) Metadata() map[string]string {
	data, err := json.Marshal(m)
	if err != nil {
		panic("manifest: " + err.Error()) // texts and finite numbers
	}
	return map[string]string{Key: string(data)}
}
