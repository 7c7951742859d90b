package reference

import (
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// input is an In port of a field.
type input struct {
	what   quantity
	magnet int  // its number, of a magnetPose
	named  bool // the magnetPose of its name
}

type quantity uint8

const (
	fieldGradient quantity = iota
	field
	rotatingField
	coilCurrents
	magnetPose
)

// Groups of the ports. The field is one actuator whatever kind of command sets it; coils
// add to it.
const (
	fieldGroup = "field"
	coilGroup  = "coil_currents"
	poseTopic  = "magnet_pose" // also the group of its port
)

// Bounds on commands that mean what they say.
const (
	maxGradient  = 1e4 // T/m
	maxFrequency = 1e6 // Hz
	teslaHint    = "the unit is tesla: 5 mT is 0.005"
	ampereHint   = "a coil alone makes 1 T there; the unit is ampere: 5000 mA are 5"
)

// listInputs lists what can be commanded: of the magnets the first one and those with
// names. The first one with a name has two ports, of one group: the newest command counts.
func (f *Field) listInputs() []input {
	all := []input{{what: fieldGradient}, {what: field}, {what: rotatingField}}
	if f.coils != nil {
		all = append(all, input{what: coilCurrents})
	}
	for i := range f.Magnets {
		if i == 0 {
			all = append(all, input{what: magnetPose})
		}
		if f.Magnets[i].Name != "" {
			all = append(all, input{what: magnetPose, magnet: i, named: true})
		}
	}
	return all
}

// Ports returns the In ports, by which Command and Setpoint number them. The first of the
// group of fields is its home: without commands field and gradient go to 0. A magnet stays
// where it is, for there is no safe place to go to.
func (f *Field) Ports() []sim.Port {
	all := make([]sim.Port, len(f.inputs))
	for i := range all {
		all[i] = f.port(&f.inputs[i])
	}
	return all
}

// port describes an input.
func (f *Field) port(in *input) sim.Port {
	command := func(name string, k sim.Kind, unit, group string) sim.Port {
		return sim.Port{Name: name, Kind: k, Direction: sim.In, Unit: unit, Group: group, Frames: []string{sim.World}}
	}
	switch in.what {
	case fieldGradient:
		return bounded(command("field_gradient", sim.FieldGradient, "T, T/m", fieldGroup),
			slices.Concat(repeat(f.file.MaxField, 3), repeat(f.file.MaxGradient, 5)),
			slices.Concat(repeat(magnetics.MaxField, 3), repeat(maxGradient, 5)))
	case field:
		return bounded(command("field", sim.Field, "T", fieldGroup), repeat(f.file.MaxField, 3), repeat(magnetics.MaxField, 3))
	case rotatingField:
		p := command("rotating_field", sim.RotatingField, "T, Hz", fieldGroup)
		p.Plain = "rotating_field_array"
		axis := repeat(math.Inf(1), 3)
		return bounded(p, slices.Concat(axis, []float64{f.file.MaxField, f.file.MaxFrequency, f.file.MaxField}),
			slices.Concat(axis, []float64{magnetics.MaxField, maxFrequency, magnetics.MaxField}))
	case coilCurrents:
		p := command("coil_currents", sim.Currents, "A", coilGroup)
		p.Frames, p.Labels = nil, f.coils.Names()
		p.Max = repeat(f.file.CoilMaxCurrent, len(p.Labels))
		p.Min = negative(p.Max)
		for i := range p.Labels {
			p.Plausible = append(p.Plausible, f.coils.MaxCurrent(i))
		}
		p.Hint = ampereHint
		return p
	}
	p := PosePort(poseTopic, f.reach)
	if in.named {
		p.Name += "/" + f.Magnets[in.magnet].Name
	}
	if in.magnet > 0 {
		p.Group = p.Name
	}
	return p
}

// bounded returns p with values clamped to ±most, and refused beyond ±credible, which are in another unit than
// tesla.
func bounded(p sim.Port, most, credible []float64) sim.Port {
	p.Min, p.Max, p.Plausible, p.Hint = negative(most), most, credible, teslaHint
	return p
}

func repeat(x float64, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = x
	}
	return v
}

func negative(v []float64) []float64 {
	n := make([]float64, len(v))
	for i, x := range v {
		n[i] = -x
	}
	return n
}

// Command makes v the setpoint of In port i; values that are Keep stay. A field command
// sets the field at the gradient's centre and ends a rotation; it leaves the gradient. A
// rotating field replaces the field and leaves the gradient; its phase continues from the
// last one. An axis without direction leaves the axis. The lag of coils delays currents
// alone: a commanded field is what coils make.
func (f *Field) Command(i int, v []float64) {
	in := &f.inputs[i]
	switch in.what {
	case coilCurrents:
		for k, x := range v {
			if !sim.IsKeep(x) {
				f.Targets[k] = x
			}
		}
		return
	case magnetPose:
		f.Magnets[in.magnet].motion.Command(v, f.time)
		return
	}
	var buffer [8]float64
	now := buffer[:len(v)]
	f.Setpoint(i, now)
	for k, x := range v {
		if !sim.IsKeep(x) {
			now[k] = x
		}
	}
	switch in.what {
	case field:
		f.set(spatial.VecAt(now), f.target().Gradient)
	case fieldGradient:
		f.set(spatial.VecAt(now), takeGradient(now[3:]))
	case rotatingField:
		f.rotate(now)
	}
}

// Stop ends the way of the magnet of In port i; all else is where it was sent.
func (f *Field) Stop(i int) {
	if in := &f.inputs[i]; in.what == magnetPose {
		m := &f.Magnets[in.magnet]
		m.motion.Send(m.Pose, f.time)
	}
}

// Setpoint writes the command on In port i that would change nothing now. A rotating field
// amounts to the field that it is now.
func (f *Field) Setpoint(i int, dst []float64) {
	switch in := &f.inputs[i]; in.what {
	case field:
		f.target().Field.Put(dst)
	case fieldGradient:
		to := f.target()
		to.Field.Put(dst)
		putGradient(dst[3:], to.Gradient)
	case rotatingField:
		f.Rotating.put(dst)
	case coilCurrents:
		copy(dst, f.Targets)
	case magnetPose:
		to := f.Magnets[in.magnet].motion.Target()
		to.P.Put(dst)
		to.R.Quat().Put(dst[3:])
	}
}
