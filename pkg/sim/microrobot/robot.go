package microrobot

import (
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// Robot is a magnetic robot without its state. It is immutable, so models of it may
// be used at once by several goroutines.
type Robot struct {
	file     robotfile.Microrobot
	body     *stokes.Body
	flow     *stokes.Flow // nil: fluid at rest
	magnet   magnetics.Response
	coils    *magnetics.Coils // nil: none
	walls    *stokes.Walls    // nil: none
	weight   stokes.Weight
	inertial *rigidBody // nil: overdamped

	world          spatial.Wrench // weight less buoyancy and the file's load, world axes
	follower       spatial.Wrench // the file's load that turns with the body, body axes
	weightMoment   bool           // weight and buoyancy have a moment about the reference point
	lubricated     bool           // the body is a sphere near walls
	softAxis       spatial.Vec    // longest axis of a soft-magnetic body, body axes
	softNormal     spatial.Vec    // of the plane of a disc, whose directions are all longest axes; 0: no disc
	rotMobility    float64        // largest eigenvalue of the rotational mobility, 1/(N m s)
	size           float64        // half of the largest extent, m
	thinnest       float64        // smallest half-width, m
	drawingScale   float64        // scale of what is drawn
	shapes         []shape.Shape  // of the environment, where they were made
	shapeMeshes    []sim.Mesh     // the shapes of the environment as they are drawn
	cuboidCorners  []spatial.Vec  // of the triangles of a cuboid, enlarged
	shapesReach    float64        // the largest distance of them from the origin, m
	shapeDistances []float64      // the same of each of them from the initial place of the body, m
	meshFindings   []string       // flaws of the file of each of them
	meshNotes      []string       // where contact with each mesh acts
}

// hull returns the hull of the body with attitude rot in world axes.
func (r *Robot) hull(rot *spatial.Mat3) stokes.Hull { return worldHull(&r.body.Shape, rot) }

// easyAxis returns the unit vector in body axes that the field b (body axes) turns
// toward itself: the moment of a magnet, or the longest axis of a soft body in the
// sense of b; of a disc the direction in its plane that is nearest to b.
func (r *Robot) easyAxis(b spatial.Vec) spatial.Vec {
	if m, permanent := r.magnet.IsPermanent(); permanent {
		return m.Unit()
	}
	if in := b.AddScaled(-b.Dot(r.softNormal), r.softNormal); r.softNormal != (spatial.Vec{}) && in != (spatial.Vec{}) {
		return in.Unit()
	}
	if r.softAxis.Dot(b) < 0 {
		return r.softAxis.Neg()
	}
	return r.softAxis
}

// nearResistance returns the resistance of a sphere near walls at p, world axes.
func (r *Robot) nearResistance(p spatial.Vec) stokes.Resistance {
	return r.walls.Resistance(p, r.body.Shape.Radius, r.body.Viscosity)
}

// nearMobility returns the mobility of a sphere near walls at p, world axes.
func (r *Robot) nearMobility(p spatial.Vec) stokes.Mobility {
	return r.walls.Mobility(p, r.body.Shape.Radius, r.body.Viscosity)
}

// maxRotation is the largest rotation or phase in a substep that the method resolves, rad.
func (r *Robot) maxRotation() float64 {
	if r.file.Fluid.Brownian { // which is stepped by the midpoint scheme, whatever the method is
		return (&robotfile.BodySolver{}).MaxRotation()
	}
	return r.file.Solver.MaxRotation()
}

// Length returns the largest extent of the body, m.
func (r *Robot) Length() float64 { return 2 * r.size }

// String describes the robot in one line.
func (r *Robot) String() string {
	what := r.shapeText() + r.magnetText()
	if s := r.file.Swarm; s != nil {
		what = fmt.Sprintf("swarm of %d, interaction %s: %s", s.Count, s.Interaction, what)
	}
	if r.inertial != nil {
		what = fmt.Sprintf("%s, mass %.4g kg", what, r.inertial.body.Mass())
	}
	medium := "vacuum"
	if v := r.file.Fluid.Viscosity; v > 0 {
		medium = fmt.Sprintf("fluid of %.4g mPa s", 1e3*v)
	}
	return fmt.Sprintf("%s, in %s, %s, %s in steps of %.4g ms", what, medium, r.file.Dynamics, r.file.Solver.Method, 1e3*r.file.Solver.Step)
}

func (r *Robot) shapeText() string {
	switch shape := r.file.Body.Shape; {
	case shape == nil:
		return "body without drag"
	case shape.Sphere != nil:
		return fmt.Sprintf("sphere of radius %s", lengths(*shape.Sphere))
	case shape.Ellipsoid != nil:
		return "ellipsoid of " + lengths(2*shape.Ellipsoid.X, 2*shape.Ellipsoid.Y, 2*shape.Ellipsoid.Z)
	case shape.Cuboid != nil:
		return "cuboid of " + lengths(shape.Cuboid.Edges.X, shape.Cuboid.Edges.Y, shape.Cuboid.Edges.Z)
	case shape.Cylinder != nil:
		return fmt.Sprintf("cylinder of %s length and %s radius", lengths(shape.Cylinder.Length), lengths(shape.Cylinder.Radius))
	case shape.Helix != nil:
		return fmt.Sprintf("helix of %s length and %s radius", lengths(shape.Helix.Length), lengths(shape.Helix.Radius))
	default:
		return "body of given resistance"
	}
}

// lengths writes lengths (m) in one unit, in which the greatest of them is easy to read.
func lengths(l ...float64) string {
	unit, perM := "µm", 1e6
	switch greatest := slices.Max(l); {
	case greatest >= 1:
		unit, perM = "m", 1
	case greatest >= 1e-3:
		unit, perM = "mm", 1e3
	}
	texts := make([]string, len(l))
	for i, x := range l {
		texts[i] = fmt.Sprintf("%.4g", x*perM)
	}
	return strings.Join(texts, " × ") + " " + unit
}

func (r *Robot) magnetText() string {
	switch b := &r.file.Body; {
	case b.Magnet != nil:
		return fmt.Sprintf(", magnet of %.4g A m²", b.Magnet.Moment.Norm())
	case b.Soft != nil:
		return ", soft-magnetic"
	default:
		return ", not magnetic"
	}
}
