package hil

import (
	"sort"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// stamped is a pose and its time (s).
type stamped struct {
	t    float64
	pose spatial.Pose
}

// ring keeps the newest samples, up to its capacity, oldest first. It takes its memory with
// the first sample: most robots have no hardware beside them.
type ring struct {
	capacity int
	data     []stamped
	head     int // index of the oldest sample
	n        int // number of samples
}

// newRing returns an empty ring for capacity samples.
func newRing(capacity int) ring { return ring{capacity: capacity} }

// at returns sample i, counted from the oldest.
func (r *ring) at(i int) *stamped { return &r.data[(r.head+i)%len(r.data)] }

// stamp returns the time (s) of sample i, counted from the oldest.
func (r *ring) stamp(i int) float64 { return r.at(i).t }

// push adds the newest sample. It reports whether it dropped the oldest one.
func (r *ring) push(t float64, p spatial.Pose) (dropped bool) {
	if r.data == nil {
		r.data = make([]stamped, r.capacity)
	}
	if r.n == len(r.data) {
		r.pop()
		dropped = true
	}
	*r.at(r.n) = stamped{t, p}
	r.n++
	return dropped
}

// pop removes the oldest sample.
func (r *ring) pop() {
	r.head = (r.head + 1) % len(r.data)
	r.n--
}

func (r *ring) clear() { r.head, r.n = 0, 0 }

// appendLast appends the samples of the last width seconds to dst, in order.
func (r *ring) appendLast(dst []stamped, width float64) []stamped {
	if r.n == 0 {
		return dst
	}
	from := r.stamp(r.n-1) - width
	first := sort.Search(r.n, func(i int) bool { return r.stamp(i) >= from })
	start, end := r.head+first, r.head+r.n
	if c := len(r.data); end <= c {
		return append(dst, r.data[start:end]...)
	} else if start >= c {
		return append(dst, r.data[start-c:end-c]...)
	} else {
		return append(append(dst, r.data[start:]...), r.data[:end-c]...)
	}
}

// positions returns the samples as a series without rotations.
func positions(samples []stamped) trajectory.Poses {
	s := trajectory.Poses{T: make([]float64, len(samples)), Pose: make([]spatial.Pose, len(samples))}
	for i := range samples {
		s.T[i], s.Pose[i].P = samples[i].t, samples[i].pose.P
	}
	return s
}
