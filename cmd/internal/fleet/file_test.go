package fleet_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sinew/cmd/internal/fleet"
	"sinew/pkg/ros/naming"
)

// noEnvironment is an environment without variables.
func noEnvironment(string) (string, bool) { return "", false }

func TestParse(t *testing.T) {
	f, err := fleet.Parse("lab/fleet.yaml", []byte(`# two robots
robots:
  - {name: left, namespace: /lab, config: left.yaml}
  - name: right
    config: [base.yaml, /abs/right.yaml]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []fleet.Robot{
		{Name: "left", Namespace: "/lab", Config: []string{filepath.Join("lab", "left.yaml")}, Place: "lab/fleet.yaml:3"},
		{Name: "right", Config: []string{filepath.Join("lab", "base.yaml"), "/abs/right.yaml"}, Place: "lab/fleet.yaml:4"},
	}
	if !reflect.DeepEqual(f.Robots, want) {
		t.Errorf("%+v", f.Robots)
	}
}

// Every mistake gives an error with its line.
func TestMistakes(t *testing.T) {
	for text, want := range map[string][]string{
		"":           {"f.yaml: is empty; want robots:"},
		"# nothing":  {"f.yaml: is empty"},
		"{":          {"f.yaml: yaml: line"},
		"[]":         {"f.yaml:1: is a list of 0; want robots:"},
		"robots: 3":  {`f.yaml:1: robots: has "3"; want a list of 1 to 256 robots`},
		"robots: []": {"f.yaml:1: robots: has a list of 0; want a list of 1 to 256"},
		"robots: ~":  {"f.yaml:1: robots: has nothing; want"},
		"rod: {}":    {"f.yaml:1: rod: unknown key; allowed: robots", "f.yaml:1: robots is missing"},
		"robots: [{name: a, config: a}]\n---\nx: 1": {"f.yaml: has several documents"},
		"robots: [{name: a, config: a}]\n---\n{":    {"f.yaml: yaml: line"},
		"robots:\n- {name: a, config: a}\n- {nam: b, config: b}\n- left\n": {
			"f.yaml:3: robots[1].nam: unknown key; allowed: name, namespace, config", "f.yaml:3: robots[1]: name is missing",
			`f.yaml:4: robots[2]: is "left"; want`},
		"robots:\n- {name: 1st, config: a}\n- {name: a/b, config: a}\n- {name: ~, config: a}\n": {
			`f.yaml:2: robots[0].name: name "1st" must begin with a letter`, "f.yaml:3: robots[1].name: name \"a/b\" must not contain /",
			"f.yaml:4: robots[2].name: is nothing; want a text"},
		"robots: [{name: a, config: a, name: b}]":                        {"f.yaml:1: robots[0].name: is given twice, in line 1 before"},
		"robots: [{name: a, namespace: ~x, config: a}]":                  {"f.yaml:1: robots[0].namespace: namespace \"~x\" must not be private"},
		"robots: [{name: a, namespace: [x], config: a}]":                 {"f.yaml:1: robots[0].namespace: is a list of 1; want a text"},
		"robots: [{name: a, config: []}]":                                {"f.yaml:1: robots[0].config: is an empty list"},
		"robots: [{name: a, config: [a, {b: c}]}]":                       {"f.yaml:1: robots[0].config[1]: is a mapping; want the path"},
		"robots: [{name: a, config: ''}]":                                {"f.yaml:1: robots[0].config: is nothing; want the path"},
		"robots: [&r {name: a, config: a}, *r]":                          {"f.yaml:1: robots[1]: is an alias; want"},
		"robots: [" + strings.Repeat("{name: a, config: a},", 257) + "]": {"f.yaml:1: robots: has a list of 257; want a list of 1 to 256 robots"},
	} {
		_, err := fleet.Parse("f.yaml", []byte(text))
		if err == nil {
			t.Errorf("%.60q is accepted", text)
			continue
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%.60q: %v\nwant %s", text, err, w)
			}
		}
		if n := strings.Count(err.Error(), "\n") + 1; n != len(want) && !strings.Contains(err.Error(), "is missing") {
			t.Errorf("%.60q: %d mistakes, want %d: %v", text, n, len(want), err)
		}
	}
}

// Namespaces are relative to that of the program, and what clashes is refused with both places.
func TestNodes(t *testing.T) {
	const robots = `robots:
  - {name: left, namespace: arm, config: a}
  - {name: right, config: a}
  - {name: third, namespace: /other, config: a}
`
	for _, c := range []struct {
		args, want string // names of the nodes, or what the error says
		text       string
	}{
		{"", "/arm/left /right /other/third", robots},
		{"__ns:=/lab __name:=fleet", "/lab/arm/left /lab/right /other/third", robots},
		{"__ns:=lab", "/lab/arm/left /lab/right /other/third", robots},
		{"--ros-args -r left:__ns:=/x", "error: left:__ns:=/x: the fleet file f.yaml sets the names and namespaces of the robots", robots},
		{"", "error: f.yaml:5: node /right: f.yaml:3 has the same name and namespace", robots + "  - {name: right, namespace: /, config: b}\n"},
		{"__ns:=/arm", "error: f.yaml:5: node /arm/right: f.yaml:3 has the same name", robots + "  - {name: right, namespace: /arm, config: b}\n"},
		{"", "error: f.yaml:5: node /right/measured_cp is among the topics of node /right of f.yaml:3", robots + "  - {name: measured_cp, namespace: right, config: b}\n"},
	} {
		f, err := fleet.Parse("f.yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		args, err := naming.ParseArgs(strings.Fields(c.args))
		if err != nil {
			t.Fatal(err)
		}
		names, err := f.Nodes("tendonsim", args, noEnvironment)
		got := ""
		for _, n := range names {
			got += " " + n.Node()
		}
		if err != nil {
			got = " error: " + err.Error()
		}
		if !strings.HasPrefix(got[1:], c.want) {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}

// Every robot is on one loop, the busiest loop is not much busier than the others, and more loops than robots are not made.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		costs []float64
		loops int
		load  string
	}{
		{[]float64{0.2}, 4, "[0.2]"},
		{[]float64{0.1, 0.1, 0.1, 0.1}, 2, "[0.2 0.2]"},
		{[]float64{0.1, 0.5, 0.1, 0.2, 0.1}, 2, "[0.5 0.5]"},
		{[]float64{0, 0, 0, 0}, 2, "[0 0]"},
	} {
		of, load := fleet.Share(c.costs, c.loops)
		sums, number := make([]float64, len(load)), make([]int, len(load))
		for i, l := range of {
			sums[l] += c.costs[i]
			number[l]++
		}
		if got := fmt.Sprintf("%.6g", load); got != c.load || fmt.Sprintf("%.6g", sums) != got {
			t.Errorf("%v: loads %s, sums %v, want %s", c.costs, got, sums, c.load)
		}
		for l, n := range number {
			if n == 0 {
				t.Errorf("%v: loop %d has nothing to do", c.costs, l)
			}
		}
	}
	if text := fleet.TooMany(fleet.Share([]float64{0.5, 0.4, 0.3}, 2)); text != "" {
		t.Errorf("robots that keep real time: %s", text)
	}
	if text := fleet.TooMany(fleet.Share([]float64{0.5, 0.8, 0.9}, 2)); !strings.HasPrefix(text, "3 robots are too many for real time here: the steps of 2 of them, on one of 2 loops, want 130 % of a processor, at most 100 %") {
		t.Error(text)
	}
}

// Whatever a file has, it is refused or each of its robots has a name and files.
func FuzzParse(f *testing.F) {
	f.Add([]byte("robots:\n  - {name: left, namespace: /lab, config: left.yaml}\n  - {name: right, config: [a, b]}\n"))
	f.Add([]byte("robots: [&r {name: a, config: a}, *r]"))
	f.Add([]byte("robots: {<<: {name: a}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := fleet.Parse("f.yaml", data)
		if err != nil {
			return
		}
		if len(file.Robots) == 0 || len(file.Robots) > fleet.MaxRobots {
			t.Fatalf("%d robots", len(file.Robots))
		}
		for _, r := range file.Robots {
			if naming.CheckNodeName(r.Name) != nil || len(r.Config) == 0 || r.Namespace != "" && naming.CheckNamespace(r.Namespace) != nil {
				t.Fatalf("%+v", r)
			}
		}
		_, _ = file.Nodes("tendonsim", naming.Args{}, noEnvironment)
	})
}
