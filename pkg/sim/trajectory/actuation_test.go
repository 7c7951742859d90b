package trajectory_test

import (
	"reflect"
	"testing"

	"sinew/pkg/sim/trajectory"
)

// What is left out of an actuation leaves the rest, or nothing.
func TestActuationWithout(t *testing.T) {
	a := trajectory.Actuation{Names: []string{"up", "bow", "down"}, T: []float64{0, 1}, Pull: [][]float64{{1, 2, 3}, {4, 5, 6}}}
	for _, c := range []struct {
		leave []string
		want  trajectory.Actuation
		had   []string
	}{
		{leave: []string{"bow", "sway"}, want: trajectory.Actuation{Names: []string{"up", "down"}, T: a.T, Pull: [][]float64{{1, 3}, {4, 6}}}, had: []string{"bow"}},
		{leave: []string{"sway"}, want: a},
		{leave: a.Names, want: trajectory.Actuation{}, had: a.Names},
	} {
		if got, had := a.Without(c.leave); !reflect.DeepEqual(got, c.want) || !reflect.DeepEqual(had, c.had) {
			t.Errorf("without %v: %+v, had %v", c.leave, got, had)
		}
	}
}
