package rigid

import "sinew/pkg/sim/spatial"

// section is a body in world axes as Kynema's kernels take it: mass, the centre of mass
// η and the inertia ρ about the reference point. The kernels take the matrices that
// multiply beside the vectors they belong to, [ω]× for ω and so on, since that is how
// Kynema's tables of integer-valued tests are made.
type section struct {
	mass     float64
	eta      spatial.Vec
	rho      spatial.Mat3
	etaTilde spatial.Mat3
}

// spin is an angular velocity or acceleration with its matrix.
type spin struct {
	v     spatial.Vec
	tilde spatial.Mat3
}

func spinOf(v spatial.Vec) spin { return spin{v, spatial.Skew(v)} }

// at returns the body turned by r.
func (b *Body) at(r *spatial.Mat3) section {
	eta := r.Apply(b.com)
	return section{b.mass, eta, r.Mul(b.inertia).MulT(*r), spatial.Skew(eta)}
}

// massMatrix returns M = [[m I, m η̃ᵀ], [m η̃, ρ]].
func (s *section) massMatrix() (ll, la, al, aa spatial.Mat3) {
	al = s.etaTilde.Scale(s.mass)
	return spatial.Diag3(spatial.Vec{X: s.mass, Y: s.mass, Z: s.mass}), al.T(), al, s.rho
}

// inertialForce returns M v̇ + g: m ü + m (ω̇̃ + ω̃ω̃) η and m η̃ ü + ρ ω̇ + ω̃ ρ ω.
func (s *section) inertialForce(u spatial.Vec, w, dw *spin) spatial.Wrench {
	turning := dw.tilde.Apply(s.eta).Add(w.tilde.Apply(w.tilde.Apply(s.eta)))
	return spatial.Wrench{
		Force: u.Add(turning).Scale(s.mass),
		Moment: s.etaTilde.Apply(u).Scale(s.mass).Add(s.rho.Apply(dw.v)).
			Add(w.tilde.Apply(s.rho.Apply(w.v))),
	}
}

// gyroscopic returns the columns of the angular velocity of G, the derivative of the
// inertial force with respect to the velocity; the other columns are zero:
// (ω̃ m η)~ᵀ + ω̃ m η̃ᵀ and ω̃ ρ − (ρ ω)~.
func (s *section) gyroscopic(w *spin) (la, aa spatial.Mat3) {
	la = spatial.Skew(w.tilde.Apply(s.eta).Scale(s.mass)).T().
		Add(w.tilde.MulT(spatial.Skew(s.eta)).Scale(s.mass))
	return la, w.tilde.Mul(s.rho).Sub(spatial.Skew(s.rho.Apply(w.v)))
}

// stiffness returns the columns of the rotation of K, the derivative of the inertial
// force with respect to a rotation on the left: (ω̇̃ + ω̃ω̃) m η̃ᵀ and
// ü̃ m η̃ + ρ ω̇̃ − (ρ ω̇)~ + ω̃ (ρ ω̃ − (ρ ω)~).
func (s *section) stiffness(u spatial.Vec, w, dw *spin) (la, aa spatial.Mat3) {
	tilde := spatial.Skew(s.eta)
	la = dw.tilde.Add(w.tilde.Mul(w.tilde)).MulT(tilde).Scale(s.mass)
	aa = spatial.Skew(u).Mul(tilde).Scale(s.mass).
		Add(s.rho.Mul(dw.tilde)).Sub(spatial.Skew(s.rho.Apply(dw.v))).
		Add(w.tilde.Mul(s.rho.Mul(w.tilde).Sub(spatial.Skew(s.rho.Apply(w.v)))))
	return la, aa
}
