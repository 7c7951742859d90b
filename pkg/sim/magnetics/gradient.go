package magnetics

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Mu0 is the magnetic constant 4π·10⁻⁷, N/A². The value measured since 2019
// differs by 5e-10 of it.
const (
	Mu0        = 4e-7 * math.Pi
	mu0Over4Pi = 1e-7
)

// Gradient is dB_i/dx_j in T/m where no current flows: symmetric, and traceless,
// so that its ZZ is −XX −YY.
type Gradient struct{ XX, XY, XZ, YY, YZ float64 }

// gradientTolerance is how far from symmetric and traceless, relative to the
// largest entry, a matrix may be by round-off of measured or computed numbers.
const gradientTolerance = 1e-6

// NewGradient returns the gradient with the entries of m, row i column j being
// dB_i/dx_j. It refuses a matrix that is not finite, not symmetric (a current
// would have to flow) or not traceless (a magnetic charge would have to be there),
// beyond a millionth of the largest entry.
func NewGradient(m spatial.Mat3) (Gradient, error) {
	big := 0.0
	for _, x := range [9]float64{m.XX, m.XY, m.XZ, m.YX, m.YY, m.YZ, m.ZX, m.ZY, m.ZZ} {
		if !spatial.IsFinite(x) {
			return Gradient{}, fmt.Errorf("field gradient %v is not finite", m)
		}
		big = math.Max(big, math.Abs(x))
	}
	off := math.Max(math.Abs(m.XY-m.YX), math.Max(math.Abs(m.XZ-m.ZX), math.Abs(m.YZ-m.ZY)))
	switch {
	case off > gradientTolerance*big:
		return Gradient{}, fmt.Errorf("field gradient is not symmetric: entries across the diagonal differ by %.4g T/m; curl B is 0 where no current flows", off)
	case math.Abs(m.Trace()) > gradientTolerance*big:
		return Gradient{}, fmt.Errorf("field gradient has the trace %.4g T/m, must be 0: div B = 0, so zz = -xx - yy = %.4g T/m", m.Trace(), -m.XX-m.YY)
	}
	return Gradient{m.XX, (m.XY + m.YX) / 2, (m.XZ + m.ZX) / 2, m.YY, (m.YZ + m.ZY) / 2}, nil
}

// ZZ returns dBz/dz.
func (g Gradient) ZZ() float64 { return -g.XX - g.YY }

// Apply returns G d: the change of the field over the way d, or, of a moment, the
// force (∇B)ᵀ m on it.
func (g Gradient) Apply(d spatial.Vec) spatial.Vec {
	return spatial.Vec{
		X: g.XX*d.X + g.XY*d.Y + g.XZ*d.Z,
		Y: g.XY*d.X + g.YY*d.Y + g.YZ*d.Z,
		Z: g.XZ*d.X + g.YZ*d.Y - (g.XX+g.YY)*d.Z,
	}
}

// Add returns g + a.
func (g Gradient) Add(a Gradient) Gradient { return g.AddScaled(1, a) }

// AddScaled returns g + s a.
func (g Gradient) AddScaled(s float64, a Gradient) Gradient {
	return Gradient{g.XX + s*a.XX, g.XY + s*a.XY, g.XZ + s*a.XZ, g.YY + s*a.YY, g.YZ + s*a.YZ}
}

// Mat returns the matrix dB_i/dx_j.
func (g Gradient) Mat() spatial.Mat3 {
	return spatial.Mat3{
		XX: g.XX, XY: g.XY, XZ: g.XZ,
		YX: g.XY, YY: g.YY, YZ: g.YZ,
		ZX: g.XZ, ZY: g.YZ, ZZ: g.ZZ(),
	}
}

// Norm returns the Frobenius norm, T/m.
func (g Gradient) Norm() float64 {
	z := g.ZZ()
	return math.Sqrt(g.XX*g.XX + g.YY*g.YY + z*z + 2*(g.XY*g.XY+g.XZ*g.XZ+g.YZ*g.YZ))
}
