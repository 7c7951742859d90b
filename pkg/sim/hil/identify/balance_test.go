package identify

import "testing"

// Of trials with stated noise each residual counts by the reciprocal of it, and one of unknown noise as the least of them.
func TestBalance(t *testing.T) {
	trials := []*Trial{{PoseNoise: 4e-3}, {PoseNoise: 1e-3, Weight: 3}, {}}
	if !Balance(trials) {
		t.Error("nothing is said of the unknown noise")
	}
	for i, want := range []float64{0.25, 3, 1} {
		if got := trials[i].poseWeight(); got != want {
			t.Errorf("trial %d weighs %g, want %g", i, got, want)
		}
	}
	if alone := []*Trial{{}, {}}; Balance(alone) || alone[0].poseWeight() != 1 {
		t.Error("unknown noise alone is no reason to weigh anything")
	}
	if Balance(trials[:2]) {
		t.Error("all noise is known")
	}
}
