package parameter

import (
	"math"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs/rcl_interfaces"
	"sinew/pkg/ros/masterclient"
)

// Tests of what has no exported name.

// What ROS 2 sets is not taken back because the server has the old value still; what somebody
// sets on the server holds. Where others have set a list, its parts are not put beside it.
func TestBothNetworks(t *testing.T) {
	table, _, _ := ServeInTest(t)
	mirror := &Mirror{
		table: table, log: zap.NewNop(), client: masterclient.Client{Caller: "/left"},
		given: map[string]bool{"b.c": true}, last: map[string]any{"b.rate": 1.5, "b.c.on": true}, own: map[string]any{},
	}
	if err := table.Set([]Assignment{{"b.rate", 3.0}}, "ROS 2"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		server map[string]any
		want   float64
	}{{map[string]any{"b.rate": 1.5}, 3}, {map[string]any{"b.rate": 11.0}, 3}, {map[string]any{"b.rate": 2.0}, 2}} {
		mirror.try(c.server, mirror.last)
		if p, _ := table.Get("b.rate"); p.Value != c.want {
			t.Errorf("the server has %v: b.rate is %v, want %g", c.server, p.Value, c.want)
		}
	}
	send, own, _ := mirror.differences(map[string]any{"b.rate": 1.5, "b.offset": []float64{1, 2, 3}}, false)
	_, beside := send["/left/b/c/on"]
	_, same := send["/left/b/offset"]
	_, users := own["b.rate"]
	if beside || same || users || !equal(send["/left/b/rate"], 2.0) || own["inf"] == nil {
		t.Errorf("the server gets %v, of which %v is the node's own", send, own)
	}
}

// What somebody sets on the server while the robot is built holds, or is refused, as if it were
// set later; what stood there when the file was read, and lost to the command line, does not,
// nor what a node that died has left there.
func TestSetWhileBuilt(t *testing.T) {
	table, _, logged := ServeInTest(t)
	was, _ := table.Get("b.c.on")
	mirror := &Mirror{
		table: table, log: zap.NewNop(), client: masterclient.Client{Caller: "/left"}, given: map[string]bool{},
		read: flat(map[string]any{"b": map[string]any{"offset": []any{9.0, 9.0, 9.0}}}),
	}
	mirror.tryFirst(map[string]any{
		"b.rate": 4.0, "b.offset": []float64{9, 9, 9}, "a": int64(8),
		"b.c.on": !was.Value.(bool), MirrorName: marker(map[string]any{"b.c.on": !was.Value.(bool)}),
	})
	for name, want := range map[string]any{"b.rate": 4.0, "b.c.on": was.Value} {
		if p, _ := table.Get(name); p.Value != want {
			t.Errorf("%s is %v, want %v", name, p.Value, want)
		}
	}
	if p, _ := table.Get("b.offset"); same(p.Value, []float64{9, 9, 9}) {
		t.Error("what was read before the command line holds against it")
	}
	if logged.FilterMessage("parameters refused").Len() == 0 {
		t.Error("the fixed parameter is not told of")
	}
	if !mirror.given["b.rate"] || mirror.given["a"] || mirror.given["b.c.on"] {
		t.Errorf("of users: %v, want b.rate alone", mirror.given)
	}
}

// Whatever a request holds, it is answered.
func FuzzSet(f *testing.F) {
	add := func(p ...rcl_interfaces.Parameter) {
		f.Add((&rcl_interfaces.SetParametersRequest{Parameters: p}).AppendCDR(nil))
	}
	add(ParameterInTest("b.rate", 3.0), ParameterInTest("b.offset", []int64{1}))
	add(ParameterInTest("b.offset", []float64{math.NaN()}), ParameterInTest("b.c.words", []string{"x", ""}))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := new(rcl_interfaces.SetParametersRequest)
		if m.ParseCDR(data) != nil {
			return
		}
		o := NewOwner()
		table := NewTable(Options{List: o.List, Apply: o.Apply, Now: func() time.Duration { return 0 }})
		if r := table.setEach(m).(*rcl_interfaces.SetParametersResponse); len(r.Results) != len(m.Parameters) {
			t.Errorf("%d answers to %d parameters", len(r.Results), len(m.Parameters))
		}
		for _, p := range table.All() {
			if typeName(p.Value) != typeName(NewOwner().Values[p.Name]) {
				t.Errorf("%s became a %s", p.Name, typeName(p.Value))
			}
		}
	})
}
