package view_test

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
	"sinew/cmd/internal/view"
	"sinew/launch/robots"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/sensor_msgs"
)

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

// The CSV of a rod plays with pose, tensions and path. Of the robot it shows the ends, and nothing in between.
func TestMotionOfRod(t *testing.T) {
	e := view.Rods()
	h := view.PlayOf(t, &view.Cmd{Files: []string{view.File(t, "sim.csv", samples(rodHeader, ",1,2,3,4"))}}, e)
	if h.Info.DataEndTime.Sec != 1_000_000_010 {
		t.Errorf("until %+v", h.Info.DataEndTime)
	}
	for _, at := range []float64{4.0, 2.005, 10} {
		h.Ask(1, 1_000_000_000*time.Second+time.Duration(at*1e9), "go")
		h.Answered("go")
		var p geometry_msgs.PoseStamped
		h.Next("/rod/measured_cp", &p)
		if want := math.Floor(at*100) / 1e4; math.Abs(p.Pose.Position.X-want) > 1e-12 || p.Header.FrameID != "world" || math.Abs(p.Pose.Orientation.Z-math.Sqrt(0.5)) > 1e-12 {
			t.Errorf("at %g s: %+v", at, p)
		}
	}
	h.Ask(1, 1_000_000_001*time.Second, "go")
	h.Answered("go")
	var line nav_msgs.Path
	h.Next("/rod/tip_path", &line)
	if n := len(line.Poses); n < 20 || line.Poses[0].Pose.Position.X != 0 || math.Abs(line.Poses[n-1].Pose.Position.X-0.01) > 0.0005 {
		t.Errorf("a path of %d poses to %+v", n, line.Poses[n-1].Pose)
	}
	var joints sensor_msgs.JointState
	h.Next("/rod/measured_js", &joints)
	if len(joints.Name) != 4 || joints.Name[1] != "long_left" || joints.Effort[1] != 2 || len(joints.Position) != 0 {
		t.Errorf("%+v", joints)
	}
	s := h.At(5)
	if view.Shapes(s) != "base tip path" || math.Abs(float64(s.Shapes[1].Data[0])-0.05) > 1e-6 || s.Scale != 1 {
		t.Errorf("drawn are %s, scale %g: %+v", view.Shapes(s), s.Scale, s.Shapes)
	}
	if about := h.About; !strings.Contains(about, "sim.csv: 10 s, tip and its path (a CSV of samples has no shape of the rod), drawn as the built-in silicone, whose tendons have these names") {
		t.Errorf("about %q", about)
	}
}

// Without a robot that has such tendons, or with positions alone, a ball is what is known.
func TestMotionOfNobody(t *testing.T) {
	for text, want := range map[string]string{
		samples(strings.Replace(rodHeader, "long_up", "up", 1), ",1,2,3,4"):                       "--config FILE draws the robot",
		"t,x,y,z,long_up,long_left,short_down,short_right\n0,0,0,0,1,1,1,1\n10,0.1,0,0,1,1,1,1\n": "has no shape of the rod)",
	} {
		h := view.PlayOf(t, &view.Cmd{Files: []string{view.File(t, "x.csv", text)}}, view.Rods())
		if s := h.At(10); view.Shapes(s) != "pose path" || s.Shapes[0].Data[0] != 0.1 || !strings.HasSuffix(h.About, want) {
			t.Errorf("drawn are %s at %v, about %q", view.Shapes(s), s.Shapes[0].Data, h.About)
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
	shape := view.File(t, "shape.csv", nodes.String())
	h := view.PlayOf(t, &view.Cmd{Files: []string{shape}}, view.Rods())
	if s := h.At(0); view.Shapes(s) != "line pose" || len(s.Shapes[0].Data) != 63 || h.About != "shape.csv: shape of 21 nodes" {
		t.Errorf("drawn are %s, about %q", view.Shapes(s), h.About)
	}
	robot := view.File(t, "robot.yaml", string(robots.Of("tendonsim")[0].File()))
	h = view.PlayOf(t, &view.Cmd{Files: []string{shape}, Config: []string{robot}}, view.Rods())
	s := h.At(0)
	if got := view.Shapes(s); !strings.HasPrefix(got, "backbone disk_1 disk_2") || !strings.HasSuffix(got, "long_up long_left short_down short_right") {
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
			view.Must(t, err)
			line = fmt.Sprintf("%s,%g,%s", cells[0], x/100, cells[2])
		}
		b.WriteString(line)
	}
	motion, robot := view.File(t, "sim.csv", b.String()), view.File(t, "robot.yaml", string(robots.Of("microrobot")[0].File()))
	h := view.PlayOf(t, &view.Cmd{Files: []string{motion}, Config: []string{robot}}, view.Bodies())
	s := h.At(5)
	if got := view.Shapes(s); got != "body path magnetic_moment" || s.Scale != 1000 || !strings.HasSuffix(h.About, "sim.csv: 10 s, place and path (a CSV has no more), drawn as "+robot) {
		t.Errorf("drawn are %s at %g, about %q", got, s.Scale, h.About)
	}
	var twist geometry_msgs.TwistStamped
	h.Ask(1, 1_000_000_001*time.Second, "go")
	h.Answered("go")
	h.Next("/body/measured_cv", &twist)
	if twist.Twist.Angular.Z != 6 {
		t.Errorf("%+v", twist)
	}
	h = view.PlayOf(t, &view.Cmd{Files: []string{motion}}, view.Bodies())
	if s = h.At(5); view.Shapes(s) != "pose path" || s.Scale != 100 || math.Abs(float64(s.Shapes[0].Data[0])-0.05) > 1e-6 {
		t.Errorf("drawn are %s at %g: %v", view.Shapes(s), s.Scale, s.Shapes[0].Data)
	}
}

// Of a swarm all robots are there, and the path of the one that is chosen.
func TestMotionOfSwarm(t *testing.T) {
	swarm := view.File(t, "swarm.csv", "t,x,y,z,robot\n0,1,0,0,0\n0,2,0,0,1\n0,3,0,0,2\n1,1,1,0,0\n1,2,1,0,1\n1,NaN,1,0,2\n")
	one := 1
	e := view.Bodies()
	h := view.PlayOf(t, &view.Cmd{Files: []string{swarm}, RobotNumber: cli.RobotNumber{Robot: &one}}, e)
	var all geometry_msgs.PoseArray
	h.Ask(1, 1_000_000_000*time.Second, "go")
	h.Answered("go")
	h.Next("/body/poses", &all)
	if len(all.Poses) != 3 || all.Poses[2].Position.X != 3 {
		t.Errorf("%+v", all.Poses)
	}
	if s := h.At(1); view.Shapes(s) != "pose path" || len(s.Shapes[0].Data) != 14 || s.Shapes[0].Data[0] != 2 || s.Shapes[1].Data[0] != 2 {
		t.Errorf("drawn are %s: %+v", view.Shapes(s), s.Shapes)
	}
	if text := fmt.Sprint(e.Stderr); !strings.Contains(text, "swarm.csv:7: 1 rows from there on without a position") {
		t.Errorf("stderr %q", text)
	}
	if err := (&view.Cmd{Files: []string{swarm}, RobotNumber: cli.RobotNumber{Robot: new(int)}, View: "here:x"}).Run(view.Bodies()); !strings.Contains(err.Error(), "here:x") {
		t.Errorf("--robot 0: %v", err)
	}
}

// A CSV that cannot be shown is refused with file, line and what is allowed.
func TestMotionRefusals(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) []string {
		name := filepath.Join(dir, "x.csv")
		view.Must(t, os.WriteFile(name, []byte(text), 0o600))
		return []string{name}
	}
	two, good := 2, "t,x,y,z,robot\n0,1,0,0,0\n0,2,0,0,1\n"
	for want, c := range map[string]func() view.Cmd{
		"x.csv:1: no column t, the time in s; there are left":        func() view.Cmd { return view.Cmd{Files: write("left\n1\n")} },
		"x.csv:3: t = 1 s after 2 s: time goes back":                 func() view.Cmd { return view.Cmd{Files: write("t,x,y,z\n2,0,0,0\n1,0,0,0\n")} },
		"no rows of robot 2 with a position; the numbers go up to 1": func() view.Cmd { return view.Cmd{Files: write(good), RobotNumber: cli.RobotNumber{Robot: &two}} },
		"there is no column robot in": func() view.Cmd {
			return view.Cmd{Files: write("t,x,y,z\n2,0,0,0\n"), RobotNumber: cli.RobotNumber{Robot: &two}}
		},
		"no rows of robot 0 with a position": func() view.Cmd { return view.Cmd{Files: write("t,x,y,z\n2,NaN,0,0\n")} },
		"none.yaml":                          func() view.Cmd { return view.Cmd{Files: write("t,x,y,z\n2,0,0,0\n"), Config: []string{"none.yaml"}} },
	} {
		c := c()
		if err := c.Run(view.Bodies()); err == nil || !strings.Contains(err.Error(), want) || exitcode.Code(err) != exitcode.Mistake {
			t.Errorf("%q: %v, exit code %d", want, err, exitcode.Code(err))
		}
	}
	if _, _, err := view.OpenMotion(view.Bodies(), filepath.Join(dir, "none.csv"), 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
