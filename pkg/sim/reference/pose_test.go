package reference_test

import (
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
)

// The name of the first magnet moves the same one as magnet_pose does, and both tell of the newest
// command.
func TestFirstMagnetHasTwoNames(t *testing.T) {
	f := surrounded(t)
	plain, named := port(t, f, "magnet_pose"), port(t, f, "magnet_pose/arm")
	for i, p := range []int{named, plain, named} {
		x := 0.1 * float64(i+1)
		f.Command(p, []float64{x, 0, 0.2, 0, 0, 0, 1})
		for _, q := range []int{plain, named} {
			var setpoint [7]float64
			if f.Setpoint(q, setpoint[:]); setpoint[0] != x {
				t.Errorf("command %d: %s tells of %g m, want %g", i, f.Ports()[q].Name, setpoint[0], x)
			}
		}
		var other [7]float64
		if f.Setpoint(port(t, f, "magnet_pose/other"), other[:]); other[0] != 1 {
			t.Errorf("command %d moves another magnet, to %g m", i, other[0])
		}
	}
}

// A commanded magnet moves evenly, its moment turns with it, and the field at a time within
// a step is that of the place on its way.
func TestMagnetFollowsItsPose(t *testing.T) {
	const dt, every, speed, turning = 1e-3, 10, 0.3, 2.0
	f := surrounded(t)
	magnet := port(t, f, "magnet_pose")
	way := func(t float64) spatial.Pose {
		return spatial.Pose{P: spatial.Vec{X: speed * t, Z: 0.2}, R: spatial.ExpRot(spatial.Vec{Z: turning * t})}
	}
	for i := range 100 {
		now := float64(i) * dt
		if i%every == 0 {
			f.Command(magnet, poseValues(way(now)))
		}
		half := f.Instant()
		half.Set(dt / 2)
		f.Advance(dt)
		if i <= every {
			continue
		}
		if d := apart(f.Magnets[0].Pose, way(now+dt-every*dt)); d > 1e-12 {
			t.Fatalf("t = %g: the magnet is %.3g from where it was commanded 10 ms before", now, d)
		}
		at := way(now + dt/2 - every*dt)
		want := magnetics.Dipole{Position: at.P, Moment: at.R.Apply(spatial.Vec{X: 20})}
		got := half.Dipoles()[0]
		if got.Position.Sub(want.Position).Norm() > 1e-12 || got.Moment.Sub(want.Moment).Norm() > 1e-10 {
			t.Fatalf("half a step on the magnet is %v, want %v", got, want)
		}
	}
	if m := &f.Magnets[1]; m.Pose.P != (spatial.Vec{Y: 1}) {
		t.Errorf("the other magnet went to %v", m.Pose.P)
	}
	jump := spatial.Pose{P: spatial.Vec{X: 5}, R: spatial.Identity3()}
	from := f.Magnets[0].Pose.P
	f.Command(magnet, poseValues(jump))
	f.Advance(dt)
	if v := f.Magnets[0].Pose.P.Sub(from).Norm() / dt; v > reference.MaxSpeed*(1+1e-9) {
		t.Errorf("a jump moves the magnet at %g m/s, allowed: %d", v, reference.MaxSpeed)
	}
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
	b := reference.NewPose(path(0), dt)
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
	if g != b.Target() {
		t.Errorf("the pose ends at %v, want exactly %v", g, b.Target())
	}
}

func TestSpeedOfPoseIsBounded(t *testing.T) {
	const dt = 1e-3
	start := spatial.IdentityPose()
	far := spatial.Pose{P: spatial.Vec{X: 1, Y: 2, Z: -2}, R: spatial.ExpRot(spatial.Vec{X: 1, Y: -2, Z: 1})}
	b := reference.NewPose(start, dt)
	b.Command(poseValues(far), 0)
	g, steps := start, 0
	for ; g != b.Target() && steps < 10000; steps++ {
		to := b.Next(g, float64(steps)*dt, dt)
		v, w := to.P.Sub(g.P).Norm()/dt, g.R.TMul(to.R).Log().Norm()/dt
		if v > reference.MaxSpeed*(1+1e-9) || w > reference.MaxTurn*(1+1e-9) {
			t.Fatalf("step %d: %.6g m/s and %.6g rad/s", steps, v, w)
		}
		g = to
	}
	if want := 3 / (reference.MaxSpeed * dt); math.Abs(float64(steps)-want) > 1 {
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
		b := reference.NewPose(at, 1e-3)
		b.Command(c.v, 0)
		if b.Target() != c.want {
			t.Errorf("%s: target %v, want %v", name, b.Target(), c.want)
		}
	}
}

// TestWaitingPosesAreNotLimited moves a pose that has stood still because no step could be taken: it is behind its command for that reason
// alone, also after it is saved and restored. What commands ask for beyond that is limited, and so is all after it has caught up.
func TestWaitingPosesAreNotLimited(t *testing.T) {
	const dt, waits, speed = 1e-3, 20, 0.9 * reference.MaxSpeed
	at := func(steps int) spatial.Pose {
		return spatial.Pose{P: spatial.Vec{X: speed * dt * float64(steps)}, R: spatial.Identity3()}
	}
	b := reference.NewPose(at(0), dt)
	g, now := at(0), 0.0
	restored := func() *reference.Pose {
		var saved [reference.PoseLen]float64
		b.Save(saved[:])
		c := reference.NewPose(spatial.IdentityPose(), dt)
		c.Restore(saved[:])
		return c
	}
	isLimited := func(want bool, when string) {
		t.Helper()
		for name, p := range map[string]*reference.Pose{"": b, ", restored": restored()} {
			if got := p.IsLimited(g, now); got != want {
				t.Fatalf("%s%s: the pose is limited: %t, want %t", when, name, got, want)
			}
		}
	}
	jump := func(steps int, when string) {
		t.Helper()
		c := restored()
		if c.Send(at(steps), now); !c.IsLimited(g, now) {
			t.Errorf("%s: a jump to %g m is not limited", when, c.Target().P.X)
		}
	}
	b.Wait(g, 1)
	jump(waits, "after waiting at its target")
	for i := 1; i <= waits; i++ {
		b.Send(at(i), now)
		b.Wait(g, dt)
		now += dt
		isLimited(false, "while it stands still")
	}
	jump(2*waits, "while it stands still")
	steps := 0
	for ; g != b.Target(); steps++ {
		g = b.Next(g, now, dt)
		now += dt
		b.Arrive(g, now)
		isLimited(false, "while it catches up")
	}
	if want := int(math.Ceil(waits * speed / reference.MaxSpeed)); steps != want {
		t.Errorf("the pose catches up in %d steps, want %d", steps, want)
	}
	jump(2*waits+5, "after it has caught up")
}
