package ros2_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/test/testbench"
)

// parameterClient is a node that calls the services of parameters of /tendonsim, as the
// command ros2 param does, and hears /parameter_events.
type parameterClient struct {
	n         *testbench.Network
	transport *ros2.Transport
	clients   map[string]*ros2.Client

	mu     sync.Mutex
	events []*rcl_interfaces.ParameterEvent
	joints *sensor_msgs.JointState // the newest setpoints
}

func newParameterClient(n *testbench.Network, domain int) *parameterClient {
	n.T.Helper()
	t, err := ros2.New(ros2.Options{Node: "/user", Discovery: ros2.Discovery{Domain: domain}})
	if err != nil {
		n.T.Fatal(err)
	}
	n.T.Cleanup(func() { t.Close() })
	c := &parameterClient{n: n, transport: t, clients: map[string]*ros2.Client{}}
	for _, s := range []*msgs.Service{
		rcl_interfaces.ListParameters, rcl_interfaces.GetParameters, rcl_interfaces.GetParameterTypes,
		rcl_interfaces.DescribeParameters, rcl_interfaces.SetParameters, rcl_interfaces.SetParametersAtomically,
	} {
		name := strings.TrimPrefix(s.Name, "rcl_interfaces/")
		snake := strings.ToLower(name[:1])
		for _, r := range name[1:] {
			if 'A' <= r && r <= 'Z' {
				snake += "_"
			}
			snake += strings.ToLower(string(r))
		}
		if c.clients[name], err = t.NewClient("/tendonsim/"+snake, s); err != nil {
			n.T.Fatal(err)
		}
	}
	c.subscribe("/parameter_events", rcl_interfaces.ParameterEventType, func(m msgs.Message) {
		c.events = append(c.events, m.(*rcl_interfaces.ParameterEvent))
	})
	c.subscribe("/tendonsim/setpoint_js", sensor_msgs.JointStateType, func(m msgs.Message) {
		c.joints = m.(*sensor_msgs.JointState)
	})
	return c
}

func (c *parameterClient) subscribe(topic string, kind *msgs.Type, take func(msgs.Message)) {
	c.n.T.Helper()
	err := c.transport.Subscribe(ros.Topic{Name: topic, Type: kind}, func(got ros.Received) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !got.SenderLeft {
			take(got.Message)
		}
	})
	if err != nil {
		c.n.T.Fatal(err)
	}
}

// ask calls a service.
func ask[R msgs.Message](c *parameterClient, service string, request msgs.Message) R {
	c.n.T.Helper()
	c.n.WaitFor(service, c.clients[service].Ready)
	ctx, cancel := context.WithTimeout(c.n.T.Context(), testbench.WaitLimit)
	defer cancel()
	m, err := c.clients[service].Call(ctx, request)
	if err != nil {
		c.n.T.Fatal(err)
	}
	return m.(R)
}

func (c *parameterClient) names(depth uint64, prefixes ...string) []string {
	c.n.T.Helper()
	return ask[*rcl_interfaces.ListParametersResponse](c, "ListParameters",
		&rcl_interfaces.ListParametersRequest{Prefixes: prefixes, Depth: depth}).Result.Names
}

func (c *parameterClient) values(names ...string) []rcl_interfaces.ParameterValue {
	c.n.T.Helper()
	return ask[*rcl_interfaces.GetParametersResponse](c, "GetParameters", &rcl_interfaces.GetParametersRequest{Names: names}).Values
}

func (c *parameterClient) set(p ...rcl_interfaces.Parameter) []rcl_interfaces.SetParametersResult {
	c.n.T.Helper()
	return ask[*rcl_interfaces.SetParametersResponse](c, "SetParameters", &rcl_interfaces.SetParametersRequest{Parameters: p}).Results
}

// changes lists what the events tell of /tendonsim, in their order.
func (c *parameterClient) changes() (news int, changed []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.events {
		if e.Node != "/tendonsim" {
			continue
		}
		news += len(e.NewParameters)
		for _, p := range e.ChangedParameters {
			changed = append(changed, fmt.Sprint(p.Name, " ", plainValue(&p.Value)))
		}
	}
	return news, changed
}

// plainValue is the value that a message holds.
func plainValue(v *rcl_interfaces.ParameterValue) any {
	return []any{nil, v.BoolValue, v.IntegerValue, v.DoubleValue, v.StringValue, v.ByteArrayValue,
		v.BoolArrayValue, v.IntegerArrayValue, v.DoubleArrayValue, v.StringArrayValue}[v.Kind]
}

// What ros2 param does with the running program: list, get, describe, set, dump and load.
func TestROS2Parameters(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo")
	c := newParameterClient(n, domain)
	all := c.names(0)
	if top := c.names(1); !slices.Contains(top, "command_timeout_s") || slices.Contains(top, "rates.publish_hz") || len(all) < 100 {
		t.Errorf("%d parameters, at the top %q", len(all), top)
	}
	const limit = "tendons.long_up.limits.max_tension_n"
	if below := c.names(0, "tendons.long_up.limits"); !slices.Equal(below, []string{
		"tendons.long_up.limits.max_rate_m_per_s", "tendons.long_up.limits.max_rate_n_per_s", limit, "tendons.long_up.limits.pretension_n"}) {
		t.Errorf("below the limits: %q", below)
	}
	if v := c.values("rates.publish_hz", "none", "use_sim_time"); v[0].DoubleValue != 200 || v[1].Kind != rcl_interfaces.KindNotSet || v[2].Kind != rcl_interfaces.KindBool {
		t.Errorf("%+v", v)
	}
	types := ask[*rcl_interfaces.GetParameterTypesResponse](c, "GetParameterTypes", &rcl_interfaces.GetParameterTypesRequest{Names: []string{"rod.elements", "accept"}}).Types
	if !slices.Equal(types, []byte{rcl_interfaces.KindInteger, rcl_interfaces.KindStringArray}) {
		t.Errorf("types %v", types)
	}
	d := ask[*rcl_interfaces.DescribeParametersResponse](c, "DescribeParameters", &rcl_interfaces.DescribeParametersRequest{Names: []string{"rates.publish_hz", "rod.youngs_modulus_pa"}}).Descriptors
	if d[0].ReadOnly || !d[1].ReadOnly || d[0].Description != "measured values per second, at most control_hz (Hz)" ||
		d[0].AdditionalConstraints != "(0, 20000] Hz" || len(d[0].FloatingPointRange) != 1 || d[0].FloatingPointRange[0].ToValue != 20000 {
		t.Errorf("%+v", d)
	}
	n.WaitFor("new parameters", func() bool { news, _ := c.changes(); return news == len(all) })

	c.setLimits(limit)
	c.loadsItsDump(all)
}

// setLimits sets a limit, which commands then obey, and what is refused.
func (c *parameterClient) setLimits(limit string) {
	t := c.n.T
	t.Helper()
	results := c.set(testbench.DoubleParameter(limit, 3), testbench.DoubleParameter("rates.publish_hz", 1e6), testbench.DoubleParameter("rod.youngs_modulus_pa", 2e6), testbench.DoubleParameter("none", 1), testbench.DoubleParameter("rates.publish_hz", 150))
	for i, want := range []string{"", "rates.publish_hz: 1000000 Hz is out of range; allowed: (0, 20000] Hz", "rod.youngs_modulus_pa: fixed while the robot runs", "none: no such parameter", ""} {
		if results[i].Successful != (want == "") || !strings.HasPrefix(results[i].Reason, want) {
			t.Errorf("set %d: %+v, want %q", i, results[i], want)
		}
	}
	both := &rcl_interfaces.SetParametersAtomicallyRequest{Parameters: []rcl_interfaces.Parameter{testbench.DoubleParameter("rates.publish_hz", 100), testbench.DoubleParameter("tendons.long_up.limits.pretension_n", 4)}}
	if r := ask[*rcl_interfaces.SetParametersAtomicallyResponse](c, "SetParametersAtomically", both).Result; r.Successful || !strings.Contains(r.Reason, "pretension_n") {
		t.Errorf("a pretension above the limit: %+v", r)
	}
	if v := c.values("rates.publish_hz", limit); v[0].DoubleValue != 150 || v[1].DoubleValue != 3 {
		t.Errorf("a refused set has changed something: %+v", v)
	}
	want := []string{limit + " 3", "rates.publish_hz 150"}
	c.n.WaitFor("events", func() bool { _, changed := c.changes(); return slices.Equal(changed, want) })

	p, err := c.transport.Advertise(ros.Topic{Name: "/tendonsim/servo_jf", Type: sensor_msgs.JointStateType})
	if err != nil {
		t.Fatal(err)
	}
	c.n.WaitFor("a tension at its new limit of 3 N", func() bool {
		p.Publish(ros.NewSample(&sensor_msgs.JointState{Name: []string{"long_up"}, Effort: []float64{8}}))
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.joints == nil {
			return false
		}
		i := slices.Index(c.joints.Name, "long_up")
		if c.joints.Effort[i] > 3 {
			t.Fatalf("%g N are above the limit", c.joints.Effort[i])
		}
		return c.joints.Effort[i] == 3
	})
}

// loadsItsDump: what ros2 param dump writes can be loaded, and another node started with.
func (c *parameterClient) loadsItsDump(names []string) {
	t := c.n.T
	t.Helper()
	values := c.values(names...)
	var dump []rcl_interfaces.Parameter
	tree := map[string]any{}
	for i, name := range names {
		dump = append(dump, rcl_interfaces.Parameter{Name: name, Value: values[i]})
		in, parts := tree, strings.Split(name, ".")
		for _, part := range parts[:len(parts)-1] {
			if in[part] == nil {
				in[part] = map[string]any{}
			}
			in = in[part].(map[string]any)
		}
		in[parts[len(parts)-1]] = plainValue(&values[i])
	}
	for i, r := range c.set(dump...) {
		if !r.Successful {
			t.Errorf("loading %s: %s", names[i], r.Reason)
		}
	}
	text, err := yaml.Marshal(map[string]any{"/tendonsim": map[string]any{"ros__parameters": tree}})
	if err != nil {
		t.Fatal(err)
	}
	out, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "run", "--ros", "off", "--no-demo", "--duration", "0.2s", "--ros-args", "--params-file", testbench.WriteFile(t, "dump.yaml", string(text)))
	if code != 0 {
		t.Errorf("started with the dump: exit code %d\n%s%s\n%s", code, out, errs, text)
	}
}
