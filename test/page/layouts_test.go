package page_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sinew/test/testbench"
)

const layouts = "../../launch/layouts/"

// TestLayouts: every topic, field, type, service, frame and tendon that a layout of Foxglove or
// PlotJuggler names is one of the program that it is for, and each of its messages and requests is one
// that the program takes. A layout that names anything else is found out.
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		name    string
		program func(*testing.T) string
		wrong   []wrongLayout
	}{
		{"tendonsim", testbench.BuildTendonsim, []wrongLayout{
			{"foxglove.json", "/tendonsim/markers", "/tendonsim/marker", "3D!robot: there is no topic /tendonsim/marker"},
			{"foxglove.json", "/tendonsim/backbone", "/tendonsim/sim_stats", "3D!robot: a 3D panel cannot show"},
			{"foxglove.json", `"followTf": "world"`, `"followTf": "earth"`, "3D!robot: there is no frame earth"},
			{"foxglove.json", "pose.position.x", "pose.point.x", "has no field point"},
			{"foxglove.json", "measured_js.effort[3]", "measured_js.effort[4]", "has 4 elements, not 5"},
			{"foxglove.json", "measured_js.effort[0]", "measured_js.name[0]", "is no number"},
			{"foxglove.json", "measured_js.effort[0]", "measured_js.effort", "is an array"},
			{"foxglove.json", "/tendonsim/e_stop", "/tendonsim/stop", "there is no service /tendonsim/stop"},
			{"foxglove.json", `{\"steps\": 10}`, `{\"periods\": 10}`, "unknown field"},
			{"foxglove.json", "/tendonsim/tensions", "/tendonsim/tension", "no command is possible there: this node does not subscribe to /tendonsim/tension"},
			{"foxglove.json", "std_msgs/msg/Float64MultiArray", "std_msgs/msg/Float64Array", "not std_msgs/msg/Float64Array"},
			{"foxglove.json", `\"data_offset\"`, `\"offset\"`, "unknown field"},
			{"foxglove.json", `"topicToRender": "/diagnostics"`, `"topicToRender": "/tf"`, "is of tf2_msgs/msg/TFMessage"},
			{"foxglove.json", `"second": "Plot!loop"`, `"second": "Plot!lop"`, "Plot!lop is placed and not there"},
			{"foxglove.json", "recording_state.active", "recording_state.header", "is no state"},
			{"plotjuggler.xml", "measured_js/long_up", "measured_js/up", "there is no joint up"},
			{"plotjuggler.xml", "measured_cp/pose/position/x", "measured_cp/position/x", "has no field position"},
			{"plotjuggler.xml", "sim_stats/overruns", "stats/overruns", "there is no topic"},
		}},
		{"microrobot", testbench.BuildMicrorobot, []wrongLayout{
			{"foxglove.json", "microrobot/drawn", "tendonsim/drawn", "3D!robot: there is no frame tendonsim/drawn"},
			{"foxglove.json", "magnetic_field.x", "field.x", "has no field field"},
			{"foxglove.json", "rotating_field_array", "rotating_field", "sinew_msgs/msg/RotatingField, not"},
			{"plotjuggler.xml", "applied_wrench/wrench/force/x", "applied_wrench/force/x", "has no field force"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := testbench.NewNetwork(t, "http://127.0.0.1:1")
			p := n.Start(c.program(t), "run", "--ros", "off", "--view", "127.0.0.1")
			p.Expect("ENABLED")
			a := testbench.NewViewerClient(t, "ws"+testbench.ViewerLink(t, p))
			check := map[string]func(*testbench.ViewerClient, []byte) []string{"foxglove.json": checkFoxglove, "plotjuggler.xml": checkPlotJuggler}
			for end, check := range check {
				for _, wrong := range check(a, []byte(testbench.ReadFile(t, layouts+c.name+"_"+end))) {
					t.Errorf("%s: %s", end, wrong)
				}
			}
			for _, w := range c.wrong {
				right := testbench.ReadFile(t, layouts+c.name+"_"+w.end)
				changed := strings.ReplaceAll(right, w.old, w.new)
				if changed == right {
					t.Errorf("%s: there is no %q any more", w.end, w.old)
				}
				if got := strings.Join(check[w.end](a, []byte(changed)), "\n"); !strings.Contains(got, w.want) {
					t.Errorf("%s with %q: found %q, want %q", w.end, w.new, got, w.want)
				}
			}
		})
	}
	all, err := filepath.Glob(layouts + "*")
	if err != nil || len(all) != 4 {
		t.Errorf("%q, %v: each layout must be checked", all, err)
	}
}

// wrongLayout is a layout with a mistake, and what is found.
type wrongLayout struct{ end, old, new, want string }

// layoutPanel is a panel of Foxglove, with the fields of all kinds.
type layoutPanel struct {
	Topics        map[string]struct{ Visible bool }
	FollowTf      string
	Paths         []struct{ Value string }
	ServiceName   string
	Payload       string `json:"requestPayload"`
	TopicName     string
	Datatype      string
	Value         string
	TopicPath     string
	TopicToRender string
	Tabs          []struct{ Layout any }
}

// checkFoxglove lists what is wrong with a layout of Foxglove.
func checkFoxglove(a *testbench.ViewerClient, data []byte) (wrong []string) {
	var l struct {
		ConfigByID map[string]layoutPanel
		Layout     any
	}
	if err := json.Unmarshal(data, &l); err != nil {
		return []string{err.Error()}
	}
	placed := panelsIn(l.Layout)
	for id, p := range l.ConfigByID {
		for _, why := range checkPanel(a, strings.Split(id, "!")[0], &p) {
			wrong = append(wrong, id+": "+why)
		}
		for _, tab := range p.Tabs {
			placed = append(placed, panelsIn(tab.Layout)...)
		}
	}
	for _, id := range placed {
		if _, is := l.ConfigByID[id]; !is {
			wrong = append(wrong, id+" is placed and not there")
		}
	}
	for id := range l.ConfigByID {
		if n := slices.Index(placed, id); n < 0 || slices.Contains(placed[n+1:], id) {
			wrong = append(wrong, id+" is not placed once")
		}
	}
	return wrong
}

// panelsIn are the panels of a part of a layout: the name of one, or two parts beside each other.
func panelsIn(layout any) []string {
	switch l := layout.(type) {
	case string:
		return []string{l}
	case map[string]any:
		return append(panelsIn(l["first"]), panelsIn(l["second"])...)
	}
	return []string{fmt.Sprintf("%v", layout)}
}

// drawn are the types that a 3D panel shows.
var drawn = []string{"visualization_msgs/msg/MarkerArray", "geometry_msgs/msg/PoseArray", "geometry_msgs/msg/PoseStamped", "nav_msgs/msg/Path"}

// checkPanel lists what is wrong with a panel of a kind.
func checkPanel(a *testbench.ViewerClient, kind string, p *layoutPanel) (wrong []string) {
	bad := func(why string) {
		if why != "" {
			wrong = append(wrong, why)
		}
	}
	switch kind {
	case "3D":
		for topic := range p.Topics {
			if schema, is := a.Topics[topic]; !is {
				bad("there is no topic " + topic)
			} else if !slices.Contains(drawn, schema) {
				bad("a 3D panel cannot show " + topic + " of " + schema)
			}
		}
		if !a.Frames[p.FollowTf] {
			bad("there is no frame " + p.FollowTf)
		}
		if len(p.Topics) == 0 {
			bad("it shows nothing")
		}
	case "Plot", "StateTransitions":
		for _, path := range p.Paths {
			bad(a.CheckPath(path.Value, kind == "Plot"))
		}
		if len(p.Paths) == 0 {
			bad("it shows nothing")
		}
	case "CallService":
		bad(a.CheckRequest(p.ServiceName, p.Payload))
	case "Publish":
		bad(a.Publish(p.TopicName, p.Datatype, p.Value))
	case "RawMessages":
		if _, is := a.Topics[p.TopicPath]; !is {
			bad("there is no topic " + p.TopicPath)
		}
	case "DiagnosticSummary":
		bad(a.IsOf(p.TopicToRender, "diagnostic_msgs/msg/DiagnosticArray"))
	case "RosOut":
		bad(a.IsOf(p.TopicToRender, "rcl_interfaces/msg/Log"))
	case "Parameters":
		if !slices.Contains(a.Capabilities, "parameters") {
			bad("there are no parameters")
		}
	case "Tab":
		if len(p.Tabs) == 0 {
			bad("it has no tabs")
		}
	default:
		bad("no check knows panels of the kind " + kind)
	}
	return wrong
}

// checkPlotJuggler lists what is wrong with a layout of PlotJuggler.
func checkPlotJuggler(a *testbench.ViewerClient, data []byte) (wrong []string) {
	var l struct {
		Tabs []struct {
			Plots []struct {
				Curves []struct {
					Name string `xml:"name,attr"`
				} `xml:"plot>curve"`
			} `xml:"Container>DockSplitter>DockArea"`
		} `xml:"tabbed_widget>Tab"`
	}
	if err := xml.Unmarshal(data, &l); err != nil {
		return []string{err.Error()}
	}
	curves := 0
	for _, tab := range l.Tabs {
		for _, plot := range tab.Plots {
			for _, c := range plot.Curves {
				curves++
				if why := a.CheckCurve(c.Name); why != "" {
					wrong = append(wrong, why)
				}
			}
		}
	}
	if fewest := 20; curves < fewest {
		wrong = append(wrong, fmt.Sprintf("it has %d curves", curves))
	}
	return wrong
}

// TestLayoutsAreInstalled: the layouts are where the launch files are, also after an installation.
func TestLayoutsAreInstalled(t *testing.T) {
	text, err := os.ReadFile("../../launch/CMakeLists.txt")
	if err != nil || !strings.Contains(string(text), "install(DIRECTORY robots examples ros2_control layouts ") {
		t.Errorf("launch/CMakeLists.txt does not install the layouts (%v)", err)
	}
}
