package recordings_test

import (
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros1"
	"sinew/test/testbench"
)

// TestRosbagPlay has rosbag play a bag of sim into a subscriber.
func TestRosbagPlay(t *testing.T) {
	testbench.Need(t, "rosmaster", "rosbag")
	program := testbench.BuildTendonsim(t)
	bag := filepath.Join(t.TempDir(), "sim.bag")
	if _, errs, code := testbench.Run(t, program, "sim", "--config", testbench.TestRobot, "--duration", "0.5s", "--sample-hz", "100", "--out", bag); code != 0 {
		t.Fatal(errs)
	}
	want := testbench.ReadMessages(t, bag)
	n, _ := testbench.StartRosmaster(t, testbench.FreePort(t))
	names, err := naming.NewNames("listener", naming.Args{}, func(key string) (string, bool) {
		value, ok := map[string]string{"ROS_MASTER_URI": n.URI, "ROS_IP": "127.0.0.1"}[key]
		return value, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := ros1.New(ros1.Options{Node: names.Node(), Master: names.Master(), Host: names.Host()})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	var mu sync.Mutex
	got := map[string][]msgs.Message{}
	for name, list := range want {
		if err := listener.Subscribe(ros.Topic{Name: name, Type: list[0].Type}, func(m ros.Received) {
			mu.Lock()
			defer mu.Unlock()
			got[name] = append(got[name], m.Message)
		}); err != nil {
			t.Fatal(err)
		}
	}
	n.Run("rosbag", "play", "--quiet", "--wait-for-subscribers", "--queue", "10000", bag)
	n.WaitFor("all messages", func() bool {
		mu.Lock()
		defer mu.Unlock()
		for name, list := range want {
			if len(got[name]) < len(list) {
				return false
			}
		}
		return true
	})
	for name, list := range want {
		for i := range list {
			if !reflect.DeepEqual(withoutSeq(got[name][i]), withoutSeq(list[i].Message)) {
				t.Fatalf("%s: message %d came as %+v, want %+v", name, i, got[name][i], list[i].Message)
			}
		}
	}
}

// withoutSeq is a message whose header has no number: roscpp numbers anew.
func withoutSeq(m msgs.Message) msgs.Message {
	h := reflect.ValueOf(m).Elem().FieldByName("Header")
	if h.IsValid() {
		h.FieldByName("Seq").SetUint(0)
	}
	return m
}

// TestRosbagMends has rosbag compress our bags, which we then read as well, and
// mend one that was cut off.
func TestRosbagMends(t *testing.T) {
	t.Parallel()
	testbench.Need(t, "rosbag")
	program := testbench.BuildTendonsim(t)
	dir := t.TempDir()
	bag := filepath.Join(dir, "sim.bag")
	if _, errs, code := testbench.Run(t, program, "sim", "--config", testbench.TestRobot, "--duration", "1s", "--out", bag); code != 0 {
		t.Fatal(errs)
	}
	want := testbench.ReadMessages(t, bag)
	data, err := os.ReadFile(bag)
	if err != nil {
		t.Fatal(err)
	}
	n := testbench.NewNetwork(t, "http://localhost:1/")
	for _, how := range []string{"--bz2", "--lz4"} {
		packed := filepath.Join(dir, "packed"+how+".bag")
		if err := os.WriteFile(packed, data, 0o600); err != nil {
			t.Fatal(err)
		}
		n.Run("rosbag", "compress", "--quiet", "--force", how, packed)
		if info, err := os.Stat(packed); err != nil || info.Size() > int64(len(data))/2 {
			t.Errorf("after rosbag compress %s: %v, %v", how, info, err)
		}
		if got := testbench.ReadMessages(t, packed); !reflect.DeepEqual(got, want) {
			t.Errorf("after rosbag compress %s, %d topics read differently", how, len(got))
		}
	}
	// the second chunk is lost with its end, the first is not
	cut := filepath.Join(dir, "cut.bag")
	if err := os.WriteFile(cut, data[:len(data)*9/10], 0o600); err != nil {
		t.Fatal(err)
	}
	n.Run("rosbag", "reindex", "--quiet", "--force", cut)
	testbench.Contains(t, "rosbag info", n.Run("rosbag", "info", "--yaml", cut), "indexed: True", "topic: /tendonsim/measured_cp")
}
