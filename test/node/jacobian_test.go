package node_test

import (
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/test/testbench"
)

// columns reads a Jacobian as docs/ros.md describes it, by input and output, with its time, s.
func columns(t *testing.T, m *std_msgs.Float64MultiArray) (at float64, all map[string]map[string]float64) {
	t.Helper()
	names := func(label string) (list []string) {
		for _, text := range strings.Split(label, ",") {
			name, unit, _ := strings.Cut(strings.TrimSuffix(text, "]"), " [")
			list = append(list, name, "_"+strings.ReplaceAll(unit, " ", "_"))
		}
		return list
	}
	rows, inputs := names(m.Layout.Dim[0].Label), names(m.Layout.Dim[1].Label)
	if int(m.Layout.Dim[0].Size) != len(rows)/2 || int(m.Layout.Dim[1].Size) != len(inputs)/2 || len(m.Data) != int(m.Layout.DataOffset+m.Layout.Dim[0].Stride) {
		t.Fatalf("%+v has %d values", m.Layout, len(m.Data))
	}
	all = map[string]map[string]float64{}
	for k := 0; k < len(inputs); k += 2 {
		all[inputs[k]] = map[string]float64{}
		for i := 0; i < len(rows); i += 2 {
			all[inputs[k]][rows[i]+rows[i+1]] = m.Data[int(m.Layout.DataOffset)+i/2*int(m.Layout.Dim[1].Stride)+k/2]
		}
	}
	return m.Data[0], all
}

// TestLiveJacobian: what a robot at rest publishes on both networks is what static writes, at the time of its poses, and is
// computed only while somebody listens.
func TestLiveJacobian(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	program, file := testbench.BuildTendonsim(t), filepath.Join(t.TempDir(), "j.csv")
	robot := []string{"--config", "../../launch/robots/nitinol.yaml", "_tendons[0]/tension_n:=1.5", "_tendons[0]/limits/pretension_n:=1.5", "_command_timeout_s:=.inf"}
	if _, errs, code := testbench.Run(t, program, append([]string{"static", "--jacobian", file}, robot...)...); code != 0 {
		t.Fatal(errs)
	}
	want := testbench.ReadJacobian(t, file)
	node := n.Start(program, append([]string{"run", "--no-demo", "--config", testbench.Absolute(t, robot[1]), "_initial_state:=equilibrium"}, robot[2:]...)...)
	var computed atomic.Value
	computed.Store("")
	watcher := testbench.NewROS2Node(t, domain)
	if err := watcher.Subscribe(ros.Topic{Name: "/diagnostics", Type: diagnostic_msgs.DiagnosticArrayType}, func(got ros.Received) {
		for _, st := range got.Message.(*diagnostic_msgs.DiagnosticArray).Status {
			if strings.HasSuffix(st.Name, ": jacobian") {
				computed.Store(st.Message + ", " + st.Values[0].Key + " " + st.Values[0].Value)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	n.WaitFor("diagnostics", func() bool { return computed.Load() == "no subscriber, computed 0" })
	for name, peer := range map[string]ros.Transport{"ROS 1": testbench.NewROS1Node(t, n), "ROS 2": watcher} {
		var stamp atomic.Int64
		if err := peer.Subscribe(ros.Topic{Name: "/tendonsim/measured_cp", Type: geometry_msgs.PoseStampedType}, func(got ros.Received) {
			stamp.Store(int64(got.Message.(*geometry_msgs.PoseStamped).Header.Stamp))
		}); err != nil {
			t.Fatal(err)
		}
		heard := make(chan *std_msgs.Float64MultiArray, 100)
		if err := peer.Subscribe(ros.Topic{Name: "/tendonsim/jacobian", Type: std_msgs.Float64MultiArrayType}, func(got ros.Received) {
			select {
			case heard <- got.Message.(*std_msgs.Float64MultiArray):
			default:
			}
		}); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			var m *std_msgs.Float64MultiArray
			select {
			case m = <-heard:
			case <-time.After(testbench.WaitLimit):
				t.Fatalf("%s: no Jacobian\n%s", name, node.Output())
			}
			at, got := columns(t, m)
			if now := time.Duration(stamp.Load()).Seconds(); now > 0 && math.Abs(now-at) > 5 {
				t.Errorf("%s: a Jacobian of %.3f s with poses of %.3f s", name, at, now)
			}
			same(t, name, got, want)
		}
	}
	n.WaitFor("diagnostics", func() bool { return strings.HasPrefix(computed.Load().(string), "published, computed ") })
	if code := node.End(testbench.WaitLimit); code != 0 {
		t.Errorf("exit code %d: %s", code, node.Output())
	}
}

// same compares Jacobians, each column with what is largest in it of the same units.
func same(t *testing.T, name string, got, want map[string]map[string]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d inputs instead of %d", name, len(got), len(want))
	}
	for input, column := range want {
		size := map[string]float64{}
		unit := func(output string) string { return output[strings.LastIndex(output, "_"):] }
		for output, v := range column {
			size[unit(output)] = max(size[unit(output)], math.Abs(v))
		}
		const length = 0.2 // m, of the robot: what turns it moves it
		size["_m"] = max(size["_m"], length*size["_rad"])
		size["_rad"] = max(size["_rad"], size["_m"]/length)
		for output, v := range column {
			if x, ok := got[input][output]; !ok || math.Abs(x-v) > 1e-6*size[unit(output)] {
				t.Errorf("%s: %s by %s is %g, static writes %g", name, output, input, x, v)
			}
		}
	}
}
