package microrobot

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// NewRobot makes the robot of a robot file that package robotfile has read; coils is
// the calibration that the file's field.coils names, nil if it names none. Its error
// joins one per mistake that only shows when the robot is put together.
func NewRobot(file *robotfile.Microrobot, coils *magnetics.Coils) (*Robot, error) {
	return NewRobotWith(file, Files{Coils: coils})
}

// Files is what the files hold that a robot file names.
type Files struct {
	Coils  *magnetics.Coils // nil: none
	Meshes environment.Meshes
}

// NewRobotWith makes the robot of a robot file that names other files.
func NewRobotWith(file *robotfile.Microrobot, files Files) (*Robot, error) {
	coils := files.Coils
	r := &Robot{file: *file, coils: coils}
	var err error
	if r.body, err = newBody(file); err != nil {
		return nil, fmt.Errorf("body.shape: %w", err)
	}
	var errs []error
	r.magnet, err = newResponse(&file.Body)
	errs = append(errs, err)
	r.flow, err = newFlow(&file.Fluid)
	errs = append(errs, err)
	shapes, err := r.listShapes(files.Meshes)
	errs = append(errs, err)
	if err == nil {
		r.walls, err = newWalls(file, &r.body.Shape, shapes)
		errs = append(errs, err)
	}
	if (coils == nil) != (file.Field.Coils == "") {
		errs = append(errs, fmt.Errorf("field.coils = %q: its calibration is not given", file.Field.Coils))
	}
	errs = append(errs, checkField(file, coils))
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	r.setLoads()
	if file.Dynamics == robotfile.Inertial {
		if r.inertial, err = newRigidBody(file, r.body); err != nil {
			return nil, err
		}
	}
	r.setSizes()
	r.shapes = shapes
	r.drawShapes(shapes)
	r.shapesReach = slices.Max(append(environment.ShapeDistances(&r.file.Environment, shapes, spatial.Vec{}), 0))
	r.shapeDistances = environment.ShapeDistances(&r.file.Environment, shapes, file.Body.Position)
	r.meshFindings = environment.MeshFindings(&r.file.Environment, files.Meshes, shapes)
	r.meshNotes = environment.MeshNotes(&r.file.Environment, shapes)
	if err := checkSwarm(r); err != nil {
		return nil, err
	}
	return r, nil
}

// checkField refuses fields at the place of the robot that are of another unit than tesla, or not finite.
func checkField(file *robotfile.Microrobot, coils *magnetics.Coils) error {
	f := &file.Field
	errs := []error{magnetics.CheckField("field.uniform_t", f.Uniform)}
	if w := f.Rotating; w != nil {
		errs = append(errs, magnetics.CheckField("field.rotating", spatial.Vec{X: w.Amplitude, Z: w.Offset}))
	}
	for i, d := range f.Dipoles {
		source := magnetics.Dipole{Position: d.Position, Moment: d.Moment}
		errs = append(errs, source.Check(fmt.Sprintf("field.dipoles[%d]", i), file.Body.Position))
	}
	if coils != nil {
		b, _ := coils.At(file.Body.Position, make([]float64, len(coils.Names())))
		if at := file.Body.Position; !b.IsFinite() {
			errs = append(errs, fmt.Errorf("field.coils: a source of the field without current is at body.position_m = (%g, %g, %g) m, where its field is infinite; move the body", at.X, at.Y, at.Z))
		} else {
			errs = append(errs, magnetics.CheckField("field.coils: the field without current at body.position_m", b))
		}
		if name, found := coils.InfiniteAt(file.Body.Position); found {
			at := file.Body.Position
			errs = append(errs, fmt.Errorf("field.coils: a source of coil %s is at body.position_m = (%g, %g, %g) m, where its field is infinite; move the body, or check Source_Position, in m", name, at.X, at.Y, at.Z))
		}
	}
	return errors.Join(errs...)
}

// setLoads sets the weight from mass, volume and their centres, and the constant loads.
func (r *Robot) setLoads() {
	f := &r.file
	density := f.Fluid.Density
	if f.Fluid.Viscosity == 0 { // vacuum
		density = 0
	}
	r.weight = stokes.NewWeight(massOf(&f.Body, &r.body.Shape), f.Body.CenterOfMass, &r.body.Shape, density)
	r.world.Force = r.weight.Wrench(f.Gravity).Force
	load := spatial.Wrench{Force: f.Body.Load.Force, Moment: f.Body.Load.Moment}
	if f.Body.Load.Frame == robotfile.BodyAxes {
		r.follower = load
	} else {
		r.world = addWrenches(r.world, load)
	}
	for _, g := range []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		r.weightMoment = r.weightMoment || r.weight.Wrench(g).Moment != spatial.Vec{}
	}
}

// setSizes sets what of the robot scales lengths and times.
func (r *Robot) setSizes() {
	b := r.body
	r.lubricated = r.walls != nil && b.Shape.Radius > 0 && b.Viscosity > 0
	r.softAxis = longestAxis(&b.Shape.Hull.Ellipsoid)
	r.softNormal = discNormal(&b.Shape.Hull.Ellipsoid)
	r.rotMobility = largestEigenvalue(b.Mobility.Rot)
	r.thinnest = smallestHalfWidth(&b.Shape.Hull)
	r.size = hullRadius(&b.Shape.Hull)
	switch {
	case r.size > 0:
	case b.Viscosity > 0: // a resistance without a shape: the sphere that drags as much
		r.size = b.Resistance.Trans.Trace() / (18 * math.Pi * b.Viscosity)
	default: // the sphere that is as hard to turn
		r.size = math.Sqrt(2.5 * r.inertial.body.AtCOM().Trace() / 3 / r.inertial.body.Mass())
	}
	if r.thinnest == 0 {
		r.thinnest = r.size
	}
	r.drawingScale = drawingScale(r.size)
	if s := r.file.Body.Shape; s != nil && s.Cuboid != nil {
		r.cuboidCorners = cuboidTriangles(s.Cuboid.Edges.Scale(r.drawingScale))
	}
}
