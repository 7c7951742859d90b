package microrobot

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Parse reads a robot file.
func Parse(t testing.TB, text string) *robotfile.Microrobot {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Microrobot]("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// NewModel makes the model of a robot file.
func NewModel(t testing.TB, text string) *Model {
	t.Helper()
	m, err := New(Parse(t, text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func Read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func Decode(t testing.TB, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(Read(t, name), v); err != nil {
		t.Fatal(err)
	}
}

// StepsInTest takes n equal steps.
func StepsInTest(t testing.TB, m *Model, n int, dt float64) {
	t.Helper()
	for range n {
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
}

// Port is the index of a port.
func Port(t testing.TB, m sim.Model, name string) int {
	t.Helper()
	i := slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no port %s", name)
	}
	return i
}

// Value is the value of an Out port.
func Value(t testing.TB, m sim.Model, name string) []float64 {
	t.Helper()
	i := Port(t, m, name)
	v := make([]float64, m.Ports()[i].Width())
	m.Value(i, v)
	return v
}

// Gauge is the value of a gauge.
func Gauge(t testing.TB, m sim.Model, key string) float64 {
	t.Helper()
	i := slices.IndexFunc(m.Gauges(), func(g sim.Gauge) bool { return g.Key == key })
	if i < 0 {
		t.Fatalf("no gauge %s", key)
	}
	v := make([]float64, len(m.Gauges()))
	m.Measure(v)
	return v[i]
}

func Command(t testing.TB, m sim.Model, name string, v ...float64) {
	t.Helper()
	m.Command(Port(t, m, name), v)
}

func Vec(v [3]float64) spatial.Vec { return spatial.Vec{X: v[0], Y: v[1], Z: v[2]} }

// Quat reads [w, x, y, z].
func Quat(q [4]float64) spatial.Quat { return spatial.Quat{W: q[0], X: q[1], Y: q[2], Z: q[3]} }

// Angle is the angle between two attitudes, rad.
func Angle(a, b spatial.Quat) float64 { return a.Conj().Mul(b).Log().Norm() }

func Near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: %.12g, want %.12g: off by %.3g, tolerance %.3g", what, got, want, got-want, tol)
	}
}

func NearVec(t *testing.T, what string, got, want spatial.Vec, tol float64) {
	t.Helper()
	if d := got.Sub(want).Norm(); !(d <= tol) {
		t.Errorf("%s: %v, want %v: off by %.3g, tolerance %.3g", what, got, want, d, tol)
	}
}
