package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Factor is the Cholesky factor L of a symmetric positive definite 6×6 matrix
// L Lᵀ, in blocks
//
//	L = [ Trans    0  ]
//	    [ Coupling Rot ],
//
// with lower triangular Trans and Rot.
type Factor struct{ Trans, Coupling, Rot spatial.Mat3 }

// Factor returns the Cholesky factor of r, or false if r is not positive definite.
// Only the lower triangles of Trans and Rot are read.
func (r Resistance) Factor() (f Factor, ok bool) {
	l, ok1 := cholesky3(r.Trans)
	// b lᵀ = Couplingᵀ
	b := r.Coupling.TMul(invertLower(l).T())
	d, ok2 := cholesky3(r.Rot.Sub(b.MulT(b)))
	return Factor{Trans: l, Coupling: b, Rot: d}, ok1 && ok2
}

// Apply returns L (a, b).
func (f *Factor) Apply(a, b spatial.Vec) (u, w spatial.Vec) {
	return f.Trans.Apply(a), f.Coupling.Apply(a).Add(f.Rot.Apply(b))
}

// Inverse returns (L Lᵀ)⁻¹.
func (f *Factor) Inverse() Mobility {
	a, d := invertLower(f.Trans), invertLower(f.Rot)
	c := d.Mul(f.Coupling).Mul(a).Scale(-1) // L⁻¹ = [a 0; c d]
	return Mobility{
		Trans:    symmetric(a.TMul(a).Add(c.TMul(c))),
		Coupling: c.TMul(d),
		Rot:      symmetric(d.TMul(d)),
	}
}

// cholesky3 returns the lower triangular l with l lᵀ = m, or false if m is not
// positive definite to working precision.
func cholesky3(m spatial.Mat3) (l spatial.Mat3, ok bool) {
	l.XX = math.Sqrt(m.XX)
	l.YX = m.YX / l.XX
	l.ZX = m.ZX / l.XX
	y := m.YY - l.YX*l.YX
	l.YY = math.Sqrt(y)
	l.ZY = (m.ZY - l.ZX*l.YX) / l.YY
	z := m.ZZ - l.ZX*l.ZX - l.ZY*l.ZY
	l.ZZ = math.Sqrt(z)
	return l, m.XX > 0 && y > 0 && z > 0
}

// invertLower returns the inverse of the lower triangular l.
func invertLower(l spatial.Mat3) spatial.Mat3 {
	x, y, z := 1/l.XX, 1/l.YY, 1/l.ZZ
	return spatial.Mat3{
		XX: x,
		YX: -y * l.YX * x, YY: y,
		ZX: z * x * (l.ZY*l.YX*y - l.ZX), ZY: -z * l.ZY * y, ZZ: z,
	}
}

// symmetric returns (m + mᵀ)/2.
func symmetric(m spatial.Mat3) spatial.Mat3 {
	xy, xz, yz := 0.5*(m.XY+m.YX), 0.5*(m.XZ+m.ZX), 0.5*(m.YZ+m.ZY)
	return spatial.Mat3{XX: m.XX, XY: xy, XZ: xz, YX: xy, YY: m.YY, YZ: yz, ZX: xz, ZY: yz, ZZ: m.ZZ}
}

// skewPart returns the vector u with m − mᵀ = [u]×: twice the axial vector of m.
// Of a velocity gradient it is the vorticity.
func skewPart(m spatial.Mat3) spatial.Vec {
	return spatial.Vec{X: m.ZY - m.YZ, Y: m.XZ - m.ZX, Z: m.YX - m.XY}
}

// complement returns tr(m) I − m.
func complement(m spatial.Mat3) spatial.Mat3 {
	return spatial.Identity3().Scale(m.Trace()).Sub(m)
}

// solve3 returns the x with m x = b, m symmetric positive definite.
func solve3(m spatial.Mat3, b spatial.Vec) spatial.Vec {
	l, _ := cholesky3(m)
	inv := invertLower(l)
	return inv.ApplyT(inv.Apply(b))
}
