package view

import (
	"slices"
	"time"

	"sinew/msgs/nav_msgs"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/spatial"
)

// trailTime is how long a path that is derived from poses is: that of a recorded path, 1000 poses at 25 Hz.
const trailTime = 40 * time.Second

// trail is the path of the poses of a recording that has no paths.
type trail []trailPoint

type trailPoint struct {
	at time.Duration
	p  spatial.Vec
}

// add adds a position, unless it comes within pathPeriod of the one before, and drops those that are too old. Where time goes
// back the trail begins anew.
func (t *trail) add(at time.Duration, p spatial.Vec) {
	if n := len(*t); n > 0 {
		switch last := (*t)[n-1].at; {
		case at < last:
			*t = (*t)[:0]
		case at < last+pathPeriod:
			return
		}
	}
	old := 0
	for old < len(*t) && (*t)[old].at < at-trailTime {
		old++
	}
	*t = append(slices.Delete(*t, 0, old), trailPoint{at, p})
}

func (t trail) points() []spatial.Vec {
	points := make([]spatial.Vec, len(t))
	for i := range t {
		points[i] = t[i].p
	}
	return points
}

// hasPaths reports whether the recording has paths of its own.
func (r *recording) hasPaths() bool {
	return slices.ContainsFunc(r.Topics(), func(t record.Topic) bool { return t.Type == nav_msgs.PathType })
}

// lookBack takes the trail up to a time.
func (r *recording) lookBack(t time.Duration) error {
	if r.sketch == nil || r.shown == "" || r.hasPaths() {
		return nil
	}
	return r.Between(t-trailTime, t, func(m record.Message) {
		if m.Topic == r.shown {
			r.take(m)
		}
	})
}
