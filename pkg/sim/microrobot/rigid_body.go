package microrobot

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// rigidBody holds the constants of motion with inertia. It is immutable.
type rigidBody struct {
	body    *rigid.Body
	options rigid.Options
	anchor  spatial.Vec   // where the pivot is held in the world, m
	start   spatial.Twist // of the reference point in the initial state, body axes

	implicit      bool
	hasDrag       bool              // a fluid resists the motion
	stiffDrag     bool              // drag slows the body within a step
	damping       spatial.Mat6      // resistance far from walls, body axes
	decayRate     float64           // largest rate at which drag slows the body, 1/s
	maxInvInertia float64           // largest angular acceleration per moment, 1/(kg m²)
	mass          stokes.Resistance // mass matrix about the reference point, body axes
	invMass       stokes.Mobility   // inverse of mass; with a pivot, of the rotation about it
}

// stiffShare is the part of the velocity lost to drag in a step from which implicit
// methods receive the drag.
const stiffShare = 1e-3

// newRigidBody makes the rigid body of the robot file, whose shape is known.
func newRigidBody(f *robotfile.Microrobot, drag *stokes.Body) (*rigidBody, error) {
	s := &rigidBody{
		hasDrag: f.Body.Shape != nil && f.Fluid.Viscosity > 0,
		options: rigid.Options{
			Method:          rigid.Method(f.Solver.Method),
			Parametrization: rigid.Parametrization(f.Solver.Parametrization),
			SpectralRadius:  f.Solver.SpectralRadius,
		},
	}
	var err error
	if s.body, err = rigid.NewBody(rigidParams(&f.Body, &drag.Shape)); err != nil {
		return nil, fmt.Errorf("body.inertia_kg_m2, body.center_of_mass_m: %w", err)
	}
	s.implicit = s.options.Method == rigid.GeneralizedAlpha || s.options.Method == rigid.Trapezoidal
	s.mass = massMatrix(s.body)
	s.invMass = inverseMass(s.body)
	s.maxInvInertia = largestEigenvalue(s.invMass.Rot)
	if s.hasDrag {
		s.damping = drag.Resistance.Matrix()
		s.decayRate = s.body.DecayRate(&s.damping)
		s.stiffDrag = s.decayRate*f.Solver.Step > stiffShare
	}
	x := integrate.Placement{Q: f.Body.Orientation, P: f.Body.Position}
	s.start = spatial.Twist{Linear: x.Q.Conj().Apply(f.Body.Velocity), Angular: f.Body.AngularVelocity}
	if pivot, ok := s.body.Pivot(); ok {
		s.anchor = x.P.Add(x.Q.Apply(pivot))
		s.start.Linear = pivot.Cross(s.start.Angular)
	}
	return s, errors.Join(s.checkStep(f.Solver.Step), s.checkAngles(x.Q))
}

// rigidParams returns the mass and the inertia of the robot: those given, or those of the
// shape filled evenly.
func rigidParams(b *robotfile.Body, shape *stokes.Shape) rigid.Params {
	p := rigid.Params{Mass: massOf(b, shape), COM: b.CenterOfMass, Pivot: b.Pivot}
	if copy(p.Inertia[:], b.Inertia) == 0 && shape.Volume > 0 {
		j := shape.Inertia(p.Mass / shape.Volume)
		p.Inertia = [6]float64{j.XX, j.YY, j.ZZ, j.YZ, j.XZ, j.XY}
	}
	return p
}

// massMatrix returns the mass matrix in body axes about the reference point, in the blocks
// of a resistance: momentum is to velocity what drag is.
func massMatrix(b *rigid.Body) stokes.Resistance {
	m := b.Mass()
	return stokes.Resistance{
		Trans: spatial.Diag3(spatial.Vec{X: m, Y: m, Z: m}), Coupling: spatial.Skew(b.COM()).Scale(-m), Rot: b.Inertia(),
	}
}

// inverseMass returns the inverse of the mass matrix in body axes: the acceleration from
// rest per load. A pivot leaves the rotation about it alone.
func inverseMass(b *rigid.Body) stokes.Mobility {
	var trans, coupling, rot [3]spatial.Vec // columns
	for i, e := range [...]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		trans[i] = b.Acceleration(spatial.Twist{}, spatial.Wrench{Force: e}).Linear
		a := b.Acceleration(spatial.Twist{}, spatial.Wrench{Moment: e})
		coupling[i], rot[i] = a.Linear, a.Angular
	}
	of := func(c *[3]spatial.Vec) spatial.Mat3 { return spatial.FromColumns(c[0], c[1], c[2]) }
	return stokes.Mobility{Trans: of(&trans), Coupling: of(&coupling), Rot: of(&rot)}
}

// velocityChange returns by how much the load f (body axes) changes the twist in h seconds
// while the resistance d (body axes) opposes the change: (M + h d)⁻¹ h f. The size (m) of
// the body scales rotations, so that all elements of the matrix are alike.
func (s *rigidBody) velocityChange(h float64, d *stokes.Resistance, f spatial.Wrench, size float64) spatial.Twist {
	mass := s.mass
	mass.Trans = mass.Trans.Add(d.Trans.Scale(h))
	mass.Coupling = mass.Coupling.Add(d.Coupling.Scale(h)).Scale(1 / size)
	mass.Rot = mass.Rot.Add(d.Rot.Scale(h)).Scale(1 / (size * size))
	factor := mass.Matrix()
	factor.FactorLDL() // positive definite: the sum of a matrix that is and one that is not negative
	x := spatial.Vec6Of(f.Force.Scale(h), f.Moment.Scale(h/size))
	factor.SolveLVec(&x)
	factor.SolveDVec(&x)
	factor.SolveLTVec(&x)
	return spatial.Twist{Linear: x.Linear(), Angular: x.Angular().Scale(1 / size)}
}

// checkStep refuses explicit steps over which drag stops the body many times.
func (s *rigidBody) checkStep(step float64) error {
	if most := maxSubsteps * substepShare; !s.implicit && s.decayRate*step > most {
		return fmt.Errorf("solver.method: %s is explicit, and drag stops this body within %.3g s; it takes step_s up to %.3g s, or method generalized-alpha, or dynamics overdamped",
			s.options.Method, 1/s.decayRate, most/s.decayRate)
	}
	return nil
}

// checkAngles refuses a start where Tait-Bryan angles are singular.
func (s *rigidBody) checkAngles(q spatial.Quat) error {
	if !s.implicit || s.options.Parametrization != rigid.TaitBryanXYZ {
		return nil
	}
	if c := math.Cos(rigid.Angles(q.Rot()).Y); c < rigid.MinCosine {
		return fmt.Errorf("solver.parametrization: tait-bryan-xyz is singular at body.orientation_xyzw, |cos| of the second angle is %.3g, must be at least %g; use quaternion or rotation-vector",
			c, rigid.MinCosine)
	}
	return nil
}
