package ros

import (
	"sync/atomic"

	"sinew/msgs"
	"sinew/pkg/ros/bounded"
	"sinew/pkg/sim"
)

// outputPort publishes the values of one Out port.
type outputPort struct {
	*topicPublisher
	codec
	port     *sim.Port
	index    int
	frames   []string     // ROS frame of each of port.Frames
	frame    string       // the first of them, or empty
	children []string     // ROS frames of the labels of Transforms ports
	history  *pathHistory // nil but for Path ports
	beside   *companion   // nil for most

	shown float64       // of a port with Samples: number of measurements that had arrived when it was last sent
	lost  atomic.Uint64 // measurements that had come and gone between two snapshots
}

// send publishes the port's values of a snapshot if they are due and wanted. A
// Path is recorded in any case.
func (o *outputPort) send(s *sim.Snapshot, stamp msgs.Time) {
	if o.port.Pace == sim.Slow && !s.Slow {
		return
	}
	v := s.Values[o.index]
	if o.history != nil {
		o.history.add(s.SimTime, stamp, v)
	}
	if o.port.Samples > 0 {
		if o.beside != nil && o.beside.topic.Latched {
			o.beside.send(o, stamp, stamp, nil)
		}
		o.sendSamples(v, stamp)
		return
	}
	if o.wanted() {
		o.publish(stamp, o.encode(o, header(o.seq, stamp, o.frame), v))
	}
	if o.beside != nil {
		o.beside.send(o, stamp, stamp, v)
	}
}

// sendSamples publishes the measurements that have arrived since the last snapshot, in the order in which they did. Each is stamped
// with the time at which it was taken.
func (o *outputPort) sendSamples(v []float64, stamp msgs.Time) {
	news := v[0] - o.shown
	if news < 0 { // the state is an earlier one: what led to it has been published
		news = min(v[0], 1)
	}
	o.shown = v[0]
	if most := float64(o.port.Samples); news > most {
		o.lost.Add(uint64(news - most))
		news = most
	}
	for i := int(news) - 1; i >= 0; i-- {
		age, values := o.port.Sample(v, i)
		taken := max(stamp-msgs.Time(seconds(age)), 0)
		if o.wanted() {
			o.publish(stamp, o.encode(o, header(o.seq, taken, o.frame), values))
		}
		if o.beside != nil {
			o.beside.send(o, stamp, taken, values)
		}
	}
}

// pathHistory keeps the newest poses of a Path port.
type pathHistory struct {
	poses   bounded.Ring[stampedPose]
	simTime float64 // s, of the newest pose
	stamp   msgs.Time
}

type stampedPose struct {
	stamp  msgs.Time
	values [7]float64
}

func newPathHistory(limit int) *pathHistory {
	return &pathHistory{poses: bounded.NewRing[stampedPose](limit)}
}

// add appends the pose v and forgets the oldest when there are too many. When
// simulation time has gone back the robot was reset, and when stamps have, the time in
// which the path is: it starts anew.
func (h *pathHistory) add(simTime float64, stamp msgs.Time, v []float64) {
	if simTime < h.simTime || stamp < h.stamp {
		h.poses.Clear()
	}
	h.simTime, h.stamp = simTime, stamp
	h.poses.Put(stampedPose{stamp, [7]float64(v)})
}
