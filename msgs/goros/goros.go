package goros

import (
	"time"

	"sinew/msgs"
)

// Prototype returns a pointer to a zero goroslib struct of type t, as
// goroslib's PublisherConf.Msg wants it, or nil when t is not a generated type.
func Prototype(t *msgs.Type) any { return prototype(t) }

// Service returns a pointer to a zero goroslib struct of service s, as
// goroslib's ServiceProviderConf.Srv wants it, or nil when s is not a generated
// service. The structs of its request and response are those of
// Prototype(s.Request) and Prototype(s.Response); From and To convert them.
func Service(s *msgs.Service) any { return service(s) }

// From returns m as a pointer to a goroslib struct that shares no memory with
// m, or nil when m is not a generated message.
//
// goroslib sends negative durations with negative nanoseconds, where other ROS 1
// libraries normalise them; the sum is the same.
func From(m msgs.Message) any { return from(m) }

// To returns a pointer to a goroslib struct of this package as a message that
// shares no memory with g, or nil when g is something else.
func To(g any) msgs.Message { return to(g) }

// fromTime limits t to what ROS 1 can express. goroslib writes the zero
// time.Time as the ROS time 0, and reads it so.
func fromTime(t msgs.Time) time.Time {
	sec, nsec := t.ROS1()
	if sec == 0 && nsec == 0 {
		return time.Time{}
	}
	return time.Unix(int64(sec), int64(nsec)).UTC()
}

// toTime undoes goroslib's reading of the seconds as signed, which puts stamps
// after the year 2038 before 1970.
func toTime(t time.Time) msgs.Time {
	if t.IsZero() {
		return 0
	}
	const wrap = 1 << 32
	sec := t.Unix()
	if sec < 0 {
		sec += wrap
	}
	return msgs.Time(sec*int64(time.Second) + int64(t.Nanosecond()))
}

// fromDuration limits d to what ROS 1 can express.
func fromDuration(d msgs.Duration) time.Duration {
	sec, nsec := d.ROS1()
	return time.Duration(sec)*time.Second + time.Duration(nsec)
}

func toDuration(d time.Duration) msgs.Duration { return msgs.Duration(d) }

// convert applies one to each element, which gets fresh memory.
func convert[A, B any](list []A, one func(*A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i := range list {
		out[i] = one(&list[i])
	}
	return out
}
