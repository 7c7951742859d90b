package staggered

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// kickCorrected advances the velocities by the loads at the present state for dt, and by the drags.
// Without damping and with the linear law, the loads are the exact gradient of the elastic energy
// of Energy.
func (x *State) kickCorrected(dt float64) {
	x.nodesCorrected(dt, x.damper.translation(dt))
	for _, a := range x.undragged {
		x.vel[a.node] = x.vel[a.node].Scale(math.Exp(x.damper.drag * dt * a.share))
	}
	x.elementsCorrected(dt, x.damper.rotation(dt), x.damper.Legacy != 0)
	if x.damper.Quadratic > 0 {
		x.dragQuadratic(dt)
	}
	x.vel[0] = spatial.Vec{}
}

// nodesCorrected computes shear and stretch. It advances the velocities of the nodes and multiplies
// them by keep, and computes the couples on the elements without bending and gyroscopic terms.
func (x *State) nodesCorrected(dt, keep float64) {
	n := len(x.dir)
	pos, vel, force, invMass := x.pos[:n+1], x.vel[:n+1], x.force[:n+1], x.invMass[:n+1]
	dir, omega, couple := x.dir[:n], x.omega[:n], x.couple[:n]
	length, sigma, spin := x.length[:n], x.sigma[:n], x.spin[:n]
	k, visc := x.Stiffness.Shear, x.damper.KelvinVoigt
	rests, invRests, owns := x.Lengths[:n], x.invLength[:n], x.rodInertia[:n]
	thins, g := x.Material.Law == rod.VolumePreserving, x.opt.Gravity

	var before, va spatial.Vec // of node e: force of the element before it, and velocity before the kick
	va = vel[0]
	for e := range n {
		q := &dir[e]
		d := pos[e+1].Sub(pos[e])
		vb := vel[e+1]
		dv := vb.Sub(va)
		w := omega[e]
		s, invRest := q.Local(d), invRests[e]
		sg := spatial.Vec{X: s.X * invRest, Y: s.Y * invRest, Z: s.Z*invRest - 1}
		f := k.Mul(sg)
		if visc > 0 { // dσ/dt = (Q Δv − ω × Q Δx)/rest
			f = f.Add(k.Mul(q.Local(dv).Sub(w.Cross(s))).Scale(visc * invRest))
		}
		l := math.Sqrt(d.Norm2())
		length[e], sigma[e] = l, sg
		var stretch float64 // rate by which the spin changes with the section's inertia
		if thins {
			c := rests[e] / l
			f = f.Scale(c)
			stretch = c * d.Dot(dv) / (l * l)
		}
		phi := q.World(f)
		if e == 0 {
			x.reaction.Force = phi.Add(force[0]).AddScaled(x.mass[0], g).Neg()
		}
		a := phi.Sub(before).Add(force[e]).Scale(invMass[e]).Add(g)
		vel[e] = va.AddScaled(dt, a).Scale(keep)
		before, va = phi, vb

		spin[e] = s.Cross(f).Add(couple[e]).Add(owns[e].Mul(w).Scale(stretch))
	}
	a := force[n].Sub(before).Scale(invMass[n]).Add(g)
	vel[n] = va.AddScaled(dt, a).Scale(keep)
}

// elementsCorrected computes bending and twist and advances the elements. The first Voronoi domain
// is the half one between the base and element 0.
func (x *State) elementsCorrected(dt, keep float64, legacy bool) {
	n := len(x.dir)
	dir, omega, spin := x.dir[:n], x.omega[:n], x.spin[:n]
	length, added, rests, owns, widths := x.length[:n], x.attachedInertia[:n], x.Lengths[:n], x.rodInertia[:n], x.voronoiLength[:n-1]
	thins := x.Material.Law == rod.VolumePreserving

	a, wa, wide := &x.base, spatial.Vec{}, 0.5*rests[0]
	left, right := x.voronoiCouples(a, &dir[0], wa, omega[0], wide, length[0]/rests[0])
	x.baseCurvature = x.lastCurvature
	x.reaction.Moment = left.Neg()
	for e := range n {
		w := omega[e]
		t := spin[e].Add(right)
		if e < n-1 {
			left, right = x.voronoiCouples(&dir[e], &dir[e+1], w, omega[e+1], widths[e], 0.5*(length[e]+length[e+1])/widths[e])
			x.kappa[e] = x.lastCurvature
			t = t.Add(left)
		}
		i := owns[e]
		if thins {
			i = i.Scale(rests[e] / length[e])
		}
		i = i.Add(added[e])
		w = midpointSpin(w, t, i, dt).Scale(keep)
		if legacy {
			w = w.Mul(x.damper.legacySpin(length[e] / rests[e]))
		}
		omega[e] = w
	}
}

// midpointSpin returns ω after dt under the couple t by the implicit midpoint rule, J (ω′ − ω)/dt =
// t + J ω̄ × ω̄ with ω̄ = (ω + ω′)/2, which conserves the energy of a free body. An explicit
// gyroscopic term would let it grow by O(dt). Two fixed-point iterations leave an error of O(dt³).
func midpointSpin(w, t, j spatial.Vec, dt float64) spatial.Vec {
	inv := spatial.Vec{X: 1 / j.X, Y: 1 / j.Y, Z: 1 / j.Z}
	a := t.Mul(inv)
	h := 0.5 * dt
	m := w.AddScaled(h, a)
	m = w.AddScaled(h, a.Add(inv.Mul(j.Mul(m).Cross(m))))
	m = w.AddScaled(h, a.Add(inv.Mul(j.Mul(m).Cross(m))))
	return m.Scale(2).Sub(w)
}

// voronoiCouples returns the couples of a Voronoi domain of the given rest width and stretch on the
// cross-sections a, towards the base, and b, each in its own axes. With θ = κ·width the rotation
// from a to b and τ the moment,
//
//	left = τ + ½ θ×τ + c θ×(θ×τ),  right = −τ + ½ θ×τ − c θ×(θ×τ).
//
// These are the transposes of the inverse right Jacobian of SO(3) at −θ and θ, so their work is the
// change of the bending energy. It stores κ in x.lastCurvature.
func (x *State) voronoiCouples(a, b *Directors, wa, wb spatial.Vec, width, stretch float64) (left, right spatial.Vec) {
	theta := relativeRotation(a, b)
	c := inverseJacobianCoef(theta.Norm2())
	kp := theta.Scale(1 / width)
	x.lastCurvature = kp
	t := x.Stiffness.Bend.Mul(kp.Sub(x.Precurvature))
	if visc := x.damper.KelvinVoigt; visc > 0 {
		// dθ/dt = Δω + ½ θ×(ωa + ωb) + c θ×(θ×Δω)
		dw := wb.Sub(wa)
		rate := dw.AddScaled(0.5, theta.Cross(wa.Add(wb))).AddScaled(c, theta.Cross(theta.Cross(dw)))
		t = t.Add(x.Stiffness.Bend.Mul(rate).Scale(visc / width))
	}
	if x.Material.Law == rod.VolumePreserving {
		r := 1 / stretch
		t = t.Scale(r * r * r)
	}
	q := theta.Cross(t)
	m := t.AddScaled(c, theta.Cross(q))
	return m.AddScaled(0.5, q), q.Scale(0.5).Sub(m)
}

// dragQuadratic applies the drag −c |v| v per length to the nodes for dt. It is exact for a free
// node, so it limits no time step.
func (x *State) dragQuadratic(dt float64) {
	c := dt * x.damper.Quadratic
	for k := range x.vel {
		share := c * x.tributary[k]
		v := x.vel[k]
		x.vel[k] = v.Scale(1 / (1 + share*x.invMass[k]*v.Norm()))
	}
}
