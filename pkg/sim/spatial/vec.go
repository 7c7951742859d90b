package spatial

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Vec is a vector of three Cartesian components. Its frame and unit are those
// that the variable holding it states.
type Vec struct{ X, Y, Z float64 }

// R3 returns v as gonum's vector.
func (v Vec) R3() r3.Vec { return r3.Vec(v) }

// Add returns v + a.
func (v Vec) Add(a Vec) Vec { return Vec{v.X + a.X, v.Y + a.Y, v.Z + a.Z} }

// Sub returns v − a.
func (v Vec) Sub(a Vec) Vec { return Vec{v.X - a.X, v.Y - a.Y, v.Z - a.Z} }

// Scale returns s v.
func (v Vec) Scale(s float64) Vec { return Vec{s * v.X, s * v.Y, s * v.Z} }

// AddScaled returns v + s a.
func (v Vec) AddScaled(s float64, a Vec) Vec {
	return Vec{v.X + s*a.X, v.Y + s*a.Y, v.Z + s*a.Z}
}

// Neg returns −v.
func (v Vec) Neg() Vec { return Vec{-v.X, -v.Y, -v.Z} }

// Mul returns the component-wise product of v and a, the product of the
// diagonal matrix diag(v) with a.
func (v Vec) Mul(a Vec) Vec { return Vec{v.X * a.X, v.Y * a.Y, v.Z * a.Z} }

// Dot returns v·a.
func (v Vec) Dot(a Vec) float64 { return v.X*a.X + v.Y*a.Y + v.Z*a.Z }

// Cross returns v × a.
func (v Vec) Cross(a Vec) Vec {
	return Vec{v.Y*a.Z - v.Z*a.Y, v.Z*a.X - v.X*a.Z, v.X*a.Y - v.Y*a.X}
}

// Norm2 returns |v|².
func (v Vec) Norm2() float64 { return v.X*v.X + v.Y*v.Y + v.Z*v.Z }

// Norm returns |v|. Components above 1e154 overflow.
func (v Vec) Norm() float64 { return math.Sqrt(v.Norm2()) }

// Unit returns v/|v|, or NaN components for the zero vector.
func (v Vec) Unit() Vec { return v.Scale(1 / v.Norm()) }

// Perpendicular returns a unit vector normal to the unit vector v.
func (v Vec) Perpendicular() Vec {
	e := Vec{X: 1}
	if math.Abs(v.X) > 0.8 {
		e = Vec{Y: 1}
	}
	return v.Cross(e).Unit()
}
