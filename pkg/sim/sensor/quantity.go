package sensor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// quantity is what a sensor measures, without errors.
type quantity struct {
	port  sim.Port // but for its name
	read  func(dst []float64)
	frame func() spatial.Pose // where the sensor is; nil: at no place
	// postprocess, if not nil, makes values with errors what the sensor shows.
	postprocess func(values []float64)

	// What follows is for quantities with a history; nil and 0 for others.
	settle   func()              // the motion begins
	follow   func(t, dt float64) // after a step of dt seconds, at time t (s)
	stateLen int
	isLinear bool // weighted means of its states, with weights that sum to 1, are states
	save     func(dst []float64)
	restore  func(src []float64)
}

// newReading makes what a sensor of a valid robot file measures.
func newReading(f *robotfile.Sensor, r *Robot) reading {
	switch {
	case f.Pose != nil:
		return r.pose(f.Pose)
	case f.Strain != nil:
		return r.strain(f.Strain)
	case f.IMU != nil:
		return r.imu(f.IMU, robotfile.SensorTopic(f.Name))
	case f.LoadCell != nil:
		return r.loadCell(f.LoadCell)
	case f.Encoder != nil:
		return r.encoder(f.Encoder)
	case f.Current != nil:
		return r.current(f.Current)
	case f.Markers != nil:
		return r.markers(f.Markers)
	case f.Camera != nil:
		return r.camera(f)
	}
	return r.field(f.Field, robotfile.SensorTopic(f.Name))
}

var world = []string{sim.World}

func putPose(dst []float64, g spatial.Pose) {
	g.P.Put(dst)
	g.R.Quat().Put(dst[3:])
}

// mounted returns the pose of a sensor as a function.
func (r *Robot) mounted(p *robotfile.SensorPlace) func() spatial.Pose {
	at := r.place(&p.Place)
	if p.Orientation == nil {
		return at.Pose
	}
	turn := p.Orientation.Rot()
	return func() spatial.Pose {
		g := at.Pose()
		g.R = g.R.Mul(turn)
		return g
	}
}

func (r *Robot) pose(f *robotfile.PoseSensor) reading {
	at := r.mounted(&f.SensorPlace)
	return reading{
		quantity{
			frame: at,
			port:  sim.Port{Kind: sim.Pose, Unit: "m", Frames: world},
			read: func(dst []float64) {
				putPose(dst, at())
			},
		},
		[]signal{{0, 3, false, &f.PositionError}, {3, 4, true, &f.RotationError}},
	}
}

// strain reads curvatures about d1 and d2 and twist, or wavelengths: the strain of a fibre at x, y along d1, d2 is that of the
// centreline plus κ1 y − κ2 x.
func (r *Robot) strain(f *robotfile.StrainSensor) reading {
	var at []func() Strain
	var labels []string
	for i, s := range f.Stations {
		at = append(at, r.Strain(f.Rod, s))
		if g := f.Gratings; g != nil {
			for k := range g.Angles {
				labels = append(labels, fmt.Sprintf("%d.fibre_%d", i+1, k+1))
			}
			continue
		}
		for _, name := range []string{"kappa_1", "kappa_2", "kappa_3"} {
			labels = append(labels, fmt.Sprintf("%d.%s", i+1, name))
		}
	}
	q := quantity{port: sim.Port{Kind: sim.Named, Unit: "1/m", Labels: labels}}
	q.read = func(dst []float64) {
		for i, strain := range at {
			strain().Curvature.Put(dst[3*i:])
		}
	}
	if g := f.Gratings; g != nil {
		q.port.Unit = "m"
		shift := g.Wavelength * g.GaugeFactor
		q.read = func(dst []float64) {
			for _, strain := range at {
				e := strain()
				for k, angle := range g.Angles {
					y, x := math.Sincos(angle)
					dst[k] = shift * (e.Extension + g.Radius*(e.Curvature.X*y-e.Curvature.Y*x))
				}
				dst = dst[len(g.Angles):]
			}
		}
	}
	return reading{q, []signal{{0, len(labels), false, &f.Error}}}
}

// loadCell reads tensions, or a wrench as the port of the model shows it.
func (r *Robot) loadCell(f *robotfile.LoadCell) reading {
	if len(f.Tendons) > 0 {
		q := r.joints(f.Tendons, sim.Effort)
		return reading{q, []signal{{0, len(f.Tendons), false, &f.Force}}}
	}
	name := "measured_cf"
	if f.Joint != "" {
		name = robotfile.TopicOf(f.Joint) + "/measured_cf"
	}
	i := r.find(name)
	p := &r.Ports[i]
	return reading{
		quantity{
			port: sim.Port{Kind: sim.Wrench, Unit: p.Unit, Frames: p.Frames},
			read: func(dst []float64) { r.Value(i, dst) },
		},
		[]signal{{0, 3, false, &f.Force}, {3, 3, false, &f.Torque}},
	}
}

// measuredJoints is the port of positions, velocities and efforts of tendons and joints.
const measuredJoints = "measured_js"

// joints reads a part of the joint states of some names.
func (r *Robot) joints(names []string, part sim.Parts) quantity {
	values, at, n := r.jointStates(names)
	first := map[sim.Parts]int{sim.Position: 0, sim.Velocity: n, sim.Effort: 2 * n}[part]
	p := &r.Ports[r.find(measuredJoints)]
	q := quantity{port: sim.Port{Kind: sim.JointState, Parts: part, Labels: names, Frames: p.Frames}}
	for i, k := range at {
		unit := p.Components()[first+k].Unit
		if slices.ContainsFunc(r.Ports, func(p sim.Port) bool { return p.IsMotors() && slices.Contains(p.Labels, names[i]) }) {
			unit = map[sim.Parts]string{sim.Position: "rad", sim.Effort: "N m"}[part]
		}
		q.port.Units = append(q.port.Units, unit)
	}
	units := slices.Clone(q.port.Units)
	slices.Sort(units)
	q.port.Unit = strings.Join(slices.Compact(units), ", ")
	q.read = func(dst []float64) {
		all := values()
		for i, k := range at {
			dst[i] = all[first+k]
		}
	}
	return q
}

// jointStates returns the values of all n joint states as a function, and the places of some names.
func (r *Robot) jointStates(names []string) (values func() []float64, at []int, n int) {
	i := r.find(measuredJoints)
	p := &r.Ports[i]
	for _, name := range names {
		at = append(at, slices.Index(p.Labels, name))
	}
	room := make([]float64, p.Width())
	return func() []float64 {
		r.Value(i, room)
		return room
	}, at, len(p.Labels)
}

// encoder reads positions behind the play of a gear: it stands still while what moves is on its way through the play.
func (r *Robot) encoder(f *robotfile.Encoder) reading {
	q := r.joints(f.Joints, sim.Position)
	if f.Backlash > 0 {
		n, position, room := len(f.Joints), make([]float64, len(f.Joints)), make([]float64, len(f.Joints))
		truth, half := q.read, 0.5*f.Backlash
		q.settle = func() { truth(position) }
		q.follow = func(_, _ float64) {
			truth(room)
			for i, x := range room {
				position[i] = max(x-half, min(x+half, position[i]))
			}
		}
		q.read = func(dst []float64) { copy(dst, position) }
		q.stateLen = n
		q.save = func(dst []float64) { copy(dst, position) }
		q.restore = func(src []float64) { copy(position, src) }
	}
	return reading{q, []signal{{0, len(f.Joints), false, &f.Error}}}
}

// current reads efforts before the friction of a gear.
func (r *Robot) current(f *robotfile.CurrentSensor) reading {
	q := r.joints(f.Joints, sim.Effort)
	values, at, n := r.jointStates(f.Joints)
	q.read = func(dst []float64) {
		all := values()
		for i, k := range at {
			rate := all[n+k]
			dst[i] = all[2*n+k] + f.Damping*rate
			switch {
			case rate > 0:
				dst[i] += f.Friction
			case rate < 0:
				dst[i] -= f.Friction
			}
		}
	}
	return reading{q, []signal{{0, len(f.Joints), false, &f.Error}}}
}

// markers reads positions. Orientations are those of the world: none are measured.
func (r *Robot) markers(f *robotfile.MarkerSensor) reading {
	i := r.find("markers_measured")
	p := &r.Ports[i]
	room := make([]float64, p.Width())
	var at []int
	for _, name := range f.Names {
		at = append(at, slices.Index(p.Labels, name))
	}
	o := reading{quantity: quantity{port: sim.Port{Kind: sim.Transforms, Unit: p.Unit, Labels: f.Names, Frames: world}}}
	o.read = func(dst []float64) {
		r.Value(i, room)
		for k, m := range at {
			copy(dst[7*k:], room[7*m:7*m+3])
			copy(dst[7*k+3:], []float64{0, 0, 0, 1})
		}
	}
	for k := range f.Names {
		o.signals = append(o.signals, signal{7 * k, 3, false, &f.Error})
	}
	return o
}

func (r *Robot) field(f *robotfile.FieldSensor, frame string) reading {
	at := r.mounted(&f.SensorPlace)
	return reading{
		quantity{
			frame: at,
			port:  sim.Port{Kind: sim.Field, Unit: "T", Frames: []string{frame}},
			read: func(dst []float64) {
				g := at()
				b := r.Field(g.P)
				if !b.IsFinite() { // at the place of a dipole
					b = spatial.Vec{}
				}
				g.R.ApplyT(b).Put(dst)
			},
		},
		[]signal{{0, 3, false, &f.Error}},
	}
}

// find returns the number of an Out port of the model.
func (r *Robot) find(name string) int {
	return slices.IndexFunc(r.Ports, func(p sim.Port) bool { return p.Name == name && p.Direction == sim.Out })
}
