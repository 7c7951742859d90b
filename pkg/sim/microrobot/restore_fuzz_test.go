package microrobot_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

// FuzzRestore gives states that no Save has written, cut and with flipped bits: they are
// refused and change nothing, or taken as they are, and never break the model.
func FuzzRestore(f *testing.F) {
	const swarmText = "body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [1e-13, 0, 0]}}\nswarm: {count: 3, spacing_m: 3e-5}\nfluid: {brownian: true}\n"
	const inertialText = "body: {shape: {sphere_m: 1e-3}, magnet: {moment_a_m2: [1e-5, 0, 0]}}\ndynamics: inertial\nsolver: {method: generalized-alpha, step_s: 1e-4}\nsensors: [{name: camera, rate_hz: 1000, latency_s: 0.004, pose: {}}]\n"
	var models []*microrobot.Model
	for _, text := range []string{everything, swarmText, inertialText} {
		file, err := robotfile.Parse[robotfile.Microrobot]("robot.yaml", []byte(text))
		if err != nil {
			f.Fatal(err)
		}
		m, err := microrobot.New(file, nil)
		if err != nil {
			f.Fatal(err)
		}
		for range 5 {
			if err := m.Step(1e-4); err != nil {
				f.Fatal(err)
			}
		}
		models = append(models, m)
	}
	for k, m := range models {
		f.Add(k, 0, uint64(0), m.StateLen())
		f.Add(k, 0, uint64(0), m.StateLen()-1)
		f.Add(k, m.StateLen()-1, uint64(0x7ff)<<52, m.StateLen())
		f.Add(k, 3, uint64(1)<<62, m.StateLen())
	}
	f.Fuzz(func(t *testing.T, which, at int, flip uint64, length int) {
		m := models[uint(which)%uint(len(models))]
		saved := saveOf(m)
		src := make([]float64, min(max(length, 0), 2*len(saved)))
		copy(src, saved)
		if at >= 0 && at < len(src) {
			src[at] = math.Float64frombits(math.Float64bits(src[at]) ^ flip)
		}
		if err := m.Restore(src); err != nil {
			if !sameBits(saveOf(m), saved) {
				t.Fatalf("%v, but the state has changed", err)
			}
			return
		}
		values := make([]float64, 100)
		for i, p := range m.Ports() {
			if p.Direction == sim.Out {
				m.Value(i, values)
			}
		}
		m.Measure(values)
		// a frequency of 1e300 Hz is none that a command could have set; its steps take for ever
		if !slices.ContainsFunc(src, func(x float64) bool { return math.Abs(x) > 1e6 }) && m.Substeps(1e-4) < 1000 {
			_ = m.Step(1e-4) // may fail, but not panic
		}
		if err := m.Restore(saved); err != nil || !sameBits(saveOf(m), saved) {
			t.Fatalf("the model is not what it was: %v", err)
		}
	})
}

func saveOf(m *microrobot.Model) []float64 {
	dst := make([]float64, m.StateLen())
	m.Save(dst)
	return dst
}

// sameBits tells 0 from -0.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
