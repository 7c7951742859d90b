package sensor

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Frame is a cross-section of a rod or a body that carries a sensor. Its methods do not allocate.
type Frame interface {
	// Pose is where it is in the world.
	Pose() spatial.Pose
	// Twist is the velocity of its origin (m/s) and its angular velocity (rad/s), world axes.
	Twist() spatial.Twist
}

// Robot is what sensors look at: a model, by functions of its present state that do not allocate. What a robot does not have may be nil.
type Robot struct {
	Ports   []sim.Port                                // of the model, without those of sensors
	Value   func(i int, dst []float64)                // as sim.Model.Value
	Frame   func(at *robotfile.Place) Frame           // of a place on the robot: the origin there, the axes of what carries it
	Strain  func(rod string, s float64) func() Strain // at arc length s (m) of a rod
	Field   func(at spatial.Vec) spatial.Vec          // flux density at a point of the world, T, world axes; not finite at the place of a dipole
	Solids  []Solid                                   // what hides points from cameras
	Gravity spatial.Vec                               // acceleration of free fall, m/s², world axes
}

// Solid is an opaque shape of a body or of the environment.
type Solid struct {
	Name  string // of the body or of the shape of the environment
	Shape shape.Shape
	Pose  func() spatial.Pose // of the axes in which it was made, in the world; nil: those of the world
	Body  string              // that it is part of, if any
}

// Strain is that of a cross-section, along and about d1, d2, d3.
type Strain struct {
	Extension float64     // elongation of the centreline over its length
	Curvature spatial.Vec // and twist, 1/m
}

// StrainOf is the strain of a cross-section whose derivatives along the rod, per undeformed length, are those of x: of its place and of
// its rotation, along d1, d2, d3.
func StrainOf(x spatial.Twist) Strain { return Strain{Extension: x.Linear.Z - 1, Curvature: x.Angular} }

// Set holds the sensors of a robot and their state.
type Set struct {
	list   []*sensor
	placed []*sensor // those that are at a place
}

// New makes the sensors of a valid robot file, whose errors are those of a seed. Begin must follow.
func New(files []robotfile.Sensor, seed int, r *Robot) *Set {
	s := &Set{}
	for i := range files {
		o := newSensor(&files[i], seed, r)
		s.list = append(s.list, o)
		if o.frame != nil {
			s.placed = append(s.placed, o)
		}
	}
	return s
}

// FramePort is the name of the port that shows where a sensor is, without errors, by the name of its own port.
func FramePort(name string) string { return name + "/frame" }

// Ports returns the Out ports of the sensors, in the order of the robot file, and behind them the FramePort of each that is at a place.
func (s *Set) Ports() (ports []sim.Port) {
	for _, o := range s.list {
		ports = append(ports, o.port)
	}
	for _, o := range s.placed {
		ports = append(ports, sim.Port{Name: FramePort(o.port.Name), Kind: sim.Pose, Direction: sim.Out, Unit: "m", Frames: world, Child: o.port.Name, Parent: sim.World, Silent: true})
	}
	return ports
}

// Begin forgets what has been measured: at time t (s) the motion begins, or a robot is at rest. What the sensors show until their first
// measurements arrive is how it is then.
func (s *Set) Begin(t float64) {
	for _, o := range s.list {
		o.begin(t)
	}
}

// Stop lets the sensors take no measurements from now on, and forget those that there are: nothing of them is in saved states. Read goes on.
func (s *Set) Stop() {
	for _, o := range s.list {
		o.newest, o.pending, o.waiting, o.stopped = nil, nil, 0, true
	}
}

// Read writes what sensor i reads now, without errors, to dst.
func (s *Set) Read(i int, dst []float64) { s.list[i].read(dst) }

// Look lets the sensors measure at the end of a step of dt seconds, at time t (s), and the measurements that are due then arrive. With
// dt = 0 the robot has been stopped where it is.
func (s *Set) Look(t, dt float64) {
	for _, o := range s.list {
		o.look(t, dt)
	}
}

// Value writes the values of port i of Ports at time t (s) to dst, which may end earlier.
func (s *Set) Value(i int, t float64, dst []float64) {
	if k := i - len(s.list); k >= 0 {
		putPose(dst, s.placed[k].frame())
		return
	}
	o := s.list[i]
	dst[0] = o.arrived
	dst = dst[1:]
	for _, m := range o.newest {
		if len(dst) < 1+o.width {
			return
		}
		dst[0] = math.Max(t-m.taken, 0)
		copy(dst[1:], m.values)
		dst = dst[1+o.width:]
	}
}

// StateLen returns the number of values that Save writes.
func (s *Set) StateLen() (n int) {
	for _, o := range s.list {
		n += o.savedLen()
	}
	return n
}

// ContinuousState returns the runs of the state, in ascending order, of which weighted means of states, with weights that sum to 1, are a state.
func (s *Set) ContinuousState() (all []sim.Span) {
	end := 0
	for _, o := range s.list {
		if end += o.savedLen(); o.isLinear {
			all = append(all, sim.Span{First: end - o.stateLen, Len: o.stateLen})
		}
	}
	return all
}

// Save writes the state to dst and returns what is left of it.
func (s *Set) Save(dst []float64) []float64 {
	for _, o := range s.list {
		dst = o.put(dst)
	}
	return dst
}

// Restore reads the state, finite numbers, from src and returns what is left of it.
func (s *Set) Restore(src []float64) []float64 {
	for _, o := range s.list {
		src = o.take(src)
	}
	return src
}
