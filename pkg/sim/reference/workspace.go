package reference

import (
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// workspaceTolerance is how far outside of the workspace of the coils counts, m: a calibration gives its
// corners no better.
const workspaceTolerance = 1e-6

// WorkspaceGauge is measured where there are coils: how far a magnetic body is from the workspace in which
// they were calibrated.
var WorkspaceGauge = sim.Gauge{
	Key: "outside_workspace", Unit: "m", Warn: workspaceTolerance,
	Hint: "a magnetic body is so far from the workspace of the coils' calibration, which is extrapolated there",
}

// WorkspaceError is the error of a step of a body outside of the workspace in which the coils were
// calibrated. The field there is an extrapolation: it explains what became of the step.
type WorkspaceError struct {
	Time         float64     // of the start of the step, s
	Place        spatial.Vec // of the body, m
	Distance     float64     // from the workspace, m
	Lower, Upper spatial.Vec // of the workspace, m
	Err          error       // of the step
}

func (e *WorkspaceError) Error() string {
	mm := func(v spatial.Vec) string { return fmt.Sprintf("(%.4g, %.4g, %.4g)", 1e3*v.X, 1e3*v.Y, 1e3*v.Z) }
	return fmt.Sprintf("at t = %.6g s a magnetic body has left the workspace in which the coils were calibrated, by %.4g mm: it is at %s mm, calibrated: %s to %s mm; the extrapolated field moves it in a way that the step cannot follow; keep it inside by smaller currents or feedback, or calibrate a larger workspace",
		e.Time, 1e3*e.Distance, mm(e.Place), mm(e.Lower), mm(e.Upper))
}

// Unwrap returns the error of the step.
func (e *WorkspaceError) Unwrap() error { return e.Err }

// ExplainByWorkspace returns err of a step from the given time, as a WorkspaceError if the body at p is
// outside of the workspace of the coils, nil for none.
func ExplainByWorkspace(err error, coils *magnetics.Coils, time float64, p spatial.Vec) error {
	if err == nil || coils == nil {
		return err
	}
	d := coils.Outside(p)
	if d <= workspaceTolerance {
		return err
	}
	return &WorkspaceError{Time: time, Place: p, Distance: d, Lower: coils.Lower, Upper: coils.Upper, Err: err}
}
