package view_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/view"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/viewer"
)

func play(t *testing.T, files ...string) *view.Theatre {
	t.Helper()
	return view.PlayOf(t, &view.Cmd{Files: files}, view.Env())
}

// The viewer moves through a recording: any moment shows the newest state, playing continues from it, and the
// end is shown.
func TestPlayback(t *testing.T) {
	for _, name := range []string{"x.mcap", "x.bag"} {
		h := play(t, view.Moving(t, name, view.Begin))
		if got := strings.Join(h.Info.Capabilities, " "); !strings.Contains(got, "playbackControl") || !strings.Contains(got, "time") || strings.Contains(got, "clientPublish") || h.Info.DataEndTime.Sec != 1010 {
			t.Errorf("%s, until %+v", got, h.Info.DataEndTime)
		}
		for _, at := range []time.Duration{5, 2, 9} {
			h.Ask(1, view.Begin+at*time.Second+3*time.Millisecond, "go")
			if status, now := h.Answered("go"); status != viewer.Paused || now != view.Begin+at*time.Second+3*time.Millisecond {
				t.Errorf("status %d at %v", status, now)
			}
			var p geometry_msgs.PoseStamped
			h.Next("/rod/measured_cp", &p)
			if p.Pose.Position.X != float64(at) {
				t.Errorf("after %d s the pose is at %g m", at, p.Pose.Position.X)
			}
		}
		h.Ask(0, view.Begin+9500*time.Millisecond, "play")
		h.Answered("play")
		var p geometry_msgs.PoseStamped
		for p.Pose.Position.X < 10 {
			h.Next("/rod/measured_cp", &p)
		}
		for {
			if kind, b := h.Read(); kind == websocket.MessageBinary && b[0] == 5 && b[1] == viewer.Ended {
				break
			}
		}
	}
}

// A recording of another time lies over the first as a ghost.
func TestOverlay(t *testing.T) {
	h := play(t, view.Moving(t, "sim.mcap", view.Begin), view.Moving(t, "hw.bag", 50*view.Begin))
	h.Ask(1, view.Begin+4*time.Second, "go")
	h.Answered("go")
	var scene sinew_msgs.Scene
	h.Next("/rod/scene", &scene)
	for range 20 { // those of the start may come first
		if len(scene.Shapes) == 2 && scene.Shapes[0].Data[0] == 4 {
			break
		}
		h.Next("/rod/scene", &scene)
	}
	if len(scene.Shapes) != 2 || scene.Shapes[1].Name != "overlay pose" || scene.Shapes[1].Data[0] != 4 || scene.Shapes[1].Color.A >= 1 || scene.Shapes[0].Color.A != 1 {
		t.Errorf("%+v", scene.Shapes)
	}
	if h.Ids["/overlay/rod/measured_cp"] == 0 {
		t.Errorf("topics %v", h.Ids)
	}
}

// What cannot be shown gives an error with the file and what is allowed, and the exit code is that of a bad file.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		view.Must(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	silent := filepath.Join(dir, "silent.mcap")
	w, err := record.Create(silent, record.Options{Node: "/rod"})
	view.Must(t, err)
	p, err := w.Advertise(ros.Topic{Name: "/chatter", Type: std_msgs.StringType})
	view.Must(t, err)
	s := ros.NewSample(&std_msgs.String{Data: "x"})
	s.Time = msgs.At(view.Begin)
	p.Publish(s)
	view.Must(t, w.Close())
	good := view.Moving(t, "x.mcap", view.Begin)
	offset := 1.0
	for want, c := range map[string]view.Cmd{
		"no such file":                  {Files: []string{filepath.Join(dir, "none.mcap")}},
		"neither an .mcap file nor":     {Files: []string{write("bad.mcap", "text")}},
		"allowed: .mcap, .bag, .csv":    {Files: []string{write("x.txt", "t\n")}},
		"/chatter (std_msgs/String)":    {Files: []string{silent}},
		"3 recordings; allowed: one":    {Files: []string{good, good, good}},
		"--offset 1: there is no secon": {Files: []string{good}, Offset: &offset},
		"--offset NaN s: allowed are -": {Files: []string{good, good}, Offset: new(math.NaN())},
		"--offset -Inf s: allowed are ": {Files: []string{good, good}, Offset: new(math.Inf(-1))},
		"--offset 3.3e+09 s: allowed a": {Files: []string{good, good}, Offset: new(3.3e9)},
		"--view here:x":                 {Files: []string{good}, View: "here:x"},
	} {
		if err := c.Run(view.Env()); err == nil || !strings.Contains(err.Error(), want) || exitcode.Code(err) != exitcode.Mistake {
			t.Errorf("%q: %v, exit code %d", want, err, exitcode.Code(err))
		}
	}
}
