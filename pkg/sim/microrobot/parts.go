package microrobot

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// newBody makes the body in the fluid of the robot file. Without viscosity, or without a
// shape, it has no drag.
func newBody(file *robotfile.Microrobot) (*stokes.Body, error) {
	shape, err := newShape(file)
	if err != nil || file.Fluid.Viscosity == 0 || file.Body.Shape == nil {
		return &stokes.Body{Shape: shape}, err
	}
	return stokes.NewBody(shape, file.Fluid.Viscosity)
}

// newShape makes the shape that the robot file describes. A shape that is given by its
// resistance alone is none in vacuum.
func newShape(file *robotfile.Microrobot) (stokes.Shape, error) {
	switch s := file.Body.Shape; {
	case s == nil:
		return stokes.Shape{}, nil
	case s.Sphere != nil:
		return stokes.Sphere(*s.Sphere)
	case s.Ellipsoid != nil:
		return stokes.Ellipsoid(*s.Ellipsoid)
	case s.Cuboid != nil:
		return stokes.Cuboid(s.Cuboid.Edges.Scale(0.5))
	case s.Cylinder != nil:
		return stokes.SolidCylinder(s.Cylinder.Length, s.Cylinder.Radius)
	case s.Helix != nil:
		return stokes.Helix(stokes.Coil{
			Length: s.Helix.Length, Radius: s.Helix.Radius, Pitch: s.Helix.Pitch,
			WireRadius: s.Helix.WireRadius, LeftHanded: s.Helix.Handedness == robotfile.LeftHanded,
		})
	case file.Fluid.Viscosity == 0:
		return stokes.Shape{}, nil
	default:
		g := s.Resistance
		return stokes.Given(stokes.Resistance{
			Trans: matrixOf(g.Trans), Rot: matrixOf(g.Rot), Coupling: matrixOf(g.Coupling),
		}, file.Fluid.Viscosity)
	}
}

// matrixOf reads 3 diagonal or 9 row-major numbers; none are zeros.
func matrixOf(v []float64) spatial.Mat3 {
	switch len(v) {
	case 3:
		return spatial.Diag3(spatial.Vec{X: v[0], Y: v[1], Z: v[2]})
	case 9:
		return spatial.Mat3{
			XX: v[0], XY: v[1], XZ: v[2],
			YX: v[3], YY: v[4], YZ: v[5],
			ZX: v[6], ZY: v[7], ZZ: v[8],
		}
	}
	return spatial.Mat3{}
}

// newResponse makes the magnetic moment of the body.
func newResponse(b *robotfile.Body) (magnetics.Response, error) {
	switch {
	case b.Magnet != nil:
		return magnetics.Permanent(b.Magnet.Moment), nil
	case b.Soft == nil:
		return magnetics.Response{}, nil
	}
	var axes spatial.Vec
	switch s := b.Shape; {
	case s == nil:
		return magnetics.Response{}, errors.New("body.soft: a soft-magnetic body needs body.shape, a sphere or an ellipsoid, for its demagnetisation")
	case s.Sphere != nil:
		axes = spatial.Vec{X: *s.Sphere, Y: *s.Sphere, Z: *s.Sphere}
	case s.Ellipsoid != nil:
		axes = *s.Ellipsoid
	default:
		return magnetics.Response{}, errors.New("body.soft: demagnetisation is known for a sphere and an ellipsoid only")
	}
	return magnetics.SoftEllipsoid(b.Soft.Volume, b.Soft.Susceptibility, b.Soft.Saturation, stokes.Demagnetization(axes))
}

// newFlow makes the undisturbed flow, nil for fluid at rest.
func newFlow(fluid *robotfile.Fluid) (*stokes.Flow, error) {
	f := &fluid.Flow
	var steady []stokes.Poiseuille
	var pulsatile []stokes.Womersley
	if p := f.Poiseuille; p != nil {
		steady = append(steady, stokes.Poiseuille{Axis: p.Axis, Center: p.Center, Radius: p.Radius, Peak: p.Peak})
	}
	if p := f.Pulsatile; p != nil {
		if fluid.Density == 0 {
			return nil, errors.New("fluid.flow.pulsatile: fluid.density_kg_per_m3 = 0, must be above 0: inertia shapes the flow")
		}
		pulsatile = append(pulsatile, stokes.Womersley{
			Axis: p.Axis, Center: p.Center, Radius: p.Radius, Peak: p.Peak, Frequency: p.Frequency,
			Phase: p.Phase, Kinematic: fluid.Viscosity / fluid.Density,
		})
	}
	flow, err := stokes.NewFlow(f.Uniform, matrixOf(f.Gradient[:]), steady, pulsatile)
	if err != nil {
		return nil, err
	}
	if flow.IsZero() {
		return nil, nil
	}
	return flow, nil
}

// newWalls makes the walls, those with the shapes of the environment, nil for none, and
// refuses a robot inside one.
func newWalls(file *robotfile.Microrobot, body *stokes.Shape, shapes []shape.Shape) (*stokes.Walls, error) {
	if len(file.Walls) == 0 && len(shapes) == 0 {
		return nil, nil
	}
	var planes []stokes.Plane
	var cylinders []stokes.Cylinder
	for _, w := range file.Walls {
		if w.Plane != nil {
			planes = append(planes, stokes.Plane{Point: w.Plane.Point, Normal: w.Plane.Normal})
		} else {
			cylinders = append(cylinders, stokes.Cylinder{Axis: w.Cylinder.Axis, Center: w.Cylinder.Center, Radius: w.Cylinder.Radius})
		}
	}
	walls, err := stokes.NewWalls(planes, cylinders, 0)
	if err != nil {
		return nil, err
	}
	if len(shapes) > 0 {
		surfaces := make([]stokes.Surface, len(shapes))
		for i := range surfaces {
			surfaces[i] = stokes.Surface{Name: file.Environment.Shapes[i].Name, Shape: shapes[i]}
		}
		walls = walls.With(surfaces)
	}
	rot := file.Body.Orientation.Rot()
	hull := worldHull(body, &rot)
	if err := walls.Check(file.Body.Position, &hull); err != nil {
		return nil, fmt.Errorf("body.position_m: %w", err)
	}
	return walls, nil
}

// worldHull returns the hull of the shape with attitude rot in world axes.
func worldHull(s *stokes.Shape, rot *spatial.Mat3) stokes.Hull {
	if s.Radius > 0 {
		return s.Hull
	}
	return s.Hull.Rotated(rot)
}

// massOf returns the mass given in the robot file, or that of the shape filled evenly, kg.
func massOf(b *robotfile.Body, shape *stokes.Shape) float64 {
	if b.Mass > 0 {
		return b.Mass
	}
	return b.Density * shape.Volume
}

// thermalEnergy returns kT of the fluid in joules, 0 without Brownian motion.
func thermalEnergy(f *robotfile.Fluid) float64 {
	if !f.Brownian {
		return 0
	}
	return stokes.Boltzmann * f.Temperature
}

// largestEigenvalue returns the largest eigenvalue of the symmetric matrix m.
func largestEigenvalue(m spatial.Mat3) float64 {
	scale := math.Max(m.XX, math.Max(m.YY, m.ZZ))
	if scale == 0 {
		return 0
	}
	m = m.Scale(1 / scale)
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(3, []float64{m.XX, m.XY, m.XZ, m.XY, m.YY, m.YZ, m.XZ, m.YZ, m.ZZ}), false) {
		return scale * m.Trace() // an upper bound
	}
	return scale * e.Values(nil)[2]
}

// smallestHalfWidth returns the least half-width of a hull along its axes, m.
func smallestHalfWidth(h *stokes.Hull) float64 {
	return min(h.HalfWidth(spatial.Vec{X: 1}), h.HalfWidth(spatial.Vec{Y: 1}), h.HalfWidth(spatial.Vec{Z: 1}))
}

// hullRadius returns the distance of the farthest point of a hull from the reference point, m. The
// segments of a hull are normal to each other, and to a disk that moves along them.
func hullRadius(h *stokes.Hull) float64 {
	square := largestEigenvalue(h.Ellipsoid)
	for _, e := range h.Edges[:h.Sweeps] {
		square += e.Norm2()
	}
	return math.Sqrt(square)
}

// longestAxis returns the body axis along which an ellipsoid is longest.
func longestAxis(extent *spatial.Mat3) spatial.Vec {
	switch {
	case extent.XX >= extent.YY && extent.XX >= extent.ZZ:
		return spatial.Vec{X: 1}
	case extent.YY >= extent.ZZ:
		return spatial.Vec{Y: 1}
	}
	return spatial.Vec{Z: 1}
}

// discNormal returns the body axis along which an ellipsoid is shorter than along both
// others, which are equal; 0 for other shapes.
func discNormal(extent *spatial.Mat3) spatial.Vec {
	switch {
	case extent.XX == extent.YY && extent.ZZ < extent.XX:
		return spatial.Vec{Z: 1}
	case extent.YY == extent.ZZ && extent.XX < extent.YY:
		return spatial.Vec{X: 1}
	case extent.XX == extent.ZZ && extent.YY < extent.XX:
		return spatial.Vec{Y: 1}
	}
	return spatial.Vec{}
}
