package reference

import (
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// poseValues lays g out as a port of kind sim.Pose does.
func poseValues(g spatial.Pose) []float64 {
	v := make([]float64, 7)
	g.P.Put(v)
	g.R.Quat().Put(v[3:])
	return v
}

// apart is how far two poses are from one another: metres or radians, whichever
// is more.
func apart(a, b spatial.Pose) float64 {
	return math.Max(a.P.Sub(b.P).Norm(), a.R.TMul(b.R).Log().Norm())
}

// Commands at 100 Hz move a pose evenly, one interval late; when they end it
// stops at the last one.
func TestPoseMovesEvenlyBetweenCommands(t *testing.T) {
	const dt, every, speed, turning = 1e-3, 10, 0.4, 1.5
	path := func(t float64) spatial.Pose {
		return spatial.Pose{
			P: spatial.Vec{X: 1 + speed*t, Y: -2, Z: 0.3},
			R: spatial.ExpRot(spatial.Vec{X: 0.2}).Mul(spatial.ExpRot(spatial.Vec{Z: turning * t})),
		}
	}
	b := NewPose(path(0), dt)
	g, now, last := path(0), 0.0, 0.0
	for i := range 200 {
		if i%every == 0 && i < 100 {
			last = now
			b.Command(poseValues(path(now)), now)
		}
		g = b.Next(g, now, dt)
		now += dt
		late := math.Min(now-every*dt, last)
		if i > every { // the first interval is not known
			if d := apart(g, path(late)); !(d < 1e-14) {
				t.Fatalf("t = %g: the pose is %.3g from where it was commanded 10 ms before", now, d)
			}
		}
	}
	if g != b.target {
		t.Errorf("the pose ends at %v, want exactly %v", g, b.target)
	}
}

func TestSpeedOfPoseIsBounded(t *testing.T) {
	const dt = 1e-3
	start := spatial.IdentityPose()
	far := spatial.Pose{P: spatial.Vec{X: 1, Y: 2, Z: -2}, R: spatial.ExpRot(spatial.Vec{X: 1, Y: -2, Z: 1})}
	b := NewPose(start, dt)
	b.Command(poseValues(far), 0)
	g, steps := start, 0
	for ; g != b.target && steps < 10000; steps++ {
		to := b.Next(g, float64(steps)*dt, dt)
		v, w := to.P.Sub(g.P).Norm()/dt, g.R.TMul(to.R).Log().Norm()/dt
		if v > MaxSpeed*(1+1e-9) || w > MaxTurn*(1+1e-9) {
			t.Fatalf("step %d: %.6g m/s and %.6g rad/s", steps, v, w)
		}
		g = to
	}
	if want := 3 / (MaxSpeed * dt); math.Abs(float64(steps)-want) > 1 {
		t.Errorf("3 m in %d steps of 1 ms, want %g", steps, want)
	}
}

func TestPosesThatKeep(t *testing.T) {
	k := sim.Keep
	at := spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: 0.5}), P: spatial.Vec{X: 1, Y: 2, Z: 3}}
	for name, c := range map[string]struct {
		v    []float64
		want spatial.Pose
	}{
		"position alone":    {[]float64{4, 5, 6, k, k, k, k}, spatial.Pose{R: at.R, P: spatial.Vec{X: 4, Y: 5, Z: 6}}},
		"orientation alone": {[]float64{k, k, k, 0, 0, 0, 1}, spatial.Pose{R: spatial.Identity3(), P: at.P}},
		"not a unit":        {[]float64{k, k, 0, 0, 0, 0, 7}, spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 1, Y: 2}}},
		"no orientation":    {[]float64{k, k, k, 0, 0, 0, 0}, at},
		"half of one":       {[]float64{k, k, k, 1, k, k, 0}, at},
	} {
		b := NewPose(at, 1e-3)
		b.Command(c.v, 0)
		if b.target != c.want {
			t.Errorf("%s: target %v, want %v", name, b.target, c.want)
		}
	}
}

// TestWaitingIsNoLastingExcuse: what could not move for a second is behind for that reason, until it has caught up
// with commands that never let it arrive. What they ask for too fast after that, or while it catches up, is told.
func TestWaitingIsNoLastingExcuse(t *testing.T) {
	const dt, every = 1e-3, 10
	for _, c := range []struct {
		name     string
		v        func(t float64) float64 // commanded speed (m/s, and in turns as many radians per s), the pose stays from 0.5 s to 1.5 s
		from, to float64                 // limited after from, s, and before to
	}{
		{"as fast as it can all the time", func(float64) float64 { return 1.99 }, 9, 9},
		{"slow", func(float64) float64 { return 0.5 }, 9, 9},
		{"too fast after it has caught up", func(t float64) float64 {
			if t < 4 {
				return 0.5
			}
			return 2.5
		}, 4, 4.05},
		{"too fast while it catches up", func(t float64) float64 {
			if t < 1.6 {
				return 1
			}
			return 2.5
		}, 1.6, 1.7},
	} {
		for _, turns := range []bool{false, true} {
			at := func(way float64) spatial.Pose {
				if turns {
					return spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: way * MaxTurn / MaxSpeed})}
				}
				return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: way}}
			}
			b, way := NewPose(at(0), dt), 0.0
			g, limited := at(0), 99.0
			for i := range 6000 {
				now := float64(i) * dt
				if way += c.v(now) * dt; i%every == 0 {
					b.Command(poseValues(at(way)), now)
				}
				if now > 0.5 && now < 1.5 && !turns || now > 0.5 && now < 0.6 { // a turn by more than pi would be another way
					b.Wait(g, dt)
				} else {
					g = b.Next(g, now, dt)
					b.Arrive(g, now+dt)
				}
				if limited == 99 && b.IsLimited(g, now+dt) {
					limited = now
				}
			}
			if limited < c.from || limited > c.to && c.from != 9 || c.from == 9 && limited != 99 {
				t.Errorf("%s, turns %v: told at %g s, want between %g and %g (99 and 9: never)", c.name, turns, limited, c.from, c.to)
			}
		}
	}
}
