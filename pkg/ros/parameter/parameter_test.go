package parameter_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/pkg/ros/parameter"
)

// call does a service as the network would: what it answers is what can be sent.
func call[R any](t *testing.T, n *parameter.Network, name string, request msgs.Message) *R {
	t.Helper()
	handle := n.Services["/lab/left/"+name]
	if handle == nil {
		t.Fatalf("%s is not served, of %d", name, len(n.Services))
	}
	got := any(new(R))
	if err := got.(msgs.Message).ParseCDR(handle(request)().AppendCDR(nil)); err != nil {
		t.Fatal(err)
	}
	return got.(*R)
}

// What rclcpp answers to the same requests.
func TestList(t *testing.T) {
	_, n, _ := parameter.ServeInTest(t)
	all := []string{"a", "b.c.name", "b.c.on", "b.c.words", "b.offset", "b.rate", "inf"}
	for _, c := range []struct {
		prefixes        []string
		depth           uint64
		names, prefixed []string
	}{
		{nil, 0, all, []string{"b.c", "b"}},
		{nil, 1, []string{"a", "inf"}, nil},
		{nil, 2, []string{"a", "b.offset", "b.rate", "inf"}, []string{"b"}},
		{nil, 100, all, []string{"b.c", "b"}},
		{[]string{"b"}, 0, all[1:6], []string{"b.c", "b"}},
		{[]string{"b"}, 1, []string{"b.offset", "b.rate"}, []string{"b"}},
		{[]string{"b.c", "a"}, 1, []string{"a", "b.c.name", "b.c.on", "b.c.words"}, []string{"b.c"}},
		{[]string{"b.rate"}, 1, []string{"b.rate"}, []string{"b"}},
		{[]string{"b.c.", "", "x"}, 0, nil, nil},
	} {
		got := call[rcl_interfaces.ListParametersResponse](t, n, "list_parameters",
			&rcl_interfaces.ListParametersRequest{Prefixes: c.prefixes, Depth: c.depth})
		if !slices.Equal(got.Result.Names, c.names) || !slices.Equal(got.Result.Prefixes, c.prefixed) {
			t.Errorf("%q, depth %d: %q below %q, want %q below %q", c.prefixes, c.depth, got.Result.Names, got.Result.Prefixes, c.names, c.prefixed)
		}
	}
}

func TestGetAndDescribe(t *testing.T) {
	_, n, _ := parameter.ServeInTest(t)
	names := []string{"b.offset", "none", "a", "b.c.words", "b.c.on", "b.c.name", "inf"}
	values := call[rcl_interfaces.GetParametersResponse](t, n, "get_parameters", &rcl_interfaces.GetParametersRequest{Names: names}).Values
	types := call[rcl_interfaces.GetParameterTypesResponse](t, n, "get_parameter_types", &rcl_interfaces.GetParameterTypesRequest{Names: names}).Types
	described := call[rcl_interfaces.DescribeParametersResponse](t, n, "describe_parameters", &rcl_interfaces.DescribeParametersRequest{Names: append(names, "b.rate")}).Descriptors
	if want := []byte{8, 0, 2, 9, 1, 4, 3}; !slices.Equal(types, want) {
		t.Errorf("types %v, want %v", types, want)
	}
	for i := range values {
		if values[i].Kind != types[i] || described[i].Kind != types[i] || described[i].Name != names[i] {
			t.Errorf("%s: %+v, %+v, type %d", names[i], values[i], described[i], types[i])
		}
	}
	if !slices.Equal(values[0].DoubleArrayValue, []float64{1, 2, 3}) || values[2].IntegerValue != 7 || !values[4].BoolValue ||
		values[5].StringValue != "rod" || !math.IsInf(values[6].DoubleValue, 1) {
		t.Errorf("values %+v", values)
	}
	a, rate := described[2], described[len(described)-1]
	if !a.ReadOnly || rate.ReadOnly || described[0].FloatingPointRange != nil {
		t.Errorf("%+v\n%+v", a, rate)
	}
	if r := a.IntegerRange; len(r) != 1 || r[0].FromValue != 1 || r[0].ToValue != 2000 {
		t.Errorf("range of a: %+v", r)
	}
	if r := rate.FloatingPointRange; len(r) != 1 || r[0].FromValue != 0 || r[0].ToValue != 10 || rate.AdditionalConstraints != "(0, 10] Hz" || rate.Description != "of b.rate" {
		t.Errorf("b.rate: %+v", rate)
	}
}

func TestSet(t *testing.T) {
	table, n, logged := parameter.ServeInTest(t)
	for _, c := range []struct {
		name  string
		value any
		want  any    // afterwards, unless it is refused
		why   string // part of the reason
	}{
		{"b.rate", 2.5, 2.5, ""},
		{"b.rate", int64(3), 3.0, ""}, // as people type it
		{"b.rate", 11.0, nil, "allowed: (0, 10] Hz"},
		{"b.rate", "fast", nil, "b.rate: is a double, not a string"},
		{"b.rate", int64(1) << 60, nil, "b.rate: is a double, not an integer"},
		{"b.rate", nil, nil, "cannot be removed"},
		{"b.offset", []int64{4, 5, 6}, []float64{4, 5, 6}, ""},
		{"b.offset", []byte{}, []float64{}, ""}, // an empty list has the type that comes first
		{"b.offset", []bool{true}, nil, "not a boolean array"},
		{"b.c.words", []string{"x"}, []string{"x"}, ""},
		{"b.c.on", false, false, ""},
		{"a", int64(8), nil, "a: fixed while the robot runs"},
		{"a", int64(7), int64(7), ""}, // as it is anyhow
		{"none", 1.0, nil, "none: no such parameter"},
	} {
		before, _ := table.Get(c.name)
		r := call[rcl_interfaces.SetParametersResponse](t, n, "set_parameters",
			&rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{parameter.ParameterInTest(c.name, c.value)}}).Results
		after, _ := table.Get(c.name)
		if c.want == nil {
			c.want = before.Value
		}
		if len(r) != 1 || r[0].Successful != (c.why == "") || !strings.Contains(r[0].Reason, c.why) || after.Value != nil && !parameter.Same(after.Value, c.want) {
			t.Errorf("%s = %v: %+v, now %v, want %v, %q", c.name, c.value, r, after.Value, c.want, c.why)
		}
	}
	if set, refused, newest := table.Counts(); set != 6 || refused != 7 || newest != "b.c.on: false, was true, by ROS 2" {
		t.Errorf("%d set, %d refused, %q", set, refused, newest)
	}
	if n := logged.FilterMessage("parameter set").Len(); n != 6 {
		t.Errorf("%d lines, want one for each that was set", n)
	}
	if n := logged.FilterMessage("parameters refused").Len(); n != 4 {
		t.Errorf("%d lines about what was refused, want 1 in 5 s for each of 3 parameters and one for all unknown ones", n)
	}
}

// One that is refused leaves all as they are, and each for itself does not.
func TestSetTogether(t *testing.T) {
	table, n, _ := parameter.ServeInTest(t)
	before := table.All()
	list := []rcl_interfaces.Parameter{parameter.ParameterInTest("b.c.on", false), parameter.ParameterInTest("b.rate", 11.0), parameter.ParameterInTest("b.c.name", "x")}
	r := call[rcl_interfaces.SetParametersAtomicallyResponse](t, n, "set_parameters_atomically", &rcl_interfaces.SetParametersAtomicallyRequest{Parameters: list}).Result
	if r.Successful || r.Reason != parameter.ErrRate.Error() {
		t.Errorf("%+v", r)
	}
	if after := table.All(); !slices.EqualFunc(before, after, func(a, b parameter.Parameter) bool { return a.Name == b.Name && parameter.Same(a.Value, b.Value) }) {
		t.Errorf("%v became %v", before, after)
	}
	list[1] = parameter.ParameterInTest("b.rate", 9.0)
	list = append(list, parameter.ParameterInTest("b.rate", 8.0)) // the last one holds
	r = call[rcl_interfaces.SetParametersAtomicallyResponse](t, n, "set_parameters_atomically", &rcl_interfaces.SetParametersAtomicallyRequest{Parameters: list}).Result
	if p, _ := table.Get("b.rate"); !r.Successful || p.Value != 8.0 {
		t.Errorf("%+v, b.rate %v", r, p.Value)
	}
	list = []rcl_interfaces.Parameter{parameter.ParameterInTest("b.rate", 11.0), parameter.ParameterInTest("b.c.on", true)}
	each := call[rcl_interfaces.SetParametersResponse](t, n, "set_parameters", &rcl_interfaces.SetParametersRequest{Parameters: list}).Results
	if p, _ := table.Get("b.c.on"); len(each) != 2 || each[0].Successful || !each[1].Successful || p.Value != true {
		t.Errorf("%+v, b.c.on %v", each, p.Value)
	}
	many := &rcl_interfaces.SetParametersAtomicallyRequest{Parameters: make([]rcl_interfaces.Parameter, parameter.MaxNames+1)}
	if r := call[rcl_interfaces.SetParametersAtomicallyResponse](t, n, "set_parameters_atomically", many).Result; r.Successful || !strings.Contains(r.Reason, "more than 4096") {
		t.Errorf("%+v", r)
	}
}
