package continuum

import (
	"testing"

	"sinew/pkg/sim/spatial"
)

// A search that loads the stress-free rod step by step leaves a base that has moved where it is.
func TestLoadStepwiseLeavesTheBase(t *testing.T) {
	e := implicitOf(t, bare(1, 4, 1e6, 1e6, 1, 1))
	to := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 1e-3}), P: spatial.Vec{X: 1e-3}}
	in := &inputs{Tip: tipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{X: 0.1}}}}
	e.MoveBase(to)
	if err := e.Step(1e-2, in); err != nil {
		t.Fatal(err)
	}
	e.statics.begin(in)
	if err := e.statics.loadStepwise(1. / 2); err != nil {
		t.Fatal(err)
	}
	if e.rod.Base != to || e.rod.Target != to || e.NodePose(0) != to {
		t.Errorf("the base is at %v on its way to %v, want %v", e.rod.Base, e.rod.Target, to)
	}
}
