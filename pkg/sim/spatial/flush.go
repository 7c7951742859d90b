package spatial

// Negligible is the magnitude below which a state variable of a model, in SI units,
// counts as 0. A state that decays for minutes would end among the subnormal numbers,
// whose arithmetic is about twenty times slower. The fourth power of Negligible is
// still normal.
const Negligible = 1e-60

// Flush returns x, or 0 if it is negligible. NaN stays.
func Flush(x float64) float64 {
	if x < Negligible && x > -Negligible {
		return 0
	}
	return x
}

// Flush returns v with its negligible components made 0.
func (v Vec) Flush() Vec { return Vec{X: Flush(v.X), Y: Flush(v.Y), Z: Flush(v.Z)} }

// Flush returns t with its negligible components made 0.
func (t Twist) Flush() Twist { return Twist{Linear: t.Linear.Flush(), Angular: t.Angular.Flush()} }

// Flush returns q with its negligible components made 0.
func (q Quat) Flush() Quat {
	return Quat{W: Flush(q.W), X: Flush(q.X), Y: Flush(q.Y), Z: Flush(q.Z)}
}

// Flush returns g with its negligible components made 0.
func (g Pose) Flush() Pose {
	r := &g.R
	return Pose{P: g.P.Flush(), R: Mat3{
		XX: Flush(r.XX), XY: Flush(r.XY), XZ: Flush(r.XZ),
		YX: Flush(r.YX), YY: Flush(r.YY), YZ: Flush(r.YZ),
		ZX: Flush(r.ZX), ZY: Flush(r.ZY), ZZ: Flush(r.ZZ),
	}}
}
