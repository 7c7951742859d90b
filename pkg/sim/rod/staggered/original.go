package staggered

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// kickOriginal advances the velocities by the loads at the present state for dt, and applies the
// dampers and the clamp, as PyElastica 0.3.2 does.
func (x *State) kickOriginal(dt float64) {
	x.nodesOriginal(dt, x.damper.translation(dt))
	x.elementsOriginal(dt, x.damper.rotation(dt), x.damper.Legacy != 0)
	x.vel[0] = spatial.Vec{}
	x.omega[0] = spatial.Vec{}
}

// nodesOriginal computes shear and stretch. It advances the velocities of the nodes and multiplies
// them by keep, and computes the rates of the elements without bending.
func (x *State) nodesOriginal(dt, keep float64) {
	n := len(x.dir)
	pos, vel, force, invMass := x.pos[:n+1], x.vel[:n+1], x.force[:n+1], x.invMass[:n+1]
	dir, omega, couple := x.dir[:n], x.omega[:n], x.couple[:n]
	length, sigma, spin := x.length[:n], x.sigma[:n], x.spin[:n]
	k, rest := x.Stiffness.Shear, x.ElementLength
	invRest := 1 / rest
	g := x.opt.Gravity
	j := x.LineInertia.Scale(rest)
	invJ := spatial.Vec{X: 1 / j.X, Y: 1 / j.Y, Z: 1 / j.Z}
	gyroscopic := gyroscopicCoefs(j)

	var before spatial.Vec // force of the element before the node on it
	for e := range n {
		q := &dir[e]
		d := pos[e+1].Sub(pos[e])
		dv := vel[e+1].Sub(vel[e])
		l := math.Sqrt(d.Norm2())
		inv := 1 / l
		// strain σ = e Q t − ẑ and stress
		s := spatial.Vec{X: q.D1.Dot(d), Y: q.D2.Dot(d), Z: q.D3.Dot(d)}
		sg := spatial.Vec{X: s.X * invRest, Y: s.Y * invRest, Z: s.Z*invRest - 1}
		f := spatial.Vec{X: k.X * sg.X, Y: k.Y * sg.Y, Z: k.Z * sg.Z}
		length[e], sigma[e] = l, sg
		// force on node e
		c := rest * inv
		f1, f2, f3 := f.X*c, f.Y*c, f.Z*c
		phi := spatial.Vec{
			X: q.D1.X*f1 + q.D2.X*f2 + q.D3.X*f3,
			Y: q.D1.Y*f1 + q.D2.Y*f2 + q.D3.Y*f3,
			Z: q.D1.Z*f1 + q.D2.Z*f2 + q.D3.Z*f3,
		}
		m, ext := invMass[e], force[e]
		if e == 0 {
			x.reaction.Force = phi.Add(ext).AddScaled(x.mass[0], g).Neg()
		}
		v := &vel[e]
		v.X = keep * (v.X + dt*((phi.X-before.X+ext.X)*m+g.X))
		v.Y = keep * (v.Y + dt*((phi.Y-before.Y+ext.Y)*m+g.Y))
		v.Z = keep * (v.Z + dt*((phi.Z-before.Z+ext.Z)*m+g.Z))
		before = phi
		// rate of ω: shear couple and external couple, gyroscopic and stretch terms
		w, ec, t := omega[e], couple[e], l*invRest
		stretch := d.Dot(dv) * inv * inv
		spin[e] = spatial.Vec{
			X: (s.Y*f.Z-s.Z*f.Y+t*ec.X)*invJ.X + gyroscopic.X*w.Y*w.Z + w.X*stretch,
			Y: (s.Z*f.X-s.X*f.Z+t*ec.Y)*invJ.Y + gyroscopic.Y*w.Z*w.X + w.Y*stretch,
			Z: (s.X*f.Y-s.Y*f.X+t*ec.Z)*invJ.Z + gyroscopic.Z*w.X*w.Y + w.Z*stretch,
		}
	}
	m, ext := invMass[n], force[n]
	v := &vel[n]
	v.X = keep * (v.X + dt*((ext.X-before.X)*m+g.X))
	v.Y = keep * (v.Y + dt*((ext.Y-before.Y)*m+g.Y))
	v.Z = keep * (v.Z + dt*((ext.Z-before.Z)*m+g.Z))
}

// gyroscopicCoefs returns the coefficients of the products of ω in J⁻¹ (Jω × ω): Euler's equations.
func gyroscopicCoefs(j spatial.Vec) spatial.Vec {
	return spatial.Vec{X: (j.Y - j.Z) / j.X, Y: (j.Z - j.X) / j.Y, Z: (j.X - j.Y) / j.Z}
}

// elementsOriginal computes bending and twist and advances the elements.
func (x *State) elementsOriginal(dt, keep float64, legacy bool) {
	n := len(x.dir)
	dir, omega, spin := x.dir[:n], x.omega[:n], x.spin[:n]
	length, kappa := x.length[:n], x.kappa[:n-1]
	k, rest, k0 := x.Stiffness.Bend, x.ElementLength, x.Precurvature
	invRest := 1 / rest
	j := x.LineInertia.Scale(x.ElementLength)
	inv := spatial.Vec{X: invRest / j.X, Y: invRest / j.Y, Z: invRest / j.Z}

	var c0, q0 spatial.Vec // c = τ/ℰ³ and q = ½ κ×τ D̂/ℰ³ of the domain before
	for e := range n {
		var c, q spatial.Vec
		l := length[e]
		if e < n-1 {
			a, b := &dir[e], &dir[e+1]
			kp := biasedCurvature(a, b, invRest)
			kappa[e] = kp
			t := spatial.Vec{X: k.X * (kp.X - k0.X), Y: k.Y * (kp.Y - k0.Y), Z: k.Z * (kp.Z - k0.Z)}
			r := 2 * rest / (l + length[e+1]) // 1/ℰ
			r3 := r * r * r
			h := 0.5 * rest * r3
			c = spatial.Vec{X: t.X * r3, Y: t.Y * r3, Z: t.Z * r3}
			q = spatial.Vec{X: (kp.Y*t.Z - kp.Z*t.Y) * h, Y: (kp.Z*t.X - kp.X*t.Z) * h, Z: (kp.X*t.Y - kp.Y*t.X) * h}
		}
		// α = e J⁻¹ T, e = l/rest
		s, w := spin[e], &omega[e]
		s.X += (c.X - c0.X + q.X + q0.X) * l * inv.X
		s.Y += (c.Y - c0.Y + q.Y + q0.Y) * l * inv.Y
		s.Z += (c.Z - c0.Z + q.Z + q0.Z) * l * inv.Z
		if e == 0 {
			x.reaction.Moment = j.Mul(s).Scale(-rest / l)
		}
		w.X = keep * (w.X + dt*s.X)
		w.Y = keep * (w.Y + dt*s.Y)
		w.Z = keep * (w.Z + dt*s.Z)
		if legacy {
			f := x.damper.legacySpin(l * invRest)
			w.X *= f.X
			w.Y *= f.Y
			w.Z *= f.Z
		}
		c0, q0 = c, q
	}
}

// biasedCurvature returns the curvature between elements a and b as in PyElastica 0.3.2, where θ =
// acos(½ tr − ½ − 1e-10). The bias of 1e-10 in cos θ, which keeps the argument of acos in its
// domain, changes θ/sin θ by 3e-11 and is part of the original's numbers. Two offsets of 1e-14 are
// omitted.
func biasedCurvature(a, b *Directors, invRest float64) spatial.Vec {
	xx, yy, zz := b.D1.Dot(a.D1), b.D2.Dot(a.D2), b.D3.Dot(a.D3)
	zy, yz := b.D3.Dot(a.D2), b.D2.Dot(a.D3)
	xz, zx := b.D1.Dot(a.D3), b.D3.Dot(a.D1)
	yx, xy := b.D2.Dot(a.D1), b.D1.Dot(a.D2)
	y := 1.5 - 0.5*(xx+yy+zz) + 1e-10
	var f float64
	if y < 0.02 {
		f = angleOverSine(y)
	} else {
		t := math.Acos(1 - y)
		f = t / math.Sin(t)
	}
	f *= -0.5 * invRest
	return spatial.Vec{X: f * (zy - yz), Y: f * (xz - zx), Z: f * (yx - xy)}
}
