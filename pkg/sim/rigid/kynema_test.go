package rigid

import (
	"testing"

	"sinew/pkg/sim/spatial"
)

// consecutive returns the matrix of consecutive numbers from first, row by row.
func consecutive(first float64) spatial.Mat3 {
	f := first
	return spatial.Mat3{
		XX: f, XY: f + 1, XZ: f + 2,
		YX: f + 3, YY: f + 4, YZ: f + 5,
		ZX: f + 6, ZY: f + 7, ZZ: f + 8,
	}
}

// The tables of integers in Kynema's unit tests of its kernels for masses (commit
// 93175c5, tests/unit_tests/system/masses). The matrices there are no cross products of
// the vectors beside them; integers have no round-off.
func TestKynemaKernels(t *testing.T) {
	u, w, dw := vec([3]float64{37, 38, 39}), vec([3]float64{40, 41, 42}), vec([3]float64{43, 44, 45})

	s := section{1, vec([3]float64{64, 65, 66}), consecutive(55), consecutive(46)}
	turn, pick := spinOf(w), spinOf(dw)
	f := s.inertialForce(u, &turn, &pick)
	nearVec(t, "FI force", f.Force, vec([3]float64{-2984, 32, 2922}), 0)
	nearVec(t, "FI moment", f.Moment, vec([3]float64{20624, -2248, 22100}), 0)

	s = section{mass: 1, eta: vec([3]float64{64, 65, 66}), rho: consecutive(55)}
	la, aa := s.gyroscopic(&spin{w, consecutive(46)})
	same(t, "G12", la, spatial.Mat3{XX: 18, XY: 10301, XZ: -9734, YX: -10322, YY: -30, YZ: 9182, ZX: 9764, ZY: -9191, ZZ: 12})
	same(t, "G22", aa, spatial.Mat3{XX: 8184, XY: 15953, XZ: 1207, YX: 1078, YY: 8856, YZ: 15896, ZX: 16487, ZY: 2497, ZZ: 9546})

	s = section{mass: 1, eta: vec([3]float64{73, 74, 75}), rho: consecutive(64)}
	la, aa = s.stiffness(u, &spin{w, consecutive(46)}, &spin{dw, consecutive(55)})
	same(t, "K12", la, spatial.Mat3{XX: 3396, XY: -6792, XZ: 3396, YX: 3609, YY: -7218, YZ: 3609, ZX: 3822, ZY: -7644, ZZ: 3822})
	same(t, "K22", aa, spatial.Mat3{
		XX: 1407766, XY: 1481559, XZ: 1465326, YX: 1496300, YY: 1558384, YZ: 1576048,
		ZX: 1604122, ZY: 1652877, ZZ: 1652190,
	})
}

func same(t *testing.T, what string, got, want spatial.Mat3) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
