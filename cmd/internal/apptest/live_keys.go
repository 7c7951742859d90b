package apptest

import (
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/program"
	"sinew/pkg/sim/robotfile"
)

// LiveKeys sets every key of a robot file to another value, as while the robot runs. For a live
// key, a model that is made with the value must continue from the state of the running one. Other
// keys must be refused, and so must those that this robot does not support, with an error that
// names their mapping. Of the items of a list it takes the first.
func LiveKeys(t *testing.T, f program.File, cannot ...string) {
	t.Helper()
	made, err := f.Make()
	if err != nil {
		t.Fatal(err)
	}
	const steps = 20
	dt := made.Timing.StepS
	advance(t, made, dt, steps)
	state := make([]float64, made.Model.StateLen())
	made.Model.Save(state)
	live, fixed := 0, 0
	seen := map[string]bool{}
	for _, s := range made.Running.Settings() {
		other, ok := otherValue(&s)
		if !ok || seen[s.Doc+s.Range] {
			continue
		}
		seen[s.Doc+s.Range] = true
		changed, err := made.Running.Reconfigure([]program.Assignment{{Path: s.Path, Value: other}})
		switch {
		case s.Live == robotfile.Fixed:
			fixed++
			if err == nil {
				t.Errorf("%s can be set while the robot runs", s.Path)
			}
		case slices.Contains(cannot, s.Path):
			block, _, _ := strings.Cut(s.Path, ".")
			if err == nil || !strings.Contains(err.Error(), block) {
				t.Errorf("%s = %v: %v", s.Path, other, err)
			}
		case err != nil:
			t.Errorf("%s = %v: %v", s.Path, other, err)
		case (s.Live == robotfile.LiveModel) != (changed.Instance.Model != nil):
			t.Errorf("%s: is of the %s, model %v", s.Path, s.Live, changed.Instance.Model)
		case changed.Instance.Model != nil:
			live++
			if got, want := changed.Instance.Model.StateLen(), len(state); got != want {
				t.Errorf("%s = %v: a state of %d values, was %d", s.Path, other, got, want)
				continue
			}
			if err := changed.Instance.Model.Restore(state); err != nil {
				t.Errorf("%s = %v: %v", s.Path, other, err)
			}
			advance(t, &changed.Instance, dt, steps)
		default:
			live++
		}
	}
	if live == 0 || fixed == 0 {
		t.Errorf("%d live and %d fixed keys", live, fixed)
	}
}

func advance(t *testing.T, made *program.Instance, dt float64, steps int) {
	t.Helper()
	for range steps {
		if err := made.Model.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
}

// otherValue returns another allowed value of a key; false for texts, whose values it cannot choose.
func otherValue(s *robotfile.Setting) (any, bool) {
	switch v := s.Value.(type) {
	case bool:
		return !v, true
	case int64:
		return v + 1, true
	case float64:
		return near(v, s), true
	case []float64:
		if len(v) == 0 {
			return nil, false
		}
		other := append([]float64(nil), v...)
		other[0] = near(v[0], s)
		return other, true
	case string:
		for _, w := range s.Words {
			if w != v {
				return w, true
			}
		}
	}
	return nil, false
}

// near returns a number a little below x, or above if that is out of range.
func near(x float64, s *robotfile.Setting) float64 {
	const little = 1e-3
	if x > 1e300 {
		return 1e3
	}
	if y := x - little*max(x, little); y >= s.Min && y > s.Min {
		return y
	}
	return x + little*max(x, little)
}
