package ros

import "sinew/msgs"

// trail keeps the newest poses of a Path port.
type trail struct {
	poses   []stampedPose
	first   int // index of the oldest once the storage is full
	limit   int
	simTime float64 // s, of the newest pose
}

type stampedPose struct {
	stamp  msgs.Time
	values [7]float64
}

func newTrail(limit int) *trail { return &trail{limit: limit} }

// add appends the pose v and forgets the oldest when there are too many. When
// simulation time has gone back the robot was reset: the trail starts anew.
func (t *trail) add(simTime float64, stamp msgs.Time, v []float64) {
	if simTime < t.simTime {
		t.poses, t.first = t.poses[:0], 0
	}
	t.simTime = simTime
	p := stampedPose{stamp, [7]float64(v)}
	if len(t.poses) < t.limit {
		t.poses = append(t.poses, p)
		return
	}
	t.poses[t.first] = p
	t.first = (t.first + 1) % t.limit
}

func (t *trail) len() int { return len(t.poses) }

// at returns the pose i, counted from the oldest.
func (t *trail) at(i int) stampedPose { return t.poses[(t.first+i)%len(t.poses)] }
