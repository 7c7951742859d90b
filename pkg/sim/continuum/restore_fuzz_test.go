package continuum_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
)

// FuzzRestore gives states that no Save has written, cut and with flipped bits: they are
// refused and change nothing, or taken as they are, and never break the model.
func FuzzRestore(f *testing.F) {
	file := robotfile.Example[robotfile.Continuum]()
	file.Rod.Elements = 8
	file.Tendons[0].Friction, file.Tendons[0].Stiffness = 0.1, 1e4
	m := newModel(f, file)
	for range 5 {
		if err := m.Step(file.Solver.Step); err != nil {
			f.Fatal(err)
		}
	}
	saved := saveOf(m)
	f.Add(0, uint64(0), len(saved))
	f.Add(0, uint64(0), len(saved)-1)
	f.Add(0, uint64(0), len(saved)+1)
	f.Add(1, uint64(1)<<62, len(saved))
	f.Add(len(saved)-1, uint64(0x7ff)<<52, len(saved))
	f.Fuzz(func(t *testing.T, at int, flip uint64, length int) {
		src := make([]float64, min(max(length, 0), 2*len(saved)))
		copy(src, saved)
		if at >= 0 && at < len(src) {
			src[at] = math.Float64frombits(math.Float64bits(src[at]) ^ flip)
		}
		before := saveOf(m)
		if err := m.Restore(src); err != nil {
			if after := saveOf(m); !sameBits(before, after) {
				t.Fatalf("%v, but the state has changed", err)
			}
			return
		}
		values := make([]float64, 1000)
		for i := range m.Ports() {
			m.Value(i, values)
		}
		m.Measure(values)
		_ = m.Step(file.Solver.Step) // may fail, but not panic
		if err := m.Restore(saved); err != nil || !sameBits(saveOf(m), saved) {
			t.Fatalf("the model is not what it was: %v", err)
		}
	})
}

func saveOf(m *continuum.Model) []float64 {
	dst := make([]float64, m.StateLen())
	m.Save(dst)
	return dst
}

// sameBits tells 0 from -0.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
