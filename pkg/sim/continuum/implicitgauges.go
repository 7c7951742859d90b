package continuum

import "sinew/pkg/sim"

// Shares of the Euler load between disks that deserve attention. A coarse mesh is
// up to 21 % too stiff to show the buckling itself.
const (
	thrustWarn       = 0.9
	thrustWarnCoarse = 0.3
	coarseGap        = 4 // elements
)

// thrustLimit is the share for the mesh of the robot.
func (e *implicit) thrustLimit() float64 {
	for _, g := range e.bundle.Gaps() {
		if g[1]-g[0] < coarseGap {
			return thrustWarnCoarse
		}
	}
	return thrustWarn
}

// Report tells how the last step or equilibrium went; ok is false for methods that
// do not iterate.
func (m *Model) Report() (r Report, ok bool) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return Report{}, false
	}
	r = e.report
	r.Thrust, _ = e.thrust()
	return r, true
}

func (e *implicit) Gauges() []sim.Gauge {
	return []sim.Gauge{
		{Key: "newton_iterations", Warn: float64(e.newton.Cap - 1)},
		{Key: "newton_iterations_mean"},
		{Key: "newton_iterations_max"},
		{Key: "newton_rejects"},
		{Key: "newton_residual", Unit: "N"},
		{Key: "newton_increment", Unit: "rad"},
		{Key: "bdf_order"},
		{Key: "negative_eigenvalues"},
		{Key: "slack_tendons"},
		{Key: "thrust_over_buckling_load", Warn: e.thrustLimit()},
		{Key: "unconverged_steps"},
	}
}

func (e *implicit) Measure(dst []float64) {
	r := &e.report
	r.Thrust, _ = e.thrust()
	*(*[11]float64)(dst) = [...]float64{
		float64(r.Iterations),
		float64(e.iterations) / float64(max(e.all, 1)),
		float64(e.most),
		float64(r.Rejects),
		r.Residual,
		r.Size,
		float64(r.Order),
		float64(r.Negative),
		float64(r.Slack),
		r.Thrust,
		float64(e.unconverged),
	}
}

// steppingLen is the number of values of stepping in a saved state.
const steppingLen = 7

func (e *implicit) StateLen() int {
	n := steppingLen + e.rod.StateLen()
	for _, f := range e.friction {
		if f != nil {
			n += f.StateLen()
		}
	}
	return n
}

func (e *implicit) Save(dst []float64) {
	dst[0], dst[1], dst[2] = e.last, float64(e.steps), number(e.failed)
	dst[3], dst[4], dst[5], dst[6] = float64(e.all), float64(e.iterations), float64(e.most), float64(e.unconverged)
	dst = dst[steppingLen:]
	e.rod.Save(dst)
	dst = dst[e.rod.StateLen():]
	for _, f := range e.friction {
		if f != nil {
			f.Save(dst)
			dst = dst[f.StateLen():]
		}
	}
}

func (e *implicit) Restore(src []float64) {
	e.last, e.steps, e.failed = src[0], int(src[1]), src[2] != 0
	e.tally = tally{uint64(src[3]), uint64(src[4]), uint64(src[5]), uint64(src[6])}
	src = src[steppingLen:]
	e.rod.Restore(src)
	src = src[e.rod.StateLen():]
	e.measure()
	for _, f := range e.friction {
		if f != nil {
			f.Restore(src)
			src = src[f.StateLen():]
		}
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
