package magnetics

import "math"

// Cylinder is a permanent magnet, magnetised along its axis.
type Cylinder struct {
	Radius, Length float64 // m
	Remanence      float64 // T
}

// OnAxis returns field (T) and gradient dB/dz (T/m) on the axis at the distance z
// (m) from the centre, outside the magnet:
//
//	B = ½ Br (a/√(R² + a²) − b/√(R² + b²)),  a = z + L/2, b = z − L/2
func (c Cylinder) OnAxis(z float64) (b, dbdz float64) {
	far, near := z+c.Length/2, z-c.Length/2
	// u/√(R²+u²) and its derivative R²/(R²+u²)^(3/2)
	face := func(u float64) (float64, float64) {
		s := math.Hypot(c.Radius, u)
		return u / s, c.Radius * c.Radius / (s * s * s)
	}
	f, df := face(far)
	n, dn := face(near)
	return c.Remanence / 2 * (f - n), c.Remanence / 2 * (df - dn)
}

// Moment returns the magnetic moment Br V/µ0, A m²: that of the dipole it is from
// afar.
func (c Cylinder) Moment() float64 {
	return c.Remanence * math.Pi * c.Radius * c.Radius * c.Length / Mu0
}
