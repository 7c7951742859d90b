package view_test

import (
	"path/filepath"
	"testing"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/view"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// TestPathOfPoses: a recording without paths shows where the robot was before, also after a seek.
func TestPathOfPoses(t *testing.T) {
	e := view.Rods()
	for _, name := range []string{"x.mcap"} { // a .bag has paths
		file := filepath.Join(t.TempDir(), name)
		w, err := record.Create(file, record.Options{Node: "/rod", Robot: e.Robot.Builtin[0].File(), RobotName: cli.RobotFile})
		view.Must(t, err)
		p, err := w.Advertise(ros.Topic{Name: "/rod/measured_cp", Type: geometry_msgs.PoseStampedType})
		view.Must(t, err)
		for i := range 1000 { // 10 s
			s := ros.NewSample(&geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1e-3 * float64(i)}}})
			s.Time = msgs.At(1_000_000_000*time.Second + time.Duration(i)*10*time.Millisecond)
			p.Publish(s)
		}
		view.Must(t, w.Close())
		h := view.PlayOf(t, &view.Cmd{Files: []string{file}}, e)
		for _, at := range []float64{8, 2} { // s, on a path of 25 points a second
			found := false
			for _, shape := range h.At(at).Shapes {
				if shape.Name == "path" {
					found = true
					if n := float64(len(shape.Data) / 3); n < 20*at || n > 26*at || shape.Data[0] > 0.02 {
						t.Errorf("%s at %g s: a path of %g points from %v", name, at, n, shape.Data[:3])
					}
				}
			}
			if !found {
				t.Errorf("%s at %g s: no path", name, at)
			}
		}
	}
}
