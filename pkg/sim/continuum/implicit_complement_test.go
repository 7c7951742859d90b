package continuum

import (
	"errors"
	"math"
	"testing"
)

// A step that is called converged where a cable does not hold is refused, by name.
func TestUnsolvedConstraintsAreRefused(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	in := lengthControlled(f, math.Inf(1), 0.002)
	e := implicitOf(t, f)
	equilibrate(t, e, in)
	in.Time = 1.5
	begin(e, in, 1e-3, 1, 0)
	if err := e.system.Check(in.Time, true); err != nil {
		t.Fatal(err)
	}
	allowed := 1e-6 * f.Rod.Length
	in.Setpoints[2].Pull += 3 * allowed
	in.Setpoints[0].Pull += 5 * allowed
	var cable *TendonLengthError
	if err := e.system.Check(in.Time, true); !errors.As(err, &cable) {
		t.Fatalf("%v, want *TendonLengthError", err)
	}
	if cable.Tendon != "a" || cable.Time != 1.5 || math.Abs(cable.Violation-5*allowed) > 1e-9 || cable.Allowed != allowed || cable.Tension != e.tendons.Multipliers()[0] {
		t.Errorf("%+v: %v", *cable, cable)
	}
}
