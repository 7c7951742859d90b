package parameter_test

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs/rcl_interfaces"
	"sinew/pkg/ros"
	"sinew/pkg/ros/parameter"
)

// The owner is asked for what changes alone, each name once with its last value, and not at all
// where nothing does: a robot would be built anew for it.
func TestApplied(t *testing.T) {
	o := parameter.NewOwner()
	table := parameter.NewTable(parameter.Options{List: o.List, Apply: o.Apply, Now: func() time.Duration { return 0 }})
	for _, list := range [][]parameter.Assignment{
		{{"b.rate", 1.5}, {"a", int64(7)}}, nil,
		{{"b.rate", 2.0}, {"b.c.on", false}, {"b.rate", 3.0}}, {{"b.rate", 4.0}, {"b.rate", 3.0}},
	} {
		if err := table.Set(list, "test"); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(o.Applied); got != "[[b.c.on b.rate]]" || o.Values["b.rate"] != 3.0 {
		t.Errorf("applied %s, b.rate %v", got, o.Values["b.rate"])
	}
}

// Whole numbers are numbers as far as a number can hold them; what is no number equals itself,
// so that a dump with one can be loaded.
func TestConvert(t *testing.T) {
	const exact = int64(1) << 53
	for _, c := range []struct {
		v, like any
		ok      bool
	}{
		{exact, 0.0, true}, {-exact, 0.0, true}, {exact + 1, 0.0, false}, {-exact - 1, 0.0, false}, {2.0, int64(0), false},
		{[]int64{1, exact}, []float64{}, true}, {[]int64{1, exact + 1, 2}, []float64{}, false}, {[]string{}, 0.0, false},
	} {
		if _, ok := parameter.Convert(c.v, c.like); ok != c.ok {
			t.Errorf("%v becomes %T: %v", c.v, c.like, ok)
		}
	}
	if nan := math.NaN(); !parameter.Same(nan, nan) || !parameter.Same([]float64{1, nan}, []float64{1, nan}) || parameter.Same(nan, 1.0) || parameter.Same(1.0, nan) {
		t.Error("NaN is not equal to itself alone")
	}
}

// Requests are bounded and still answered parameter by parameter.
func TestManyNames(t *testing.T) {
	_, n, _ := parameter.ServeInTest(t)
	set := &rcl_interfaces.SetParametersRequest{}
	get := &rcl_interfaces.GetParametersRequest{}
	for range parameter.MaxNames + 1 {
		set.Parameters = append(set.Parameters, parameter.ParameterInTest("b.rate", 2.0))
		get.Names = append(get.Names, "b.rate")
	}
	r := call[rcl_interfaces.SetParametersResponse](t, n, "set_parameters", set).Results
	if len(r) != parameter.MaxNames+1 || !r[parameter.MaxNames-1].Successful || r[parameter.MaxNames].Successful || !strings.Contains(r[parameter.MaxNames].Reason, "more than 4096") {
		t.Errorf("%d results, the last %+v", len(r), r[len(r)-1])
	}
	if v := call[rcl_interfaces.GetParametersResponse](t, n, "get_parameters", get).Values; len(v) != parameter.MaxNames {
		t.Errorf("%d values", len(v))
	}
}

// A range of whole numbers, within 32 bits, of numbers and of each of several; none for what is
// no number.
func TestRanges(t *testing.T) {
	below := math.Inf(-1)
	for _, c := range []struct {
		value any
		min   float64
		want  string
	}{
		{int64(3), 1, "[] [{1 9 0}]"}, {int64(3), below, "[] []"}, {int64(3), math.MinInt32 - 1, "[] []"}, {int64(3), math.MinInt32, "[] [{-2147483648 9 0}]"},
		{2.5, below, "[{-Inf 9 0}] []"}, {[]float64{1}, below, "[{-Inf 9 0}] []"}, {"x", below, "[] []"},
	} {
		d := parameter.Descriptor(&parameter.Parameter{Value: c.value, Bounded: true, Min: c.min, Max: 9})
		if got := fmt.Sprint(d.FloatingPointRange, d.IntegerRange); got != c.want {
			t.Errorf("%v above %g: %s, want %s", c.value, c.min, got, c.want)
		}
	}
}

// A subscriber from the start gets them at once, and events that do not fit are counted.
func TestEventsAtOnceAndTooMany(t *testing.T) {
	table, n, _ := parameter.ServeInTest(t)
	late := time.Duration(math.MaxInt64)
	for range 5 { // what the machine takes from one it does not take from all
		begun, before := time.Now(), len(n.Events())
		e, err := parameter.NewEvents(table, "/x", parameter.EventsTopic, []ros.Transport{n}, func() time.Duration { return 0 }, nil)
		if err != nil {
			t.Fatal(err)
		}
		for len(n.Events()) == before && time.Since(begun) < time.Minute {
			time.Sleep(time.Millisecond)
		}
		e.Close()
		if late = min(late, time.Since(begun)); late <= parameter.Discovery/2 {
			break
		}
	}
	if late > parameter.Discovery/2 {
		t.Errorf("the first event comes after %v", late)
	}
	n.Mu.Lock()
	n.WantedValue = false
	n.Mu.Unlock()
	var lost atomic.Int64
	e, err := parameter.NewEvents(table, "/x", parameter.EventsTopic, []ros.Transport{n}, func() time.Duration { return 0 }, func(n int) { lost.Add(int64(n)) })
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const over = 7
	for i := range parameter.MaxEvents + over {
		if err := table.Set([]parameter.Assignment{{"b.rate", 2 + float64(i%2)}}, "test"); err != nil {
			t.Fatal(err)
		}
	}
	if lost.Load() != over {
		t.Errorf("%d events are reported as lost, want %d", lost.Load(), over)
	}
}
