package main

import "testing"

// Each equilibrium, as a fit to all others predicts it.
func TestTentacle(t *testing.T) {
	if testing.Short() {
		t.Skip("fits eleven times")
	}
	b := recorded(t, &tentacle)
	p := predicted(t, b)
	if err := b.leaveOut(p); err != nil {
		t.Fatal(err)
	}
	atMost(t, "tip, fitted", p.tentacleMarker("end", false), 15.8e-3)
	atMost(t, "tip, left out", p.tentacleMarker("end", true), 17.4e-3)
	page(t, &tentacle, p)
}
