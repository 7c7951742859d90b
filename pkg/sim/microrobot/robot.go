package microrobot

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// Robot is a magnetic robot without its state. It is immutable, so models of it may
// be used at once by several goroutines.
type Robot struct {
	file   robotfile.Microrobot
	body   *stokes.Body
	flow   *stokes.Flow // nil: fluid at rest
	magnet magnetics.Response
	coils  *magnetics.Coils // nil: none
	walls  *stokes.Walls    // nil: none
	weight stokes.Weight
	solid  *solid // nil: no inertia
	// what acts always: weight less buoyancy and the file's load
	steady   spatial.Wrench // of fixed direction, world axes
	follower spatial.Wrench // turning with the body, body axes

	method      method
	plain       bool        // neither walls nor Brownian motion
	simple      bool        // no coupling, walls or flow: the mobility is
	trans, turn spatial.Vec // the diagonals, 1/(kg/s) and 1/(kg m²/s)
	moment      spatial.Vec // of a permanent magnet, A m²
	lopsided    bool        // weight and buoyancy turn the body
	lubricated  bool        // a sphere near walls
	softAxis    spatial.Vec // longest axis of a soft-magnetic body, body axes
	gyro        float64     // largest eigenvalue of the rotational mobility, 1/(N m s)
	size        float64     // half of the largest extent, m
	kT          float64     // thermal energy, J; 0: no Brownian motion
	drawing     float64     // scale of what is drawn
	planes      int         // among the walls
	neighbours  float64     // bound on the field of touching magnets, T
}

// NewRobot makes the robot of a robot file that package robotfile has read; coils is
// the calibration that the file's field.coils names, nil if it names none. Its error
// joins one per mistake that only shows when the robot is put together.
func NewRobot(file *robotfile.Microrobot, coils *magnetics.Coils) (*Robot, error) {
	r := &Robot{file: *file, coils: coils, method: methods[file.Solver.Method]}
	var err error
	if r.body, err = newBody(file); err != nil {
		return nil, fmt.Errorf("body.shape: %w", err)
	}
	var errs []error
	r.magnet, err = newResponse(&file.Body)
	errs = append(errs, err)
	r.flow, err = newFlow(&file.Fluid)
	errs = append(errs, err)
	r.walls, err = r.newWalls()
	errs = append(errs, err)
	if (coils == nil) != (file.Field.Coils == "") {
		errs = append(errs, fmt.Errorf("field.coils = %q: its calibration is not given", file.Field.Coils))
	}
	errs = append(errs, r.checkField())
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	r.weigh()
	if file.Dynamics == robotfile.Inertial {
		if r.solid, err = r.newSolid(); err != nil {
			return nil, err
		}
	}
	r.measure()
	if err := r.checkSwarm(); err != nil {
		return nil, err
	}
	return r, nil
}

// checkField refuses fields of another unit than tesla at the place of the robot.
func (r *Robot) checkField() error {
	f := &r.file.Field
	errs := []error{magnetics.CheckField("field.uniform_t", f.Uniform)}
	if w := f.Rotating; w != nil {
		errs = append(errs, magnetics.CheckField("field.rotating", spatial.Vec{X: w.Amplitude, Z: w.Offset}))
	}
	for i, d := range f.Dipoles {
		source := magnetics.Dipole(d)
		errs = append(errs, source.Check(fmt.Sprintf("field.dipoles[%d]", i), r.file.Body.Position))
	}
	return errors.Join(errs...)
}

// weigh sets the weight from mass, volume and their centres.
func (r *Robot) weigh() {
	f := &r.file
	density := f.Fluid.Density
	if f.Fluid.Viscosity == 0 { // vacuum
		density = 0
	}
	r.weight = stokes.NewWeight(r.mass(), f.Body.CenterOfMass, &r.body.Shape, density)
	r.steady.Force = r.weight.Wrench(f.Gravity).Force
	load := spatial.Wrench{Force: f.Body.Load.Force, Moment: f.Body.Load.Moment}
	if f.Body.Load.Frame == robotfile.BodyAxes {
		r.follower = load
	} else {
		r.steady = plus(r.steady, load)
	}
	for _, g := range []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		r.lopsided = r.lopsided || r.weight.Wrench(g).Moment != spatial.Vec{}
	}
}

// measure sets what makes steps short or fast, and sizes.
func (r *Robot) measure() {
	b := r.body
	m := &b.Mobility
	r.trans = spatial.Vec{X: m.Trans.XX, Y: m.Trans.YY, Z: m.Trans.ZZ}
	r.turn = spatial.Vec{X: m.Rot.XX, Y: m.Rot.YY, Z: m.Rot.ZZ}
	r.moment, _ = r.magnet.IsPermanent()
	r.lubricated = r.walls != nil && b.Shape.Radius > 0 && b.Viscosity > 0
	r.simple = r.walls == nil && r.flow == nil && *m == stokes.Mobility{Trans: spatial.Diag3(r.trans), Rot: spatial.Diag3(r.turn)}
	r.gyro = largestEigenvalue(m.Rot)
	r.size = math.Sqrt(largestEigenvalue(b.Shape.Extent))
	switch {
	case r.size > 0:
	case b.Viscosity > 0: // a resistance without a shape: the sphere that drags as much
		r.size = b.Resistance.Trans.Trace() / (18 * math.Pi * b.Viscosity)
	default: // the sphere that is as hard to turn
		r.size = math.Sqrt(2.5 * r.solid.body.AtCOM().Trace() / 3 / r.solid.body.Mass())
	}
	r.drawing = drawingScale(r.size)
	if s := r.file.Swarm; s != nil && s.Interaction == robotfile.FullInteraction {
		// two magnets in line on either side at contact
		m, _ := r.magnet.IsPermanent()
		r.neighbours = 2 * 2e-7 * m.Norm() / math.Pow(2*r.size, 3)
	}
	for _, w := range r.file.Walls {
		if w.Plane != nil {
			r.planes++
		}
	}
	r.plain = r.walls == nil && !r.file.Fluid.Brownian
	r.softAxis = longest(&b.Shape.Extent)
	if f := r.file.Fluid; f.Brownian {
		r.kT = stokes.Boltzmann * f.Temperature
	}
}

// Length is the largest extent of the body, m.
func (r *Robot) Length() float64 { return 2 * r.size }

// String is the robot in one line.
func (r *Robot) String() string {
	b, shape := &r.file.Body, r.file.Body.Shape
	var what string
	switch {
	case shape == nil:
		what = "body without drag"
	case shape.Sphere != nil:
		what = fmt.Sprintf("sphere of radius %.4g m", *shape.Sphere)
	case shape.Ellipsoid != nil:
		what = fmt.Sprintf("ellipsoid of %.4g × %.4g × %.4g m", 2*shape.Ellipsoid.X, 2*shape.Ellipsoid.Y, 2*shape.Ellipsoid.Z)
	case shape.Helix != nil:
		what = fmt.Sprintf("helix of %.4g m length and %.4g m radius", shape.Helix.Length, shape.Helix.Radius)
	default:
		what = "body of given resistance"
	}
	switch {
	case b.Magnet != nil:
		what += fmt.Sprintf(", magnet of %.4g A m^2", b.Magnet.Moment.Norm())
	case b.Soft != nil:
		what += ", soft-magnetic"
	default:
		what += ", not magnetic"
	}
	if s := r.file.Swarm; s != nil {
		what = fmt.Sprintf("swarm of %d, interaction %s: %s", s.Count, s.Interaction, what)
	}
	if r.solid != nil {
		what = fmt.Sprintf("%s, mass %.4g kg", what, r.solid.body.Mass())
	}
	medium := "vacuum"
	if v := r.file.Fluid.Viscosity; v > 0 {
		medium = fmt.Sprintf("fluid of %.4g Pa s", v)
	}
	return fmt.Sprintf("%s, in %s, %s, %s in steps of %g s", what, medium, r.file.Dynamics, r.file.Solver.Method, r.file.Solver.Step)
}
