package faults

import (
	"math"
	"sync"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/test/station"
)

// witness is a subscriber of the poses that has nothing to do with the fault. It counts
// by its own monotonic clock, whatever the stamps say.
type witness struct {
	mu      sync.Mutex
	all     int
	came    int // since begin
	from    time.Time
	last    time.Time // when the newest came
	stamp   time.Duration
	silence time.Duration // longest since begin
}

func newWitness(s *station.Station) *witness {
	w := &witness{}
	s.Subscribe("/tendonsim/measured_cp", geometry_msgs.PoseStampedType, func(got ros.Received) {
		w.take(got.Message.(*geometry_msgs.PoseStamped))
	})
	return w
}

func (w *witness) take(m *geometry_msgs.PoseStamped) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	w.all++
	w.came++
	w.silence = max(w.silence, now.Sub(w.last))
	w.last, w.stamp = now, time.Duration(m.Header.Stamp)
}

// count is how many poses came so far.
func (w *witness) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all
}

// newest is the stamp of the newest pose, and how long ago it came.
func (w *witness) newest() (stamp, ago time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stamp, time.Since(w.last)
}

// begin counts anew.
func (w *witness) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.came, w.silence, w.from, w.last = 0, 0, time.Now(), time.Now()
}

// end tells how many poses should have come since begin, how many of them did not, and
// the longest time without one.
func (w *witness) end() (expected, lost int, silence time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	expected = int(math.Round(now.Sub(w.from).Seconds() * poseHz))
	return expected, max(0, expected-w.came), max(w.silence, now.Sub(w.last))
}
