package test

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
)

// urdf is what the tests read of a robot description.
type urdf struct {
	Joints []struct {
		Name   string `xml:"name,attr"`
		Type   string `xml:"type,attr"`
		Parent struct {
			Link string `xml:"link,attr"`
		} `xml:"parent"`
	} `xml:"joint"`
	Control struct {
		Plugin string `xml:"hardware>plugin"`
		Params []struct {
			Name  string `xml:"name,attr"`
			Value string `xml:",chardata"`
		} `xml:"hardware>param"`
		Joints []struct {
			Name    string `xml:"name,attr"`
			Command struct {
				Name string `xml:"name,attr"`
			} `xml:"command_interface"`
			States []struct {
				Name string `xml:"name,attr"`
			} `xml:"state_interface"`
		} `xml:"joint"`
	} `xml:"ros2_control"`
}

// param is a parameter of the hardware.
func (u *urdf) param(name string) string {
	for _, p := range u.Control.Params {
		if p.Name == name {
			return strings.TrimSpace(p.Value)
		}
	}
	return ""
}

// expand has xacro make a URDF of ours, which check_urdf reads.
func expand(t *testing.T, mappings ...string) *urdf {
	t.Helper()
	need(t, "check_urdf")
	need(t, "python3")
	if err := exec.Command("python3", "-c", "import xacro").Run(); err != nil {
		t.Skip("xacro is not installed (pip install xacro)")
	}
	program := "import sys, xacro\nprint(xacro.process_file(sys.argv[1], mappings=dict(a.split(':=') for a in sys.argv[2:])).toxml())"
	out, err := exec.Command("python3", append([]string{"-c", program, "../launch/ros2_control/tendons.urdf.xacro"}, mappings...)...).Output()
	if err != nil {
		t.Fatalf("xacro: %v", err)
	}
	file := filepath.Join(t.TempDir(), "robot.urdf")
	if err := os.WriteFile(file, out, 0o600); err != nil {
		t.Fatal(err)
	}
	if told, err := exec.Command("check_urdf", file).CombinedOutput(); err != nil || !strings.Contains(string(told), "Successfully Parsed") {
		t.Fatalf("check_urdf: %v\n%s", err, told)
	}
	u := new(urdf)
	if err := xml.Unmarshal(out, u); err != nil {
		t.Fatal(err)
	}
	return u
}

// TestROS2ControlDescription: the xacro makes a URDF with a joint for each tendon, commanded
// through the topics of the node, always.
func TestROS2ControlDescription(t *testing.T) {
	u := expand(t)
	if len(u.Joints) != 4 || len(u.Control.Joints) != 4 {
		t.Fatalf("joints %+v, %+v", u.Joints, u.Control.Joints)
	}
	controllers, err := os.ReadFile("../launch/ros2_control/controllers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := os.ReadFile("../launch/robots/silicone.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, j := range u.Joints {
		names = append(names, j.Name)
		if j.Type != "prismatic" || j.Parent.Link != "tendonsim/base" || !strings.Contains(string(builtin), "name: "+j.Name+"\n") {
			t.Errorf("joint %+v", j)
		}
		if c := u.Control.Joints[i]; c.Name != j.Name || c.Command.Name != "effort" || len(c.States) != 3 {
			t.Errorf("interfaces %+v", c)
		}
	}
	contains(t, "controllers", string(controllers), "joints: ["+strings.Join(names, ", ")+"]", "interface_name: effort")
	if u.Control.Plugin != "joint_state_topic_hardware_interface/JointStateTopicSystem" || u.param("joint_commands_topic") != "/tendonsim/servo_jf" ||
		u.param("joint_states_topic") != "/tendonsim/measured_js" || u.param("trigger_joint_command_threshold") != "-1" {
		t.Errorf("hardware %+v", u.Control)
	}
	u = expand(t, "node:=/lab/left", "tendons:=a b", "command:=position")
	if len(u.Joints) != 2 || u.Joints[1].Name != "b" || u.Control.Joints[1].Command.Name != "position" ||
		u.param("joint_commands_topic") != "/lab/left/servo_jp" || u.param("joint_states_topic") != "/lab/left/measured_js" {
		t.Errorf("with arguments: %+v", u)
	}
}

// TestROS2ControlLaunch: the launch file gives the description to ros2_control and spawns both
// controllers.
func TestROS2ControlLaunch(t *testing.T) {
	expand(t) // needs the same tools
	cmd := exec.Command("python3", absolute(t, "testdata/launch/resolve.py"), absolute(t, "../launch/ros2_control/tendons.launch.py"), "node:=/lab/left")
	cmd.Env = append(os.Environ(), "PYTHONPATH="+absolute(t, "testdata/launch")+":"+os.Getenv("PYTHONPATH"), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var all []struct {
		Executable string
		Arguments  []string
		Parameters []any
	}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var started []string
	for _, a := range all {
		started = append(started, strings.Join(append([]string{a.Executable}, a.Arguments[:min(1, len(a.Arguments))]...), " "))
	}
	if got := strings.Join(started, ", "); got != "robot_state_publisher, ros2_control_node, spawner joint_state_broadcaster, spawner tension_controller" {
		t.Errorf("starts %s", got)
	}
	description, _ := all[1].Parameters[0].(map[string]any)["robot_description"].(string)
	contains(t, "description", description, "/lab/left/servo_jf", "<ros2_control")
}

// topicSystem plays JointStateTopicSystem: at each update of the controller manager it reads the
// newest joint states and publishes the commands of all joints, though they be the same.
type topicSystem struct {
	names  []string
	states atomic.Pointer[sensor_msgs.JointState]
	to     ros.Publisher
}

// write publishes tensions, as the plugin does where the only command interface is effort.
func (s *topicSystem) write(tensions []float64) {
	m := &sensor_msgs.JointState{Header: std_msgs.Header{Stamp: msgs.Time(time.Now().UnixNano())}, Name: s.names, Effort: tensions}
	s.to.Publish(ros.NewSample(m))
}

// effort is the measured tension of a joint, N.
func (s *topicSystem) effort(name string) float64 {
	m := s.states.Load()
	if m == nil {
		return 0
	}
	for i, n := range m.Name {
		if n == name {
			return m.Effort[i]
		}
	}
	return 0
}

// update rate and time of the drive. A forward_command_controller holds its last command.
const (
	updateRate = 100 // Hz
	driveTime  = 10 * time.Second
)

// TestROS2ControlDrives: a tendon is driven through ros2_control's topics and never lost to
// the watchdog, although commands stay the same for seconds; when the manager ends, it is.
func TestROS2ControlDrives(t *testing.T) {
	n, domain := ros2Network(t)
	u := expand(t)
	p := n.start(buildTendonsim(t), "run", "--ros", "ros2", "--no-demo")
	p.Expect("ENABLED")
	environment := map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "ROS_DOMAIN_ID": strconv.Itoa(domain)}
	discovery, err := ros2.ParseEnvironment(func(key string) (string, bool) { v, ok := environment[key]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	peer, err := ros2.New(ros2.Options{Node: "/controller_manager", Discovery: discovery})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	s := new(topicSystem)
	for _, j := range u.Control.Joints {
		s.names = append(s.names, j.Name)
	}
	if s.to, err = peer.Advertise(ros.Topic{Name: u.param("joint_commands_topic"), Type: sensor_msgs.JointStateType}); err != nil {
		t.Fatal(err)
	}
	err = peer.Subscribe(ros.Topic{Name: u.param("joint_states_topic"), Type: sensor_msgs.JointStateType}, func(got ros.Received) {
		s.states.Store(got.Message.(*sensor_msgs.JointState))
	})
	if err != nil {
		t.Fatal(err)
	}
	n.waitFor("joint states", func() bool { return s.states.Load() != nil && s.to.Wanted() })
	pulled := s.names[1]
	ticker := time.NewTicker(time.Second / updateRate)
	defer ticker.Stop()
	for begun := time.Now(); time.Since(begun) < driveTime; <-ticker.C {
		tension := 2.0
		if time.Since(begun) > driveTime/2 {
			tension = 3
		}
		s.write([]float64{0, tension, 0, 0})
		if since := time.Since(begun) % (driveTime / 2); since > 2*time.Second && since < driveTime/2-time.Second {
			if got := s.effort(pulled); got < tension-0.01 || got > tension+0.01 {
				t.Fatalf("%s has %g N after %v of %g N", pulled, got, since, tension)
			}
		}
	}
	if strings.Contains(p.Output(), "no command to") {
		t.Errorf("the watchdog has tripped:\n%s", p.Output())
	}
	p.Expect("no command to tendons for")
	contains(t, "log", p.Output(), "/controller_manager", "repeat the command")
	if code := p.End(time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
}
