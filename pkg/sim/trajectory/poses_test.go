package trajectory_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
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
		if got := trajectory.IsRotation(c.m); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// Four samples are enough, and stamps and poses belong together.
func TestSeriesLength(t *testing.T) {
	s := resting(4)
	if err := s.Validate("four"); err != nil {
		t.Error(err)
	}
	three := trajectory.Poses{T: s.T[:3], Pose: s.Pose[:3]}
	if err := three.Validate("three"); err == nil || !strings.Contains(err.Error(), "three: 3 samples; a comparison needs at least 4") {
		t.Errorf("three samples: %v", err)
	}
	odd := trajectory.Poses{T: s.T, Pose: s.Pose[:3]}
	if err := odd.Validate("odd"); err == nil || !strings.Contains(err.Error(), "odd: 4 stamps, but 3 poses") {
		t.Errorf("three poses at four stamps: %v", err)
	}
}

// resting is a series of n poses, one each 10 ms.
func resting(n int) (s trajectory.Poses) {
	for k := range n {
		s.Add(0.01*float64(k), spatial.IdentityPose())
	}
	return s
}
