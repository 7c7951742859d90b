package trajectory_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

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
