package stokes

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

var errIndefinite = errors.New("stokes: resistance is not positive definite")

// Check refuses a resistance that no body has: one that is not finite, not
// symmetric, or not positive definite. Its error names the entry or gives the
// smallest eigenvalue of the matrix scaled to a unit diagonal, which has no unit.
func (r Resistance) Check() error {
	const (
		symmetry = 1e-9  // of the geometric mean of the diagonal entries: measured numbers are rounded
		margin   = 1e-12 // below it the inverse has lost all but a few digits
	)
	m := r.Matrix()
	at := func(i, j int) float64 { return m[6*i+j] }
	for i := range 6 {
		for j := range 6 {
			if v := at(i, j); !spatial.IsFinite(v) {
				return fmt.Errorf("stokes: resistance entry %s is %g; it must be finite", entry(i, j), v)
			}
		}
	}
	for i := range 6 {
		if at(i, i) <= 0 {
			return fmt.Errorf("%w: diagonal entry %s is %g, it must be above 0", errIndefinite, entry(i, i), at(i, i))
		}
	}
	scaled := mat.NewSymDense(6, nil)
	for i := range 6 {
		for j := range i + 1 {
			d := math.Sqrt(at(i, i)) * math.Sqrt(at(j, j))
			if math.Abs(at(i, j)-at(j, i)) > symmetry*d {
				return fmt.Errorf("stokes: resistance is not symmetric: entry %s is %g but %s is %g", entry(i, j), at(i, j), entry(j, i), at(j, i))
			}
			scaled.SetSym(i, j, at(i, j)/d)
		}
	}
	return checkSpectrum(scaled, margin)
}

func checkSpectrum(scaled *mat.SymDense, margin float64) error {
	var e mat.EigenSym
	if !e.Factorize(scaled, false) {
		return fmt.Errorf("%w: its eigenvalues cannot be computed", errIndefinite)
	}
	if low := e.Values(nil)[0]; !(low > margin) {
		return fmt.Errorf("%w: the smallest eigenvalue, of the matrix scaled to a unit diagonal, is %.6g; it must be above %g", errIndefinite, low, margin)
	}
	return nil
}

// entry names an entry as the blocks do: Trans.XY, Coupling.ZX, Rot.YY.
func entry(i, j int) string {
	block := [2][2]string{{"Trans", "Coupling"}, {"Couplingᵀ", "Rot"}}[i/3][j/3]
	return block + "." + string("XYZ"[i%3]) + string("XYZ"[j%3])
}

// checkPositive names a quantity that is not finite and positive.
func checkPositive(name string, v float64, unit string) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("stokes: %s is %g %s; it must be finite and above 0", name, v, unit)
	}
	return nil
}
