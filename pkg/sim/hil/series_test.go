package hil

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// A rotation may be off by the rounding of float32, 1e-5 in all of RᵀR, and no more.
func TestIsRotation(t *testing.T) {
	turn := spatial.ExpRot(spatial.Vec{X: 0.3, Y: -2, Z: 1})
	for _, c := range []struct {
		name string
		m    spatial.Mat3
		want bool
	}{
		{"none", spatial.Mat3{}, false}, {"identity", spatial.Identity3(), true}, {"a turn", turn, true},
		{"a reflection", spatial.Diag3(spatial.Vec{X: 1, Y: 1, Z: -1}), false},
		{"twice", turn.Scale(2), false}, {"NaN", turn.Scale(math.NaN()), false},
		{"long x", spatial.Diag3(spatial.Vec{X: 1.0001, Y: 1, Z: 1}), false},
		{"long y", spatial.Diag3(spatial.Vec{X: 1, Y: 1.0001, Z: 1}), false},
		{"long z", spatial.Diag3(spatial.Vec{X: 1, Y: 1, Z: 1.0001}), false},
		{"shear xy", turn.Mul(spatial.Mat3{XX: 1, YY: 1, ZZ: 1, XY: 8e-6}), false},
		{"shear xz", turn.Mul(spatial.Mat3{XX: 1, YY: 1, ZZ: 1, XZ: 8e-6}), false},
		{"shear yz", turn.Mul(spatial.Mat3{XX: 1, YY: 1, ZZ: 1, YZ: 8e-6}), false},
		{"small shear", turn.Mul(spatial.Mat3{XX: 1, YY: 1, ZZ: 1, YZ: 6e-6}), true},
		{"rounded length", spatial.Diag3(spatial.Vec{X: 1 + 4e-6, Y: 1, Z: 1}), true},
	} {
		if got := isRotation(c.m); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// Four samples are enough, and stamps and poses belong together.
func TestSeriesLength(t *testing.T) {
	s := sampled(motion, 0, 0.03, 100)
	if err := s.Validate("four"); err != nil {
		t.Error(err)
	}
	three := Series{T: s.T[:3], Pose: s.Pose[:3]}
	if err := three.Validate("three"); err == nil || !strings.Contains(err.Error(), "three: 3 samples; a comparison needs at least 4") {
		t.Errorf("three samples: %v", err)
	}
	odd := Series{T: s.T, Pose: s.Pose[:3]}
	if err := odd.Validate("odd"); err == nil || !strings.Contains(err.Error(), "odd: 4 stamps, but 3 poses") {
		t.Errorf("three poses at four stamps: %v", err)
	}
}

// Motions that do not happen at the same time say nothing about a latency.
func TestLatencyNeedsMotionAtOneTime(t *testing.T) {
	during := func(from, to float64) func(float64) spatial.Pose {
		return func(t float64) spatial.Pose {
			if t < from || t > to {
				return spatial.Pose{}
			}
			return motion(t)
		}
	}
	early, late := sampled(during(0, 1), 0, 10, 100), sampled(during(11, 12), 4, 12, 100)
	if l, err := EstimateLatency(&early, &late, LatencyOptions{}); !errors.Is(err, ErrNoMotion) {
		t.Errorf("%+v, %v", l, err)
	}
}

// One sample that is missing is worth a warning.
func TestWarningOfOneMissingSample(t *testing.T) {
	sim, hw := sampled(motion, 0, 8, 100), sampled(motion, 0, 8, 100)
	hw.T, hw.Pose = slices.Delete(hw.T, 400, 401), slices.Delete(hw.Pose, 400, 401)
	c, err := Compare(&Recording{Tip: sim}, &Recording{Tip: hw}, Options{LengthM: 0.25, Latency: LatencyNone})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "Hardware: about 1 of 801 samples are missing in 1 gaps") {
		t.Errorf("%q", c.Warnings)
	}
}

// A step is a quick and large change before a hold.
func TestStepsByHand(t *testing.T) {
	var ramp []float64
	for i := range 33 {
		ramp = append(ramp, 0.03*float64(i+1))
	}
	hold := func(x float64, n int) []float64 { return slices.Repeat([]float64{x}, n) }
	for _, c := range []struct {
		name string
		x    []float64 // every 10 ms
		want []step
	}{
		{"at once", slices.Concat(hold(0, 10), hold(1, 50)), []step{{start: 0.09, end: 0.59}}},
		{"in three samples", slices.Concat(hold(0, 10), []float64{0.4, 0.8}, hold(1, 50)), []step{{start: 0.09, end: 0.61}}},
		{"down", slices.Concat(hold(1, 10), hold(0, 50)), []step{{start: 0.09, end: 0.59}}},
		{"two", slices.Concat(hold(0, 10), hold(1, 50), hold(0.5, 50)), []step{{start: 0.09, end: 0.59}, {start: 0.59, end: 1.09}}},
		{"with a stop on the way", slices.Concat(hold(0, 10), hold(0.5, 2), hold(1, 50)), []step{{start: 0.11, end: 0.61}}},
		{"held too short", slices.Concat(hold(0, 10), hold(1, 20), hold(0, 20)), nil},
		{"slow", slices.Concat(hold(0, 10), ramp, hold(1, 50)), nil},
		{"small", slices.Concat(hold(0, 10), hold(0.15, 50), []float64{0.3, 0.45, 0.6, 0.75, 0.9, 1}), nil},
		{"measured for five seconds", slices.Concat(hold(0, 10), hold(1, 800)), []step{{start: 0.09, end: 5.09}}},
		{"never", hold(3, 100), nil},
	} {
		ts := make([]float64, len(c.x))
		for i := range ts {
			ts[i] = 0.01 * float64(i)
		}
		got := findSteps("a", Pull, ts, c.x)
		same := slices.EqualFunc(got, c.want, func(a, b step) bool {
			return a.tendon == "a" && a.quantity == Pull && math.Abs(a.start-b.start) < 1e-9 && math.Abs(a.end-b.end) < 1e-9
		})
		if !same {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
