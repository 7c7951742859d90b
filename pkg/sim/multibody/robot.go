package multibody

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/rodmodel"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// Robot is a mechanism without its state. It is immutable, so models of it may be used at once by several goroutines.
type Robot struct {
	file        robotfile.Mechanism
	files       Files
	refine      int // into how many parts each element of the file is divided
	parameters  mechanism.Parameters
	coordinates []coordinate // of all joints, in order
	motors      []int        // coordinates that servo_jp commands
	efforts     []int        // coordinates that servo_jf commands, after the tendons
	elastic     []int        // tendons that servo_jp commands, after the motors
	posed       []int        // bodies with motion commanded
	visuals     visuals
	frames      []frame // the tree; see listFrames
	cuts        []sim.Cut
	size        float64   // largest distance within the robot at t = 0, m
	initial     []float64 // state of models at t = 0
	restLength  []float64 // mechanism.World.TendonRestLength of the tendons, m
	leftSaddle  string    // mechanism.World.LeftSaddle of the search for the initial equilibrium
}

// coordinate is a coordinate of a joint.
type coordinate struct {
	joint, index int
	name         string
	motor        mechanism.MotorKind
	maxRate      float64 // of its command, rad/s or m/s
}

// ErrNoEquilibrium is the error, in the sense of errors.Is, of a search that finds no equilibrium.
var ErrNoEquilibrium = errors.New("no equilibrium")

// ErrOpen is the error, in the sense of errors.Is, of a robot whose loops are open in the initial state that its file asks for.
var ErrOpen = errors.New("a loop is open while rods are straight or in their initial_shape")

// NewRobot builds the robot that a robot file describes, with its initial state. files are those that it names.
func NewRobot(file *robotfile.Mechanism, files Files) (*Robot, error) {
	return newRobot(file, files, 1)
}

// Files are the contents of the files that a robot file names.
type Files struct {
	Meshes environment.Meshes
	// Deformations are those of the rods at t = 0, nil for the rest shape; nil: none is deformed.
	Deformations []*mechanism.Deformation
}

func newRobot(file *robotfile.Mechanism, files Files, refine int) (*Robot, error) {
	meshes := files.Meshes
	r := &Robot{file: *file, files: files, refine: refine, parameters: mechanism.Parameters{Gravity: file.Gravity}}
	for i := range file.Rods {
		if err := r.addRod(i); err != nil {
			return nil, fmt.Errorf("rod %q: %w", file.Rods[i].Name, err)
		}
	}
	for i := range file.Bodies {
		if err := r.addBody(i, meshes); err != nil {
			return nil, fmt.Errorf("body %q: %w", file.Bodies[i].Name, err)
		}
	}
	if err := r.addWalls(meshes); err != nil {
		return nil, err
	}
	for i := range file.Joints {
		r.addJoint(i)
	}
	for i := range file.Tendons {
		if err := r.addTendon(i); err != nil {
			return nil, fmt.Errorf("tendon %q: %w", file.Tendons[i].Name, err)
		}
	}
	for i := range file.Loads {
		r.addLoad(&file.Loads[i])
	}
	r.placeIslands()
	m, err := r.newModel()
	if err != nil {
		return nil, err
	}
	if err := r.listVisuals(m, meshes); err != nil {
		return nil, err
	}
	if err := m.begin(); err != nil {
		return nil, err
	}
	r.leftSaddle = m.leftSaddle
	r.initial = make([]float64, m.StateLen())
	m.Save(r.initial)
	return r, nil
}

// NewModel makes a model of the robot in its initial state.
func (r *Robot) NewModel() (*Model, error) {
	m, err := r.newModel()
	if err != nil {
		return nil, err
	}
	return m, m.Restore(r.initial)
}

// Refined makes a model of the robot, in its initial state, with each element of its rods divided into so many, 1 or more. Its steps are
// solved to round-off, as all are.
func (r *Robot) Refined(times int) (*Model, error) {
	fine, err := newRobot(&r.file, r.files, times)
	if err != nil {
		return nil, err
	}
	return fine.NewModel()
}

// Size returns the largest distance within the robot at t = 0, m.
func (r *Robot) Size() float64 { return r.size }

func (r *Robot) addRod(i int) error {
	f := &r.file.Rods[i]
	p := rodmodel.Params(&f.Rod, rod.Linear)
	p.Order, p.Nodes, p.Refine, p.Base = f.Order, r.file.DiskNodes(i), r.refine, spatial.IdentityPose()
	link := mechanism.Rod{
		Name: f.Name, Parameters: p, Friction: r.file.Environment.Friction, ContactRadius: f.ContactRadius, SelfContact: r.file.Environment.SelfContact,
	}
	if r.files.Deformations != nil {
		link.Deformation = r.files.Deformations[i]
	}
	if f.Start.HasPose() {
		d1, d3 := *f.Start.Normal, *f.Start.Direction
		link.Start = &spatial.Pose{R: spatial.FromColumns(d1, d3.Cross(d1), d3), P: *f.Start.Position}
	}
	if f.Start.HasVelocity() {
		link.Velocity = &spatial.Twist{Linear: given(f.Start.Velocity), Angular: given(f.Start.AngularVelocity)}
	}
	tendons := r.file.RodTendons(i)
	if err := checkDisks(r.file.Tendons, tendons, p); err != nil {
		return err
	}
	link.Options = func(mesh *rod.Rod) strain.Options {
		o := rodmodel.Options(&f.Rod, mesh)
		o.Attached, _ = r.diskBodies(tendons, mesh) // whose errors checkDisks has found
		return o
	}
	r.parameters.Rods = append(r.parameters.Rods, link)
	return nil
}

// given returns a vector of the file, or 0.
func given(v *spatial.Vec) spatial.Vec {
	if v == nil {
		return spatial.Vec{}
	}
	return *v
}

// routeOf returns the route of a tendon through the disks of a rod.
func routeOf(t *robotfile.Tendon, mesh *rod.Rod) (*tendon.Route, error) {
	return tendon.NewRoute(mesh, t.Disks.ArcLengths(), tendon.Holes{Offset: t.Offset, Twist: t.Twist, Slope: t.Slope, Each: t.Offsets})
}

// checkDisks checks the routes of tendons through the disks of a rod.
func checkDisks(all []robotfile.RoutedTendon, of []robotfile.RodTendon, p rod.Params) error {
	mesh, err := rod.New(p)
	if err != nil {
		return err
	}
	for _, t := range of {
		if _, err := routeOf(&all[t.Index].Tendon, mesh); err != nil {
			return fmt.Errorf("tendon %q: %w", all[t.Index].Name, err)
		}
	}
	return nil
}

// diskBodies returns the disks of tendons as bodies on a rod.
func (r *Robot) diskBodies(tendons []robotfile.RodTendon, mesh *rod.Rod) (all []rod.AttachedBody, err error) {
	for _, t := range tendons {
		f := &r.file.Tendons[t.Index]
		route, err := routeOf(&f.Tendon, mesh)
		if err != nil {
			return nil, err
		}
		disks := route.Disks(f.Disks.Mass, f.Disks.Radius)
		masses := t.DiskMasses[len(t.DiskMasses)-len(disks):] // that of a disk which is part of the plate is the plate's
		for k, d := range disks {
			if d.Mass = masses[k]; d.Mass > 0 {
				all = append(all, rod.AttachedBody{Node: d.Node, Mass: d.Mass, Inertia: d.Inertia()})
			}
		}
	}
	return all, nil
}

func (r *Robot) addBody(i int, meshes environment.Meshes) error {
	f := &r.file.Bodies[i]
	b := mechanism.Body{
		Name: f.Name, Mass: f.Mass, CenterOfMass: f.CenterOfMass, IsFixed: f.Motion != robotfile.FreeBody, Friction: r.file.Environment.Friction,
	}
	if f.Friction != nil {
		b.Friction = *f.Friction
	}
	for k := range f.Shapes {
		s, err := solid(&f.Shapes[k], meshes, r.reach())
		if err != nil {
			return err
		}
		b.Shapes = append(b.Shapes, mechanism.Shape{Name: f.Shapes[k].Name, Shape: s})
	}
	copy(b.Inertia[:], f.Inertia)
	if f.HasPose() {
		b.Pose = &spatial.Pose{R: spatial.Identity3(), P: given(f.Position)}
		if f.Orientation != nil {
			b.Pose.R = f.Orientation.Rot()
		}
	}
	if f.HasVelocity() {
		b.Velocity = &spatial.Twist{Linear: given(f.Velocity), Angular: given(f.AngularVelocity)}
	}
	for _, l := range f.Loads {
		b.Loads = append(b.Loads, mechanism.Load{
			Until: until(l.Until), At: l.Position, Wrench: spatial.Wrench{Force: l.Force, Moment: l.Moment}, IsFollower: l.Frame == robotfile.BodyAxes,
		})
	}
	if f.Motion == robotfile.CommandedBody {
		r.posed = append(r.posed, i)
	}
	r.parameters.Bodies = append(r.parameters.Bodies, b)
	return nil
}

// solid returns a shape of a body, in its axes. reach is a length of the robot, m.
func solid(s *robotfile.BodyShape, meshes environment.Meshes, reach float64) (shape.Shape, error) {
	switch {
	case s.Sphere != nil:
		return shape.NewSphere(s.Sphere.Center, s.Sphere.Radius)
	case s.Capsule != nil:
		return shape.NewCapsule(s.Capsule.From, s.Capsule.To, s.Capsule.Radius)
	case s.Box != nil:
		return mechanism.NewBox(s.Box.Size, spatial.Pose{R: s.Box.Orientation.Rot(), P: s.Box.Position})
	}
	stl := meshes[s.Mesh.File]
	if stl == nil {
		return shape.Shape{}, fmt.Errorf("mesh.file %q is not given", s.Mesh.File)
	}
	o, err := shape.NewMesh(stl, mesh.Options{Scale: s.Mesh.Scale, Reach: reach})
	return o.Moved(spatial.Pose{R: s.Mesh.Orientation.Rot(), P: s.Mesh.Position}), err
}

// addWalls adds the shapes of the environment, and the pairs without contact or with friction of their own.
func (r *Robot) addWalls(meshes environment.Meshes) error {
	e := &r.file.Environment
	shapes, err := environment.Shapes(&e.Environment, meshes, r.reach())
	if err != nil {
		return err
	}
	for i, s := range shapes {
		r.parameters.Walls = append(r.parameters.Walls, mechanism.Wall{Name: e.Shapes[i].Name, Shape: s, Friction: e.Shapes[i].Friction})
	}
	r.parameters.Ignore = e.Ignore
	for _, p := range e.Pairs {
		r.parameters.Pairs = append(r.parameters.Pairs, mechanism.PairFriction{Of: p.Of, Friction: p.Friction})
	}
	return nil
}

// until returns the end of a load as package mechanism has it, where 0 is never.
func until(t float64) float64 {
	if math.IsInf(t, 1) {
		return 0
	}
	return robotfile.LoadEnd(t)
}

func (r *Robot) addJoint(i int) {
	f := &r.file.Joints[i]
	j := mechanism.Joint{
		Name: f.Name, Type: joint.Type(f.Type), Parent: side(&f.Parent), Child: side(&f.Child), Axis: f.Axis, SecondAxis: given(f.SecondAxis),
	}
	if len(f.Position) > 0 {
		j.Position = f.Position
	}
	for k, name := range f.Coordinates() {
		low, high := f.Bounds(k)
		j.Spring = append(j.Spring, mechanism.Spring{Stiffness: robotfile.Of(f.Stiffness, k), Damping: robotfile.Of(f.Damping, k), Rest: robotfile.Of(f.Rest, k)})
		j.Limits = append(j.Limits, mechanism.Limits{Min: low, Max: high})
		j.Friction = append(j.Friction, robotfile.Of(f.Friction, k))
		c := coordinate{joint: i, index: k, name: name}
		var m mechanism.Motor
		switch {
		case f.Motor == nil:
		case f.Motor.PositionControl != nil:
			p := f.Motor.PositionControl
			m = mechanism.Motor{Kind: mechanism.PositionMotor, Stiffness: p.Stiffness, Damping: p.Damping}
			if !math.IsInf(p.MaxEffort, 1) {
				m.MaxEffort = p.MaxEffort
			}
			c.maxRate = f.Motor.MaxRate
			r.motors = append(r.motors, len(r.coordinates))
		case f.Motor.EffortControl != nil:
			m = mechanism.Motor{Kind: mechanism.EffortMotor, MaxEffort: f.Motor.EffortControl.MaxEffort}
			c.maxRate = f.Motor.EffortControl.MaxRate
			r.efforts = append(r.efforts, len(r.coordinates))
		case f.Motor.Prescribed:
			m = mechanism.Motor{Kind: mechanism.PrescribedMotor}
			c.maxRate = f.Motor.MaxRate
			r.motors = append(r.motors, len(r.coordinates))
		}
		c.motor = m.Kind
		j.Motor = append(j.Motor, m)
		r.coordinates = append(r.coordinates, c)
	}
	r.parameters.Joints = append(r.parameters.Joints, j)
}

func side(s *robotfile.JointSide) mechanism.JointSide {
	name, at := s.Link()
	return mechanism.JointSide{Link: name, At: at, Frame: spatial.Pose{R: s.Orientation.Rot(), P: s.Position}}
}

func (r *Robot) addTendon(i int) error {
	f := &r.file.Tendons[i]
	t := mechanism.Tendon{
		Name: f.Name, Tension: f.Tension, Pull: f.Pull, Stiffness: f.Stiffness, MinTension: f.MinTension, MaxTension: f.Limits.MaxTension,
	}
	radius := f.BristleRadius()
	for k := range f.Route {
		name, at := f.Route[k].Link()
		t.Route = append(t.Route, mechanism.Hole{Link: name, At: at, Position: f.Route[k].Position, Friction: f.Route[k].Friction})
	}
	if len(f.Route) == 0 {
		var p rod.Params
		for k := range r.parameters.Rods {
			if r.parameters.Rods[k].Name == f.Rod {
				p = r.parameters.Rods[k].Parameters
			}
		}
		mesh, err := rod.New(p)
		if err != nil {
			return err
		}
		route, err := routeOf(&f.Tendon, mesh)
		if err != nil {
			return err
		}
		radius = max(route.Base.Norm(), mesh.Section.Radius())
		t.Route = append(t.Route, r.plateHole(f.Rod, route.Base))
		t.Disks = mechanism.Disks{Rod: f.Rod, ArcLengths: []float64{0}}
		for k, node := range route.Nodes {
			t.Disks.ArcLengths = append(t.Disks.ArcLengths, mesh.ArcLengths[node])
			t.Route = append(t.Route, mechanism.Hole{Link: f.Rod, At: mesh.ArcLengths[node], Position: route.Holes[k], Friction: f.Friction})
		}
	}
	if slices.ContainsFunc(t.Route, func(h mechanism.Hole) bool { return h.Friction > 0 }) {
		var springs []tendon.Bristle
		for _, s := range f.FrictionSprings {
			springs = append(springs, tendon.Bristle{Share: s.Share, Displacement: s.Displacement})
		}
		t.Bristles = tendon.NewBristles(springs, f.FrictionDisplacement, radius)
	}
	if f.Stiffness > 0 {
		r.elastic = append(r.elastic, i)
	}
	r.parameters.Tendons = append(r.parameters.Tendons, t)
	return nil
}

// plateHole returns a hole of the plate at the start of a rod: on what a joint holds the start with, where both frames of the joint
// coincide, or on the first section.
func (r *Robot) plateHole(name string, at spatial.Vec) mechanism.Hole {
	for i := range r.parameters.Joints {
		j := &r.parameters.Joints[i]
		for _, s := range [...][2]*mechanism.JointSide{{&j.Child, &j.Parent}, {&j.Parent, &j.Child}} {
			if s[0].Link == name && s[0].At == 0 {
				return mechanism.Hole{Link: s[1].Link, At: s[1].At, Position: s[1].Frame.Mul(s[0].Frame.Inv()).Apply(at)}
			}
		}
	}
	return mechanism.Hole{Link: name, Position: at}
}

func (r *Robot) addLoad(f *robotfile.LinkLoad) {
	wrench, isFollower := spatial.Wrench{Force: f.Force, Moment: f.Moment}, f.Frame == robotfile.BodyAxes
	for i := range r.parameters.Rods {
		if l := &r.parameters.Rods[i]; l.Name == f.Rod {
			l.Loads = append(l.Loads, mechanism.RodLoad{Until: until(f.Until), At: *f.At, Wrench: wrench, IsFollower: isFollower})
		}
	}
	for i := range r.parameters.Bodies {
		if l := &r.parameters.Bodies[i]; l.Name == f.Body {
			l.Loads = append(l.Loads, mechanism.Load{Until: until(f.Until), At: given(f.Position), Wrench: wrench, IsFollower: isFollower})
		}
	}
}

// placeIslands puts links that joints connect neither to the world nor to a link with a pose at the origin of the world: of links
// that are connected, the first body that does not move freely, or the first link.
func (r *Robot) placeIslands() {
	placed := map[string]bool{"": true}
	for i := range r.parameters.Rods {
		placed[r.parameters.Rods[i].Name] = r.parameters.Rods[i].Start != nil
	}
	for i := range r.parameters.Bodies {
		placed[r.parameters.Bodies[i].Name] = r.parameters.Bodies[i].Pose != nil
	}
	spread := func() {
		for hasSpread := true; hasSpread; {
			hasSpread = false
			for i := range r.parameters.Joints {
				a, b := r.parameters.Joints[i].Parent.Link, r.parameters.Joints[i].Child.Link
				if placed[a] != placed[b] {
					placed[a], placed[b], hasSpread = true, true, true
				}
			}
		}
	}
	spread()
	origin := func() *spatial.Pose { g := spatial.IdentityPose(); return &g }
	for _, needsFixed := range [...]bool{true, false} {
		for i := range r.parameters.Bodies {
			if b := &r.parameters.Bodies[i]; !placed[b.Name] && (b.IsFixed || !needsFixed) {
				b.Pose, placed[b.Name] = origin(), true
				spread()
			}
		}
	}
	for i := range r.parameters.Rods {
		if l := &r.parameters.Rods[i]; !placed[l.Name] {
			l.Start, placed[l.Name] = origin(), true
			spread()
		}
	}
}
