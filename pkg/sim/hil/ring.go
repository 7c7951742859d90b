package hil

import "sinew/pkg/sim/spatial"

// stamped is a pose and its time (s).
type stamped struct {
	t    float64
	pose spatial.Pose
}

// ring keeps the newest samples, up to its capacity, oldest first.
type ring struct {
	data []stamped
	head int // of the oldest
	n    int
}

func newRing(capacity int) ring { return ring{data: make([]stamped, capacity)} }

func (r *ring) at(i int) *stamped { return &r.data[(r.head+i)%len(r.data)] }

func (r *ring) stamp(i int) float64 { return r.at(i).t }

// push adds the newest sample; it reports whether the oldest had to go.
func (r *ring) push(t float64, p spatial.Pose) (dropped bool) {
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

// series copies the samples.
func (r *ring) series() Series {
	s := Series{T: make([]float64, r.n), Pose: make([]spatial.Pose, r.n)}
	for i := range r.n {
		s.T[i], s.Pose[i] = r.at(i).t, r.at(i).pose
	}
	return s
}
