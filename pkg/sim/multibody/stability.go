package multibody

import (
	"fmt"

	"sinew/pkg/sim"
)

var _ sim.StabilityAnalyser = (*Model)(nil)

// Stability implements sim.StabilityAnalyser, by the inertia of the tangent with friction included. A motion that nothing resists and
// that stays where it began, such as the spin of a rod between ball joints, leaves an equilibrium stable; one along which the search
// has chosen a side, as that of a round column around its axis, makes it neutral.
func (m *Model) Stability() (sim.Stability, error) {
	s := m.world.Stability()
	v := sim.Stability{IsStable: s.Unstable == 0, Description: "the equilibrium is stable"}
	switch {
	case s.Unstable > 0:
		v.Description = fmt.Sprintf("the equilibrium is unstable: its energy decreases along %s, most in a motion of %s", count(s.Unstable, "mode"), s.Motion)
	case s.IsNeutral && m.leftSaddle != "":
		v.IsStable, v.IsNeutral = false, true
		v.Description = fmt.Sprintf("the equilibrium is neutral: nothing resists a motion of %s", s.Motion)
	case s.IsNeutral:
		v.Description = fmt.Sprintf("the equilibrium is neutral: nothing resists a motion of %s, which keeps its initial value", s.Motion)
	}
	if m.leftSaddle != "" {
		v.Description += fmt.Sprintf("; the search escaped an equilibrium that is unstable, in a motion of %s", m.leftSaddle)
	}
	return v, nil
}

// IsClearlyStable implements sim.StabilityAnalyser.
func (m *Model) IsClearlyStable() bool {
	s := m.world.Stability()
	return s.Unstable == 0 && !s.IsNeutral
}

// count says how many there are of something.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
