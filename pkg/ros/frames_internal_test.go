package ros

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// chainTolerance is round-off of a few products of unit quaternions and lengths
// of order 1.
const chainTolerance = 1e-14

// framePorts places hand on arm on base on the world, listed from the far end;
// hand is measured in base, the others in the world.
func framePorts() []sim.Port {
	frame := func(in, child, parent string) sim.Port {
		return sim.Port{Name: child, Kind: sim.Pose, Direction: sim.Out, Frames: []string{in}, Child: child, Parent: parent}
	}
	return []sim.Port{
		frame("base", "hand", "arm"),
		{Name: "other", Kind: sim.Twist, Direction: sim.Out},
		frame(sim.World, "arm", "base"),
		frame(sim.World, "base", sim.World),
	}
}

func randomPose(r *rand.Rand) []float64 {
	q := spatial.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
	return []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), q.X, q.Y, q.Z, q.W}
}

func poseOf(v []float64) spatial.Pose {
	return spatial.Pose{P: spatial.Vec{X: v[0], Y: v[1], Z: v[2]}, R: spatial.Quat{X: v[3], Y: v[4], Z: v[5], W: v[6]}.Rot()}
}

// Whoever walks the tree from the world must arrive where the ports say the
// frames are.
func TestTransformsLeadToTheFrames(t *testing.T) {
	tree, err := newFrameTree(framePorts(), Names().Frame)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		hand, arm, base := randomPose(r), randomPose(r), randomPose(r)
		m := tree.message(7, msgs.At(Noon), [][]float64{hand, make([]float64, 6), arm, base})
		want := map[string]spatial.Pose{
			"lab/left/base": poseOf(base),
			"lab/left/arm":  poseOf(arm),
			"lab/left/hand": poseOf(base).Mul(poseOf(hand)),
		}
		reached := map[string]spatial.Pose{"world": spatial.IdentityPose()}
		for _, tf := range m.Transforms {
			from, ok := reached[tf.Header.FrameID]
			if !ok {
				t.Fatalf("%s comes before its parent %s", tf.ChildFrameID, tf.Header.FrameID)
			}
			p, q := tf.Transform.Translation, tf.Transform.Rotation
			got := from.Mul(poseOf([]float64{p.X, p.Y, p.Z, q.X, q.Y, q.Z, q.W}))
			reached[tf.ChildFrameID] = got
			w := want[tf.ChildFrameID]
			diff := math.Max(got.P.Sub(w.P).Norm(), got.R.Sub(w.R).Col1().Norm()+got.R.Sub(w.R).Col2().Norm())
			if diff > chainTolerance*10 {
				t.Errorf("%s is %g away from where its port says", tf.ChildFrameID, diff)
			}
			if n := math.Sqrt(q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W); math.Abs(n-1) > chainTolerance {
				t.Errorf("%s has a quaternion of norm %v", tf.ChildFrameID, n)
			}
			if tf.Header.Stamp != msgs.At(Noon) || tf.Header.Seq != 7 {
				t.Errorf("%s has header %+v", tf.ChildFrameID, tf.Header)
			}
		}
		if len(reached) != 4 {
			t.Fatalf("frames reached: %v, want world, base, arm and hand", reached)
		}
	}
}

func TestTransformsGoOutAtMostAHundredTimesASecond(t *testing.T) {
	for _, c := range []struct {
		hz, want float64
	}{{1000, 100}, {200, 100}, {150, 100}, {120, 100}, {100, 100}, {30, 30}} {
		m, net := EveryKind(), NewMemory()
		b, _ := Still(t, m, Options{}, net)
		r := rand.New(rand.NewPCG(1, 2))
		for k := range int(c.hz) {
			jitter := seconds(1e-4 * r.NormFloat64())
			b.publish(snapshot(b, m, Noon+seconds(float64(k)/c.hz)+jitter, 0))
		}
		if got := len(net.Topic(t, "/tf").Take()); float64(got) > c.want || float64(got) < c.want-1 {
			t.Errorf("at %v snapshots per second /tf has %d messages, want %v or one fewer", c.hz, got, c.want)
		}
	}
}

func TestTransformsAreNotRepeatedWhileTimeStands(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b, _ := Still(t, m, Options{SimTime: true}, net)
	for k := range 10 {
		b.publish(snapshot(b, m, Noon+time.Duration(k)*time.Second, 3))
	}
	b.publish(snapshot(b, m, Noon+time.Minute, 1)) // after a reset
	got := net.Topic(t, "/tf").Take()
	if len(got) != 2 {
		t.Fatalf("%d messages, want one at 3 s and one at 1 s", len(got))
	}
	for i, want := range []time.Duration{3 * time.Second, time.Second} {
		if stamp := got[i].(*tf2_msgs.TFMessage).Transforms[0].Header.Stamp; stamp != msgs.At(want) {
			t.Errorf("message %d has stamp %v, want %v", i, stamp, want)
		}
	}
}

// Positions and efforts are compared where the port has them and the message has them,
// each by its name, as root mean squares since the last report.
func TestMeasuredJointsAreCompared(t *testing.T) {
	labels := []string{"left", "right"}
	both := sim.Position | sim.Effort
	for _, c := range []struct {
		parts     sim.Parts
		simulated []float64
		position  string
		effort    string
	}{
		{sim.Position, []float64{1, 2}, "3 4", "0 0"},
		{sim.Effort, []float64{10, 20}, "0 0", "5 6"},
		{both, []float64{1, 2, 10, 20}, "3 4", "5 6"},
		{both | sim.Velocity, []float64{1, 2, 98, 99, 10, 20}, "3 4", "5 6"},
	} {
		port := &sim.Port{Kind: sim.JointState, Labels: labels, Parts: c.parts}
		p := jointPair{port: port, position: make([]float64, 2), effort: make([]float64, 2)}
		report := func() string {
			st := status("joints", "")
			p.report(st)
			return says(st.Values)
		}
		hear := func(position, effort []float64) {
			p.compare(&sensor_msgs.JointState{Position: position, Effort: effort}, []int{1, 0}) // right, left
		}
		hear([]float64{9, 9}, nil)
		if got := report(); got != "" {
			t.Errorf("%v: %q before the robot has moved", c.parts, got)
		}
		p.simulated = c.simulated
		hear([]float64{2 + 4, 1 + 3}, []float64{20 - 6, 10 - 5})
		if got, want := report(), differences(1, c.position, c.effort); got != want {
			t.Errorf("%v: %q, want %q", c.parts, got, want)
		}
		hear([]float64{2 - 4, 1 - 3}, nil)
		if got, want := report(), differences(1, c.position, "0 0"); got != want {
			t.Errorf("%v, no efforts: %q, want %q", c.parts, got, want)
		}
		hear(nil, []float64{20 + 6, 10 + 5})
		hear(nil, []float64{20 - 6, 10 - 5})
		if got, want := report(), differences(2, "0 0", c.effort); got != want {
			t.Errorf("%v, no positions: %q, want %q", c.parts, got, want)
		}
		if got := report(); got != "" {
			t.Errorf("%v: %q without a message since", c.parts, got)
		}
	}
}

// says writes key-value pairs in a line.
func says(values []diagnostic_msgs.KeyValue) string {
	var all []string
	for _, v := range values {
		all = append(all, v.Key+"="+v.Value)
	}
	return strings.Join(all, " ")
}

// differences formats the differences of a report, each "left right".
func differences(messages int, position, effort string) string {
	p, e := strings.Fields(position), strings.Fields(effort)
	return fmt.Sprintf("measured_js=%d position_rms/left=%s effort_rms/left=%s position_rms/right=%s effort_rms/right=%s", messages, p[0], e[0], p[1], e[1])
}

// TestHardwareLatency: once the hardware has moved enough, errors and diagnostics say
// how much later it is. Before it is heard there is nothing to estimate.
func TestHardwareLatency(t *testing.T) {
	const late, period = 0.05, 10 * time.Millisecond
	m, net := EveryKind(), NewMemory()
	b, clock := Still(t, m, Options{Hardware: Beside(geometry_msgs.PoseStampedType)}, net)
	motion := func(at time.Duration) float64 {
		s := at.Seconds()
		return 0.1*math.Sin(2*math.Pi*0.7*s) + 0.05*math.Sin(2*math.Pi*1.9*s)
	}
	b.hardware.estimate()
	move := func(from, to time.Duration) {
		for at := from; at < to; at += period {
			PoseAt(b, m, at, motion(at))
			net.Arrive(t, "/lab/left/hardware/measured_cp", &geometry_msgs.PoseStamped{
				Header: HeaderAt(at, "world"),
				Pose:   geometry_msgs.Pose{Position: geometry_msgs.Point{X: motion(at - time.Duration(late*float64(time.Second)))}, Orientation: geometry_msgs.Quaternion{W: 1}},
			})
		}
	}
	move(0, 10*time.Second)
	net.Topic(t, "/lab/left/hil_error").Take()
	b.hardware.estimate()
	move(10*time.Second, 10*time.Second+2*period)
	if e := b.hardware.newest; !(math.Abs(e.Latency-late) < 1e-3) {
		t.Errorf("latency %g s, want %g", e.Latency, late)
	}
	s := b.hardware.status("left", clock.Now())
	if v, err := strconv.ParseFloat(keyValue(s, "latency_s"), 64); err != nil || !(math.Abs(v-late) < 1e-3) {
		t.Errorf("diagnostics say a latency of %q s, want %g", keyValue(s, "latency_s"), late)
	}
}

// TestMeasuredShapeIsDrawn: points along the hardware, in its frame, lie as a ghost over the simulated robot; a
// message that cannot be a shape is refused and leaves the last one.
func TestMeasuredShapeIsDrawn(t *testing.T) {
	o := Beside(geometry_msgs.PoseStampedType)
	o.Shape, o.Frame = "out_poses", "mocap"
	o.Place = spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: math.Pi / 2}), P: spatial.Vec{X: -1}}
	net := NewMemory()
	b, _ := Still(t, EveryKind(), Options{Hardware: o}, net)
	draw := func() []sim.Tube {
		scene := sim.Scene{Scale: 10, Tubes: []sim.Tube{{Name: "rod", Radius: 0.5}}}
		b.hardware.draw(&scene)
		return scene.Tubes[1:]
	}
	if got := draw(); len(got) != 0 {
		t.Errorf("before anything was measured: %+v", got)
	}
	send := func(frame string, points ...geometry_msgs.Point) {
		m := &geometry_msgs.PoseArray{Header: HeaderAt(0, frame)}
		for _, p := range points {
			m.Poses = append(m.Poses, geometry_msgs.Pose{Position: p}) // without an orientation
		}
		net.Arrive(t, "/lab/left/hardware/out_poses", msgs.Message(m))
	}
	check := func() {
		t.Helper()
		got := draw()
		if len(got) != 1 || len(got[0].Points) != 3 || got[0].Radius != 0.5 || got[0].Color.A > 0.5 || got[0].Name != "hardware_shape" {
			t.Fatalf("%+v", got)
		}
		if d := got[0].Points[2].Sub(spatial.Vec{X: 20}).Norm(); d > 1e-12 { // (0, −3, 0) there is (2, 0, 0) here, ten times as large
			t.Errorf("%g m beside", d)
		}
	}
	send("mocap", geometry_msgs.Point{}, geometry_msgs.Point{Y: -1}, geometry_msgs.Point{Y: -3})
	check()
	for _, c := range []struct {
		frame, want string
		points      []geometry_msgs.Point
	}{
		{"elsewhere", "elsewhere", []geometry_msgs.Point{{}, {Y: 1}}},
		{"mocap", "1 poses; allowed are 2 to 2000", []geometry_msgs.Point{{}}},
		{"mocap", "2001 poses", make([]geometry_msgs.Point, 2001)},
		{"mocap", "the position of pose 1 is NaN, 0, 0", []geometry_msgs.Point{{}, {X: math.NaN()}}},
	} {
		before := b.hardware.refused
		send(c.frame, c.points...)
		if b.hardware.refused != before+1 {
			t.Errorf("%s: not refused", c.want)
		}
		poses := make([]geometry_msgs.Pose, len(c.points))
		for i, p := range c.points {
			poses[i].Position = p
		}
		if c.frame != "mocap" {
			check()
			continue
		}
		if r := b.hardware.takeShape(&geometry_msgs.PoseArray{Poses: poses}, refusal{}); !strings.Contains(r.detail, c.want) {
			t.Errorf("%q, want %q", r.detail, c.want)
		}
		check()
	}
	o = Beside(geometry_msgs.PoseStampedType)
	o.Shape = "out_pose"
	if _, err := newBridge(b.sim, b.names, []Transport{NewMemory()}, Options{Hardware: o}); err == nil {
		t.Error("a pose is taken for poses along the robot")
	}
}
