package continuum_test

import (
	"errors"
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
)

// A step that is called converged where a cable does not hold is refused, by name.
func TestUnsolvedConstraintsAreRefused(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	in := lengthControlled(f, math.Inf(1), 0.002)
	e := implicitOf(t, f)
	equilibrate(t, e, in)
	const time = 1.5
	e.Act(in)
	begin(e, 1e-3, 1, 0)
	if err := e.System.Check(time, true); err != nil {
		t.Fatal(err)
	}
	allowed := 1e-6 * f.Rod.Length
	in.Setpoints[2].Pull += 3 * allowed
	in.Setpoints[0].Pull += 5 * allowed
	var cable *continuum.TendonLengthError
	if err := e.System.Check(time, true); !errors.As(err, &cable) {
		t.Fatalf("%v, want *continuum.TendonLengthError", err)
	}
	if cable.Tendon != "a" || cable.Time != 1.5 || math.Abs(cable.Violation-5*allowed) > 1e-9 || cable.Allowed != allowed || cable.Tension != e.Tendons.Multipliers()[0] {
		t.Errorf("%+v: %v", *cable, cable)
	}
}
