package continuum_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/spatial"
)

// markersOf reads the positions of the markers.
func markersOf(t *testing.T, m *continuum.Model) []spatial.Vec {
	t.Helper()
	i := port(t, m, "markers_measured")
	v := make([]float64, m.Ports()[i].Width())
	m.Value(i, v)
	var all []spatial.Vec
	for k := 0; k < len(v); k += 7 {
		all = append(all, spatial.VecAt(v[k:]))
	}
	return all
}

const markedRod = `{rod: {length_m: 0.2, radius_m: 0.001, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, elements: 7},
base: {position_m: [1, 2, 3], direction: [0, 0, 1], normal: [1, 0, 0]}, gravity_m_per_s2: [0, 0, 0],
markers: [{name: a, at_m: 0.07, offset_m: [0.01, -0.02]}, {name: b, at_m: 0, offset_m: [0.01, 0, -0.005]}, {name: end, offset_m: [0, 0, 0.008]}, {name: node, at_m: 0.02}],
initial_state: equilibrium, solver: {step_s: 0.001}`

// A rod under a moment at its end is an arc, on which every marker has its place by arc length and offset, between
// nodes as on them.
func TestMarkersOnAnArc(t *testing.T) {
	const moment = 0.002 // N m, about d2
	f := parse(t, markedRod+`, loads: [{moment_nm: [0, 0.002, 0]}]}`)
	m := newModel(t, f)
	k := moment / (1e9 * math.Pi / 4 * 1e-12)
	at := func(s, d1, d2, d3 float64) spatial.Vec {
		sin, cos := math.Sincos(k * s)
		return spatial.Vec{X: 1 + (1-cos)/k + d1*cos + d3*sin, Y: 2 + d2, Z: 3 + sin/k - d1*sin + d3*cos}
	}
	want := []spatial.Vec{at(0.07, 0.01, -0.02, 0), at(0, 0.01, 0, -0.005), at(0.2, 0, 0, 0.008), at(0.02, 0, 0, 0)}
	for i, p := range markersOf(t, m) {
		if d := p.Sub(want[i]).Norm(); !(d < 1e-9) {
			t.Errorf("marker %s is %.3g m from where the arc has it: %v", f.Markers[i].Name, d, p)
		}
	}
}

// Markers change nothing of a motion, to the last bit.
func TestMarkersChangeNothing(t *testing.T) {
	const rest = `, loads: [{force_n: [0.01, 0.02, 0], until_s: 0}]}`
	marked := parse(t, markedRod+rest)
	bare := *marked
	bare.Markers = nil
	a, b := newModel(t, marked), newModel(t, &bare)
	for range 20 {
		if err := a.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		if err := b.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(value(t, a, "backbone"), value(t, b, "backbone")) || a.StateLen() != b.StateLen() {
		t.Error("a robot that is looked at moves differently")
	}
}

// Markers are those of the present shape: they move with the base.
func TestMarkersMoveWithTheBase(t *testing.T) {
	m := newModel(t, parse(t, markedRod+`}`))
	before := markersOf(t, m)
	i := port(t, m, "base_pose")
	pose := make([]float64, 7)
	m.Setpoint(i, pose)
	pose[0] += 0.01
	for range 500 {
		m.Command(i, pose)
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	const atBase = 1 // the others swing
	if moved := markersOf(t, m)[atBase].Sub(before[atBase]); moved.Sub(spatial.Vec{X: 0.01}).Norm() > 1e-12 {
		t.Errorf("the marker at the base moved by %v with it", moved)
	}
}
