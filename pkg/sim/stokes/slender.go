package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// motions are the velocity fields (unit rates) that the wire is held against or
// moved with: translations, rotations and strain rates, in the order xx, yy, zz,
// yz, xz, xy.
const motions = 12

// field returns the velocity of every motion at p.
func field(p spatial.Vec) [motions]spatial.Vec {
	return [motions]spatial.Vec{
		{X: 1}, {Y: 1}, {Z: 1},
		{Y: -p.Z, Z: p.Y}, {X: p.Z, Z: -p.X}, {X: -p.Y, Y: p.X},
		{X: p.X}, {Y: p.Y}, {Z: p.Z},
		{Y: p.Z, Z: p.Y}, {X: p.Z, Z: p.X}, {X: p.Y, Y: p.X},
	}
}

// solve returns, per unit of viscosity, the load on the fluid of the wire that
// moves with each of the motions; of straining flow that is the load on the wire
// held still.
func (w *wire) solve() (loads [motions]spatial.Wrench) {
	t := newToeplitz(w.kernel())
	for i := range w.n {
		p, a := w.point(i)
		u := field(p)
		for m := range u {
			u[m] = a.ApplyT(u[m])
		}
		t.extend(u)
	}
	for i, f := range t.x {
		p, a := w.point(i)
		for m := range f {
			force := a.Apply(f[m])
			loads[m].Force = loads[m].Force.Add(force)
			loads[m].Moment = loads[m].Moment.Add(p.Cross(force))
		}
	}
	return loads
}

// kernel returns the blocks K_k of the velocity at point i from the force on point
// i − k, both in their own turning axes.
func (w *wire) kernel() []spatial.Mat3 {
	k := make([]spatial.Mat3, w.n)
	const eta = 1 / (8 * math.Pi)
	for i := range k {
		if i == 0 {
			k[0] = w.self().Scale(eta)
			continue
		}
		sin, cos := math.Sincos(float64(i) * w.turn)
		r := spatial.Vec{X: float64(i) * w.advance, Y: w.Radius * (cos - 1), Z: w.Radius * sin}
		c := newPair(r.Norm2(), w.radius, w.radius)
		// the axes at i seen from those at 0
		a := spatial.Mat3{XX: 1, YY: cos, YZ: -sin, ZY: sin, ZZ: cos}
		tensor := spatial.Identity3().Scale(c.tt).Add(spatial.Outer(r, r).Scale(c.th))
		k[i] = a.TMul(tensor).Scale(eta)
	}
	return k
}

// self returns K₀ (times 8πη), corrected for the kink that the kernel has there:
// its slope jumps by −2(9/32 I − 3/32 t tᵀ)/radius of its value, which makes the
// sum over points exceed the integral by step²/12 of the jump, at second order the
// only error inside the wire.
func (w *wire) self() spatial.Mat3 {
	t := w.tangent()
	k := w.step / (6 * w.radius)
	jump := spatial.Identity3().Scale(9. / 32 * k).Sub(spatial.Outer(t, t).Scale(3. / 32 * k))
	return spatial.Identity3().Sub(jump).Scale(4 / (3 * w.radius))
}

// toeplitz solves symmetric positive definite block Toeplitz systems T x = b,
// T_ij = k_{i−j}, k_{−i} = k_iᵀ, of growing size, by the block form of Levinson's
// recursion (Whittle 1963). It keeps the columns f and g of forward and backward
// prediction, T f = (e, 0 … 0) and T g = (0 … 0, d), f_0 = g_n = I.
type toeplitz struct {
	k    []spatial.Mat3
	f, g []spatial.Mat3
	e, d spatial.Mat3
	x    [][motions]spatial.Vec
}

func newToeplitz(k []spatial.Mat3) *toeplitz {
	n := len(k)
	return &toeplitz{k: k, f: make([]spatial.Mat3, 0, n), g: make([]spatial.Mat3, 0, n), x: make([][motions]spatial.Vec, 0, n)}
}

// extend adds one equation with the right sides b, and solves again.
func (t *toeplitz) extend(b [motions]spatial.Vec) {
	n := len(t.x)
	if n == 0 {
		t.f, t.g = append(t.f, spatial.Identity3()), append(t.g, spatial.Identity3())
		t.e, t.d = t.k[0], t.k[0]
	} else {
		t.predict(n)
	}
	// what the solution so far leaves of the new equation
	for j := range t.x {
		k, x := &t.k[n-j], &t.x[j]
		for m := range b {
			b[m] = b[m].Sub(k.Apply(x[m]))
		}
	}
	inv := invert(t.d)
	for m := range b {
		b[m] = inv.Apply(b[m])
	}
	t.x = append(t.x, [motions]spatial.Vec{})
	for j := range t.x {
		g, x := &t.g[j], &t.x[j]
		for m := range b {
			x[m] = x[m].Add(g.Apply(b[m]))
		}
	}
}

// predict extends f and g from n to n + 1 blocks.
func (t *toeplitz) predict(n int) {
	var rho spatial.Mat3
	for j := range t.f {
		rho = rho.Add(t.k[n-j].Mul(t.f[j]))
	}
	kf := invert(t.d).Mul(rho)
	kg := invert(t.e).MulT(rho)
	t.f, t.g = append(t.f, spatial.Mat3{}), append(t.g, spatial.Mat3{})
	for j := n; j >= 0; j-- {
		var g spatial.Mat3 // g moves up by one block
		if j > 0 {
			g = t.g[j-1]
		}
		f := t.f[j]
		t.f[j] = f.Sub(g.Mul(kf))
		t.g[j] = g.Sub(f.Mul(kg))
	}
	t.e = symmetric(t.e.Sub(rho.TMul(kf)))
	t.d = symmetric(t.d.Sub(rho.Mul(kg)))
}

// invert returns the inverse of the symmetric positive definite m. The factors keep it
// symmetric to the last bit, which spatial.Mat3.Inv does not.
func invert(m spatial.Mat3) spatial.Mat3 {
	l, _ := cholesky3(m)
	i := invertLower(l)
	return i.TMul(i)
}
