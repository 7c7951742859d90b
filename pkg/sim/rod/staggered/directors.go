package staggered

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Directors are the body axes d1, d2, d3 of a cross-section in world axes.
type Directors struct{ D1, D2, D3 spatial.Vec }

// Rot returns the rotation from body to world axes.
func (d *Directors) Rot() spatial.Mat3 { return spatial.FromColumns(d.D1, d.D2, d.D3) }

// Local returns the world vector v in body axes.
func (d *Directors) Local(v spatial.Vec) spatial.Vec {
	return spatial.Vec{X: d.D1.Dot(v), Y: d.D2.Dot(v), Z: d.D3.Dot(v)}
}

// World returns the body vector b in world axes.
func (d *Directors) World(b spatial.Vec) spatial.Vec {
	return d.D1.Scale(b.X).AddScaled(b.Y, d.D2).AddScaled(b.Z, d.D3)
}

func directorsOf(r spatial.Mat3) Directors {
	return Directors{r.Col1(), r.Col2(), r.Col3()}
}

// rotate applies exp(−[u]×) to the directors, u in body axes, with its axis shortened by the factor
// |u|/(|u| + offset).
func (d *Directors) rotate(u spatial.Vec, offset float64) {
	xx, yy, zz := u.X*u.X, u.Y*u.Y, u.Z*u.Z
	s := xx + yy + zz
	var a, b float64
	if s < 1e-3 {
		// both series to 1e-17
		a = 1 - s*(1./6)*(1-s*(1./20)*(1-s*(1./42)))
		b = 0.5 * (1 - s*(1./12)*(1-s*(1./30)*(1-s*(1./56))))
	} else {
		a, b = rodrigues(s)
	}
	if offset > 0 && s > 0 {
		t := math.Sqrt(s)
		g := t / (t + offset)
		a *= g
		b *= g * g
	}
	// P = I − a [u]× + b [u]×²
	bxy, bxz, byz := b*u.X*u.Y, b*u.X*u.Z, b*u.Y*u.Z
	ax, ay, az := a*u.X, a*u.Y, a*u.Z
	pxx, pyy, pzz := 1-b*(yy+zz), 1-b*(xx+zz), 1-b*(xx+yy)
	d1, d2, d3 := d.D1, d.D2, d.D3
	d.D1 = spatial.Vec{
		X: pxx*d1.X + (bxy+az)*d2.X + (bxz-ay)*d3.X,
		Y: pxx*d1.Y + (bxy+az)*d2.Y + (bxz-ay)*d3.Y,
		Z: pxx*d1.Z + (bxy+az)*d2.Z + (bxz-ay)*d3.Z,
	}
	d.D2 = spatial.Vec{
		X: (bxy-az)*d1.X + pyy*d2.X + (byz+ax)*d3.X,
		Y: (bxy-az)*d1.Y + pyy*d2.Y + (byz+ax)*d3.Y,
		Z: (bxy-az)*d1.Z + pyy*d2.Z + (byz+ax)*d3.Z,
	}
	d.D3 = spatial.Vec{
		X: (bxz+ay)*d1.X + (byz-ax)*d2.X + pzz*d3.X,
		Y: (bxz+ay)*d1.Y + (byz-ax)*d2.Y + pzz*d3.Y,
		Z: (bxz+ay)*d1.Z + (byz-ax)*d2.Z + pzz*d3.Z,
	}
}

// expRotation returns exp([u]×).
func expRotation(u spatial.Vec) spatial.Mat3 {
	a, b := rodrigues(u.Norm2())
	k := spatial.Skew(u)
	return spatial.Identity3().Add(k.Scale(a)).Add(k.Mul(k).Scale(b))
}

// rodrigues returns sin θ/θ and (1 − cos θ)/θ² for s = θ². The series is exact to
// 2e-17 below its bound.
func rodrigues(s float64) (a, b float64) {
	if s < 0.02 {
		return 1 - s/6*(1-s/20*(1-s/42*(1-s/72))), 0.5 * (1 - s/12*(1-s/30*(1-s/56)))
	}
	t := math.Sqrt(s)
	sin, cos := math.Sincos(t)
	return sin / t, (1 - cos) / s
}

// relativeRotation returns the rotation vector θ from the axes a to the axes b, in the body axes of
// either: the logarithm of Q_a Q_bᵀ. |θ| < π.
func relativeRotation(a, b *Directors) spatial.Vec {
	v := spatial.Vec{
		X: b.D2.Dot(a.D3) - b.D3.Dot(a.D2),
		Y: b.D3.Dot(a.D1) - b.D1.Dot(a.D3),
		Z: b.D1.Dot(a.D2) - b.D2.Dot(a.D1),
	}.Scale(0.5)
	y := 1.5 - 0.5*(a.D1.Dot(b.D1)+a.D2.Dot(b.D2)+a.D3.Dot(b.D3))
	if y < 0.02 {
		return v.Scale(angleOverSine(y))
	}
	s := v.Norm()
	return v.Scale(math.Atan2(s, 1-y) / s)
}

// inverseJacobianCoef returns (1 − (θ/2) cot(θ/2))/θ² for s = θ², the coefficient of [θ]×² in the
// inverse Jacobian of SO(3). The series is exact to 1e-15 below its bound.
func inverseJacobianCoef(s float64) float64 {
	if s < 0.25 {
		return 1./12 + s*(1./720+s*(1./30240+s*(1./1209600+s*(1./47900160+s*(5.2841901386874932e-10+s*1.3382536530684679e-11)))))
	}
	h := 0.5 * math.Sqrt(s)
	return (1 - h/math.Tan(h)) / s
}

// angleOverSine returns θ/sin θ for y = 1 − cos θ < 0.02, to 1e-15.
func angleOverSine(y float64) float64 {
	return 1 + y*(1./3)*(1+y*(2./5)*(1+y*(3./7)*(1+y*(4./9)*(1+y*(5./11)*(1+y*(6./13))))))
}
