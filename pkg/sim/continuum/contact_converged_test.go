package continuum

import (
	"math"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// solvedExactly is the tip at the end of the next step of a robot without friction, solved to round-off. The model stays as it was.
func solvedExactly(t *testing.T, m *Model, dt float64) (tip spatial.Pose, ok bool) {
	t.Helper()
	e := m.engine.(*implicit)
	before := make([]float64, m.StateLen())
	m.Save(before)
	m.setLoads()
	m.in.Time, m.in.Start = m.time, m.time
	m.moveBase(dt)
	m.moveShapes(dt)
	s := linearised{implicit: e, in: &m.in, plan: e.history.plan(dt)}
	ok = s.solve() == nil // else it is taken in parts
	tip = e.NodePose(e.robot.rod.Elements)
	if err := m.Restore(before); err != nil {
		t.Fatal(err)
	}
	return tip, ok
}

// TestStepsInTubesAreSolved: wires whip about in a tube that is shaken. Where a step begins deep in the wall, the tangent
// there holds the rod along it, and what is left to go there looks small.
func TestStepsInTubesAreSolved(t *testing.T) {
	const (
		dt   = 1e-3 // s
		most = 1e-6 // m, of the tip in a step
	)
	compared, worst := 0, 0.0
	for seed := range 8 {
		f := wire(16+4*seed, 0, sideways)
		f.Rod.Damping.Drag = 2
		f.Environment.Shapes = []robotfile.Surface{{Name: "lumen", Tube: &robotfile.Lumen{
			Points: []spatial.Vec{{Z: -0.1}, {Z: 0.3}}, Radius: []float64{f.Rod.Radius + 0.004},
		}}}
		m := newModel(t, f)
		for k := range 150 {
			to := 2e-3 * math.Sin(float64(k)/(9+0.5*float64(seed)))
			command(t, m, "lumen/pose", to, to/2, 0, 0, 0, 0, 1)
			exact, ok := solvedExactly(t, m, dt)
			if err := m.Step(dt); err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			compared++
			tip := m.engine.NodePose(f.Rod.Elements).P
			off := tip.Sub(exact.P).Norm()
			worst = max(worst, off)
			if !(off < most) {
				t.Errorf("%d elements, step %d: the tip is %.3g m from where the equations put it, want at most %g m", f.Rod.Elements, k, off, most)
			}
		}
	}
	t.Logf("%d steps, at most %.3g m off", compared, worst)
	if compared < 1000 {
		t.Errorf("%d steps compared: too few to prove anything", compared)
	}
}
