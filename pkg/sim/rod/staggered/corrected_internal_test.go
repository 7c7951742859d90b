package staggered

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// disturb moves nodes and rotates elements at random, except the clamped node.
func disturb(x *State, size float64, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	vec := func() spatial.Vec {
		return spatial.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64(), Z: rnd.NormFloat64()}.Scale(size)
	}
	for k := 1; k < len(x.pos); k++ {
		x.pos[k] = x.pos[k].AddScaled(x.ElementLength, vec())
		x.vel[k] = vec()
	}
	for e := range x.dir {
		x.dir[e].rotate(vec(), 0)
		x.omega[e] = vec()
	}
}

// The loads are the gradient of the energy of Energy, for elements of equal and unequal length.
func TestCorrectedLoadsAreTheGradientOfEnergy(t *testing.T) {
	for _, nodes := range [][]float64{nil, {0.07, 0.3, 0.9}} {
		p := SoftParams(4)
		p.Precurvature, p.Nodes = spatial.Vec{X: 0.3, Y: -0.2, Z: 0.5}, nodes
		testGradient(t, Rod(t, p, Options{Scheme: Corrected}))
	}
}

// testGradient compares the loads of a rod of four elements with a central difference of
// its energy in every coordinate.
func testGradient(t *testing.T, x *State) {
	const (
		step      = 1e-6
		tolerance = 1e-7 // of the largest load: differences of differences
	)
	disturb(x, 0.3, 7)
	x.Stop()
	x.SaveCheckpoint()
	x.Kick(probeTime)
	force, couple := make([]spatial.Vec, 5), make([]spatial.Vec, 4)
	for k := range force {
		force[k] = x.vel[k].Scale(x.mass[k] / probeTime)
	}
	for e := range couple {
		couple[e] = x.omega[e].Mul(x.inertia[e]).Scale(1 / probeTime)
	}
	slope := func(move func(float64)) float64 {
		x.RestoreCheckpoint()
		move(step)
		_, up := x.Energy()
		x.RestoreCheckpoint()
		move(-step)
		_, down := x.Energy()
		return (up - down) / (2 * step)
	}
	dirs := []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	var worst, scale float64
	check := func(got, want float64) {
		worst, scale = math.Max(worst, math.Abs(got-want)), math.Max(scale, math.Abs(want))
	}
	for _, a := range dirs {
		for k := 1; k < len(force); k++ {
			check(a.Dot(force[k]), -slope(func(h float64) { x.pos[k] = x.pos[k].AddScaled(h, a) }))
		}
		for e := range couple {
			check(a.Dot(couple[e]), -slope(func(h float64) { x.dir[e].rotate(a.Scale(h), 0) }))
		}
	}
	if !(worst <= tolerance*scale) {
		t.Errorf("elements of %g m: loads differ from the gradient by %.3g of %.3g", x.Lengths, worst, scale)
	}
}

// Internal loads of a free rod have no resultant force and moment; the clamp exerts the couple of
// its half Voronoi domain.
func TestInternalLoadsHaveNoResultant(t *testing.T) {
	for _, c := range []struct {
		name   string
		scheme Scheme
		law    rod.Law
		nodes  []float64
	}{
		{"original", Original, rod.VolumePreserving, nil},
		{"corrected, linear", Corrected, rod.Linear, nil},
		{"corrected, volume-preserving", Corrected, rod.VolumePreserving, nil},
		{"corrected, unequal elements", Corrected, rod.VolumePreserving, []float64{0.1, 0.15, 0.4, 0.8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := SoftParams(6)
			p.Section.J = p.Section.I1 + p.Section.I2
			p.Material.Law, p.Nodes = c.law, c.nodes
			x := Rod(t, p, Options{Scheme: c.scheme, Damping: Damping{KelvinVoigt: map[Scheme]float64{Corrected: 0.02}[c.scheme]}})
			disturb(x, 0.05, 3)
			force, moment, scale := resultant(x)
			if !(force.Norm() <= 1e-9*scale) {
				t.Errorf("force %.3g of %.3g N", force.Norm(), scale)
			}
			// PyElastica's bending couples omit the third order of the angle between elements;
			// Corrected has it
			if limit := map[Scheme]float64{Original: 1e-3, Corrected: 1e-7}[c.scheme]; !(moment.Norm() <= limit*scale) {
				t.Errorf("moment %.3g of %.3g N m", moment.Norm(), scale)
			}
		})
	}
}

// resultant sums the rates of momentum and of angular momentum about the base, of the rod without
// its clamp but with the clamp's couple, and the magnitudes of the terms.
func resultant(x *State) (force, moment spatial.Vec, scale float64) {
	if r := x.BaseReaction(); x.opt.Scheme == Corrected {
		moment = x.Base.R.Apply(r.Moment).Neg()
	}
	x.SaveCheckpoint()
	const dt = 1e-8 // the change of velocity is large compared with round-off and small compared with the velocity
	if x.opt.Scheme == Original {
		x.nodesOriginal(dt, 1)
		x.elementsOriginal(dt, 1, false)
	} else {
		x.nodesCorrected(dt, 1)
		x.elementsCorrected(dt, 1, false)
	}
	old := &x.checkpoint.motion
	for k := range x.pos {
		f := x.vel[k].Sub(old.vel[k]).Scale(x.mass[k] / dt)
		force = force.Add(f)
		moment = moment.Add(x.pos[k].Sub(x.Base.P).Cross(f))
		scale += f.Norm()
	}
	for e := range x.dir {
		// d/dt (J ω) + ω × J ω with J = J0/stretch where the section thins
		i, w := x.inertia[e], old.omega[e]
		var rate float64
		if x.opt.Scheme == Original || x.Material.Law == rod.VolumePreserving {
			d, dv := x.pos[e+1].Sub(x.pos[e]), old.vel[e+1].Sub(old.vel[e])
			i = i.Scale(x.Lengths[e] / x.length[e])
			rate = -d.Dot(dv) / d.Norm2()
		}
		a := x.omega[e].Sub(w).Scale(1 / dt)
		m := i.Mul(a).Add(i.Mul(w).Scale(rate)).Add(w.Cross(i.Mul(w)))
		moment = moment.Add(x.dir[e].World(m))
	}
	return force, moment, scale
}

// Undamped, the energy of a rod in large motion oscillates by O(dt²) and does not
// drift.
func TestEnergyStaysBounded(t *testing.T) {
	swing := func(share float64) (early, late float64) {
		x := Rod(t, SoftParams(10), Options{Scheme: Corrected})
		for k := range x.vel {
			s := float64(k) / 10
			x.vel[k] = spatial.Vec{X: 0.6 * s * s, Y: -0.4 * s, Z: 0.1 * s}
		}
		kinetic, elastic := x.Energy()
		e0 := kinetic + elastic
		dt := share * StepLimit(x.Rod, Damping{}, 0)
		steps := int(40 / dt)
		for i := range steps {
			integrate.PositionVerlet(x, dt)
			kinetic, elastic = x.Energy()
			d := math.Abs(kinetic+elastic-e0) / e0
			if i < steps/2 {
				early = math.Max(early, d)
			} else {
				late = math.Max(late, d)
			}
		}
		return early, late
	}
	early, late := swing(0.2)
	fine, _ := swing(0.1)
	t.Logf("energy error %.3g, then %.3g; at half the step %.3g", early, late, fine)
	if !(early < 0.01) || !(late < 1.3*early) {
		t.Errorf("energy error %.3g, then %.3g", early, late)
	}
	if r := early / fine; !(r > 3.2 && r < 5) {
		t.Errorf("halving the step divides the energy error by %.2f, want 4", r)
	}
}

// A rotated world gives rotated motion.
func TestMotionIsFrameIndifferent(t *testing.T) {
	turn := spatial.Quat{W: 0.5, X: 0.1, Y: -0.7, Z: 0.5}.Normalized().Rot()
	shift := spatial.Vec{X: 1, Y: -2, Z: 0.5}
	for _, scheme := range []Scheme{Original, Corrected} {
		run := func(g spatial.Pose) *State {
			p := SoftParams(6)
			p.Section.J = p.Section.I1 + p.Section.I2
			p.Precurvature = spatial.Vec{X: 0.4, Z: 0.2}
			p.Base = g.Mul(p.Base)
			x := Rod(t, p, Options{Scheme: scheme, Gravity: g.R.Apply(spatial.Vec{X: 3, Y: -8}), Damping: Damping{Drag: 0.3}})
			for range 2000 {
				integrate.PositionVerlet(x, 2e-4)
			}
			return x
		}
		a, b := run(spatial.IdentityPose()), run(spatial.Pose{R: turn, P: shift})
		for k := range a.pos {
			if d := turn.Apply(a.Positions()[k]).Add(shift).Sub(b.Positions()[k]).Norm(); d > 1e-11 {
				t.Errorf("scheme %d: node %d moves differently by %.3g m", scheme, k, d)
			}
		}
	}
}
