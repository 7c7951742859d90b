package marker_test

import (
	"math"
	"testing"

	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros/marker"
	"sinew/pkg/sim/spatial"
)

// TestFirstRing: the first normal comes from the axis that is farthest from the
// tangent, so that the binormal is at right angles to that axis.
func TestFirstRing(t *testing.T) {
	axes := []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	parts := []float64{0.1, 0.5, 0.9}
	for i := range axes {
		for j := range axes {
			if i == j {
				continue
			}
			k := 3 - i - j
			tangent := axes[i].Scale(parts[0]).AddScaled(-parts[1], axes[j]).AddScaled(parts[2], axes[k]).Unit()
			normal, binormal := marker.FirstRing(tangent)
			for name, v := range map[string]float64{
				"binormal and the farthest axis": binormal.Dot(axes[i]), "normal and tangent": normal.Dot(tangent),
				"binormal and tangent": binormal.Dot(tangent), "normal and binormal": normal.Dot(binormal),
				"length of the normal": normal.Norm() - 1, "length of the binormal": binormal.Norm() - 1,
			} {
				if math.Abs(v) > 1e-12 {
					t.Errorf("tangent %v: %s: %g, want 0", tangent, name, v)
				}
			}
		}
	}
}

func TestMarkersStayAndGo(t *testing.T) {
	var w marker.Writer
	first := w.Message(marker.EveryShape(), 0, 0).Markers[1:]
	second := w.Message(marker.EveryShape(), 1, 1).Markers
	if len(second) != len(first) {
		t.Fatalf("the same scene gave %d markers, then %d", len(first), len(second))
	}
	for i := range first {
		if first[i].Ns != second[i].Ns || first[i].ID != second[i].ID {
			t.Errorf("marker %d was %s/%d, then %s/%d", i, first[i].Ns, first[i].ID, second[i].Ns, second[i].ID)
		}
	}
	less := marker.EveryShape()
	less.Disks = less.Disks[:1]
	less.Arrows[0].To = less.Arrows[0].From // nothing to point at
	type markerKey struct {
		ns string
		id int32
	}
	gone := make(map[markerKey]int32)
	for _, m := range w.Message(less, 2, 2).Markers {
		if m.Action == visualization_msgs.MarkerDelete {
			gone[markerKey{m.Ns, m.ID}]++
		}
	}
	if len(gone) != 2 || gone[markerKey{"disks", 1}] != 1 || gone[markerKey{"field", 0}] != 1 {
		t.Errorf("deleted %v, want disks/1 and field/0", gone)
	}
	if n := len(w.Message(less, 3, 3).Markers); n != 4 {
		t.Errorf("%d markers in the next drawing, want 4 and no second DELETE", n)
	}
}
