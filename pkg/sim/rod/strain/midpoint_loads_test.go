package strain_test

import (
	"testing"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// AssembleElementWrenches gives the wrenches of AssembleElements with midpoint loads.
func TestElementWrenchesWithMidpointLoads(t *testing.T) {
	s := strain.Between(t, 4, strain.Magnetised(), 23)
	want := strain.Assembled(s)
	got := make([]spatial.Wrench, len(s.Pose))
	s.AssembleElementWrenches(got)
	s.AssembleElements(want)
	for i := range got {
		strain.Within(t, "wrench", strain.Wrench6(got[i]), strain.Wrench6(want.Wrench[i]), 1e-13)
	}
}
