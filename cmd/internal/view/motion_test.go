package view

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/launch/robots"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

// rods is a program of rods, whose built-in one has the tendons long_up, long_left, short_down, short_right.
func rods() *cli.Env {
	e := env()
	*e.Robot = program.Robot{
		Name: "rod", Shown: "measured_cp", Builtin: robots.Of("tendonsim"), Shape: &program.Shape{Port: "backbone"},
		File: program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
			r, err := continuum.NewRobot(f)
			if err != nil {
				return nil, err
			}
			m, err := r.NewModel()
			return &program.Instance{Model: m, Sketch: func(s *sim.Scene, seen program.Observation) {
				r.Sketch(s, seen.Poses, seen.Nodes, seen.Centerline(), seen.Shapes)
			}}, err
		}),
	}
	return e
}

// bodies is a program of microrobots.
func bodies() *cli.Env {
	e := env()
	*e.Robot = program.Robot{
		Name: "body", Shown: "measured_cp", Builtin: robots.Of("microrobot"), RobotColumn: "robot",
		File: program.Files(func(f *robotfile.Microrobot) (*program.Instance, error) {
			r, err := microrobot.NewRobot(f, nil)
			if err != nil {
				return nil, err
			}
			return &program.Instance{Model: r.NewModel(), Sketch: func(s *sim.Scene, seen program.Observation) { r.Sketch(s, seen.Poses, seen.Shapes) }}, nil
		}),
	}
	return e
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// samples is a CSV of 10 s at 100 Hz, as sim writes it, under a header: the tip moves by 1 cm/s along x.
func samples(header, tail string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for k := range 1001 {
		fmt.Fprintf(&b, "%g,%g,0,0.1,0,0,%g,%[3]g%s\n", float64(k)/100, float64(k)/1e4, math.Sqrt(0.5), tail)
	}
	return b.String()
}

const rodHeader = "t,tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw,long_up,long_left,short_down,short_right"

// at goes to a time of the CSV and returns the scene of then.
func (h *theatre) at(s float64) *sinew_msgs.Scene {
	h.t.Helper()
	h.ask(1, 1_000_000_000*time.Second+time.Duration(s*1e9), "go")
	h.answered("go")
	scene := new(sinew_msgs.Scene)
	h.next("/"+h.node+"/scene", scene)
	return scene
}

func shapes(s *sinew_msgs.Scene) string {
	var names []string
	for i := range s.Shapes {
		names = append(names, s.Shapes[i].Name)
	}
	return strings.Join(names, " ")
}

// The CSV of a rod plays with pose, tensions and path. Of the robot it shows the ends, and nothing in between.
func TestMotionOfRod(t *testing.T) {
	e := rods()
	h := playOf(t, &Cmd{Files: []string{file(t, "sim.csv", samples(rodHeader, ",1,2,3,4"))}}, e)
	if h.info.DataEndTime.Sec != 1_000_000_010 {
		t.Errorf("until %+v", h.info.DataEndTime)
	}
	for _, at := range []float64{4.0, 2.005, 10} {
		h.ask(1, 1_000_000_000*time.Second+time.Duration(at*1e9), "go")
		h.answered("go")
		var p geometry_msgs.PoseStamped
		h.next("/rod/measured_cp", &p)
		if want := math.Floor(at*100) / 1e4; math.Abs(p.Pose.Position.X-want) > 1e-12 || p.Header.FrameID != "world" || math.Abs(p.Pose.Orientation.Z-math.Sqrt(0.5)) > 1e-12 {
			t.Errorf("at %g s: %+v", at, p)
		}
	}
	h.ask(1, 1_000_000_001*time.Second, "go")
	h.answered("go")
	var line nav_msgs.Path
	h.next("/rod/tip_path", &line)
	if n := len(line.Poses); n < 20 || line.Poses[0].Pose.Position.X != 0 || math.Abs(line.Poses[n-1].Pose.Position.X-0.01) > 0.0005 {
		t.Errorf("a path of %d poses to %+v", n, line.Poses[n-1].Pose)
	}
	var joints sensor_msgs.JointState
	h.next("/rod/measured_js", &joints)
	if len(joints.Name) != 4 || joints.Name[1] != "long_left" || joints.Effort[1] != 2 || len(joints.Position) != 0 {
		t.Errorf("%+v", joints)
	}
	s := h.at(5)
	if shapes(s) != "base tip path" || math.Abs(float64(s.Shapes[1].Data[0])-0.05) > 1e-6 || s.Scale != 1 {
		t.Errorf("drawn are %s, scale %g: %+v", shapes(s), s.Scale, s.Shapes)
	}
	if about := h.about; !strings.Contains(about, "sim.csv: 10 s, tip and its path (a CSV of samples has no shape of the rod), drawn as the built-in silicone, whose tendons have these names") {
		t.Errorf("about %q", about)
	}
}

// Without a robot that has such tendons, or with positions alone, a ball is what is known.
func TestMotionOfNobody(t *testing.T) {
	for text, want := range map[string]string{
		samples(strings.Replace(rodHeader, "long_up", "up", 1), ",1,2,3,4"):                       "--config FILE draws the robot",
		"t,x,y,z,long_up,long_left,short_down,short_right\n0,0,0,0,1,1,1,1\n10,0.1,0,0,1,1,1,1\n": "has no shape of the rod)",
	} {
		h := playOf(t, &Cmd{Files: []string{file(t, "x.csv", text)}}, rods())
		if s := h.at(10); shapes(s) != "pose path" || s.Shapes[0].Data[0] != 0.1 || !strings.HasSuffix(h.about, want) {
			t.Errorf("drawn are %s at %v, about %q", shapes(s), s.Shapes[0].Data, h.about)
		}
	}
}

// The shape that static writes is a rod, with its robot file also disks and tendons.
func TestShapeOfRod(t *testing.T) {
	var nodes strings.Builder
	nodes.WriteString("s,x,y,z,qx,qy,qz,qw\n")
	for k := range 21 {
		fmt.Fprintf(&nodes, "%g,%[1]g,0,0,0,%g,0,%[2]g\n", 0.0125*float64(k), math.Sqrt(0.5))
	}
	shape := file(t, "shape.csv", nodes.String())
	h := playOf(t, &Cmd{Files: []string{shape}}, rods())
	if s := h.at(0); shapes(s) != "line pose" || len(s.Shapes[0].Data) != 63 || h.about != "shape.csv: shape of 21 nodes" {
		t.Errorf("drawn are %s, about %q", shapes(s), h.about)
	}
	robot := file(t, "robot.yaml", string(robots.Of("tendonsim")[0].File()))
	h = playOf(t, &Cmd{Files: []string{shape}, Config: []string{robot}}, rods())
	s := h.at(0)
	if got := shapes(s); !strings.HasPrefix(got, "backbone disk_1 disk_2") || !strings.HasSuffix(got, "long_up long_left short_down short_right") {
		t.Errorf("drawn are %s", got)
	}
	if d := s.Shapes[0].Data; math.Abs(float64(d[60])-0.25) > 1e-6 {
		t.Errorf("the rod ends at %v", d[60:])
	}
}

// A microrobot is drawn with its robot file, as much larger than life as its simulation draws it; without it its path is
// drawn at a scale at which one sees it.
func TestMotionOfBody(t *testing.T) {
	header := "t,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz"
	small := strings.NewReplacer(",0.1,", ",1e-4,").Replace(samples(header, ",1,2,3,4,5,6"))
	var b strings.Builder
	for i, line := range strings.SplitAfter(small, "\n") { // 0.1 mm a second
		if cells := strings.SplitN(line, ",", 3); i > 0 && len(cells) == 3 {
			var x float64
			_, err := fmt.Sscan(cells[1], &x)
			must(t, err)
			line = fmt.Sprintf("%s,%g,%s", cells[0], x/100, cells[2])
		}
		b.WriteString(line)
	}
	motion, robot := file(t, "sim.csv", b.String()), file(t, "robot.yaml", string(robots.Of("microrobot")[0].File()))
	h := playOf(t, &Cmd{Files: []string{motion}, Config: []string{robot}}, bodies())
	s := h.at(5)
	if got := shapes(s); got != "body path magnetic_moment" || s.Scale != 1000 || !strings.HasSuffix(h.about, "sim.csv: 10 s, place and path (a CSV has no more), drawn as "+robot) {
		t.Errorf("drawn are %s at %g, about %q", got, s.Scale, h.about)
	}
	var twist geometry_msgs.TwistStamped
	h.ask(1, 1_000_000_001*time.Second, "go")
	h.answered("go")
	h.next("/body/measured_cv", &twist)
	if twist.Twist.Angular.Z != 6 {
		t.Errorf("%+v", twist)
	}
	h = playOf(t, &Cmd{Files: []string{motion}}, bodies())
	if s = h.at(5); shapes(s) != "pose path" || s.Scale != 100 || math.Abs(float64(s.Shapes[0].Data[0])-0.05) > 1e-6 {
		t.Errorf("drawn are %s at %g: %v", shapes(s), s.Scale, s.Shapes[0].Data)
	}
}

// Of a swarm all robots are there, and the path of the one that is chosen.
func TestMotionOfSwarm(t *testing.T) {
	swarm := file(t, "swarm.csv", "t,x,y,z,robot\n0,1,0,0,0\n0,2,0,0,1\n0,3,0,0,2\n1,1,1,0,0\n1,2,1,0,1\n1,NaN,1,0,2\n")
	one := 1
	e := bodies()
	h := playOf(t, &Cmd{Files: []string{swarm}, RobotNumber: cli.RobotNumber{Robot: &one}}, e)
	var all geometry_msgs.PoseArray
	h.ask(1, 1_000_000_000*time.Second, "go")
	h.answered("go")
	h.next("/body/poses", &all)
	if len(all.Poses) != 3 || all.Poses[2].Position.X != 3 {
		t.Errorf("%+v", all.Poses)
	}
	if s := h.at(1); shapes(s) != "pose path" || len(s.Shapes[0].Data) != 14 || s.Shapes[0].Data[0] != 2 || s.Shapes[1].Data[0] != 2 {
		t.Errorf("drawn are %s: %+v", shapes(s), s.Shapes)
	}
	if text := fmt.Sprint(e.Stderr); !strings.Contains(text, "swarm.csv:7: 1 rows from there on without a position") {
		t.Errorf("stderr %q", text)
	}
	if err := (&Cmd{Files: []string{swarm}, RobotNumber: cli.RobotNumber{Robot: new(int)}, View: "here:x"}).Run(bodies()); !strings.Contains(err.Error(), "here:x") {
		t.Errorf("--robot 0: %v", err)
	}
}

// A CSV lies over a recording of a microrobot, whose markers are enlarged, where that was.
func TestMotionOverRecording(t *testing.T) {
	e := bodies()
	recordings, err := (&Cmd{Files: []string{moving(t, "sim.mcap", 1_000_000_000*time.Second), file(t, "hw.csv", "t,x,y,z\n0,1e-4,0,0\n10,2e-4,0,0\n")}}).open(e)
	must(t, err)
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
	must(t, recordings[0].Close())
	recordings[0] = &recording{messageSource: drawn, file: "sim.mcap"}
	must(t, recordings[0].describe(e))
	h := project(t, e, recordings)
	s := h.at(10)
	if got := shapes(s); got != "body overlay pose overlay path" || s.Scale != 1000 || math.Abs(float64(s.Shapes[1].Data[0])-0.2) > 1e-6 {
		t.Errorf("drawn are %s at %g: %v", got, s.Scale, s.Shapes[1].Data)
	}
}

// A CSV that cannot be shown is refused with file, line and what is allowed.
func TestMotionRefusals(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) []string {
		name := filepath.Join(dir, "x.csv")
		must(t, os.WriteFile(name, []byte(text), 0o600))
		return []string{name}
	}
	two, good := 2, "t,x,y,z,robot\n0,1,0,0,0\n0,2,0,0,1\n"
	for want, c := range map[string]func() Cmd{
		"x.csv:1: no column t, the time in s; there are left":        func() Cmd { return Cmd{Files: write("left\n1\n")} },
		"x.csv:3: t = 1 s after 2 s: time goes back":                 func() Cmd { return Cmd{Files: write("t,x,y,z\n2,0,0,0\n1,0,0,0\n")} },
		"no rows of robot 2 with a position; the numbers go up to 1": func() Cmd { return Cmd{Files: write(good), RobotNumber: cli.RobotNumber{Robot: &two}} },
		"there is no column robot in":                                func() Cmd { return Cmd{Files: write("t,x,y,z\n2,0,0,0\n"), RobotNumber: cli.RobotNumber{Robot: &two}} },
		"no rows of robot 0 with a position":                         func() Cmd { return Cmd{Files: write("t,x,y,z\n2,NaN,0,0\n")} },
		"none.yaml":                                                  func() Cmd { return Cmd{Files: write("t,x,y,z\n2,0,0,0\n"), Config: []string{"none.yaml"}} },
	} {
		c := c()
		if err := c.Run(bodies()); err == nil || !strings.Contains(err.Error(), want) || exitcode.Code(err) != exitcode.Mistake {
			t.Errorf("%q: %v, exit code %d", want, err, exitcode.Code(err))
		}
	}
	if _, _, err := openMotion(bodies(), filepath.Join(dir, "none.csv"), 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
