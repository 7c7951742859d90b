package offline

import (
	"fmt"

	"sinew/cmd/internal/cli"
	"sinew/pkg/sim"
)

// watch keeps the greatest value of every gauge of a model.
type watch struct {
	model  sim.Model
	gauges []sim.Gauge
	now    []float64
	worst  []float64
	at     []float64 // time of worst, s
}

func newWatch(m sim.Model) *watch {
	g := m.Gauges()
	return &watch{model: m, gauges: g, now: make([]float64, len(g)), worst: make([]float64, len(g)), at: make([]float64, len(g))}
}

// measure measures the gauges at time t, s. It does not allocate.
func (w *watch) measure(t float64) {
	w.model.Measure(w.now)
	for i, v := range w.now {
		if v > w.worst[i] {
			w.worst[i], w.at[i] = v, t
		}
	}
}

// warn prints the gauges that exceeded their limits in a simulation of so many steps, with the time
// of their maximum. It leaves out failed steps, which have an error of their own, and iterations
// where all steps converged.
func (w *watch) warn(e *cli.Env, steps int) {
	for i := range w.gauges {
		g, worst := &w.gauges[i], w.worst[i]
		text := g.Warning(worst)
		switch {
		case text == "" || g.Key == sim.UnconvergedSteps || g.Key == iterationsGauge:
			continue
		case g.Key == sim.DividedSteps:
			text = fmt.Sprintf("%.0f of %d steps did not converge as a whole and were divided; use a smaller step_s, slower commands or more damping", worst, steps)
		default:
			text += fmt.Sprintf(" (at t = %.6g s)", w.at[i])
		}
		fmt.Fprintf(e.Stderr, "%s: warning: %s\n", e.Robot.Name, text)
	}
}

// iterationsGauge is the key of the iterations of the last step or equilibrium.
const iterationsGauge = "newton_iterations"
