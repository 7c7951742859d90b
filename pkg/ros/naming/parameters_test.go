package naming_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/ros/naming"
)

func TestParamScalar(t *testing.T) {
	for text, want := range map[string]any{
		"500": 500, "0.3": 0.3, "1e-3": 1e-3, "true": true, "slow": "slow", "'7'": "7", "": nil,
		"[1, 2.5]": []any{1, 2.5},
	} {
		got, err := naming.Param{Name: "p", Value: text}.Scalar()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %#v, %v; want %#v", text, got, err, want)
		}
	}
}

const paramFile = `
/**:
  ros__parameters:
    rates: {control_hz: 500, publish_hz: 100.5}   # for all
lab:
  left:
    ros__parameters:
      rod.length_m: 0.3 # this one
      solver: {method: 'explicit'}
  right:
    ros__parameters: {rod: {length_m: 9}}
/lab/*:
  ros__parameters: {seed: "7"}
/left:
  ros__parameters: {seed: 8}
/**/left:
  ros__parameters: {name: arm}
`

func TestLoadParams(t *testing.T) {
	a := naming.Args{ParamFiles: []string{"p.yaml"}, Params: []naming.Param{{Name: "seed", Value: "9", Source: naming.CommandLine}}}
	if err := a.LoadParams("/lab/left", func(string) ([]byte, error) { return []byte(paramFile), nil }); err != nil {
		t.Fatal(err)
	}
	want := []naming.Param{
		{"rates.control_hz", "500", "p.yaml:4", true, ""}, {"rates.publish_hz", "100.5", "p.yaml:4", true, ""},
		{"rod.length_m", "0.3", "p.yaml:8", false, ""}, {"solver.method", "'explicit'", "p.yaml:9", false, ""}, {"seed", `"7"`, "p.yaml:13", true, ""},
		{"name", "arm", "p.yaml:17", false, ""},
		{Name: "seed", Value: "9", Source: naming.CommandLine},
	}
	if !slices.Equal(a.Params, want) {
		t.Errorf("got %v, want %v", a.Params, want)
	}
}

func TestLoadParamsMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"left: 5":                   "p.yaml:1: want the names of nodes",
		"a:\n  - b":                 "p.yaml:2: want the names",
		"a: [":                      "p.yaml:1: did not find expected node content",
		"/a:\n  ros__parameters: 7": "p.yaml:2: want parameters below",
		"/a:\n  ros__parameters: {x: &y 1, z: *y}": "p.yaml:2: parameter z: aliases",
	} {
		a := naming.Args{ParamFiles: []string{"p.yaml"}}
		err := a.LoadParams("/a", func(string) ([]byte, error) { return []byte(text), nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
	missing := errors.New("no such file")
	a := naming.Args{ParamFiles: []string{"p.yaml"}}
	if err := a.LoadParams("/a", func(string) ([]byte, error) { return nil, missing }); !errors.Is(err, missing) {
		t.Errorf("unreadable file: %v", err)
	}
}

// FuzzParamFile checks that no file panics or takes long.
func FuzzParamFile(f *testing.F) {
	f.Add(paramFile)
	f.Add("/**/**/*/**:\n  ros__parameters: {a: [1, {b: 2}]}")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := naming.ParseParams("p.yaml", []byte(text), "/lab/left")
		for _, p := range list {
			if err == nil && p.Name == "" && !strings.Contains(text, `""`) && !strings.Contains(text, "''") {
				t.Errorf("%q has a parameter without a name", text)
			}
		}
	})
}

// Parameters of the command line that name other nodes give a warning and are left out.
func TestParamsOfNodes(t *testing.T) {
	a, err := naming.ParseArgs(strings.Fields("--ros-args -p left:a:=1 -p /lab/left:b:=2 -p /**:c:=3 -p /lab/*:d:=4 -p e:=5 " +
		"-p right:a:=6 -p /left:b:=7 -p left/x:c:=8 -p right:use_sim_time:=true"))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.LoadParams("/lab/left", nil); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, p := range a.Params {
		got += p.Name + p.Value + " "
	}
	if want := "a1 b2 c3 d4 e5 "; got != want || a.SimTime != "" {
		t.Errorf("%q, use_sim_time from %q; want %q", got, a.SimTime, want)
	}
	if want := "command line: right:a has no effect: this node is /lab/left"; len(a.Idle) != 4 || a.Idle[0] != want {
		t.Errorf("%q, want 4 lines that begin with %q", a.Idle, want)
	}
}
