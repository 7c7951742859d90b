package ros1_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/test/testbench"
)

// TestRviz shows the robot in rviz with the launch file, in a namespace, on a
// display without a screen. Pixels are judged by colour: first straight and
// slack, then bent by one tendon at its greatest tension. The pictures are
// artifacts of the test.
func TestRviz(t *testing.T) {
	testbench.Need(t, "rosmaster", "roslaunch", "rostopic", "rviz", "Xvfb", "import")
	n, _ := testbench.StartRosmaster(t, testbench.FreePort(t))
	startDisplay(n)
	program := testbench.BuildTendonsim(t)
	n.LaunchPackage(program)
	launch := func() (*testbench.Robot, *drawing) {
		r := n.Launch(program, "/lab/left", "tendonsim.launch", "config:="+testbench.Absolute(t, testbench.TestRobot), "ns:=lab", "name:=left")
		return r, sees(n, r, "slack", func(d *drawing) bool {
			return d.tube.count > tubeLeast && d.disks.count > disksLeast && d.slack.count > tendonLeast
		})
	}
	r, slack := launch()
	if slack == nil {
		t.Logf("rviz crashed and is started again:\n%s", r.Output())
		r.End(testbench.WaitLimit)
		if r, slack = launch(); slack == nil {
			t.Fatalf("rviz crashed again:\n%s", r.Output())
		}
	}
	if slack.taut.count > 0 {
		t.Errorf("%d pixels of greatest tension, but all tendons are slack", slack.taut.count)
	}
	pub := n.Publish("/lab/left/tensions", "std_msgs/Float64MultiArray", "{data: [5, 0]}") // the limit is 5 N
	bent := sees(n, r, "bent", func(d *drawing) bool {
		return d.tube.count > tubeLeast && d.disks.count > disksLeast &&
			d.slack.count > tendonLeast && d.taut.count > tendonLeast && d.path.count > pathLeast &&
			d.tube.row() < slack.tube.row()-bentLeast
	})
	if bent == nil {
		t.Fatalf("rviz crashed:\n%s", r.Output())
	}
	pub()
	if code := r.End(testbench.WaitLimit); code != 0 {
		t.Errorf("roslaunch ended with %d:\n%s", code, r.Output())
	}
}

// Pixels that must be there: at most half of what rviz draws in software (4800
// of the tube, 3300 of the disks, 670 of a tendon, 190 and more of the path).
// Without the robot it draws a few that look like the tube and none of the rest.
// The bent tube is 70 pixels higher in the mean when the first picture is taken,
// 120 at rest.
const (
	tubeLeast   = 1500
	disksLeast  = 1000
	tendonLeast = 190
	pathLeast   = 100
	bentLeast   = 40
)

// startDisplay starts an X server in memory, on a display that is free, and puts
// it into the environment. The server does not start over when its last client
// leaves, which would refuse one that comes just then.
func startDisplay(n *testbench.Network) {
	n.T.Helper()
	x := n.Start("Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "+extension", "GLX", "-nolisten", "tcp", "-noreset")
	n.T.Cleanup(func() { x.End(testbench.WaitLimit) }) // removes its socket, which kill does not
	display := ""
	n.WaitFor("the display", func() bool {
		for line := range strings.Lines(x.Output()) {
			if _, err := strconv.Atoi(strings.TrimSpace(line)); err == nil && strings.HasSuffix(line, "\n") {
				display = strings.TrimSpace(line)
			}
		}
		return display != ""
	})
	home := n.T.TempDir() // rviz keeps settings
	if err := os.Chmod(home, 0o700); err != nil {
		n.T.Fatal(err)
	}
	n.With("DISPLAY=:"+display, "LIBGL_ALWAYS_SOFTWARE=1", "QT_X11_NO_MITSHM=1", "HOME="+home, "XDG_RUNTIME_DIR="+home)
}

// crashed is what roslaunch says of an rviz that ended by a signal: in dozens of starts glibc once found its
// memory damaged, before it drew anything.
var crashed = regexp.MustCompile(`rviz-\d+\] process has died \[pid \d+, exit code -`)

// sees takes pictures of the display until one is as wanted, and returns nil where rviz has crashed.
func sees(n *testbench.Network, r *testbench.Robot, name string, wanted func(*drawing) bool) *drawing {
	n.T.Helper()
	file := filepath.Join(n.T.ArtifactDir(), name+".png")
	for deadline := time.Now().Add(testbench.WaitLimit); ; {
		n.Run("import", "-window", "root", file)
		data, err := os.ReadFile(file)
		if err != nil {
			n.T.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			n.T.Fatal(err)
		}
		d := examine(picture)
		if wanted(d) {
			n.T.Logf("%s: %+v", name, *d)
			return d
		}
		if crashed.MatchString(r.Output()) {
			return nil
		}
		if !r.Running() || time.Now().After(deadline) {
			n.T.Fatalf("rviz does not show the %s robot: %+v; go test -artifacts keeps the picture\n%s", name, *d, r.Output())
		}
	}
}

// drawing is what can be distinguished in the picture of a robot by its colours.
type drawing struct{ tube, disks, slack, taut, path patch }

// patch is the pixels of one colour: how many, and the sum of their rows.
type patch struct{ count, rows int }

// row is the mean row, counted from above.
func (p patch) row() int { return p.rows / max(p.count, 1) }

// The part of rviz's window that shows the robot: right of the panels and below
// the tool bar, whose icons have many colours.
var shownPart = image.Rect(370, 70, 1000, 735)

func examine(picture image.Image) *drawing {
	d := &drawing{}
	area := picture.Bounds().Intersect(shownPart)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
			if p := d.patchOf(int(c.R), int(c.G), int(c.B)); p != nil {
				p.count++
				p.rows += y
			}
		}
	}
	return d
}

// patchOf tells what a pixel belongs to. Tube and disks are shaded: their blue
// exceeds their red by more than the ground's and the grid's, but far less than
// the tendons'. Lines are not, but for the smooth edges.
func (d *drawing) patchOf(r, g, b int) *patch {
	const near = 12 // per channel
	is := func(r0, g0, b0 int) bool {
		return max(r-r0, r0-r, g-g0, g0-g, b-b0, b0-b) <= near
	}
	switch blue := b - r; {
	case is(12, 89, 242): // tension 0
		return &d.slack
	case is(242, 26, 26): // the greatest tension
		return &d.taut
	case is(20, 140, 90):
		return &d.path
	case blue >= 10 && blue <= 25 && g > r && b > 100 && b < 210:
		return &d.tube
	case blue >= 2 && blue <= 15 && b > 40 && b < 95:
		return &d.disks
	}
	return nil
}
