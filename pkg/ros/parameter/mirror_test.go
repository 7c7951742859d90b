package parameter_test

import (
	"math"
	"reflect"
	"testing"

	"sinew/pkg/ros/parameter"
)

// Values come back from the server as they were put there.
func TestServerValues(t *testing.T) {
	for _, v := range []any{true, int64(-7), int64(1) << 40, 1.5, math.Inf(1), "x", "", []float64{1, 2.5}, []float64{}, []string{"a", ""}, []string{}} {
		if got := parameter.FromServer(parameter.ServerValue(v)); !parameter.Equal(got, v) {
			t.Errorf("%#v came back as %#v", v, got)
		}
	}
	for v, want := range map[int64]any{1 << 40: float64(1 << 40), -1 << 40: -float64(1 << 40), -7: -7} { // the server has 32 bits
		if got := parameter.ServerValue(v); got != want {
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
		if got := parameter.Equal(c.v, c.of); got != c.want {
			t.Errorf("%#v and %#v are equal: %v", c.v, c.of, got)
		}
	}
	tree := map[string]any{"a": map[string]any{"b": 1, "c": map[string]any{"d": []any{1, 2.5}}}, "e": "x", "f": map[string]any{}}
	if got, want := parameter.Flat(tree), (map[string]any{"a.b": int64(1), "a.c.d": []float64{1, 2.5}, "e": "x"}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A node knows what one before it has put on the server, whatever is there.
func TestOfLastRun(t *testing.T) {
	own := parameter.OfLastRun(parameter.Marker(map[string]any{"rates.publish_hz": 200.0, "base.normal": []float64{0, 0, 1}, "accept": []string{}, "n": int64(3)}))
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
		if parameter.OfLastRun(text)("a", 1) {
			t.Errorf("%v is taken for a marker", text)
		}
	}
}

// Whatever stands on the server where the marker belongs is read without harm.
func FuzzOfLastRun(f *testing.F) {
	f.Add(parameter.Marker(map[string]any{"a": 1.5}), "a", "1.5")
	f.Fuzz(func(t *testing.T, text, name, value string) {
		if parameter.OfLastRun(text)(name, value) && len(text) < len(value) {
			t.Errorf("%q knows %q = %q", text, name, value)
		}
	})
}
