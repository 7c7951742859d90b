package msgs

import "math"

const nanosPerSecond = 1_000_000_000

// ROS1 splits t into the seconds and nanoseconds of a ROS 1 time. ROS 1 counts
// unsigned 32-bit seconds: a stamp before 1970 becomes 0, one after the year
// 2106 the last representable nanosecond.
func (t Time) ROS1() (sec, nsec uint32) {
	const last = math.MaxUint32*nanosPerSecond + nanosPerSecond - 1
	n := min(max(int64(t), 0), last)
	return uint32(n / nanosPerSecond), uint32(n % nanosPerSecond)
}

// ROS1 splits d into the seconds and nanoseconds of a ROS 1 duration, with
// 0 <= nsec < 1e9 also when d is negative, as ROS 1 normalises it. ROS 1 counts
// signed 32-bit seconds: what lies beyond becomes the nearest representable
// duration.
func (d Duration) ROS1() (sec, nsec int32) {
	const (
		shortest = math.MinInt32 * nanosPerSecond
		longest  = math.MaxInt32*nanosPerSecond + nanosPerSecond - 1
	)
	n := min(max(int64(d), shortest), longest)
	s, ns := n/nanosPerSecond, n%nanosPerSecond
	if ns < 0 {
		s, ns = s-1, ns+nanosPerSecond
	}
	return int32(s), int32(ns)
}

// ROS2 splits t into the seconds and nanoseconds of a ROS 2 time, with
// nanosec < 1e9 also before 1970. ROS 2 counts signed 32-bit seconds: a stamp
// before 1901 or after the year 2038 becomes the nearest representable one.
func (t Time) ROS2() (sec int32, nanosec uint32) { return Duration(t).ROS2() }

// ROS2 splits d into the seconds and nanoseconds of a ROS 2 duration, as
// [Duration.ROS1] does.
func (d Duration) ROS2() (sec int32, nanosec uint32) {
	sec, nsec := d.ROS1()
	return sec, uint32(nsec)
}

// TimeROS2 is the time of sec seconds and nanosec nanoseconds.
func TimeROS2(sec int32, nanosec uint32) Time { return Time(DurationROS2(sec, nanosec)) }

// DurationROS2 is the duration of sec seconds and nanosec nanoseconds.
func DurationROS2(sec int32, nanosec uint32) Duration {
	return Duration(int64(sec)*nanosPerSecond + int64(nanosec))
}
