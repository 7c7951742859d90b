// Package panel describes a robot to a page that does not know it, so that a third robot needs no
// change there: its ports with their topics, units and bounds.
package panel

import (
	"encoding/json"
	"fmt"
	"math"

	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

// Panel is what the page needs beside the protocol to show and to drive a robot that it does not
// know. It is in the metadata of the server, as JSON.
type Panel struct {
	Program string  `json:"program"`
	Version string  `json:"version"`
	About   string  `json:"about"`   // the robot, in a line
	Shown   string  `json:"shown"`   // topic of the pose that stands for the robot
	Length  float64 `json:"length"`  // m, of the robot; 0 where that means nothing
	Timeout float64 `json:"timeout"` // s, after which commands are taken back; 0 means never
	Ports   []Port  `json:"ports"`
}

// Port is a sim.Port with the topic that it has. Bounds that are infinite are null.
type Port struct {
	Name   string     `json:"name"`
	Topic  string     `json:"topic"`
	Schema string     `json:"schema"`
	Kind   string     `json:"kind"`
	In     bool       `json:"in"`
	Labels []string   `json:"labels,omitempty"`
	Unit   string     `json:"unit,omitempty"`
	Frames []string   `json:"frames,omitempty"`
	Group  string     `json:"group,omitempty"`
	Min    []*float64 `json:"min,omitempty"`
	Max    []*float64 `json:"max,omitempty"`
	Rate   []*float64 `json:"rate,omitempty"` // greatest, unit/s
	Safe   []*float64 `json:"safe,omitempty"`
}

// Ports describes ports. Outputs with more than a hundred labels have none here.
func Ports(ports []sim.Port, names *naming.Names) ([]Port, error) {
	const mostLabels = 100
	var list []Port
	for i := range ports {
		p := &ports[i]
		if p.Silent {
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
		for _, f := range p.Frames {
			out.Frames = append(out.Frames, names.Frame(f))
		}
		if p.Direction == sim.Out && len(p.Labels) > mostLabels {
			out.Labels = nil
		}
		list = append(list, out)
	}
	return list, nil
}

// bounds are values for JSON, which has none that are not finite.
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

// Key is the name of a Panel among the metadata that viewers get of a server.
const Key = "panel"

// Metadata is the Panel for viewers, by its Key.
func (p Panel) Metadata() map[string]string {
	data, err := json.Marshal(p)
	if err != nil {
		panic("panel: " + err.Error()) // texts and finite numbers
	}
	return map[string]string{Key: string(data)}
}
