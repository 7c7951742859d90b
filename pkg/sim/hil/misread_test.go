package hil_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
	"sinew/test/testsize"
)

// pointNoise is the noise of each coordinate in these tests, m: a distance of 0.35 mm rms.
const pointNoise = 0.2e-3

// compared compares motion with what a measurement makes of it, with noise.
func compared(t *testing.T, sim, hw func(float64) spatial.Pose, o hil.Options) *hil.Comparison {
	t.Helper()
	c, err := hil.Compare(&trajectory.Trajectory{Tip: sampled(sim, 0, 8, 200)}, &trajectory.Trajectory{Tip: noisy(sampled(hw, 0.5, 7.5, 97), pointNoise, 3)}, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// frame is a place of a camera.
var frame = spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.4, Y: -0.7, Z: 1.1}), P: spatial.Vec{X: 0.1, Y: -0.2, Z: 0.3}}

// inPlane is motion in the plane of x and z.
func inPlane(t float64) spatial.Pose {
	p := motion(t)
	return spatial.Pose{P: spatial.Vec{X: p.P.X, Z: p.P.Z}, R: spatial.ExpRot(spatial.Vec{Y: 0.5 + 8*p.P.Z})}
}

// TestMirrorImage finds frames that are mirror images, which the best rotation missed by 16 to 25 mm, and names the axes. A rotation
// and a motion in a plane are none.
func TestMirrorImage(t *testing.T) {
	testsize.SkipInShort(t)
	points := func(m func(float64) spatial.Pose, f func(spatial.Vec) spatial.Vec) func(float64) spatial.Pose {
		return func(t float64) spatial.Pose { p := m(t); return spatial.Pose{P: f(p.P), R: p.R} }
	}
	exchanged := func(p spatial.Vec) spatial.Vec { return spatial.Vec{X: p.X, Y: p.Z, Z: p.Y} }
	for _, c := range []struct {
		name string
		hw   func(float64) spatial.Pose
		axes string // empty: no mirror image
	}{
		{"none", motion, ""},
		{"turned", turned(motion, frame), ""},
		{"y up", points(motion, func(p spatial.Vec) spatial.Vec { return spatial.Vec{X: p.X, Y: p.Z, Z: -p.Y} }), ""},
		{"y and z exchanged", points(motion, exchanged), "x z y"},
		{"x reversed", points(motion, func(p spatial.Vec) spatial.Vec { return spatial.Vec{X: -p.X, Y: p.Y, Z: p.Z} }), "-x y z"},
		{"cyclic and reversed", points(motion, func(p spatial.Vec) spatial.Vec { return spatial.Vec{X: p.Y, Y: p.Z, Z: -p.X} }), "-z x y"},
		{"exchanged and turned", turned(points(motion, exchanged), frame), "  "},
		{"in a plane", points(inPlane, exchanged), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sim := motion
			if c.name == "in a plane" {
				sim = inPlane
			}
			for _, align := range []hil.Alignment{hil.AlignNone, hil.AlignSE3} {
				got := compared(t, sim, c.hw, hil.Options{Align: align})
				warned := strings.Contains(strings.Join(got.Warnings, "\n"), "is a mirror image")
				switch m := got.Mirror; {
				case (m != nil) != (c.axes != "") || warned != (m != nil):
					t.Errorf("align %s: %+v, %q", align, m, got.Warnings)
				case m != nil && (strings.Join(m.Axes[:], " ") != c.axes || m.RMSE > 2*pointNoise || m.Rigid < 10e-3):
					t.Errorf("align %s: %+v, want %q", align, m, c.axes)
				}
			}
		})
	}
}

// TestClockDrift finds a latency that changes, of which one latency and its interval were warned without a word, and no drift in
// what is late by a constant or by the dynamics.
func TestClockDrift(t *testing.T) {
	drifting := func(m func(float64) spatial.Pose, latency, rate float64) func(float64) spatial.Pose {
		return func(t float64) spatial.Pose { return m(t - latency - rate*t) }
	}
	lagging := func(t float64) spatial.Pose { // of first order, with a time constant of 50 ms
		const n, dt, tau = 100, 0.004, 0.05
		var p spatial.Vec
		sum := 0.0
		for k := range n {
			w := math.Exp(-float64(k) * dt / tau)
			p, sum = p.AddScaled(w, motion(t-float64(k)*dt).P), sum+w
		}
		return spatial.Pose{P: p.Scale(1 / sum), R: motion(t).R}
	}
	for _, c := range []struct {
		name          string
		hw            func(float64) spatial.Pose
		latency, rate float64 // s, s/s; 0: no drift
	}{
		{"none", motion, 0, 0},
		{"late", late(motion, 0.037), 0, 0},
		{"lagging", lagging, 0, 0},
		{"10 ms/s", drifting(motion, 0.01, 0.01), 0.01, 0.01},
		{"-5 ms/s", drifting(motion, 0.1, -0.005), 0.1, -0.005},
		{"in a camera's frame", turned(drifting(motion, 0.02, 0.01), frame), 0.02, 0.01},
		{"50 ms/s", drifting(motion, -0.1, 0.05), -0.1, 0.05},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := compared(t, motion, c.hw, hil.Options{})
			warned := strings.Contains(strings.Join(got.Warnings, "\n"), "it drifts from")
			const close = 0.3e-3 // s and s/s: the noise over a few samples and over the speed of some cm/s
			switch d := got.Drift; {
			case (d != nil) != (c.rate != 0) || warned != (d != nil):
				t.Errorf("%+v, %q", d, got.Warnings)
			case d != nil && (math.Abs(d.Rate-c.rate) > close || math.Abs(d.Start-c.latency-c.rate*0.5) > close || math.Abs(d.End-c.latency-c.rate*7.5) > close || d.RMSE > 2*pointNoise):
				t.Errorf("%+v, want %g s/s from %g s on", d, c.rate, c.latency)
			}
		})
	}
}

// TestQuaternionConvention finds quaternions that are conjugated or have the scalar part first, also of markers that are mounted
// askew and in another frame. They were rotation errors of 40° to 180° without a word.
func TestQuaternionConvention(t *testing.T) {
	askew := spatial.ExpRot(spatial.Vec{X: 0.3, Y: 0.5, Z: -0.2})
	as := func(m func(float64) spatial.Pose, f func(spatial.Quat) spatial.Quat) func(float64) spatial.Pose {
		return func(t float64) spatial.Pose { p := m(t); return spatial.Pose{P: p.P, R: f(p.R.Quat()).Rot()} }
	}
	conjugated := func(q spatial.Quat) spatial.Quat { return spatial.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W} }
	first := func(q spatial.Quat) spatial.Quat { return spatial.Quat{X: q.W, Y: q.X, Z: q.Y, W: q.Z} }
	mounted := func(t float64) spatial.Pose { p := motion(t); return spatial.Pose{P: p.P, R: p.R.Mul(askew)} }
	for _, c := range []struct {
		name    string
		sim, hw func(float64) spatial.Pose
		want    string // empty: as they are
	}{
		{"none", motion, motion, ""},
		{"mounted askew", motion, mounted, ""},
		{"turned", motion, turned(motion, frame), ""},
		{"conjugated", motion, as(motion, conjugated), "from world to body (conjugated)"},
		{"conjugated, mounted askew, turned", motion, as(turned(mounted, frame), conjugated), "from world to body (conjugated)"},
		{"scalar first", motion, as(motion, first), "with the scalar part first"},
		{"scalar first, mounted askew", motion, as(mounted, first), "with the scalar part first"},
		{"scalar first and conjugated", motion, as(as(motion, conjugated), first), "with the scalar part first, from world to body (conjugated)"},
		{"conjugated about one axis", inPlane, as(inPlane, conjugated), "from world to body (conjugated)"},
		{"scalar first about one axis", inPlane, as(inPlane, first), "with the scalar part first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := compared(t, c.sim, c.hw, hil.Options{})
			warned := strings.Contains(strings.Join(got.Warnings, "\n"), "the quaternions of the hardware fit if they are taken "+c.want+": ")
			const close = 0.1 * math.Pi / 180 // rad: of the interpolation
			switch v := got.Convention; {
			case (v != nil) != (c.want != ""):
				t.Errorf("%+v, %q", v, got.Warnings)
			case v != nil && (v.Name != c.want || !warned || v.RMS > close):
				t.Errorf("%+v, %q, want %q", v, got.Warnings, c.want)
			}
		})
	}
}

// TestAxesTurnedByRightAngles: a frame whose y axis points up is named, with the key that says it.
func TestAxesTurnedByRightAngles(t *testing.T) {
	sim, hw := sampled(motion, 0, 8, 100), sampled(motion, 0, 8, 100)
	for i := range hw.Pose {
		p := hw.Pose[i].P
		hw.Pose[i].P = spatial.Vec{X: p.X, Y: p.Z, Z: -p.Y}
	}
	for align, want := range map[hil.Alignment]string{hil.AlignNone: "with (x, -z, y) taken for (x, y, z)", hil.AlignSE3: ""} {
		c, err := hil.Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, hil.Options{Latency: hil.LatencyNone, Align: align})
		if err != nil {
			t.Fatal(err)
		}
		if (c.Exchange != nil) != (want != "") {
			t.Fatalf("%s: %+v", align, c.Exchange)
		}
		if warnings := strings.Join(c.Warnings, "\n"); want != "" && (!strings.Contains(warnings, want) || !strings.Contains(warnings, "hardware.axes: y_up")) {
			t.Errorf("%q, want %q", warnings, want)
		}
	}
}
