package continuum

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Shares of the Euler load between disks that deserve attention. A coarse mesh is
// up to 21 % too stiff to show the buckling itself.
const (
	eulerLoadWarn       = 0.9
	eulerLoadWarnCoarse = 0.3
	coarseGap           = 4 // elements
)

// approachWarn is the share of their distance by which two disks have come together
// at a hole that deserves attention.
const approachWarn = 0.9

// eulerLoadWarning is the share for the mesh of the robot.
func (e *implicit) eulerLoadWarning() float64 {
	for _, g := range e.tendons.bundle.Gaps() {
		if g[1]-g[0] < coarseGap {
			return eulerLoadWarnCoarse
		}
	}
	return eulerLoadWarn
}

// Gauges implements engine.
func (e *implicit) Gauges() []sim.Gauge {
	all := []sim.Gauge{
		{Key: "newton_iterations", Warn: float64(e.options.newton.Cap - 1)},
		{Key: "newton_iterations_mean"},
		{Key: "newton_iterations_max"},
		{Key: "newton_rejects"},
		{Key: "newton_residual", Unit: "N"},
		{Key: "newton_increment", Unit: "rad"},
		{Key: "bdf_order"},
		{Key: "negative_eigenvalues"},
		{Key: "slack_tendons"},
		{Key: "yielding_tendons", Warn: 0.5, Hint: "their pulls would take more than max_tension_n"},
		{Key: "thrust_over_buckling_load", Warn: e.eulerLoadWarning(), Hint: "the rod may buckle between two disks"},
		{Key: "disk_approach", Warn: approachWarn, Hint: "two disks come near one another in the hole of a tendon"},
		{Key: sim.DividedSteps, Warn: 0.5, Hint: "steps that did not converge as a whole were taken in parts"},
		{Key: sim.UnconvergedSteps, Warn: 0.5, Hint: "steps failed"},
	}
	if e.at.contacts != nil {
		all = append(all, e.listContactGauges()...)
	}
	if e.inCoils() {
		all = append(all, sim.Gauge{Key: "outside_workspace", Warn: 0.5, Hint: "1: a magnet of the rod is beyond the range of the coils' calibration, which is extrapolated there"})
	}
	return all
}

// inCoils reports whether coils act on the magnets of the rod.
func (e *implicit) inCoils() bool { return e.robot.files.Coils != nil && e.robot.moments != nil }

// outsideWorkspace is 1 where a magnet of the rod is beyond the range of the calibration of the
// coils, else 0.
func (e *implicit) outsideWorkspace() float64 {
	for k, m := range e.robot.moments {
		if m != (spatial.Vec{}) && !e.robot.files.Coils.Inside(e.NodePose(k).P) {
			return 1
		}
	}
	return 0
}

// Measure implements engine.
func (e *implicit) Measure(dst []float64) {
	r, t := &e.report, &e.tally
	ratio, _ := e.tendons.eulerLoadRatio(e.robot.rod)
	*(*[14]float64)(dst) = [...]float64{
		float64(r.Iterations),
		float64(t.iterations) / float64(max(t.steps, 1)),
		float64(t.maxIterations),
		float64(r.Rejects),
		bounded(r.Residual),
		bounded(r.Size),
		float64(r.order),
		float64(r.Negative),
		float64(e.tendons.slack),
		float64(e.tendons.yields),
		ratio,
		1 - e.tendons.bundle.Closest(e.rod.Pose).Ratio,
		float64(t.divided),
		float64(t.failed),
	}
	if e.at.contacts != nil {
		e.measureContacts(dst[14:])
		dst = dst[len(contactGauges):]
	}
	if e.inCoils() {
		dst[14] = e.outsideWorkspace()
	}
}

// bounded returns x ≥ 0, or the largest number where a step that failed left none.
func bounded(x float64) float64 {
	if x <= math.MaxFloat64 {
		return x
	}
	return math.MaxFloat64
}
