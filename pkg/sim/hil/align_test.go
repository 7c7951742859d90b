package hil_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// tilted is a frame of the hardware turned by 5° about an axis askew, and moved.
var tilted = spatial.Pose{
	R: spatial.ExpRot(spatial.Vec{X: 1, Y: 2, Z: -2}.Unit().Scale(5 * math.Pi / 180)),
	P: spatial.Vec{X: 0.1, Y: -0.3, Z: 0.05},
}

func TestTiltIsFoundBySE3(t *testing.T) {
	sim := trajectory.Trajectory{Tip: sampled(motion, 0, 10, 200)}
	hw := trajectory.Trajectory{Tip: noisy(sampled(turned(motion, tilted), 0, 10, 100), 5e-4, 9)}
	c, err := hil.Compare(&sim, &hw, hil.Options{Align: hil.AlignSE3, LengthM: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	g := tilted.Inv() // from the frame of the hardware
	off := c.Removed.Frame.Pose.Mul(tilted)
	t.Logf("tilt %.3f°, off by %.3f° and %.3f mm, RMSE %.3f mm", c.Removed.Frame.Angle()*180/math.Pi, off.R.Log().Norm()*180/math.Pi, 1e3*off.P.Norm(), 1e3*c.Removed.Position.RMSE)
	if d := math.Abs(c.Removed.Frame.Angle()-g.R.Log().Norm()) * 180 / math.Pi; d > 0.1 {
		t.Errorf("the tilt is off by %g°", d)
	}
	if off.R.Log().Norm() > 0.1*math.Pi/180 || off.P.Norm() > 2e-4 {
		t.Errorf("alignment leaves %v", off)
	}
	// what is left is the noise of three axes
	if want := 5e-4 * math.Sqrt(3); math.Abs(c.Removed.Position.RMSE-want) > 0.05*want {
		t.Errorf("RMSE %g m, want %g m", c.Removed.Position.RMSE, want)
	}
	if c.Removed.Angle.RMSE > 0.1*math.Pi/180 {
		t.Errorf("rotation RMSE %g rad", c.Removed.Angle.RMSE)
	}
	if none, err := hil.Compare(&sim, &hw, hil.Options{LengthM: 0.25}); err != nil || none.Removed.Position.RMSE < 0.1 {
		t.Errorf("without alignment: %v, %v", none, err)
	}
}

func TestDegenerateMotion(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(float64) spatial.Pose
		word string
	}{
		{"plane", func(t float64) spatial.Pose {
			return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 0.05 * math.Sin(3*t), Y: 0.02 * math.Sin(1.7*t)}}
		}, ""},
		{"line", func(t float64) spatial.Pose {
			return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 0.05 * math.Sin(3*t)}}
		}, "line"},
		{"point", func(float64) spatial.Pose { return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 0.2}} }, "moves too little"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sim := trajectory.Trajectory{Tip: sampled(c.f, 0, 5, 100)}
			hw := trajectory.Trajectory{Tip: sampled(turned(c.f, tilted), 0, 5, 50)}
			got, err := hil.Compare(&sim, &hw, hil.Options{Align: hil.AlignSE3, Latency: hil.LatencyNone, LengthM: 0.25})
			if err != nil {
				t.Fatal(err)
			}
			f := got.Removed.Frame
			if (c.word == "") != (f.Degenerate == "") || !strings.Contains(f.Degenerate, c.word) {
				t.Errorf("degenerate: %q, want %q", f.Degenerate, c.word)
			}
			if got.Removed.Position.Max > 1e-12 {
				t.Errorf("an error of %g m is left", got.Removed.Position.Max)
			}
			if f.Angle() > 5.01*math.Pi/180 {
				t.Errorf("the frame was turned by %g°, more than it had been", f.Angle()*180/math.Pi)
			}
		})
	}
}

// Half a turn of a line has no shortest axis; mirrored motions have no rotation.
func TestAlignExtremes(t *testing.T) {
	line := func(t float64) spatial.Pose { return spatial.Pose{P: spatial.Vec{X: 0.05 * t}} }
	half := spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: math.Pi})}
	var pairs, mirrored []hil.Pair
	for k := range 20 {
		x := float64(k)
		pairs = append(pairs, hil.Pair{Sim: line(x), Hw: half.Mul(line(x))})
		p := motion(x)
		q := p
		q.P.X = -q.P.X
		mirrored = append(mirrored, hil.Pair{Sim: p, Hw: q})
	}
	if g, _, err := hil.Rigid(pairs); err != nil || g.Apply(pairs[7].Hw.P).Sub(pairs[7].Sim.P).Norm() > 1e-12 {
		t.Errorf("half a turn: %v, %v", g, err)
	}
	if g, _, err := hil.Rigid(mirrored); err != nil || math.Abs(g.R.Det()-1) > 1e-12 {
		t.Errorf("mirrored: determinant %g, %v", g.R.Det(), err)
	}
}

func TestRotationAlignment(t *testing.T) {
	askew := spatial.ExpRot(spatial.Vec{X: 0.3, Y: -0.2, Z: 0.5})
	sim := trajectory.Trajectory{Tip: sampled(motion, 0, 5, 100)}
	for _, c := range []struct {
		kind hil.RotationAlignment
		f    func(float64) spatial.Pose
	}{
		{hil.RotationLeft, func(t float64) spatial.Pose { p := motion(t); p.R = askew.Mul(p.R); return p }},
		{hil.RotationRight, func(t float64) spatial.Pose { p := motion(t); p.R = p.R.Mul(askew); return p }},
	} {
		hw := trajectory.Trajectory{Tip: sampled(c.f, 0, 5, 100)}
		plain, err := hil.Compare(&sim, &hw, hil.Options{Latency: hil.LatencyNone})
		if err != nil {
			t.Fatal(err)
		}
		if want := askew.Log().Norm(); math.Abs(plain.Removed.Angle.Mean-want) > 1e-9 {
			t.Errorf("%s: without alignment %g rad, want %g", c.kind, plain.Removed.Angle.Mean, want)
		}
		if got, err := hil.Compare(&sim, &hw, hil.Options{Latency: hil.LatencyNone, AlignRotation: c.kind}); err != nil || got.Removed.Angle.Max > 1e-9 {
			t.Errorf("%s: %g rad are left, %v", c.kind, got.Removed.Angle.Max, err)
		}
	}
}
