package naming_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/pkg/ros/naming"
)

const everyNode = `
/**:
  ros__parameters:
    use_sim_time: %s
    start_type_description_service: %s
    qos_overrides:
      /tip: {publisher: {reliability: best_effort, depth: 5}}
    rates: {publish_hz: 100}
`

// What launch files give to every node is no parameter of the robot. What has no effect is
// told of, once, with its place.
func TestNodeParameters(t *testing.T) {
	load := func(params []naming.Param, simTime, service string) (naming.Args, error) {
		text := strings.NewReplacer("use_sim_time: %s", "use_sim_time: "+simTime, "service: %s", "service: "+service).Replace(everyNode)
		a := naming.Args{ParamFiles: []string{"p.yaml"}, Params: params}
		err := a.LoadParams("/x", func(string) ([]byte, error) { return []byte(text), nil })
		if err == nil {
			err = a.LoadParams("/x", nil) // changes nothing
		}
		return a, err
	}
	const qos = "p.yaml:7: qos_overrides has no effect: the quality of service of the topics is fixed"
	for _, c := range []struct {
		simTime, service string
		params           []naming.Param
		source           string
		idle             []string
	}{
		{"false", "false", nil, "", []string{qos}},
		{"true", "true", nil, "p.yaml:4", []string{qos}},
		{"false", "true", []naming.Param{{Name: "start_type_description_service", Value: "false", Source: naming.CommandLine}}, "", []string{qos}},
		{"7", "no", nil, "", nil},
		{"on", "off", nil, "p.yaml:4", []string{qos}},
		{"true", "false", []naming.Param{{Name: "use_sim_time", Value: "false", Source: naming.CommandLine}}, "", []string{qos}},
		{"false", "false", []naming.Param{{Name: "/use_sim_time", Value: "true", Source: naming.CommandLine}}, naming.CommandLine, []string{qos}},
	} {
		a, err := load(c.params, c.simTime, c.service)
		if c.simTime == "7" {
			const want = `p.yaml:4: use_sim_time: "7" is no truth value; allowed: true, false`
			if err == nil || err.Error() != want {
				t.Errorf("use_sim_time: %s: error %v, want %s", c.simTime, err, want)
			}
			continue
		}
		if want := []naming.Param{{"rates.publish_hz", "100", "p.yaml:8", true, ""}}; err != nil || !slices.Equal(a.Params, want) {
			t.Errorf("%+v: parameters %v, %v; want %v", c, a.Params, err, want)
		}
		if (a.WallTime != "") == (a.SimTime != "") {
			t.Errorf("%+v: wall time from %q, time from %q", c, a.WallTime, a.SimTime)
		}
		if silent := c.service != "true" || len(c.params) > 0 && c.params[0].Name == "start_type_description_service"; a.NoTypeDescription != silent {
			t.Errorf("%+v: no type descriptions: %v", c, a.NoTypeDescription)
		}
		if a.SimTime != c.source || !slices.Equal(a.Idle, c.idle) {
			t.Errorf("%+v: time from %q, without effect %q", c, a.SimTime, a.Idle)
		}
	}
	for value, want := range map[string]string{
		`"true"`:  `p.yaml:4: use_sim_time: "true" is a text because of its quotes; allowed: true, false, without them`,
		`'false'`: `use_sim_time: 'false' is a text because of its quotes`,
		`"maybe"`: `use_sim_time: "\"maybe\"" is no truth value; allowed: true, false`,
		"1":       `use_sim_time: "1" is no truth value; allowed: true, false`,
	} {
		if _, err := load(nil, value, "true"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("use_sim_time: %s: error %v, want %s", value, err, want)
		}
	}
	a := naming.Args{Params: []naming.Param{{Name: "use_sim_time", Value: "", Source: naming.CommandLine}}}
	if err := a.LoadParams("/x", nil); err == nil {
		t.Error("use_sim_time without a value is accepted")
	}
	a = naming.Args{Params: []naming.Param{{Name: "start_type_description_service", Value: "perhaps", Source: naming.CommandLine}}}
	if err := a.LoadParams("/x", nil); err == nil || !strings.Contains(err.Error(), `start_type_description_service: "perhaps" is no truth value`) {
		t.Errorf("start_type_description_service: perhaps: %v", err)
	}
}
