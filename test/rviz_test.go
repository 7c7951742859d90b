package test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Pixels of the 3D view that must differ when the robot moves, and may when it
// does not: the robot covers thousands, a blinking cursor dozens.
const (
	movedPixels = 1500
	stillPixels = 200
)

// TestRviz shows the robot in rviz with the launch file, without a screen, and
// looks at the picture. With RVIZ_PICTURE=FILE.png the picture is kept.
func TestRviz(t *testing.T) {
	need(t, "rosmaster", "roslaunch", "rostopic", "rviz", "Xvfb", "import")
	n, _ := startRosmaster(t, freePort(t))
	n.startDisplay()
	program := buildTendonsim(t)
	n.launchPackage(program)
	r := n.launch(program, "/tendonsim", "tendonsim.launch", "config:="+absolute(t, testRobot))
	n.waitFor("rviz", func() bool {
		s, err := n.client().SystemState(t.Context())
		return err == nil && len(s.Subscribers["/tendonsim/markers"]) > 0
	})
	time.Sleep(3 * time.Second) // to draw, in software
	straightView, again := n.picture(), n.picture()
	if d := different(straightView, again); d > stillPixels {
		t.Errorf("%d pixels change while the robot rests, want at most %d", d, stillPixels)
	}
	pub := n.publish("/tendonsim/tensions", "std_msgs/Float64MultiArray", "{data: [2.5, 0.5]}")
	r.settles("tensions 2.5, 0.5", r.equilibrium(2.5, 0.5))
	time.Sleep(time.Second)
	bentView := n.picture()
	pub()
	if d := different(straightView, bentView); d < movedPixels {
		t.Errorf("%d pixels changed when the robot bent, want at least %d", d, movedPixels)
	}
	if file := os.Getenv("RVIZ_PICTURE"); file != "" {
		var b bytes.Buffer
		if err := png.Encode(&b, bentView); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if code := r.end(patience); code != 0 {
		t.Errorf("roslaunch ended with %d:\n%s", code, r.output())
	}
}

// startDisplay runs an X server in memory and puts it into the environment.
func (n *network) startDisplay() {
	n.t.Helper()
	x := n.start("Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp", "+extension", "GLX")
	n.waitFor("the display", func() bool { return strings.HasSuffix(x.output(), "\n") })
	lines := strings.Fields(x.output())
	n.with("DISPLAY=:"+lines[len(lines)-1], "LIBGL_ALWAYS_SOFTWARE=1", "QT_X11_NO_MITSHM=1", "XDG_RUNTIME_DIR="+n.t.TempDir())
}

// picture takes a picture of the whole screen.
func (n *network) picture() image.Image {
	n.t.Helper()
	file := filepath.Join(n.t.TempDir(), "screen.png")
	n.run("import", "-window", "root", file)
	b, err := os.ReadFile(file)
	if err != nil {
		n.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		n.t.Fatal(err)
	}
	return picture
}

// different counts the pixels that differ visibly between two pictures of the
// same size.
func different(a, b image.Image) (pixels int) {
	const visible = 0x1800 // of 0xFFFF
	apart := func(x, y uint32) bool { return max(x, y)-min(x, y) > visible }
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if apart(r1, r2) || apart(g1, g2) || apart(b1, b2) {
				pixels++
			}
		}
	}
	return pixels
}
