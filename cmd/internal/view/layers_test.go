package view_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/view"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

// What a model publishes at one time is a recording of that moment, with the robot as its markers show it.
func TestCollector(t *testing.T) {
	e := view.Rods()
	made, err := e.Open(nil, nil)
	view.Must(t, err)
	names, err := naming.NewNames("rod", naming.Args{}, func(string) (string, bool) { return "", false })
	view.Must(t, err)
	moment, ports := new(view.Collector), made.Model.Ports()
	p, err := ros.NewModelPublisher(ports, names, []ros.Transport{moment}, 0)
	view.Must(t, err)
	shot := &sim.Snapshot{Values: make([][]float64, len(ports)), Slow: true}
	for i := range ports {
		if ports[i].Direction == sim.Out {
			shot.Values[i] = make([]float64, ports[i].Width())
			made.Model.Value(i, shot.Values[i])
		}
	}
	var scene sim.Scene
	made.Model.Draw(&scene)
	p.Publish(shot, view.Begin)
	p.PublishScene(&scene, view.Begin)
	recordings, err := view.Stack(e, view.Robot{}, []view.Layer{{File: "it", Memory: &moment.Memory}})
	view.Must(t, err)
	h := view.Project(t, e, recordings)
	h.Ask(1, view.Begin, "go")
	h.Answered("go")
	var drawn sinew_msgs.Scene
	h.Next("/rod/scene", &drawn)
	if got := view.Shapes(&drawn); !strings.Contains(got, "backbone") || !strings.Contains(got, "disk_6") || !strings.Contains(got, "long_up") {
		t.Errorf("drawn are %s", got)
	}
	if h.Ids["/rod/measured_cp"] == 0 || h.Ids["/rod/backbone"] == 0 || h.Info.DataEndTime.Sec != 1000 {
		t.Errorf("topics %v until %+v", h.Ids, h.Info.DataEndTime)
	}
}
