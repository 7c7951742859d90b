package microrobot

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// solid is what motion with inertia needs to know of a robot besides its drag and its
// magnet. It is immutable.
type solid struct {
	body    *rigid.Body
	options rigid.Options
	anchor  spatial.Vec // where the pivot is held in the world, m
	start   spatial.Twist

	implicit bool
	drags    bool              // there is a fluid that resists
	stiff    bool              // drag slows the body within a step
	damping  spatial.Mat6      // far from walls, body axes
	decay    float64           // largest rate at which it slows the body, 1/s
	swift    float64           // largest angular acceleration per moment, 1/(kg m²)
	mass     stokes.Resistance // the mass matrix in body axes
	yield    stokes.Mobility   // its inverse
}

// stiffShare is the part of the velocity lost to drag in a step from which implicit
// methods are told of the drag.
const stiffShare = 1e-3

// newSolid makes the rigid body of the robot, whose shape is known.
func (r *Robot) newSolid() (*solid, error) {
	f := &r.file
	s := &solid{
		drags: f.Body.Shape != nil && f.Fluid.Viscosity > 0,
		options: rigid.Options{
			Method:          rigid.Method(f.Solver.Method),
			Parametrization: rigid.Parametrization(f.Solver.Parametrization),
			SpectralRadius:  f.Solver.SpectralRadius,
		},
	}
	var err error
	if s.body, err = rigid.NewBody(r.inertial()); err != nil {
		return nil, fmt.Errorf("body.inertia_kg_m2, body.center_of_mass_m: %w", err)
	}
	s.implicit = s.options.Method == rigid.GeneralizedAlpha || s.options.Method == rigid.Trapezoidal
	s.mass = massOf(s.body.Mass(), s.body.COM(), s.body.Inertia())
	s.yield = yieldOf(s.body)
	s.swift = largestEigenvalue(s.yield.Rot)
	if s.drags {
		s.damping = r.body.Resistance.Matrix()
		s.decay = s.body.DecayRate(&s.damping)
		s.stiff = s.decay*f.Solver.Step > stiffShare
	}
	x := integrate.Placement{Q: f.Body.Orientation, P: f.Body.Position}
	s.start = spatial.Twist{Linear: x.Q.Conj().Apply(f.Body.Velocity), Angular: f.Body.AngularVelocity}
	if pivot, ok := s.body.Pivot(); ok {
		s.anchor = x.P.Add(x.Q.Apply(pivot))
		s.start.Linear = pivot.Cross(s.start.Angular)
	}
	return s, errors.Join(s.checkStep(f.Solver.Step), s.checkAngles(x.Q))
}

// inertial is the mass and the inertia of the robot: those given, or those of the shape
// filled evenly.
func (r *Robot) inertial() rigid.Params {
	b, shape := &r.file.Body, &r.body.Shape
	p := rigid.Params{Mass: r.mass(), COM: b.CenterOfMass, Pivot: b.Pivot}
	if copy(p.Inertia[:], b.Inertia) == 0 && shape.Volume > 0 {
		j := shape.Inertia(p.Mass / shape.Volume)
		p.Inertia = [6]float64{j.XX, j.YY, j.ZZ, j.YZ, j.XZ, j.XY}
	}
	return p
}

// mass is the one given, or that of the shape filled evenly, kg.
func (r *Robot) mass() float64 {
	if m := r.file.Body.Mass; m > 0 {
		return m
	}
	return r.file.Body.Density * r.body.Shape.Volume
}

// yieldOf is the inverse of the mass matrix in body axes: what a load does to the twist at
// rest. A pivot leaves the rotation about it alone.
func yieldOf(b *rigid.Body) stokes.Mobility {
	var trans, coupling, rot [3]spatial.Vec // columns
	for i, e := range [...]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		trans[i] = b.Acceleration(spatial.Twist{}, spatial.Wrench{Force: e}).Linear
		a := b.Acceleration(spatial.Twist{}, spatial.Wrench{Moment: e})
		coupling[i], rot[i] = a.Linear, a.Angular
	}
	of := func(c *[3]spatial.Vec) spatial.Mat3 { return spatial.FromColumns(c[0], c[1], c[2]) }
	return stokes.Mobility{Trans: of(&trans), Coupling: of(&coupling), Rot: of(&rot)}
}

// checkStep refuses explicit steps over which drag stops the body many times.
func (s *solid) checkStep(step float64) error {
	if most := maxSubsteps * substepShare; !s.implicit && s.decay*step > most {
		return fmt.Errorf("solver.method: %s is explicit, and drag stops this body within %.3g s; it takes step_s up to %.3g s, or method generalized-alpha, or dynamics overdamped",
			s.options.Method, 1/s.decay, most/s.decay)
	}
	return nil
}

// checkAngles refuses a start where Tait-Bryan angles are singular.
func (s *solid) checkAngles(q spatial.Quat) error {
	if !s.implicit || s.options.Parametrization != rigid.TaitBryanXYZ {
		return nil
	}
	if c := math.Cos(rigid.Angles(q.Rot()).Y); c < rigid.MinCosine {
		return fmt.Errorf("solver.parametrization: tait-bryan-xyz is singular at body.orientation_xyzw, |cos| of the second angle is %.3g, must be at least %g; use quaternion or rotation-vector",
			c, rigid.MinCosine)
	}
	return nil
}

// tolerance is what an implicit step may err by: far below the size of the body (m).
func tolerance(size float64) float64 { return math.Min(1e-12, 1e-9*size) }
