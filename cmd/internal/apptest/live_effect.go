package apptest

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
)

// Effects maps the live keys, by the last two parts of their paths, to whether a new value has
// changed the motion, the bounds of a port or what is published.
type Effects map[string]bool

// Check fails the test for every key that has no effect on any robot.
func (e Effects) Check(t *testing.T) {
	t.Helper()
	for key, effect := range e {
		if !effect {
			t.Errorf("%s: can be set while a robot runs and changes nothing", key)
		}
	}
}

// Coil writes the calibration of a coil and returns the file.
func Coil(t *testing.T) string {
	t.Helper()
	const one = "Coil_List: [A]\nA: {Source_List: [S], S: {B_Coeff: [1e-9], Source_Direction: [1, 0, 0], Source_Position: [-0.1, 0, 0]}}\n"
	file := filepath.Join(t.TempDir(), "coils.yaml")
	if err := os.WriteFile(file, []byte(one), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Compare sets every live key of a robot to another value, before its first step, and compares it
// with a robot whose file has that value: both must have the same motion, to the last bit. open
// makes the file, with a key and its value in YAML as an override unless key is empty. The commands
// on inPorts change every 20 steps.
func (e Effects) Compare(t *testing.T, open func(key, value string) program.File, inPorts ...string) {
	t.Helper()
	base, err := open("", "").Make()
	if err != nil {
		t.Fatal(err)
	}
	start := make([]float64, base.Model.StateLen())
	base.Model.Save(start)
	before := trajectory(t, base, inPorts)
	seen := map[string]bool{}
	for _, s := range base.Running.Settings() {
		parts := strings.Split(s.Path, ".")
		key := strings.Join(parts[max(0, len(parts)-2):], ".")
		value, ok := farther(&s)
		if s.Live == robotfile.Fixed || !ok || seen[key] {
			continue
		}
		seen[key] = true
		changed, refused := base.Running.Reconfigure([]program.Assignment{{Path: s.Path, Value: value}})
		fresh, err := open(s.Path, robotfile.Literal(value)).Make()
		if (refused == nil) != (err == nil) {
			t.Errorf("%s = %v: set %v, in the file %v", s.Path, value, refused, err)
		}
		if refused != nil || err != nil {
			continue
		}
		if changed.Instance.Timing != fresh.Timing || !slices.Equal(changed.Instance.DisabledTopics, fresh.DisabledTopics) {
			t.Errorf("%s = %v: set %+v %v, in the file %+v %v", s.Path, value, changed.Instance.Timing, changed.Instance.DisabledTopics, fresh.Timing, fresh.DisabledTopics)
		}
		effect := fresh.Timing != base.Timing || !slices.Equal(fresh.DisabledTopics, base.DisabledTopics)
		if m := changed.Instance.Model; m != nil {
			if err := m.Restore(start); err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(m.Ports(), fresh.Model.Ports(), sameBounds) {
				t.Errorf("%s = %v: ports set %+v, in the file %+v", s.Path, value, m.Ports(), fresh.Model.Ports())
			}
			set, file := trajectory(t, &changed.Instance, inPorts), trajectory(t, fresh, inPorts)
			from := 0
			if parts[0] == "camera" { // the picture under way was taken before the change
				from = len(set) / 2
			}
			if !slices.Equal(set[from:], file[from:]) {
				t.Errorf("%s = %v, was %v: moves otherwise than with it in the file", s.Path, value, s.Value)
			}
			effect = effect || !slices.Equal(set, before) || !slices.EqualFunc(m.Ports(), base.Model.Ports(), sameBounds)
		}
		e[key] = e[key] || effect
	}
}

// sameBounds reports whether ports have the same bounds; an unknown one equals itself.
func sameBounds(a, b sim.Port) bool {
	equal := func(x, y []float64) bool {
		return slices.EqualFunc(x, y, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
	}
	return equal(a.Min, b.Min) && equal(a.Max, b.Max) && equal(a.MaxRate, b.MaxRate) && equal(a.Safe, b.Safe)
}

// trajectory returns the values of all Out ports at the steps of a motion.
func trajectory(t *testing.T, made *program.Instance, inPorts []string) (all []float64) {
	t.Helper()
	const steps, hold = 60, 20
	ports := made.Model.Ports()
	for k := range steps {
		for i := range ports {
			if v := make([]float64, ports[i].Width()); k%hold == 0 && slices.Contains(inPorts, ports[i].Name) {
				for j := range v {
					v[j] = 0.01 * float64((k/hold)*(1+j))
				}
				made.Model.Command(i, v)
			}
		}
		if err := made.Model.Step(made.Timing.StepS); err != nil {
			t.Fatal(err)
		}
		for i := range ports {
			if ports[i].Direction == sim.Out {
				v := make([]float64, ports[i].Width())
				made.Model.Value(i, v)
				all = append(all, v...)
			}
		}
	}
	return all
}

// farther returns a value within the range that differs enough to change a motion visibly.
func farther(s *robotfile.Setting) (any, bool) {
	far := func(x float64) float64 {
		switch {
		case x > 1e300:
			return 0.011
		case x != 0:
			return 0.7 * x
		case s.Unit == "s":
			return 0.02
		case s.Unit == "m":
			return 1e-7
		}
		return 1e-12
	}
	switch v := s.Value.(type) {
	case float64:
		return far(v), true
	case []float64:
		other := make([]float64, len(v))
		for i := range v {
			other[i] = far(v[i])
		}
		return other, len(v) > 0
	}
	return otherValue(s)
}
