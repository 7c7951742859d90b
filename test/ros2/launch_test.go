package ros2_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"sinew/launch/robots"
	"sinew/test/peer/ddspeer"
	"sinew/test/testbench"
)

// launched is what a ROS 2 launch file starts: a program, or a node of a package.
type launched struct {
	Name      string
	Cmd       []string
	Package   string
	Namespace string
	Arguments []string
	Remaps    map[string]string `json:"remappings"`
	Message   string            // instead of anything that runs
}

// launchROS2 resolves a launch file of ours. Debian has no launch system of ROS 2:
// testdata/launch stands in for it. The program lies where go build puts it.
func launchROS2(t *testing.T, program, file string, args ...string) (all []launched) {
	t.Helper()
	return launchROS2With(t, "rviz2", program, file, args...)
}

// launchROS2With is launchROS2 where these packages are installed.
func launchROS2With(t *testing.T, installed, program, file string, args ...string) (all []launched) {
	t.Helper()
	testbench.Need(t, "python3")
	dir := t.TempDir()
	link := func(from, to string) {
		if err := os.Symlink(testbench.Absolute(t, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("../../launch/*_ros2.rviz")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../../launch/*.launch.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, more...) {
		link(f, filepath.Base(f))
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	link(program, filepath.Join("bin", filepath.Base(program)))
	cmd := exec.Command("python3", append([]string{testbench.Absolute(t, "../testdata/launch/resolve.py"), filepath.Join(dir, file)}, args...)...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+testbench.Absolute(t, "../testdata/launch"), "PYTHONDONTWRITEBYTECODE=1", "INSTALLED="+installed)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
	return all
}

// TestROS2Launch runs the command of a launch file with all its arguments.
func TestROS2Launch(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	params := filepath.Join(t.TempDir(), "params.yaml")
	if err := os.WriteFile(params, []byte("/**:\n  ros__parameters: {command_timeout_s: .inf}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := launchROS2(t, testbench.BuildTendonsim(t), "tendonsim.launch.py", "name:=left", "ns:=lab/", "config:="+testbench.Absolute(t, testbench.TestRobot), "params:="+params, "demo:=true")
	if len(all) != 2 || all[1].Package != "rviz2" || all[1].Namespace != "/lab" || all[1].Remaps["/tendonsim/markers"] != "/lab/left/markers" {
		t.Fatalf("starts %+v", all)
	}
	checkRviz(t, all[1].Arguments[1], all[1].Remaps)
	p := n.Start(all[0].Cmd[0], all[0].Cmd[1:]...)
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	them.Tell("graph")
	n.WaitFor("the node in the graph", func() bool { return len(them.Lines("node /lab left ")) > 0 })
	p.Expect("demo ") // the node is in the graph a moment before
	testbench.Contains(t, "welcome", p.Output(), "rod of 250 mm, 2 tendons", "demo ")
	if strings.Contains(p.Output(), "ROS 1") {
		t.Errorf("wrote\n%s", p.Output())
	}
	if code := p.End(testbench.WaitLimit); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
}

// TestROS2LaunchDefaults: without arguments, the robots have their programs' names.
func TestROS2LaunchDefaults(t *testing.T) {
	tendonsim := launchROS2(t, testbench.BuildTendonsim(t), "tendonsim.launch.py", "rviz:=false")
	want := "run --ros ros2 --no-demo --ros-args -r __node:=tendonsim"
	if got := strings.Join(tendonsim[0].Cmd[1:], " "); len(tendonsim) != 1 || got != want {
		t.Errorf("tendonsim.launch.py starts %+v", tendonsim)
	}
	microrobot := launchROS2(t, testbench.BuildMicrorobot(t), "microrobot.launch.py", "ros:=both", "record:=/x/run.mcap")
	want = "run --ros both --no-demo --record /x/run.mcap --ros-args -r __node:=microrobot"
	if got := strings.Join(microrobot[0].Cmd[1:], " "); len(microrobot) != 2 || got != want {
		t.Errorf("microrobot.launch.py starts %+v", microrobot)
	}
	checkRviz(t, microrobot[1].Arguments[1], microrobot[1].Remaps)
	fleet := launchROS2(t, testbench.BuildTendonsim(t), "tendonsim.launch.py", "robots:=/x/fleet.yaml", "ns:=/lab", "record:=/x/run.mcap")
	want = "run --ros ros2 --no-demo --robots /x/fleet.yaml --record /x/run.mcap --ros-args -r __node:=tendonsim -r __ns:=/lab"
	if got := strings.Join(fleet[0].Cmd[1:], " "); len(fleet) != 1 || got != want {
		t.Errorf("with robots tendonsim.launch.py starts %+v", fleet)
	}
}

// TestROS2LaunchWithoutRviz: where rviz2 is not installed the robot starts, and the launch
// says what is missing.
func TestROS2LaunchWithoutRviz(t *testing.T) {
	all := launchROS2With(t, "", testbench.BuildTendonsim(t), "tendonsim.launch.py")
	if len(all) != 2 || len(all[0].Cmd) == 0 || !strings.Contains(all[1].Message, "rviz2 is not installed") {
		t.Errorf("starts %+v", all)
	}
	if quiet := launchROS2With(t, "", testbench.BuildTendonsim(t), "tendonsim.launch.py", "rviz:=false"); len(quiet) != 1 {
		t.Errorf("rviz:=false starts %+v", quiet)
	}
}

// checkRviz looks over a configuration of rviz2: its classes are rviz2's, the
// topics that it shows are remapped, and the view is the same as for ROS 1.
func checkRviz(t *testing.T, file string, remaps map[string]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Panels  []struct{ Class string } `yaml:"Panels"`
		Manager struct {
			Displays []struct {
				Class string            `yaml:"Class"`
				Topic map[string]string `yaml:"Topic"`
				Model map[string]string `yaml:"Description Topic"`
			} `yaml:"Displays"`
			Tools []struct {
				Class string `yaml:"Class"`
			} `yaml:"Tools"`
		} `yaml:"Visualization Manager"`
	}
	if ours, ros1 := rvizView(t, file), rvizView(t, strings.ReplaceAll("../../launch/"+filepath.Base(file), "_ros2", "")); !reflect.DeepEqual(ours, ros1) {
		t.Errorf("%s shows the robot from %v, that for ROS 1 from %v", file, ours, ros1)
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	topics := 0
	for _, d := range config.Manager.Displays {
		if !strings.HasPrefix(d.Class, "rviz_default_plugins/") {
			t.Errorf("%s: display %s is not of rviz2", file, d.Class)
		}
		for _, topic := range []string{d.Topic["Value"], d.Model["Value"]} {
			if topic == "" {
				continue
			}
			topics++
			if remaps[topic] == "" {
				t.Errorf("%s: %s is not remapped", file, topic)
			}
		}
	}
	for _, tool := range config.Manager.Tools {
		if !strings.HasPrefix(tool.Class, "rviz_default_plugins/") {
			t.Errorf("%s: tool %s is not of rviz2", file, tool.Class)
		}
	}
	if topics == 0 {
		t.Errorf("%s shows no topic", file)
	}
}

// rvizView is where a configuration of rviz looks from.
func rvizView(t *testing.T, file string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Manager struct {
			Views struct {
				Current map[string]any `yaml:"Current"`
			} `yaml:"Views"`
		} `yaml:"Visualization Manager"`
	}
	if err := yaml.Unmarshal(data, &config); err != nil || len(config.Manager.Views.Current) == 0 {
		t.Fatalf("%s: no view (%v)", file, err)
	}
	delete(config.Manager.Views.Current, "Class") // those of the two generations
	delete(config.Manager.Views.Current, "Value")
	return config.Manager.Views.Current
}

// TestLaunchWorlds wants a launch file for each robot of launch/worlds, on either network,
// with views that are the same. (The guide has one of ROS 1 run.)
func TestLaunchWorlds(t *testing.T) {
	for _, world := range []string{"guidewire", "endoscope", "tapered_arm"} {
		all := launchROS2(t, testbench.BuildTendonsim(t), world+".launch.py", "ns:=lab", "name:=left")
		want := "worlds/" + world + ".yaml --ros-args -r __node:=left -r __ns:=/lab"
		if len(all) != 2 || !strings.HasSuffix(strings.Join(all[0].Cmd, " "), want) {
			t.Fatalf("%s.launch.py starts %+v, want %s", world, all, want)
		}
		if view := filepath.Base(all[1].Arguments[1]); view != world+"_ros2.rviz" {
			t.Errorf("%s.launch.py shows %s", world, view)
		}
		checkRviz(t, all[1].Arguments[1], all[1].Remaps)
		text, err := os.ReadFile("../../launch/" + world + ".launch")
		if err != nil {
			t.Fatal(err)
		}
		testbench.Contains(t, world+".launch", string(text), "tendonsim.launch", "$(dirname)/worlds/"+world+".yaml", "$(dirname)/"+world+".rviz")
	}
}

// TestLaunchMechanism: one launch file starts every robot of several links, and shows its description.
func TestLaunchMechanism(t *testing.T) {
	for _, r := range robots.Of("tendonsim") {
		if !r.IsMechanism() {
			continue
		}
		all := launchROS2(t, testbench.BuildTendonsim(t), "mechanism.launch.py", "robot:="+r.Name, "ns:=lab", "name:=left")
		if want := "robots/" + r.Name + ".yaml --ros-args -r __node:=left -r __ns:=/lab"; len(all) != 2 || !strings.HasSuffix(strings.Join(all[0].Cmd, " "), want) {
			t.Fatalf("mechanism.launch.py starts %+v, want %s", all, want)
		}
		shown := "mechanism"
		if r.Name == "tendon_hand" || r.Name == "thrown_ring" {
			shown = r.Name
		}
		if view := filepath.Base(all[1].Arguments[1]); view != shown+"_ros2.rviz" || all[1].Remaps["/tendonsim/robot_description"] != "/lab/left/robot_description" {
			t.Errorf("mechanism.launch.py shows %s with %v", view, all[1].Remaps)
		}
		checkRviz(t, all[1].Arguments[1], all[1].Remaps)
		for _, file := range []string{"mechanism.launch", "mechanism.launch.py"} {
			text, err := os.ReadFile("../../launch/" + file)
			if err != nil {
				t.Fatal(err)
			}
			testbench.Contains(t, file, string(text), r.Name)
		}
	}
}
