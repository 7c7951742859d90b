package hil_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

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
	if l, err := hil.EstimateLatency(&early, &late, hil.LatencyOptions{}); !errors.Is(err, hil.ErrNoMotion) {
		t.Errorf("%+v, %v", l, err)
	}
}

// One sample that is missing is worth a warning.
func TestWarningOfOneMissingSample(t *testing.T) {
	sim, hw := sampled(motion, 0, 8, 100), sampled(motion, 0, 8, 100)
	hw.T, hw.Pose = slices.Delete(hw.T, 400, 401), slices.Delete(hw.Pose, 400, 401)
	c, err := hil.Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, hil.Options{LengthM: 0.25, Latency: hil.LatencyNone})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "Hardware: about 1 of 801 samples are missing in 1 gaps") {
		t.Errorf("%q", c.Warnings)
	}
}
