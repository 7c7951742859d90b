package continuum

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/continuum/rodmodel"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/magnetics/rodmagnets"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// Robot is a tendon-driven robot without its state. It is immutable, so models of
// it may be used at once by several goroutines.
type Robot struct {
	file              robotfile.Continuum
	rod               *rod.Rod
	tendons           []actuator
	joints            []joint       // motors that move tendons; the others are commanded one by one
	disks             []tendon.Disk // the disks of all tendons, also disks without mass
	points            []point       // of the markers
	drawn             []drawnDisk
	tubes             []rodmodel.Tube
	loads             []force.PointLoad
	files             Files
	moments           []spatial.Vec // of the magnets, by node, body axes, A m²; nil: none
	middles           []spatial.Vec // of what is magnetised, in the middles of elements of order 4; nil: none
	magnets           []magnet
	lumps             []rodmagnets.RodDipole // of magnets that act on one another; nil: none do
	walls             []contact.Wall         // of the environment
	surface           [][2]float64           // radii at both ends of each section, of what touches them, m
	scenery           []sim.Mesh             // the walls as one sees them
	environmentRadius float64                // the largest distance of the walls from the origin, m
	shapeDistances    []float64              // the same of each of them from the base, m
	meshFindings      []string               // flaws of the file of each of them
	meshNotes         []string               // where contact with each mesh acts
	elastic           bool                   // every tendon has a stiffness, so length control is possible
}

// actuator is a tendon with its motor.
type actuator struct {
	force.Tendon
	driven  bool // a joint moves it
	initial force.Setpoint
	limits  robotfile.TendonLimits
}

// NewRobot makes the robot of a robot file that package robotfile has read. Its
// error joins one per mistake that only shows when the robot is put together.
func NewRobot(file *robotfile.Continuum) (*Robot, error) { return newRobot(file, Files{}, 1) }

// Files is what the files hold that a robot file names.
type Files struct {
	Coils  *magnetics.Coils // nil: none
	Meshes environment.Meshes
}

// NewRobotWith makes the robot of a robot file that names other files.
func NewRobotWith(file *robotfile.Continuum, files Files) (*Robot, error) {
	return newRobot(file, files, 1)
}

// newRobot makes the robot with each element of its rod divided into so many.
func newRobot(file *robotfile.Continuum, files Files, refine int) (*Robot, error) {
	body, err := newRod(file, refine)
	if err != nil {
		return nil, err
	}
	r := &Robot{file: *file, rod: body, files: files, elastic: len(file.Tendons) > 0}
	var errs []error
	for i := range file.Tendons {
		errs = append(errs, r.addTendon(i))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	r.addJoints()
	for _, s := range file.Rod.Segments() {
		r.surface = append(r.surface, s.ContactRadii())
	}
	for _, l := range file.Loads {
		errs = append(errs, r.addLoad(l))
	}
	errs = append(errs, checkField(&file.Field), r.addMagnets(), r.listWalls())
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	r.listMarkers()
	r.drawn, r.tubes = r.listDrawn(), rodmodel.Tubes(&file.Rod, body)
	return r, nil
}

// Refined makes a model of the robot, in its initial state, with each element divided into so
// many, 1 or more, and steps solved so far that models differ by the error of their elements.
// It needs method implicit.
func (r *Robot) Refined(times int) (*Model, error) {
	const tolerance = 1e-9 // rad; see motion.AngleTolerance
	if r.file.Solver.Method != robotfile.Implicit {
		return nil, fmt.Errorf("method %s: its models are not refined; use method implicit", r.file.Solver.Method)
	}
	fine, err := newRobot(&r.file, r.files, times)
	if err != nil {
		return nil, err
	}
	m, err := fine.NewModel()
	if err != nil {
		return nil, err
	}
	m.engine.(*implicit).stepper.Refine(tolerance, 3)
	return m, nil
}

// File returns the robot file of the robot. What it points to must not be changed.
func (r *Robot) File() robotfile.Continuum { return r.file }

// ArcLengths returns those of the nodes of the rod, base to tip, m. It is to be read only.
func (r *Robot) ArcLengths() []float64 { return r.rod.ArcLengths }

// implicitOnly has the errors of methods that know neither sections of a rod, nor magnets, nor
// payloads with their centre of mass elsewhere than at its end.
var implicitOnly = map[robotfile.RodMethod]error{robotfile.Explicit: ErrNotInExplicit, robotfile.Reference: ErrNotInReference}

func newRod(file *robotfile.Continuum, refine int) (*rod.Rod, error) {
	f := &file.Rod
	if without, ok := implicitOnly[file.Solver.Method]; ok {
		if len(f.Sections) > 0 {
			return nil, fmt.Errorf("rod.sections: %w; use method implicit", without)
		}
		if len(file.Magnets) > 0 {
			return nil, fmt.Errorf("magnets: %w; use method implicit", without)
		}
		if len(file.Springs) > 0 {
			return nil, fmt.Errorf("springs: %w; use method implicit", without)
		}
		if len(f.Viscoelasticity) > 0 {
			return nil, fmt.Errorf("rod.viscoelasticity: %w; use method implicit", without)
		}
		if len(f.BendingFriction) > 0 {
			return nil, fmt.Errorf("rod.bending_friction: %w; use method implicit", without)
		}
		if f.Damping.RotationalDrag != 0 {
			return nil, fmt.Errorf("rod.damping.rotational_drag_n_s: %w; use method implicit", without)
		}
		if file.Tip.Center != (spatial.Vec{}) {
			return nil, fmt.Errorf("tip.center_of_mass_m: %w; use method implicit", without)
		}
	}
	law := rod.Linear
	if f.MaterialLaw == robotfile.VolumePreserving || file.Solver.Method == robotfile.Reference {
		law = rod.VolumePreserving // PyElastica knows no other
	}
	order := 2
	if file.Solver.Method == robotfile.Implicit {
		order = f.Order
	}
	d1, d3 := file.Base.Normal, file.Base.Direction
	p := rodmodel.Params(f, law)
	p.Nodes, p.Refine, p.Order = file.NodeArcLengths(), refine, order
	p.Base = spatial.Pose{R: spatial.FromColumns(d1, d3.Cross(d1), d3), P: file.Base.Position}
	return rod.New(p)
}

func (r *Robot) addTendon(i int) error {
	f := &r.file.Tendons[i]
	route, err := tendon.NewRoute(r.rod, f.Disks.ArcLengths(), tendon.Holes{Offset: f.Offset, Twist: f.Twist, Slope: f.Slope, Each: f.Offsets})
	if err != nil {
		return fmt.Errorf("tendon %s: %w", f.Name, err)
	}
	a := actuator{limits: f.Limits, Tendon: force.Tendon{
		Name: f.Name, Route: route, Stiffness: f.Stiffness, Friction: f.Friction, Displacement: f.FrictionDisplacement,
		MinTension: f.MinTension, MaxTension: f.Limits.MaxTension,
	}}
	for _, x := range f.FrictionSprings {
		a.Bristles = append(a.Bristles, tendon.Bristle{Share: x.Share, Displacement: x.Displacement})
	}
	a.initial.Tension = f.Tension
	if f.Pull != nil {
		if f.Stiffness <= 0 {
			return fmt.Errorf("tendon %s: pull_m needs stiffness_n_per_m above 0", f.Name)
		}
		a.initial = force.Setpoint{Mode: force.LengthControl, Pull: *f.Pull}
	}
	r.tendons = append(r.tendons, a)
	r.elastic = r.elastic && f.Stiffness > 0
	disks := route.Disks(f.Disks.Mass, f.Disks.Radius)
	masses := r.file.DiskMasses(i)
	masses = masses[len(masses)-len(disks):] // that of a disk which is part of the base plate is its
	for k := range disks {
		disks[k].Mass = masses[k]
	}
	r.disks = append(r.disks, disks...)
	return nil
}

func (r *Robot) addLoad(f robotfile.RodLoad) error {
	const roundoff = 1e-9 // of the length: at_m and length_m are both decimals
	if f.At > r.rod.Length*(1+roundoff) {
		return fmt.Errorf("load at %g m is beyond the end of the rod at %g m", f.At, r.rod.Length)
	}
	l := force.PointLoad{
		At:     math.Min(f.At, r.rod.Length),
		Wrench: spatial.Wrench{Force: f.Force, Moment: f.Moment},
		Until:  f.Until,
	}
	if f.Frame == robotfile.BodyAxes {
		l.Axes = force.BodyAxes
	}
	r.loads = append(r.loads, l)
	return nil
}

// attachedBodies lists the rigid bodies on the rod: disks and payload.
func (r *Robot) attachedBodies() []rod.AttachedBody {
	var all []rod.AttachedBody
	for _, d := range r.disks {
		if d.Mass > 0 {
			all = append(all, rod.AttachedBody{Node: d.Node, Mass: d.Mass, Inertia: d.Inertia()})
		}
	}
	if t := r.file.Tip; t.Mass > 0 || t.Inertia != (spatial.Vec{}) || t.Center != (spatial.Vec{}) {
		all = append(all, rod.AttachedBody{Node: r.rod.Elements, Mass: t.Mass, Inertia: t.Inertia, Offset: t.Center})
	}
	return all
}

// drawnDisk is a disk as one sees it: tendons share disks.
type drawnDisk struct {
	name   string
	node   int
	radius float64
}

// listDrawn lists one disk per node, as large as the largest there.
func (r *Robot) listDrawn() []drawnDisk {
	radius := make([]float64, r.rod.Elements+1)
	for _, d := range r.disks {
		radius[d.Node] = max(radius[d.Node], d.Radius)
	}
	var all []drawnDisk
	for k, x := range radius {
		if x > 0 {
			all = append(all, drawnDisk{"disk_" + strconv.Itoa(len(all)+1), k, x})
		}
	}
	return all
}
