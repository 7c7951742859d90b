package sim

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// scenes passes the newest scene of a model from the loop to readers. Readers wait
// for one another; the loop never waits.
type scenes struct {
	rate    atomic.Uint64 // bits of the rate at which scenes are wanted, Hz; 0: not at all
	newest  tripleBuffer
	drawn   [3]Scene
	stamps  [3]time.Duration
	readers sync.Mutex
}

// newScenes draws the model into every buffer, so that later drawings reuse the
// storage.
func newScenes(m Model) *scenes {
	s := new(scenes)
	s.newest.init()
	for i := range s.drawn {
		m.Draw(&s.drawn[i])
	}
	return s
}

// setRate sets the rate at which scenes are wanted, Hz; 0 means not at all.
func (s *scenes) setRate(rate float64) { s.rate.Store(math.Float64bits(rate)) }

// wanted returns the rate at which scenes are wanted, Hz; 0 means not at all.
func (s *scenes) wanted() float64 { return math.Float64frombits(s.rate.Load()) }

// draw makes the present scene of m the newest one.
func (s *scenes) draw(m Model, stamp time.Duration) {
	m.Draw(&s.drawn[s.newest.back])
	s.stamps[s.newest.back] = stamp
	s.newest.publish()
}

// take copies the newest scene to dst and returns its stamp. It reports false if
// there is none since the last call.
func (s *scenes) take(dst *Scene) (time.Duration, bool) {
	s.readers.Lock()
	defer s.readers.Unlock()
	if !s.newest.take() {
		return 0, false
	}
	s.drawn[s.newest.front].copyTo(dst)
	return s.stamps[s.newest.front], true
}

// copyTo copies s, points included, reusing the storage of dst.
func (s *Scene) copyTo(dst *Scene) {
	dst.Scale = s.Scale
	dst.Disks = append(dst.Disks[:0], s.Disks...)
	dst.Spheres = append(dst.Spheres[:0], s.Spheres...)
	dst.Arrows = append(dst.Arrows[:0], s.Arrows...)
	dst.Meshes = append(dst.Meshes[:0], s.Meshes...) // which share their triangles
	dst.Tubes = resize(dst.Tubes, len(s.Tubes))
	for i, t := range s.Tubes {
		points := append(dst.Tubes[i].Points[:0], t.Points...)
		dst.Tubes[i] = t
		dst.Tubes[i].Points = points
	}
	dst.Polylines = resize(dst.Polylines, len(s.Polylines))
	for i, p := range s.Polylines {
		points := append(dst.Polylines[i].Points[:0], p.Points...)
		dst.Polylines[i] = p
		dst.Polylines[i].Points = points
	}
}

// resize returns a slice of n elements that keeps those of s and their storage.
func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}

// tripleBuffer passes the newest of three buffers from one writer to one reader,
// and neither ever waits for the other. It holds the indices of the buffers; its
// owner keeps the buffers themselves.
type tripleBuffer struct {
	middle atomic.Uint32 // index of the buffer between the two, | unread
	back   uint32        // index of the writer's buffer
	front  uint32        // index of the reader's buffer
}

// unread marks a middle buffer that the reader has not taken.
const unread = 4

// init must come before any other use.
func (t *tripleBuffer) init() {
	t.back, t.front = 0, 2
	t.middle.Store(1)
}

// publish makes the back buffer the newest one; the writer gets another.
func (t *tripleBuffer) publish() {
	t.back = t.middle.Swap(t.back|unread) &^ unread
}

// take makes the newest buffer the front one. It reports false if the reader has
// that one already.
func (t *tripleBuffer) take() bool {
	if t.middle.Load()&unread == 0 {
		return false
	}
	t.front = t.middle.Swap(t.front) &^ unread
	return true
}
