package ros

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// chainTolerance is round-off of a few products of unit quaternions and lengths
// of order 1.
const chainTolerance = 1e-14

// framePorts places hand on arm on base on the world, listed from the far end;
// hand is measured in base, the others in the world.
func framePorts() []sim.Port {
	frame := func(in, child, parent string) sim.Port {
		return sim.Port{Name: child, Kind: sim.Pose, Direction: sim.Out, Frames: []string{in}, Child: child, Parent: parent}
	}
	return []sim.Port{
		frame("base", "hand", "arm"),
		{Name: "other", Kind: sim.Twist, Direction: sim.Out},
		frame(sim.World, "arm", "base"),
		frame(sim.World, "base", sim.World),
	}
}

func randomPose(r *rand.Rand) []float64 {
	q := spatial.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
	return []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), q.X, q.Y, q.Z, q.W}
}

func poseOf(v []float64) spatial.Pose {
	return spatial.Pose{P: spatial.Vec{X: v[0], Y: v[1], Z: v[2]}, R: spatial.Quat{X: v[3], Y: v[4], Z: v[5], W: v[6]}.Rot()}
}

// Whoever walks the tree from the world must arrive where the ports say the
// frames are.
func TestTransformsLeadToTheFrames(t *testing.T) {
	tree, err := newFrameTree(framePorts(), testNames().Frame)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		hand, arm, base := randomPose(r), randomPose(r), randomPose(r)
		m := tree.message(7, msgs.At(noon), [][]float64{hand, make([]float64, 6), arm, base})
		want := map[string]spatial.Pose{
			"lab/left/base": poseOf(base),
			"lab/left/arm":  poseOf(arm),
			"lab/left/hand": poseOf(base).Mul(poseOf(hand)),
		}
		reached := map[string]spatial.Pose{"world": spatial.IdentityPose()}
		for _, tf := range m.Transforms {
			from, ok := reached[tf.Header.FrameID]
			if !ok {
				t.Fatalf("%s comes before its parent %s", tf.ChildFrameID, tf.Header.FrameID)
			}
			p, q := tf.Transform.Translation, tf.Transform.Rotation
			got := from.Mul(poseOf([]float64{p.X, p.Y, p.Z, q.X, q.Y, q.Z, q.W}))
			reached[tf.ChildFrameID] = got
			w := want[tf.ChildFrameID]
			diff := math.Max(got.P.Sub(w.P).Norm(), got.R.Sub(w.R).Col1().Norm()+got.R.Sub(w.R).Col2().Norm())
			if diff > chainTolerance*10 {
				t.Errorf("%s is %g away from where its port says", tf.ChildFrameID, diff)
			}
			if n := math.Sqrt(q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W); math.Abs(n-1) > chainTolerance {
				t.Errorf("%s has a quaternion of norm %v", tf.ChildFrameID, n)
			}
			if tf.Header.Stamp != msgs.At(noon) || tf.Header.Seq != 7 {
				t.Errorf("%s has header %+v", tf.ChildFrameID, tf.Header)
			}
		}
		if len(reached) != 4 {
			t.Fatalf("frames reached: %v, want world, base, arm and hand", reached)
		}
	}
}

func TestFramesThatDoNotLeadToTheWorldAreRefused(t *testing.T) {
	pose := func(child, parent string) sim.Port {
		return sim.Port{Name: child, Kind: sim.Pose, Direction: sim.Out, Child: child, Parent: parent}
	}
	for name, ports := range map[string][]sim.Port{
		"unknown parent": {pose("tip", "bose")},
		"a circle":       {pose("a", "b"), pose("b", "a")},
		"placed twice":   {pose("tip", "world"), pose("tip", "world")},
		"unknown frame":  {{Name: "tip", Kind: sim.Pose, Frames: []string{"bose"}, Child: "tip", Parent: "world"}},
		"the world":      {pose("world", "world")},
	} {
		if _, err := newFrameTree(ports, testNames().Frame); err == nil || !strings.Contains(err.Error(), `port "`+ports[0].Child) &&
			!strings.Contains(err.Error(), `port "`+ports[len(ports)-1].Child) {
			t.Errorf("%s: error %v, want one that names the port", name, err)
		}
	}
}

func TestTransformsGoOutAtMostAHundredTimesASecond(t *testing.T) {
	for _, c := range []struct {
		hz, want float64
	}{{1000, 100}, {200, 100}, {150, 100}, {120, 100}, {100, 100}, {30, 30}} {
		m, net := everyKind(), newMemory()
		b, _ := still(t, m, Options{}, net)
		r := rand.New(rand.NewPCG(1, 2))
		for k := range int(c.hz) {
			jitter := seconds(1e-4 * r.NormFloat64())
			b.publish(snapshot(b, m, noon+seconds(float64(k)/c.hz)+jitter, 0))
		}
		if got := len(net.topic(t, "/tf").take()); float64(got) > c.want || float64(got) < c.want-1 {
			t.Errorf("at %v snapshots per second /tf has %d messages, want %v or one fewer", c.hz, got, c.want)
		}
	}
}

func TestTransformsAreNotRepeatedWhileTimeStands(t *testing.T) {
	m, net := everyKind(), newMemory()
	b, _ := still(t, m, Options{SimTime: true}, net)
	for k := range 10 {
		b.publish(snapshot(b, m, noon+time.Duration(k)*time.Second, 3))
	}
	b.publish(snapshot(b, m, noon+time.Minute, 1)) // after a reset
	got := net.topic(t, "/tf").take()
	if len(got) != 2 {
		t.Fatalf("%d messages, want one at 3 s and one at 1 s", len(got))
	}
	for i, want := range []time.Duration{3 * time.Second, time.Second} {
		if stamp := got[i].(*tf2_msgs.TFMessage).Transforms[0].Header.Stamp; stamp != msgs.At(want) {
			t.Errorf("message %d has stamp %v, want %v", i, stamp, want)
		}
	}
}
