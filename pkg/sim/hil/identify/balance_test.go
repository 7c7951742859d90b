package identify

import "testing"

// Of trials with stated noise each residual counts by the reciprocal of it, and one of unknown noise as the least of them.
func TestBalance(t *testing.T) {
	fitted := []trialRow{{measured: true, posed: true}}
	held := []trialRow{{measured: true, posed: true, held: true}}
	trials := []*Trial{{PoseNoise: 4e-3, rows: fitted}, {PoseNoise: 1e-3, Weight: 3, rows: fitted}, {rows: fitted}}
	if !Balance(trials) {
		t.Error("nothing is said of the unknown noise")
	}
	for i, want := range []float64{0.25, 3, 1} {
		if got := trials[i].poseWeight(); got != want {
			t.Errorf("trial %d weighs %g, want %g", i, got, want)
		}
	}
	if alone := []*Trial{{rows: fitted}, {rows: fitted}}; Balance(alone) || alone[0].poseWeight() != 1 {
		t.Error("unknown noise alone is no reason to weigh anything")
	}
	if Balance(trials[:2]) {
		t.Error("all noise is known")
	}
	// What is only predicted changes no weight of what is fitted, by which the scale of a robust loss counts.
	trials = []*Trial{{PoseNoise: 4e-3, rows: fitted}, {PoseNoise: 1e-3, rows: held}, {rows: held}}
	if Balance(trials) || trials[0].poseWeight() != 1 || trials[1].poseWeight() != 4 {
		t.Errorf("beside trials that are held out one weighs %g, and one of those %g", trials[0].poseWeight(), trials[1].poseWeight())
	}
}
