package view

import (
	"math"
	"strings"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// A motion and its errors lie over a recording, on its clock, in place of errors that the recording has itself.
func TestLayers(t *testing.T) {
	e := rods()
	hw := &trajectory.Trajectory{
		Tip:       trajectory.Poses{T: []float64{0, 5, 10}, Pose: []spatial.Pose{{}, {P: spatial.Vec{X: 0.05}}, {P: spatial.Vec{X: 0.1}}}},
		Actuation: trajectory.Actuation{Names: []string{"left"}, T: []float64{0, 10}, Tension: [][]float64{{1}, {2}}},
		Shape:     trajectory.Shape{T: []float64{0, 10}, Nodes: [][]spatial.Vec{make([]spatial.Vec, 21), make([]spatial.Vec, 21)}},
	}
	result := &hil.Result{Pairs: make([]hil.Pair, 2), Error: []spatial.Vec{{X: 0.003}, {Y: 0.004}}, LatencyS: 0.5, LengthM: 0.2, Position: hil.Summary{RMSE: 0.0035, Max: 0.004}}
	result.Pairs[1].T = 10
	clock := func(s float64) time.Duration { return begin + time.Duration((s-0.5)*1e9) }
	made, _, err := (&Cmd{Config: []string{file(t, "robot.yaml", string(e.Robot.Builtin[0].File()))}}).robot(e, nil)
	must(t, err)
	recordings, err := stack(e, Robot{made, "it"}, []Layer{
		{File: moving(t, "sim.mcap", begin)}, {File: "hw.csv", Memory: Motion(e, hw, clock)}, {Memory: Errors(result, clock), Below: true},
	})
	must(t, err)
	h := project(t, e, recordings)
	h.ask(1, begin+4600*time.Millisecond, "go")
	h.answered("go")
	var tip geometry_msgs.PoseStamped
	h.next("/overlay/rod/measured_cp", &tip)
	var error_ sinew_msgs.HilError
	h.next("/rod/hil_error", &error_)
	if tip.Pose.Position.X != 0.05 || error_.PositionErrorNorm != 0.003 || math.Abs(error_.PercentOfLength-1.5) > 1e-12 || error_.Rmse != 0.0035 || error_.Max != 0.004 || error_.Latency != 0.5 || error_.Samples != 2 {
		t.Errorf("%+v, %+v", tip, error_)
	}
	h.ask(1, begin+9*time.Second, "go")
	h.answered("go")
	var scene sinew_msgs.Scene
	h.next("/rod/scene", &scene)
	// nodes without attitude are a line, which has no disks and tendons
	if got := shapes(&scene); !strings.HasPrefix(got, "base") && !strings.Contains(got, "overlay line") || strings.Contains(got, "disk_") {
		t.Errorf("drawn are %s", got)
	}
}

// What a model publishes at one time is a recording of that moment, with the robot as its markers show it.
func TestCollector(t *testing.T) {
	e := rods()
	made, err := e.Open(nil, nil)
	must(t, err)
	names, err := naming.NewNames("rod", naming.Args{}, func(string) (string, bool) { return "", false })
	must(t, err)
	moment, ports := new(Collector), made.Model.Ports()
	p, err := ros.NewModelPublisher(ports, names, []ros.Transport{moment}, 0)
	must(t, err)
	shot := &sim.Snapshot{Values: make([][]float64, len(ports)), Slow: true}
	for i := range ports {
		if ports[i].Direction == sim.Out {
			shot.Values[i] = make([]float64, ports[i].Width())
			made.Model.Value(i, shot.Values[i])
		}
	}
	var scene sim.Scene
	made.Model.Draw(&scene)
	p.Publish(shot, begin)
	p.PublishScene(&scene, begin)
	recordings, err := stack(e, Robot{}, []Layer{{File: "it", Memory: &moment.Memory}})
	must(t, err)
	h := project(t, e, recordings)
	h.ask(1, begin, "go")
	h.answered("go")
	var drawn sinew_msgs.Scene
	h.next("/rod/scene", &drawn)
	if got := shapes(&drawn); !strings.Contains(got, "backbone") || !strings.Contains(got, "disk_6") || !strings.Contains(got, "long_up") {
		t.Errorf("drawn are %s", got)
	}
	if h.ids["/rod/measured_cp"] == 0 || h.ids["/rod/backbone"] == 0 || h.info.DataEndTime.Sec != 1000 {
		t.Errorf("topics %v until %+v", h.ids, h.info.DataEndTime)
	}
}
