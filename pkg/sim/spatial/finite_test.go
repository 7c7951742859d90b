package spatial_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// One entry that is not finite is enough.
func TestIsFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for i := range 9 {
			var a [9]float64
			if a[i] = math.MaxFloat64; !spatial.AllFinite(a[:]) {
				t.Errorf("%v is not finite", a)
			}
			a[i] = bad
			m := spatial.Mat3{XX: a[0], XY: a[1], XZ: a[2], YX: a[3], YY: a[4], YZ: a[5], ZX: a[6], ZY: a[7], ZZ: a[8]}
			if spatial.AllFinite(a[:]) || m.IsFinite() {
				t.Errorf("%v is finite", m)
			}
			if v := (spatial.Vec{a[0], a[1], a[2]}); v.IsFinite() != (i > 2) {
				t.Errorf("vector %v: finite %t", v, v.IsFinite())
			}
			if q := (spatial.Quat{W: a[0], X: a[1], Y: a[2], Z: a[3]}); q.IsFinite() != (i > 3) {
				t.Errorf("quaternion %v: finite %t", q, q.IsFinite())
			}
		}
	}
}
