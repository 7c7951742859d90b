package ros2_test

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"sinew/test/testbench"
)

// urdf is what the tests read of a robot description.
type urdf struct {
	Joints []struct {
		Name   string `xml:"name,attr"`
		Type   string `xml:"type,attr"`
		Parent struct {
			Link string `xml:"link,attr"`
		} `xml:"parent"`
		Limit struct {
			Lower  float64 `xml:"lower,attr"`
			Upper  float64 `xml:"upper,attr"`
			Effort float64 `xml:"effort,attr"`
		} `xml:"limit"`
	} `xml:"joint"`
	Control struct {
		Plugin string      `xml:"hardware>plugin"`
		Params []urdfParam `xml:"hardware>param"`
		Joints []struct {
			Name    string `xml:"name,attr"`
			Command struct {
				Name   string      `xml:"name,attr"`
				Params []urdfParam `xml:"param"`
			} `xml:"command_interface"`
			States []struct {
				Name string `xml:"name,attr"`
			} `xml:"state_interface"`
		} `xml:"joint"`
	} `xml:"ros2_control"`
}

type urdfParam struct {
	Name  string `xml:"name,attr"`
	Value string `xml:",chardata"`
}

// value is that of a parameter, empty without.
func value(params []urdfParam, name string) string {
	for _, p := range params {
		if p.Name == name {
			return strings.TrimSpace(p.Value)
		}
	}
	return ""
}

// param is a parameter of the hardware.
func (u *urdf) param(name string) string { return value(u.Control.Params, name) }

// expand has xacro make the URDF of the tendons.
func expand(t *testing.T, mappings ...string) *urdf {
	t.Helper()
	return expandFile(t, "tendons.urdf.xacro", mappings...)
}

// expandFile has xacro make a URDF of ours, which check_urdf reads.
func expandFile(t *testing.T, name string, mappings ...string) *urdf {
	t.Helper()
	testbench.Need(t, "check_urdf")
	testbench.Need(t, "python3")
	if err := exec.Command("python3", "-c", "import xacro").Run(); err != nil {
		t.Skip("xacro is not installed (pip install xacro)")
	}
	program := "import sys, xacro\nprint(xacro.process_file(sys.argv[1], mappings=dict(a.split(':=') for a in sys.argv[2:])).toxml())"
	out, err := exec.Command("python3", append([]string{"-c", program, "../../launch/ros2_control/" + name}, mappings...)...).Output()
	if err != nil {
		t.Fatalf("xacro: %v", err)
	}
	file := filepath.Join(t.TempDir(), "robot.urdf")
	if err := os.WriteFile(file, out, 0o600); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("check_urdf", file).CombinedOutput(); err != nil || !strings.Contains(string(output), "Successfully Parsed") {
		t.Fatalf("check_urdf: %v\n%s", err, output)
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
	controllers, err := os.ReadFile("../../launch/ros2_control/controllers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := os.ReadFile("../../launch/robots/silicone.yaml")
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
	testbench.Contains(t, "controllers", string(controllers), "joints: ["+strings.Join(names, ", ")+"]", "interface_name: effort")
	for name, kind := range map[string]string{
		"joint_state_broadcaster": "joint_state_broadcaster/JointStateBroadcaster", "tension_controller": "forward_command_controller/ForwardCommandController",
	} {
		var all map[string]map[string]map[string]any // by node, then ros__parameters
		if err := yaml.Unmarshal(controllers, &all); err != nil {
			t.Fatal(err)
		}
		const params = "ros__parameters"
		inManager, _ := all["controller_manager"][params][name].(map[string]any)
		if inManager["type"] != kind || all[name][params]["type"] != kind {
			t.Errorf("%s is of type %v for managers, %v for spawners, want %s", name, inManager["type"], all[name][params]["type"], kind)
		}
	}
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

// TestROS2ControlLaunch: the launch files give the description to ros2_control and spawn both controllers; the one of an arm leaves /tf
// to the robot.
func TestROS2ControlLaunch(t *testing.T) {
	expand(t) // needs the same tools
	for _, c := range []struct {
		file, controller, topic string
		ownFrames               bool
	}{
		{"tendons", "tension_controller", "servo_jf", false},
		{"arm", "arm_controller", "servo_jp", true},
	} {
		cmd := exec.Command("python3", testbench.Absolute(t, "../testdata/launch/resolve.py"), testbench.Absolute(t, "../../launch/ros2_control/"+c.file+".launch.py"), "node:=/lab/left")
		cmd.Env = append(os.Environ(), "PYTHONPATH="+testbench.Absolute(t, "../testdata/launch")+":"+os.Getenv("PYTHONPATH"), "PYTHONDONTWRITEBYTECODE=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.file, err, out)
		}
		var all []struct {
			Executable string
			Arguments  []string
			Parameters []any
			Remappings map[string]string
		}
		if err := json.Unmarshal(out, &all); err != nil {
			t.Fatalf("%s: %v\n%s", c.file, err, out)
		}
		var started []string
		for _, a := range all {
			started = append(started, strings.Join(append([]string{a.Executable}, a.Arguments[:min(1, len(a.Arguments))]...), " "))
		}
		if got := strings.Join(started, ", "); got != "robot_state_publisher, ros2_control_node, spawner joint_state_broadcaster, spawner "+c.controller {
			t.Errorf("%s starts %s", c.file, got)
		}
		if own := all[0].Remappings["/tf"] != ""; own != c.ownFrames {
			t.Errorf("%s: robot_state_publisher remaps %v", c.file, all[0].Remappings)
		}
		description, _ := all[1].Parameters[0].(map[string]any)["robot_description"].(string)
		testbench.Contains(t, "description", description, "/lab/left/"+c.topic, "<ros2_control")
	}
}
