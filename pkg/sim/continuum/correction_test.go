package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// pressed is a rod beside a floor, pulled toward it by one of two tendons under length control; the other one goes slack.
const pressed = `
rod: {length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 1200, youngs_modulus_pa: 2e8, shear_modulus_pa: 7e7, elements: 16, element_order: 2}
base: {position_m: [0, 0, 0.004], direction: [1, 0, 0], normal: [0, 0, 1]}
tendons:
  - {name: up, offset_m: [0.003, 0], disks: {count: 8, first_m: 0.025, last_m: 0.2}, stiffness_n_per_m: .inf, pull_m: 0}
  - {name: down, offset_m: [-0.003, 0], disks: {count: 8, first_m: 0.025, last_m: 0.2}, stiffness_n_per_m: 1e4, pull_m: 0}
environment: {shapes: [{name: floor, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}
solver: {step_s: 0.001}
`

// TestCorrectedIncrementsHoldTendons presses a rod onto a floor by tendons under length control and corrects increments by the law of
// contact from iterates on the way: their multipliers are within the bounds, free rows hold after the increment, bound ones are on their
// side, and contact counts on the forces that the increment brings.
func TestCorrectedIncrementsHoldTendons(t *testing.T) {
	const dt, steps = 1e-3, 120
	f, err := robotfile.Parse[robotfile.Continuum]("pressed.yaml", []byte(pressed))
	if err != nil {
		t.Fatal(err)
	}
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := m.Parts()
	s := p.System
	state := make([]float64, m.StateLen())
	corrected, slack, touching := 0, 0, 0
	for i := range steps {
		pull := 0.004 * float64(i) / steps
		for k, port := range m.Ports() {
			if port.Name == "servo_jp" {
				m.Command(k, []float64{-pull, pull})
			}
		}
		m.Save(state)
		extra := s.BeginStep(equations.Step{Dt: dt, Formula: integrate.NewBDF(1, dt, dt)})
		s.State.Begin(integrate.NewBDF(1, dt, dt), 0, extra)
		s.UpdateKinematics()
		for range 3 {
			s.Assemble(0)
			if _, ok := s.Factor(); !ok {
				t.Fatal("the tangent is singular")
			}
			s.AddColumns(equations.StepScope)
			if !s.Solve(0) {
				t.Fatal("no multipliers hold the rod")
			}
			before := append([]spatial.Vec6(nil), s.X...)
			s.CorrectIncrement()
			if p.Contact.HasLinearisationError(s.State, s.X) {
				t.Errorf("step %d: the increment mistakes a contact force", i)
			}
			for j := range s.X {
				if s.X[j] != before[j] {
					corrected++
					break
				}
			}
			for _, r := range s.Constraints.Rows() {
				after := r.Multiplier + r.Increment
				gap := r.Gap - r.Compliance*r.Increment
				for j := range s.X {
					for c, v := range s.X[j] {
						gap += r.A[j][c] * v
					}
				}
				const exact, roundoff = 1e-11, 1e-9 // m, N
				switch {
				case after < r.Min-roundoff || after > r.Max+roundoff:
					t.Errorf("step %d, tendon %d: tension %.6g N is not in %g … %g N", i, r.ID, after, r.Min, r.Max)
				case after <= r.Min+roundoff && gap < exact:
					slack++
				case math.Abs(gap) > exact:
					t.Errorf("step %d, tendon %d: the constraint is off by %.3g m at %.6g N", i, r.ID, gap, after)
				}
			}
			s.TakeIncrement()
			s.Move(1)
		}
		if err := m.Restore(state); err != nil {
			t.Fatal(err)
		}
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
		if m.Report().Contacts > 0 {
			touching++
		}
	}
	if corrected < 20 || slack < 20 || touching < 20 {
		t.Errorf("%d increments were corrected, %d rows slack, %d steps in contact: too few to prove anything", corrected, slack, touching)
	}
	if r := m.Report(); r.Divided > 0 || r.Failed > 0 {
		t.Errorf("%d steps were divided, %d failed", r.Divided, r.Failed)
	}
}
