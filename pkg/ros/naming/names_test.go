package naming_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

func mustNames(t *testing.T, def, line string, env ...string) *naming.Names {
	t.Helper()
	args, err := naming.ParseArgs(strings.Fields(line))
	if err != nil {
		t.Fatalf("ParseArgs(%q): %v", line, err)
	}
	n, err := naming.NewNames(def, args, naming.Environment(env...))
	if err != nil {
		t.Fatalf("NewNames(%q): %v", line, err)
	}
	return n
}

func TestResolve(t *testing.T) {
	for _, c := range []struct{ line, env, name, want string }{
		{"", "", "x", "/x"},
		{"", "", "~x", "/sim/x"},
		{"", "", "AaZz/zZaA_09", "/AaZz/zZaA_09"},
		{"", "", "Z/A", "/Z/A"},
		{"", "", "~/x", "/sim/x"},
		{"", "", "~a/b", "/sim/a/b"},
		{"", "", "/x/", "/x"},
		{"", "ROS_NAMESPACE=lab", "x", "/lab/x"},
		{"", "ROS_NAMESPACE=/lab/", "~x", "/lab/sim/x"},
		{"__ns:=/east", "ROS_NAMESPACE=/lab", "x", "/east/x"},
		{"__ns:=/", "ROS_NAMESPACE=/lab", "x", "/x"},
		{"__name:=left __ns:=lab/east", "", "~x", "/lab/east/left/x"},

		// as ROS 2 gives a node its name by its name
		{"--ros-args -r sim:__node:=left -r left:__ns:=/lab", "", "~x", "/lab/left/x"},
		{"--ros-args -r sim:__ns:=/lab", "ROS_NAMESPACE=/env", "~x", "/lab/sim/x"},
		{"--ros-args -r other:__ns:=/lab -r other:__node:=left", "ROS_NAMESPACE=/env", "~x", "/env/sim/x"},
		{"--ros-args -r sim:__node:=left -r sim:__ns:=/lab -r left:x:=y", "", "x", "/y"},
		{"--ros-args -r sim:__node:=left -r __node:=right", "", "~x", "/right/x"},

		// the three forms in which a remapping may name a private topic
		{"tensions:=/hw/t", "", "~tensions", "/hw/t"},
		{"~tensions:=/hw/t", "", "~tensions", "/hw/t"},
		{"/sim/tensions:=/hw/t", "", "~tensions", "/hw/t"},
		{"/lab/left/tensions:=/hw/t __name:=left __ns:=/lab", "", "~tensions", "/hw/t"},
		{"hardware/measured_cp:=/vrpn/tip", "", "~hardware/measured_cp", "/vrpn/tip"},
		// and both meanings of a bare name
		{"tensions:=/hw/t", "", "tensions", "/hw/t"},
		{"tensions:=/hw/t __ns:=/lab", "", "/lab/tensions", "/hw/t"},
		{"~tensions:=/hw/t", "", "tensions", "/tensions"},
		// the explicit form wins, in either order
		{"tensions:=/a ~tensions:=/b", "", "~tensions", "/b"},
		{"~tensions:=/b tensions:=/a", "", "~tensions", "/b"},

		{"tensions:=cmd __ns:=/lab", "", "~tensions", "/lab/cmd"},
		{"tensions:=~cmd __ns:=/lab", "", "~tensions", "/lab/sim/cmd"},
		{"/tf:=/lab/tf", "", "/tf", "/lab/tf"},
		{"tf:=tf_old", "", "/tf", "/tf_old"},
		// remappings are applied once: a swap swaps
		{"~a:=~b ~b:=~a", "", "~a", "/sim/b"},
		{"~a:=~b ~b:=~a", "", "~b", "/sim/a"},
		{"a:=b b:=a", "", "~a", "/b"},

		{"--ros-args -r tensions:=/hw/t -r __node:=left", "", "~tensions", "/hw/t"},
		{"--ros-args -r __node:=left -- x", "", "~x", "/left/x"},
		{"--ros-args -r sim:tensions:=/hw/t", "", "~tensions", "/hw/t"},
		{"--ros-args -r other:tensions:=/hw/t", "", "~tensions", "/sim/tensions"},
	} {
		var env []string
		if c.env != "" {
			env = []string{c.env}
		}
		got, err := mustNames(t, "sim", c.line, env...).Resolve(c.name)
		if err != nil || got != c.want {
			t.Errorf("%q, %q: %q resolves to %q, %v; want %q", c.line, c.env, c.name, got, err, c.want)
		}
	}
}

func TestNodeAndFrames(t *testing.T) {
	n := mustNames(t, "sim", "__name:=left __ns:=/lab")
	for got, want := range map[string]string{
		n.Name(): "left", n.Namespace(): "/lab", n.Node(): "/lab/left",
		n.Frame("tip"):                        "lab/left/tip",
		n.Frame(sim.World):                    "world",
		mustNames(t, "sim", "").Frame("base"): "sim/base",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestHostsAndMaster(t *testing.T) {
	for _, c := range []struct{ line, env, uri, host, from string }{
		{"", "", "http://localhost:11311/", "", ""},
		{"", "ROS_MASTER_URI=http://10.0.0.2:11312 ROS_IP=10.0.0.7", "http://10.0.0.2:11312/", "10.0.0.7", "ROS_IP"},
		{"", "ROS_MASTER_URI=http://robot/", "http://robot:11311/", "", ""},
		{"", "ROS_MASTER_URI=http://[::1]:11311", "http://[::1]:11311/", "", ""},
		{"", "ROS_IP=10.0.0.7 ROS_HOSTNAME=lab-pc", "http://localhost:11311/", "lab-pc", "ROS_HOSTNAME"},
		{"__ip:=10.0.0.8 __master:=http://robot:1/", "ROS_HOSTNAME=lab-pc ROS_MASTER_URI=http://x", "http://robot:1/", "10.0.0.8", "__ip"},
		{"__ip:=10.0.0.8 __hostname:=me", "", "http://localhost:11311/", "me", "__hostname"},
	} {
		n := mustNames(t, "sim", c.line, strings.Fields(c.env)...)
		if n.Master().URI() != c.uri || n.Host() != c.host || n.HostFrom() != c.from {
			t.Errorf("%q %q: master %s, host %q; want %s, %q", c.line, c.env, n.Master().URI(), n.Host(), c.uri, c.host)
		}
	}
}

// TestNamesMistakes checks that mistakes are refused and that the message says
// what is wrong.
func TestNamesMistakes(t *testing.T) {
	for _, c := range []struct{ line, env, want string }{
		{"__name:=2fast", "", "must begin with a letter"},
		{"__name:=a/b", "", "must not contain /"},
		{"__name:=a-b", "", `'-' at byte 1`},
		{"__ns:=~x", "", "must not be private"},
		{"__ns:=/a//b", "", "empty element"},
		{"", "ROS_NAMESPACE=/a b", "ROS_NAMESPACE"},
		{"", "ROS_MASTER_URI=localhost:11311", "does not begin with http://"},
		{"", "ROS_MASTER_URI=http://localhost:0", "port outside"},
		{"", "ROS_MASTER_URI=http://localhost:11311/x", "more than host and port"},
		{"", "ROS_MASTER_URI=http://localhost:65536", "port outside"},
		{"", "ROS_MASTER_URI=http://localhost:11311?x=1", "more than host and port"},
		{"", "ROS_MASTER_URI=http://localhost:11311#x", "more than host and port"},
		{"", "ROS_MASTER_URI=http://me@localhost:11311", "more than host and port"},
		{"", "ROS_MASTER_URI=http://:11311", "has no host"},
		{"", "ROS_MASTER_URI=http://[::1", "is no URI"},
		{"", "ROS_MASTER_URI=http://0.0.0.0:11311", "has a bad host"},
		{"", "ROS_IP=0.0.0.0", "other machines can reach"},
		{"", "ROS_IP=300.1.1.1", `ROS_IP: host "300.1.1.1" is no IPv4 address; allowed are four numbers from 0 to 255`},
		{"__ip:=10.0.0", "", "is no IPv4 address"},
		{"", "ROS_IP=::", "other machines can reach"},
		{"", "ROS_HOSTNAME=" + strings.Repeat("h", 256), "longer than 255 bytes"},
		{"__name:=" + strings.Repeat("n", 256), "", "longer than 255 bytes"},
		{"__ns:=/" + strings.Repeat("n", 255), "", "longer than 255 bytes"},
		{"__ns:=2x", "", "must begin with a letter, / or ~"},
		{"", "ROS_HOSTNAME=http://lab-pc:1", "is a URI"},
		{"", "ROS_HOSTNAME=lab-pc:1", "without port"},
		{"~a:=/x ~a:=/y", "", "already remapped to /x"},
		{"__name:=a-b __ns:=//", "ROS_MASTER_URI=x", "__ns"},
	} {
		args, err := naming.ParseArgs(strings.Fields(c.line))
		if err == nil {
			_, err = naming.NewNames("sim", args, naming.Environment(c.env))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %q: error %v, want one with %q", c.line, c.env, err, c.want)
		}
	}
	if _, err := mustNames(t, "sim", "").Resolve("a b"); err == nil {
		t.Error("a name with a space was resolved")
	}
}

// What is within the limits by a byte or a number is accepted.
func TestNamesAtTheirLimits(t *testing.T) {
	long := strings.Repeat("n", 255)
	for _, c := range []struct{ line, env string }{
		{"__name:=" + long, ""}, {"__ns:=/" + long[1:], ""}, {"", "ROS_HOSTNAME=" + long},
		{"", "ROS_MASTER_URI=http://localhost:65535"}, {"", "ROS_MASTER_URI=http://localhost:1"}, {"", "ROS_MASTER_URI=http://" + long + ":1"},
	} {
		mustNames(t, "sim", c.line, strings.Fields(c.env)...)
	}
	for name, want := range map[string]string{
		"": "empty", "~": "names nothing", "/": "names nothing", "a/": "", "2a": "begin with a letter", "_a": "begin with a letter",
		"/2a": "", "a b": `' ' at byte 1`, "~a-b": `'-' at byte 2`, "é": "begin with a letter", "aé": `'é' at byte 1`, "a//b": "empty element", "a_9": "",
	} {
		err := naming.CheckName(name)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", name, err, want)
		}
	}
}

func TestParseArgs(t *testing.T) {
	line := "run --config a.yaml tensions:=/t -v __name:=left __log:=/tmp/l.log _rates/control_hz:=500 " +
		"--ros-args -p rod.length_m:=0.3 --log-level debug --params-file p.yaml -- --demo -x:=y"
	a, err := naming.ParseArgs(strings.Fields(line))
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Fields("run --config a.yaml -v --demo -x:=y"); !slices.Equal(a.Rest, want) {
		t.Errorf("rest %q, want %q", a.Rest, want)
	}
	if want := []naming.Param{{Name: "rates/control_hz", Value: "500", Source: naming.CommandLine}, {Name: "rod.length_m", Value: "0.3", Source: naming.CommandLine}}; !slices.Equal(a.Params, want) {
		t.Errorf("parameters %v, want %v", a.Params, want)
	}
	if want := []naming.Remap{{"", "tensions", "/t"}}; !slices.Equal(a.Remaps, want) {
		t.Errorf("remappings %v, want %v", a.Remaps, want)
	}
	if a.Name != "left" || a.Log != "/tmp/l.log" || !slices.Equal(a.ParamFiles, []string{"p.yaml"}) {
		t.Errorf("name %q, log %q, files %q", a.Name, a.Log, a.ParamFiles)
	}
	a, err = naming.ParseArgs([]string{"x", "--", "a:=b", "--ros-args"})
	if want := []string{"x", "--", "a:=b", "--ros-args"}; err != nil || !slices.Equal(a.Rest, want) || a.Remaps != nil {
		t.Errorf("after --: %+v, %v", a, err)
	}
}

func TestParseArgsMistakes(t *testing.T) {
	for line, want := range map[string]string{
		"__nmae:=x":                  "unknown setting __nmae",
		"__name:=":                   "needs a value",
		"__name:=a __name:=b":        "already given",
		"a:=":                        "the name is empty",
		":=a":                        "the name is empty",
		"a:=b:=c":                    "':' at byte 1",
		"_:=1":                       "no name",
		"_a:=[1,":                    "no YAML value",
		"--ros-args -r":              "needs a value",
		"--ros-args -r a":            "want name:=value",
		"--ros-args -r sim:__ns:=":   "needs a value",
		"--ros-args -p sim::=1":      "no name",
		"--ros-args -x":              `unknown option "-x"`,
		"--ros-args -p a":            "want name:=value",
		"rosservice://a:=b":          "without a scheme",
		"~:=x":                       "names nothing",
		"1a:=x":                      "must begin with",
		"ä:=x":                       "must begin with",
		"aä:=x":                      "'ä' at byte 1",
		"--ros-args -r a:=b:=c -p x": "want name:=value", // all mistakes are reported
	} {
		_, err := naming.ParseArgs(strings.Fields(line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", line, err, want)
		}
	}
}
