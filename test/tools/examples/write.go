package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/spatial"
)

// writeCSV writes tips, and the tensions if they were recorded, to 1 µm, 1e-5 and
// 1 mN.
func writeCSV(file string, states []state, tensions bool) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	fmt.Fprint(w, "t,tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw")
	for i := range tendons {
		if tensions {
			fmt.Fprintf(w, ",tendon_%d", i+1)
		}
	}
	fmt.Fprintln(w)
	for _, s := range states {
		q := s.tip.R.Quat()
		fmt.Fprintf(w, "%.6f,%.6f,%.6f,%.6f,%.5f,%.5f,%.5f,%.5f", s.t, s.tip.P.X, s.tip.P.Y, s.tip.P.Z, q.X, q.Y, q.Z, q.W)
		for _, f := range s.tension {
			if tensions {
				fmt.Fprintf(w, ",%.3f", f)
			}
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// created is the time at which the recording begins: an arbitrary one, so that
// the file is the same each time.
var created = time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC)

// One of so many simulated states is written to each topic.
const (
	everyCommand  = 2
	everyJoint    = 4
	everyBackbone = 4
	everyMarkers  = 12
)

// writeMCAP writes both into one recording, as a node does that hardware runs
// beside: in and out topics alike.
func writeMCAP(file, robot string, simulation, hardware []state) error {
	data, err := os.ReadFile(robot)
	if err != nil {
		return err
	}
	start := time.Duration(created.UnixNano())
	w, err := record.Create(file, record.Options{Node: "/tendonsim", Created: start, Robot: data, RobotName: "robot.yaml", Overwrite: true})
	if err != nil {
		return err
	}
	r := &writer{w: w, start: start}
	i := 0
	for k, s := range simulation {
		for ; i < len(hardware) && hardware[i].t <= s.t; i++ {
			r.pose("/tendonsim/hardware/measured_cp", hardware[i])
			if i%everyMarkers == 0 {
				r.backbone("/tendonsim/hardware/backbone", hardware[i])
			}
		}
		r.pose("/tendonsim/measured_cp", s)
		if k%everyCommand == 0 {
			r.command("/tendonsim/servo_jf", s.t)
		}
		if k%everyJoint == 0 {
			r.joints("/tendonsim/measured_js", s)
		}
		if k%everyBackbone == 0 {
			r.backbone("/tendonsim/backbone", s)
		}
	}
	return w.Close()
}

// writer writes states as messages.
type writer struct {
	w     *record.Writer
	start time.Duration
}

func (r *writer) header(s state) std_msgs.Header {
	at := r.start + time.Duration(s.t*float64(time.Second))
	return std_msgs.Header{Stamp: msgs.At(at.Round(time.Microsecond)), FrameID: "world"}
}

func (r *writer) put(topic string, m msgs.Message, h std_msgs.Header) {
	s := ros.NewSample(m)
	s.Time = h.Stamp
	r.w.Received(ros.Topic{Name: topic, Type: m.Type()}, s)
}

func (r *writer) pose(topic string, s state) {
	h := r.header(s)
	r.put(topic, &geometry_msgs.PoseStamped{Header: h, Pose: message(s.tip)}, h)
}

// command is what both robots were told at t (s).
func (r *writer) command(topic string, t float64) {
	f := tensions(t)
	m := &sensor_msgs.JointState{Header: r.header(state{t: t}), Name: names(), Effort: f[:]}
	m.Header.FrameID = ""
	r.put(topic, m, m.Header)
}

func names() []string {
	var n []string
	for i := range tendons {
		n = append(n, fmt.Sprintf("tendon_%d", i+1))
	}
	return n
}

func (r *writer) joints(topic string, s state) {
	m := &sensor_msgs.JointState{Header: r.header(s), Name: names(), Position: s.pull, Effort: s.tension}
	r.put(topic, m, m.Header)
}

func (r *writer) backbone(topic string, s state) {
	m := &geometry_msgs.PoseArray{Header: r.header(s)}
	for _, p := range s.backbone {
		m.Poses = append(m.Poses, message(p))
	}
	r.put(topic, m, m.Header)
}

func message(p spatial.Pose) geometry_msgs.Pose {
	q := p.R.Quat()
	return geometry_msgs.Pose{Position: geometry_msgs.Point(p.P), Orientation: geometry_msgs.Quaternion{X: q.X, Y: q.Y, Z: q.Z, W: q.W}}
}
