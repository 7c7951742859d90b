package observer

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// role is what a port of the estimate is.
type role uint8

const (
	tipPose role = iota
	nodePoses
	contactFrame
	contactWrench
	parameters
	hardwareInput
)

// Names of ports of the robot, and what those of the estimate have before theirs.
const (
	tipPort      = "measured_cp"
	backbonePort = "backbone"
	prefix       = sim.EstimateTopics
)

// Frames of the estimate: of the tip, and where the force acts, with the axes of the world.
const (
	estimatedTip = prefix + "tip"
	contactPoint = prefix + "contact"
)

// estimate is what the ports show: of the mean of the members.
type estimate struct {
	force pointForce
	tip   []float64 // pose and covariance
	nodes []float64

	isTip, isNodes bool // they have been found

	arcs     []float64   // of the nodes, m
	backbone int         // number of the port
	values   [][]float64 // of it, by member
	turns    [3][]float64
	rows     [6][]float64
}

// addPorts adds the ports of the estimate.
func (o *Model) addPorts() {
	x := &o.estimate
	n := len(o.members)
	x.backbone = slices.IndexFunc(o.ports, func(p sim.Port) bool { return p.Name == backbonePort })
	nodes := o.members[0].Ports()[x.backbone]
	x.arcs = o.members[0].ArcLengths()
	x.nodes = make([]float64, nodes.Width())
	x.tip = make([]float64, sim.PoseWidth+sim.CovarianceWidth)
	for range n {
		x.values = append(x.values, make([]float64, len(x.nodes)))
	}
	for c := range x.turns {
		x.turns[c] = make([]float64, n)
	}
	for c := range x.rows {
		x.rows[c] = make([]float64, o.filter.rank)
	}
	world := []string{sim.World}
	o.addPort(tipPose, sim.Port{Name: tipPort, Kind: sim.Pose, Unit: "m", Frames: world, Child: estimatedTip, Parent: sim.World, Covariance: true})
	o.addPort(nodePoses, sim.Port{Name: backbonePort, Kind: sim.PoseArray, Unit: "m", Labels: nodes.Labels, Frames: world})
	if len(o.unknown.stations) > 0 {
		o.addPort(contactFrame, sim.Port{Name: "contact", Kind: sim.Pose, Unit: "m", Frames: world, Child: contactPoint, Parent: sim.World, Silent: true})
		o.addPort(contactWrench, sim.Port{Name: "external_wrench", Kind: sim.Wrench, Unit: "N, N m", Frames: []string{contactPoint}})
	}
	p := sim.Port{Name: "parameters", Kind: sim.Named}
	var units []string
	for _, c := range o.parameterNames() {
		p.Labels = append(p.Labels, c.Name, c.Name+".deviation")
		p.Units = append(p.Units, c.Unit, c.Unit)
		if !slices.Contains(units, c.Unit) {
			units = append(units, c.Unit)
		}
	}
	for i, u := range units {
		if i > 0 {
			p.Unit += ", "
		}
		p.Unit += u
	}
	o.addPort(parameters, p)
}

func (o *Model) addPort(r role, p sim.Port) {
	p.Name, p.Direction = prefix+p.Name, sim.Out
	o.ports, o.roles = append(o.ports, p), append(o.roles, r)
}

// parameterNames names the unknown numbers with their units: the force first.
func (o *Model) parameterNames() (all []sim.Component) {
	u := &o.unknown
	if len(u.stations) > 0 {
		all = append(all, sim.Component{Name: "force.x", Unit: "N"}, sim.Component{Name: "force.y", Unit: "N"}, sim.Component{Name: "force.z", Unit: "N"})
	}
	if len(u.stations) > 1 {
		all = append(all, sim.Component{Name: "arc_length", Unit: "m"})
	}
	for k := 3 * len(u.stations); k < len(u.list); k++ {
		all = append(all, sim.Component{Name: u.list[k].name, Unit: u.list[k].unit})
	}
	return all
}

// refresh finds anew what the estimate is.
func (o *Model) refresh() {
	x := &o.estimate
	x.isTip, x.isNodes = false, false
}

func (p *pointForce) isFinite() bool {
	return p.force.IsFinite() && p.forceDeviation.IsFinite() && spatial.IsFinite(p.place) && spatial.IsFinite(p.placeDeviation)
}

// anyPlace is a force of which no place is more probable than another: as long as there is none.
func (o *Model) anyPlace() (p pointForce) {
	u := &o.unknown
	var mean, deviation [3]float64
	for axis := range 3 {
		clear(o.row)
		for k := range u.stations {
			floats.Add(o.row, u.list[3*k+axis].values)
		}
		mean[axis], deviation[axis] = floats.Sum(o.row)/float64(len(o.row)), math.Sqrt(o.filter.variance(o.row))
	}
	return pointForce{force: spatial.VecAt(mean[:]), forceDeviation: spatial.VecAt(deviation[:]), place: o.places.length / 2, placeDeviation: o.places.length / math.Sqrt(12), probability: 1}
}

// Value implements sim.Model.
func (o *Model) Value(i int, dst []float64) {
	if i < o.outside {
		o.Model.Value(i, dst)
		return
	}
	x := &o.estimate
	switch o.roles[i-o.outside] {
	case tipPose:
		o.showTip()
		copy(dst, x.tip)
	case nodePoses:
		o.showNodes()
		copy(dst, x.nodes)
	case contactFrame:
		o.showNodes()
		x.contact().Put(dst)
		dst[3], dst[4], dst[5], dst[6] = 0, 0, 0, 1
	case contactWrench:
		x.force.force.Put(dst)
		spatial.Vec{}.Put(dst[3:])
	case parameters:
		o.showParameters(dst)
	}
}

// showTip finds the pose of the tip with its covariance.
func (o *Model) showTip() {
	x := &o.estimate
	if x.isTip {
		return
	}
	x.isTip = true
	tip := &o.outputs[0]
	for i, m := range o.members {
		m.Value(tip.port, tip.values[i])
	}
	o.meanPose(x.tip, tip.values, 0)
	for c := range 3 {
		for i := range o.members {
			o.row[i] = tip.values[i][c]
		}
		o.filter.coordinates(x.rows[c], o.row)
		o.filter.coordinates(x.rows[3+c], x.turns[c])
	}
	for a := range 6 {
		for b := range 6 {
			x.tip[sim.PoseWidth+6*a+b] = floats.Dot(x.rows[a], x.rows[b])
		}
	}
}

// showNodes finds the poses of the nodes.
func (o *Model) showNodes() {
	x := &o.estimate
	if x.isNodes {
		return
	}
	x.isNodes = true
	for i, m := range o.members {
		m.Value(x.backbone, x.values[i])
	}
	for first := 0; first < len(x.nodes); first += sim.PoseWidth {
		o.meanPose(x.nodes[first:], x.values, first)
	}
}

// meanPose writes the mean of the poses that the members have at the index first of values to dst. Their rotations from that of the first
// member, about world axes, are then in turns.
func (o *Model) meanPose(dst []float64, values [][]float64, first int) {
	x := &o.estimate
	share := 1 / float64(len(o.members))
	about := spatial.QuatAt(values[0][first+3:]).Rot()
	var place, turn spatial.Vec
	for i := range values {
		v := values[i][first:]
		place = place.AddScaled(share, spatial.VecAt(v))
		t := about.Apply(about.TMul(spatial.QuatAt(v[3:]).Rot()).Log())
		x.turns[0][i], x.turns[1][i], x.turns[2][i] = t.X, t.Y, t.Z
		turn = turn.AddScaled(share, t)
	}
	place.Put(dst)
	spatial.ExpRot(turn).Mul(about).Quat().Put(dst[3:])
}

// contact is where the force acts: on the cubic curve through the nodes, along their axes.
func (x *estimate) contact() spatial.Vec {
	last := len(x.arcs) - 1
	k := 0
	for k < last-1 && x.force.place > x.arcs[k+1] {
		k++
	}
	h := x.arcs[k+1] - x.arcs[k]
	s := min(max((x.force.place-x.arcs[k])/h, 0), 1)
	a, b := x.nodes[sim.PoseWidth*k:], x.nodes[sim.PoseWidth*(k+1):]
	p, q := spatial.VecAt(a), spatial.VecAt(b)
	along := q.Sub(p).Norm() // the length of the chord in place of h: the rod may be longer than undeformed
	u, v := spatial.QuatAt(a[3:]).Rot().Col3().Scale(along), spatial.QuatAt(b[3:]).Rot().Col3().Scale(along)
	t, t3 := s*s, s*s*s
	return p.Scale(2*t3-3*t+1).AddScaled(t3-2*t+s, u).AddScaled(3*t-2*t3, q).AddScaled(t3-t, v)
}

// showParameters writes the unknown numbers, each with its standard deviation.
func (o *Model) showParameters(dst []float64) {
	u, f := &o.unknown, &o.estimate.force
	put := func(mean, deviation float64) {
		dst[0], dst[1] = mean, deviation
		dst = dst[2:]
	}
	if len(u.stations) > 0 {
		put(f.force.X, f.forceDeviation.X)
		put(f.force.Y, f.forceDeviation.Y)
		put(f.force.Z, f.forceDeviation.Z)
	}
	if len(u.stations) > 1 {
		put(f.place, f.placeDeviation)
	}
	for k := 3 * len(u.stations); k < len(u.list); k++ {
		x := u.list[k].values
		mean, deviation := floats.Sum(x)/float64(len(x)), math.Sqrt(o.filter.variance(x))
		if k == u.stiffness { // of which it is the logarithm
			mean = math.Exp(mean)
			deviation *= mean
		}
		put(mean, deviation)
	}
}

// lostHint is what a lost estimate means, and what helps.
const lostHint = "1: the measurements of the last second do not fit the model, or a prediction failed and the estimate began anew;" +
	" compare the innovations of the sensors, and make observer.force.walk_n or the noise of the sensor with the largest one larger"

// addGauges adds the gauges of the estimate.
func (o *Model) addGauges() {
	o.gauges = slices.Clone(o.Model.Gauges())
	o.measured = len(o.gauges)
	for _, name := range o.file.Sensors {
		o.gauges = append(o.gauges, sim.Gauge{Key: "innovation_" + robotfile.TopicOf(name), Unit: "1"}, sim.Gauge{Key: "outliers_" + robotfile.TopicOf(name)},
			sim.Gauge{Key: "late_" + robotfile.TopicOf(name)})
	}
	o.gauges = append(o.gauges, sim.Gauge{Key: "estimate_lost", Warn: 0.5, Hint: lostHint})
}

// Gauges implements sim.Model.
func (o *Model) Gauges() []sim.Gauge { return o.gauges }

// Measure implements sim.Model.
func (o *Model) Measure(dst []float64) {
	o.Model.Measure(dst[:o.measured])
	dst = dst[o.measured:]
	for k := range o.sensors {
		s := &o.sensors[k]
		dst[0], dst[1], dst[2] = s.recent.mean(), float64(s.refused), float64(s.late)
		dst = dst[3:]
	}
	dst[0] = 0
	if o.IsLost() {
		dst[0] = 1
	}
}

// IsLost reports whether the estimate is not to be trusted: a prediction has failed in the last second, or the measurements of a sensor are
// outliers on average.
func (o *Model) IsLost() bool {
	if o.time < o.lost {
		return true
	}
	for k := range o.sensors {
		if s := &o.sensors[k]; s.recent.mean()*float64(s.width) > s.limit {
			return true
		}
	}
	return false
}
