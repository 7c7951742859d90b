package strain_test

import (
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Begin invalidates the slopes of damped elements, since the reference strain of damping changes.
func TestBeginCondensesDampedElements(t *testing.T) {
	s := strain.Between(t, 4, strain.Everything, 6)
	s.Commit()
	s.Begin(integrate.NewBDF(2, 0.002, 0.01), 0, make([]spatial.Wrench, len(s.Pose)))
	got := s.Potential()
	s.UpdateKinematics()
	if want := s.Potential(); got != want {
		t.Errorf("potential at the beginning of a step %.17g J, of the same strains %.17g J", got, want)
	}
}
