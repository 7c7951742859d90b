package msgs_test

import (
	"math"
	"testing"

	"sinew/msgs"
)

func TestTimeROS1(t *testing.T) {
	for _, c := range []struct {
		name      string
		time      msgs.Time
		sec, nsec uint32
	}{
		{"zero", 0, 0, 0},
		{"one and a half seconds", 1_500_000_000, 1, 500_000_000},
		{"before 1970", -1, 0, 0},
		{"beyond signed seconds", 3e9 * 1e9, 3e9, 0},
		{"last", math.MaxUint32*1e9 + 999_999_999, math.MaxUint32, 999_999_999},
		{"after 2106", math.MaxInt64, math.MaxUint32, 999_999_999},
	} {
		if sec, nsec := c.time.ROS1(); sec != c.sec || nsec != c.nsec {
			t.Errorf("%s: got %d s %d ns, want %d s %d ns", c.name, sec, nsec, c.sec, c.nsec)
		}
	}
}

func TestDurationROS1(t *testing.T) {
	for _, c := range []struct {
		name      string
		duration  msgs.Duration
		sec, nsec int32
	}{
		{"zero", 0, 0, 0},
		{"one and a half seconds", 1_500_000_000, 1, 500_000_000},
		// genpy: Duration(-1, -500000000) canonicalises to secs -2, nsecs 500000000.
		{"minus one and a half seconds", -1_500_000_000, -2, 500_000_000},
		{"minus one nanosecond", -1, -1, 999_999_999},
		{"minus one second", -1_000_000_000, -1, 0},
		{"too long", math.MaxInt64, math.MaxInt32, 999_999_999},
		{"too short", math.MinInt64, math.MinInt32, 0},
	} {
		if sec, nsec := c.duration.ROS1(); sec != c.sec || nsec != c.nsec {
			t.Errorf("%s: got %d s %d ns, want %d s %d ns", c.name, sec, nsec, c.sec, c.nsec)
		}
		src := msgs.AppendDuration(nil, c.duration)
		r := msgs.NewReader(src)
		want := msgs.Duration(int64(c.sec)*1e9 + int64(c.nsec))
		if got := r.Duration(); got != want || r.Finish("duration") != nil {
			t.Errorf("%s: read %d, want %d", c.name, got, want)
		}
	}
}

func TestTimeROS2(t *testing.T) {
	for _, c := range []struct {
		name    string
		time    msgs.Time
		sec     int32
		nanosec uint32
	}{
		{"zero", 0, 0, 0},
		{"one and a half seconds", 1_500_000_000, 1, 500_000_000},
		{"before 1970", -1, -1, 999_999_999},
		{"last", math.MaxInt32*1e9 + 999_999_999, math.MaxInt32, 999_999_999},
		{"after 2038", 3e9 * 1e9, math.MaxInt32, 999_999_999},
		{"before 1901", math.MinInt64, math.MinInt32, 0},
	} {
		if sec, nanosec := c.time.ROS2(); sec != c.sec || nanosec != c.nanosec {
			t.Errorf("%s: got %d s %d ns, want %d s %d ns", c.name, sec, nanosec, c.sec, c.nanosec)
		}
		if sec, nanosec := msgs.Duration(c.time).ROS2(); sec != c.sec || nanosec != c.nanosec {
			t.Errorf("%s as a duration: got %d s %d ns, want %d s %d ns", c.name, sec, nanosec, c.sec, c.nanosec)
		}
		want := msgs.Time(int64(c.sec)*1e9 + int64(c.nanosec))
		if got := msgs.TimeROS2(c.sec, c.nanosec); got != want {
			t.Errorf("%s: put together %d, want %d", c.name, got, want)
		}
	}
	// A peer may send more than a second of nanoseconds.
	if got := msgs.TimeROS2(1, math.MaxUint32); got != 1_000_000_000+math.MaxUint32 {
		t.Errorf("1 s and %d ns: got %d", uint32(math.MaxUint32), got)
	}
}
