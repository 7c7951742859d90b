package view

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Tests of what has no exported name.

// Of two robots in a recording the one is drawn whose pose is shown: the arrays of hardware are those of another.
func TestArraysBesideHardware(t *testing.T) {
	file := filepath.Join(t.TempDir(), "both.mcap")
	w, err := record.Create(file, record.Options{Node: "/rod"})
	Must(t, err)
	publish := func(topic string, m msgs.Message) {
		p, err := w.Advertise(ros.Topic{Name: topic, Type: m.Type()})
		Must(t, err)
		s := ros.NewSample(m)
		s.Time = msgs.At(Begin)
		p.Publish(s)
	}
	line := func(y float64) *geometry_msgs.PoseArray {
		m := &geometry_msgs.PoseArray{Poses: make([]geometry_msgs.Pose, 2)}
		for i := range m.Poses {
			m.Poses[i] = geometry_msgs.Pose{Position: geometry_msgs.Point{X: float64(i), Y: y}, Orientation: geometry_msgs.Quaternion{W: 1}}
		}
		return m
	}
	publish("/rod/measured_cp", &geometry_msgs.PoseStamped{Pose: line(1).Poses[1]})
	publish("/rod/hardware/measured_cp", &geometry_msgs.PoseStamped{Pose: line(2).Poses[1]})
	publish("/rod/backbone", line(1))
	publish("/rod/hardware/backbone", line(2))
	Must(t, w.Close())
	e := Env()
	e.Robot.Shape = &program.Shape{}
	recordings, err := stack(e, Robot{}, []Layer{{File: file}, {File: file, Shown: "/rod/hardware/measured_cp"}})
	Must(t, err)
	for i, r := range recordings {
		Must(t, r.At(Begin, r.take))
		s := r.scene()
		if len(s.Tubes) != 1 || s.Tubes[0].Points[0].Y != float64(i+1)*r.scale {
			t.Errorf("layer %d: %+v", i, s.Tubes)
		}
		Must(t, r.Close())
	}
}

// A motion and its errors lie over a recording, on its clock, in place of errors that the recording has itself.
func TestLayers(t *testing.T) {
	e := Rods()
	hw := &trajectory.Trajectory{
		Tip:       trajectory.Poses{T: []float64{0, 5, 10}, Pose: []spatial.Pose{{}, {P: spatial.Vec{X: 0.05}}, {P: spatial.Vec{X: 0.1}}}},
		Actuation: trajectory.Actuation{Names: []string{"left"}, T: []float64{0, 10}, Tension: [][]float64{{1}, {2}}},
		Shape:     trajectory.Shape{T: []float64{0, 10}, Nodes: [][]spatial.Vec{make([]spatial.Vec, 21), make([]spatial.Vec, 21)}},
	}
	result := &hil.Result{Pairs: make([]hil.Pair, 2), Error: []spatial.Vec{{X: 0.003}, {Y: 0.004}}, LatencyS: 0.5, LengthM: 0.2, Position: hil.Summary{RMSE: 0.0035, Max: 0.004}}
	result.Pairs[1].T = 10
	clock := func(s float64) time.Duration { return Begin + time.Duration((s-0.5)*1e9) }
	made, _, err := (&Cmd{Config: []string{File(t, "robot.yaml", string(e.Robot.Builtin[0].File()))}}).robot(e, nil, nil)
	Must(t, err)
	recordings, err := stack(e, Robot{made, "it"}, []Layer{
		{File: Moving(t, "sim.mcap", Begin)}, {File: "hw.csv", Memory: Motion(e, hw, clock)}, {Memory: Errors(result, clock), Below: true},
	})
	Must(t, err)
	h := Project(t, e, recordings)
	h.Ask(1, Begin+4600*time.Millisecond, "go")
	h.Answered("go")
	var tip geometry_msgs.PoseStamped
	h.Next("/overlay/rod/measured_cp", &tip)
	var error_ sinew_msgs.HilError
	h.Next("/rod/hil_error", &error_)
	if tip.Pose.Position.X != 0.05 || error_.PositionErrorNorm != 0.003 || math.Abs(error_.PercentOfLength-1.5) > 1e-12 || error_.Rmse != 0.0035 || error_.Max != 0.004 || error_.Latency != 0.5 || error_.Samples != 2 {
		t.Errorf("%+v, %+v", tip, error_)
	}
	h.Ask(1, Begin+9*time.Second, "go")
	h.Answered("go")
	var scene sinew_msgs.Scene
	h.Next("/rod/scene", &scene)
	// nodes without attitude are a line, which has no disks and tendons
	if got := Shapes(&scene); !strings.HasPrefix(got, "base") && !strings.Contains(got, "overlay line") || strings.Contains(got, "disk_") {
		t.Errorf("drawn are %s", got)
	}
}

// A CSV lies over a recording of a microrobot, whose markers are enlarged, where that was.
func TestMotionOverRecording(t *testing.T) {
	e := Bodies()
	recordings, err := (&Cmd{Files: []string{Moving(t, "sim.mcap", 1_000_000_000*time.Second), File(t, "hw.csv", "t,x,y,z\n0,1e-4,0,0\n10,2e-4,0,0\n")}}).open(e)
	Must(t, err)
	// as sim records it, by the frame in which it is drawn
	drawn, times := new(Memory), []time.Duration{recordings[0].first, recordings[0].last}
	drawn.Add("/body/markers", visualization_msgs.MarkerArrayType, times[:1], func(int) msgs.Message {
		return &visualization_msgs.MarkerArray{Markers: []visualization_msgs.Marker{{Ns: "body", Kind: visualization_msgs.MarkerSphere, Scale: geometry_msgs.Vector3{X: 1, Y: 1, Z: 1}}}}
	})
	drawn.Add("/body/measured_cp", geometry_msgs.PoseStampedType, times, func(int) msgs.Message { return &geometry_msgs.PoseStamped{} })
	drawn.Add("/tf", tf2_msgs.TFMessageType, times, func(i int) msgs.Message {
		at := func(frame string, x float64) geometry_msgs.TransformStamped {
			return geometry_msgs.TransformStamped{ChildFrameID: frame, Transform: geometry_msgs.Transform{Translation: geometry_msgs.Vector3{X: x}}}
		}
		return &tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{at("body/body", 1e-4*float64(i)), at("body/drawn", 0.1*float64(i))}}
	})
	Must(t, recordings[0].Close())
	recordings[0] = &recording{messageSource: drawn, file: "sim.mcap"}
	Must(t, recordings[0].describe(e))
	h := Project(t, e, recordings)
	s := h.At(10)
	if got := Shapes(s); got != "body overlay pose overlay path" || s.Scale != 1000 || math.Abs(float64(s.Shapes[1].Data[0])-0.2) > 1e-6 {
		t.Errorf("drawn are %s at %g: %v", got, s.Scale, s.Shapes[1].Data)
	}
}

// damaged is a recording that cannot be read after its first moment.
type damaged struct{ messageSource }

func (damaged) Between(_, _ time.Duration, _ func(record.Message)) error {
	return errors.New("a chunk cannot be decompressed")
}

// Who looks at a recording that cannot be read is output why nothing moves, and not with every picture.
func TestDamaged(t *testing.T) {
	e := Env()
	recordings, err := (&Cmd{Files: []string{Moving(t, "x.mcap", Begin)}}).open(e)
	Must(t, err)
	t.Cleanup(func() { _ = recordings[0].Close() })
	recordings[0].messageSource = damaged{recordings[0].messageSource}
	h := Project(t, e, recordings)
	messages, since, begun := 0, time.Now(), time.Now()
	for time.Since(begun) < time.Second/2 || messages == 0 && time.Since(since) < 10*time.Second {
		kind, data := h.Read()
		var m struct{ Op, Message string }
		if kind == websocket.MessageText && json.Unmarshal(data, &m) == nil && m.Op == "status" {
			if messages++; messages == 1 {
				begun = time.Now() // a busy computer is late with the first word
			}
			if m.Message != "x.mcap cannot be read here: a chunk cannot be decompressed" {
				t.Error(m.Message)
			}
		}
	}
	if passed := time.Since(begun); messages < 1 || messages > 1+int(passed/warnPeriod) {
		t.Errorf("output %d times in %v", messages, passed)
	}
}

// TestRecordingBesideHardware shows the simulated pose of a recording beside that of the hardware, whichever comes first and however
// they were remapped, and draws it as the robot of the robot file that the recording carries.
func TestRecordingBesideHardware(t *testing.T) {
	e := Rods()
	for _, c := range []struct{ name, hardware, original, want string }{
		{"by name", "/rod/hardware/measured_cp", "", "/rod/measured_cp"},
		{"remapped", "/cam/measured_cp", "/rod/hardware/measured_cp", "/rod/measured_cp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var output strings.Builder
			e.Stderr = &output
			file := filepath.Join(t.TempDir(), "run.mcap")
			w, err := record.Create(file, record.Options{Robot: e.Robot.Builtin[0].File(), RobotName: cli.RobotFile})
			Must(t, err)
			for i := range 2 {
				for _, topic := range []ros.Topic{{Name: c.hardware, Original: c.original}, {Name: "/rod/measured_cp"}} {
					m := &geometry_msgs.PoseStamped{Header: std_msgs.Header{FrameID: "world"}}
					m.Pose.Orientation.W = 1
					topic.Type = m.Type()
					s := ros.NewSample(m)
					s.Time = msgs.At(Begin + time.Duration(i)*time.Second)
					w.Received(topic, s)
				}
			}
			Must(t, w.Close())
			recordings, err := (&Cmd{Files: []string{file}}).open(e)
			Must(t, err)
			defer recordings[0].Close()
			if r := recordings[0]; r.shown != c.want || r.sketch == nil || r.drawnAs != "the robot of the recording" {
				t.Errorf("shown is %s, drawn as %q", r.shown, r.drawnAs)
			}
			if want := "the robot is that of the robot file in " + file; !strings.Contains(output.String(), want) {
				t.Errorf("output %q, want %q", output.String(), want)
			}
		})
	}
}
