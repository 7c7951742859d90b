package reference

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

const (
	// MaxSpeed (m/s) and MaxTurn (rad/s) bound how fast poses follow their commands:
	// more than an arm does, less than what a mistaken command asks for.
	MaxSpeed = 2
	MaxTurn  = 4 * math.Pi
	// SpeedLimitText is the same limit in messages.
	SpeedLimitText = "2 m/s or 2 turns/s"
)

// Pose is the reference trajectory of a rigid body that commanded poses prescribe: the base plate
// of a rod, or a magnet on an arm. It moves from its current pose to the newest command on its
// schedule: the origin on a straight line and the axes about one fixed axis, both at constant rates.
// MaxSpeed and MaxTurn limit the motion, which then takes longer. After the arrival it rests.
//
// A robot at rest is consistent with a base at rest, so that the first command excites the robot
// only by its velocity, which is bounded.
type Pose struct {
	schedule
	target spatial.Pose
	waited float64 // time on the way in which nothing could move, s
}

// PositionBound is how far along each axis of the world a pose may be sent (m) around a robot whose
// file puts everything within size (m) of the origin: a hundred times that, and 1 m at least.
// What is further is a position in another unit than metre.
func PositionBound(size float64) float64 {
	const times, least, most = 100, 1, 1e4
	return min(max(math.Ceil(times*size), least), most)
}

// PosePort describes a command of a pose in the world that goes no further than farthest along
// each axis. Without commands what it moves stays.
func PosePort(name string, farthest float64) sim.Port {
	bounds := append(repeat(farthest, 3), repeat(math.Inf(1), 4)...)
	return sim.Port{
		Name: name, Kind: sim.Pose, Direction: sim.In, Unit: "m", Group: name, Frames: []string{sim.World}, Safe: repeat(sim.Keep, 7),
		Min: negative(bounds), Max: bounds, Strict: true, Hint: "the unit is metre: 5 mm is 0.005",
		Speed: MaxSpeed, AngularSpeed: MaxTurn,
	}
}

// NewPose makes the motion of what stays at a pose until it is commanded. period is the
// control period, s.
func NewPose(at spatial.Pose, period float64) *Pose {
	return &Pose{schedule: newSchedule(period), target: at}
}

// Target is the newest commanded pose.
func (b *Pose) Target() spatial.Pose { return b.target }

// SetInitialTarget sets the target of a pose that has had no command yet.
func (b *Pose) SetInitialTarget(to spatial.Pose) {
	if b.commandTime == unset {
		b.target = to
	}
}

// Command makes v, laid out as sim.Pose, the target at time t. A position may be
// kept value by value, an orientation only as a whole.
func (b *Pose) Command(v []float64, t float64) { b.Send(overlaid(b.target, v), t) }

// overlaid returns a pose with what v, laid out as sim.Pose, does not keep.
func overlaid(at spatial.Pose, v []float64) spatial.Pose {
	for i, x := range []*float64{&at.P.X, &at.P.Y, &at.P.Z} {
		if !sim.IsKeep(v[i]) {
			*x = v[i]
		}
	}
	q := spatial.QuatAt(v[3:]).Normalized()
	if spatial.IsFinite(q.X) { // neither Keep nor zero
		at.R = q.Rot()
	}
	return at
}

// Send makes to the target at time t, as Command does.
func (b *Pose) Send(to spatial.Pose, t float64) {
	b.target = to
	b.command(t)
}

// Next is the pose at time t + dt of what is at now at time t.
func (b *Pose) Next(now spatial.Pose, t, dt float64) spatial.Pose {
	if now == b.target {
		return now
	}
	part := b.share(t, dt)
	way := b.target.P.Sub(now.P)
	turn := now.R.TMul(b.target.R).Log()
	ahead, round := part, part
	if d := way.Norm(); ahead*d > MaxSpeed*dt {
		ahead = MaxSpeed * dt / d
	}
	if a := turn.Norm(); round*a > MaxTurn*dt {
		round = MaxTurn * dt / a
	}
	to := b.target
	if ahead < 1 {
		to.P = now.P.AddScaled(ahead, way)
	}
	if round < 1 {
		to.R = now.R.Mul(spatial.ExpRot(turn.Scale(round)))
	}
	return to
}

// turnRate is how fast what is at now at time t turns in the next dt seconds, rad/s.
func (b *Pose) turnRate(now spatial.Pose, t, dt float64) float64 {
	if now.R == b.target.R {
		return 0
	}
	to := b.Next(now, t, dt)
	return now.R.TMul(to.R).Log().Norm() / dt
}

// Wait tells that what is at now stays there for dt seconds, because no step could be taken:
// what it is behind for that reason alone, no command has asked for too fast.
func (b *Pose) Wait(now spatial.Pose, dt float64) {
	if now != b.target {
		b.waited += dt
	}
}

// Arrive tells where a step that ends at time t has taken what moves. What it has made up for of its waiting
// is no excuse for what commands ask for later, also where they come so often that it is never at its target.
func (b *Pose) Arrive(now spatial.Pose, t float64) {
	if b.waited > 0 {
		b.waited = min(b.waited, max(0, b.distanceBehind(now, t)))
	}
}

// distanceBehind is for how much longer than the command leaves it (s) what is at now at time t has to go at
// MaxSpeed or MaxTurn to be at its target.
func (b *Pose) distanceBehind(now spatial.Pose, t float64) float64 {
	if now == b.target {
		return 0
	}
	way, turn := b.target.P.Sub(now.P).Norm(), now.R.TMul(b.target.R).Log().Norm()
	return max(way/MaxSpeed, turn/MaxTurn) - max(b.arrival-t, 0)
}

// IsLimited reports whether what is at now at time t is behind its command, or will be, for
// it does not go faster than MaxSpeed and MaxTurn. What Lead asks for is not that fast.
func (b *Pose) IsLimited(now spatial.Pose, t float64) bool {
	const roundoff = 1e-9 // s
	return b.commandTime != unset && b.distanceBehind(now, t) > b.waited+roundoff
}

// PoseLen is the number of values that Pose.Save writes.
const PoseLen = 15

// Save writes the motion to dst, which has PoseLen values.
func (b *Pose) Save(dst []float64) {
	b.target.Put(dst)
	dst[12], dst[13], dst[14] = b.commandTime, b.arrival, b.waited
}

// Restore makes src, written by Save, the motion.
func (b *Pose) Restore(src []float64) {
	b.target = spatial.PoseAt(src)
	b.commandTime, b.arrival, b.waited = src[12], src[13], src[14]
}
