package parameter

import (
	"math"
	"reflect"
	"testing"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterclient"
)

// Values come back from the server as they were put there.
func TestServerValues(t *testing.T) {
	for _, v := range []any{true, int64(-7), int64(1) << 40, 1.5, math.Inf(1), "x", "", []float64{1, 2.5}, []float64{}, []string{"a", ""}, []string{}} {
		if got := fromServer(serverValue(v)); !equal(got, v) {
			t.Errorf("%#v came back as %#v", v, got)
		}
	}
	for v, want := range map[int64]any{1 << 40: float64(1 << 40), -1 << 40: -float64(1 << 40), -7: -7} { // the server has 32 bits
		if got := serverValue(v); got != want {
			t.Errorf("%d goes to the server as %T %v", v, got, got)
		}
	}
	for _, c := range []struct {
		v, of any
		want  bool
	}{
		{int64(2), 2.0, true}, {2.0, int64(2), true}, {2.5, int64(2), false}, {[]any{1, "a"}, []float64{1}, false},
		{nil, 2.0, false}, {[]float64{1}, []float64{1, 2}, false}, {"2", 2.0, false}, {[]bool{true}, []string{"true"}, false},
	} {
		if got := equal(c.v, c.of); got != c.want {
			t.Errorf("%#v and %#v are equal: %v", c.v, c.of, got)
		}
	}
	tree := map[string]any{"a": map[string]any{"b": 1, "c": map[string]any{"d": []any{1, 2.5}}}, "e": "x", "f": map[string]any{}}
	if got, want := flat(tree), (map[string]any{"a.b": int64(1), "a.c.d": []float64{1, 2.5}, "e": "x"}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What ROS 2 sets is not taken back because the server has the old value still; what somebody
// sets on the server holds. Where others have set a list, its parts are not put beside it.
func TestBothNetworks(t *testing.T) {
	table, _, _ := serve(t)
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
	table, _, logged := serve(t)
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

// A node knows what one before it has put on the server, whatever is there.
func TestOfLastRun(t *testing.T) {
	own := OfLastRun(marker(map[string]any{"rates.publish_hz": 200.0, "base.normal": []float64{0, 0, 1}, "accept": []string{}, "n": int64(3)}))
	for _, c := range []struct {
		name  string
		value any
		want  bool
	}{
		{"rates.publish_hz", 200.0, true}, {"rates.publish_hz", 100.0, false}, {"rates.marker_hz", 200.0, false},
		{"base.normal", []any{0.0, 0.0, 1.0}, true}, {"base.normal", []any{0.0, 1.0}, false}, {"accept", []any{}, true}, {"n", 3, true},
	} {
		if got := own(c.name, c.value); got != c.want {
			t.Errorf("%s = %v: %v", c.name, c.value, got)
		}
	}
	for _, text := range []any{nil, 3, "", "{", `{"a": 1}`, map[string]any{}} {
		if OfLastRun(text)("a", 1) {
			t.Errorf("%v is taken for a marker", text)
		}
	}
}

// Whatever stands on the server where the marker belongs is read without harm.
func FuzzOfLastRun(f *testing.F) {
	f.Add(marker(map[string]any{"a": 1.5}), "a", "1.5")
	f.Fuzz(func(t *testing.T, text, name, value string) {
		if OfLastRun(text)(name, value) && len(text) < len(value) {
			t.Errorf("%q knows %q = %q", text, name, value)
		}
	})
}
