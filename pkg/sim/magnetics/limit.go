package magnetics

import (
	"fmt"

	"sinew/pkg/sim/spatial"
)

// MaxField is the largest plausible flux density, T. Coil systems
// for microrobots reach a tenth of it; millitesla given for tesla are above it.
const MaxField = 1.0

// CheckField refuses a field b (T) that is not finite or above MaxField. what names
// it in the message.
func CheckField(what string, b spatial.Vec) error {
	if !b.IsFinite() {
		return fmt.Errorf("%s = (%g, %g, %g) T is not finite", what, b.X, b.Y, b.Z)
	}
	if n := b.Norm(); n > MaxField {
		return fmt.Errorf("%s is %.4g T, allowed at most %g T: the unit is tesla, and %.4g mT is %.4g T", what, n, MaxField, n, n/1000)
	}
	return nil
}
