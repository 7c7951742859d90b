package continuum

import (
	"math"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// solvedExactly is the tip at the end of the next step, iterated to round-off with the friction that the step ends with. The model
// stays as it was.
func solvedExactly(t *testing.T, m *Model, dt float64) (tip spatial.Pose, ok bool) {
	t.Helper()
	const polish = 10
	e := m.engine.(*implicit)
	before := make([]float64, m.StateLen())
	m.Save(before)
	m.setLoads()
	m.in.Time, m.in.Start = m.time, m.time
	m.moveBase(dt)
	m.moveShapes(dt)
	p := e.history.plan(dt)
	e.begin(&p, &m.in)
	e.predict(&p)
	solved := e.options.newton.Solve(&e.motion)
	if solved.Converged() && e.contact.UpdateFriction(e.system.Rod) {
		solved = e.repeat(solved)
	}
	e.stepper.Report() = report{Report: solved, order: p.order}
	ok = e.check(&p, &m.in) == nil // else it is taken in parts
	size := 0.0
	for range polish {
		e.system.Assemble(0)
		size, _, _ = e.motion.Increment()
		e.system.Move(1)
	}
	tip = e.NodePose(e.system.Mesh.Elements)
	if err := m.Restore(before); err != nil {
		t.Fatal(err)
	}
	return tip, ok && size < 1e-10
}

// TestStepsInTubesAreSolved: wires whip about in a tube that is shaken, every other one with friction. Where a step begins deep in
// the wall, the tangent there holds the rod along it, and what is left to go there looks small; so does what is left where a
// tangent sticks that ought to slip.
func TestStepsInTubesAreSolved(t *testing.T) {
	const (
		dt   = 1e-3 // s
		most = 1e-6 // m, of the tip in a step
	)
	compared, worst := 0, 0.0
	for seed := range 16 {
		f := wire(16+2*seed, 0, sideways)
		f.Rod.Damping.Drag = 2
		f.Environment.Shapes = []robotfile.EnvironmentShape{{Name: "lumen", Friction: 0.3 * float64(seed%2), Tube: &robotfile.Tube{
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
				t.Errorf("%d elements, friction %g, step %d: the tip is %.3g m from where the equations put it, want at most %g m", f.Rod.Elements, f.Environment.Shapes[0].Friction, k, off, most)
			}
		}
	}
	t.Logf("%d steps, at most %.3g m off", compared, worst)
	if compared < 2000 {
		t.Errorf("%d steps compared: too few to prove anything", compared)
	}
}
