package sim

import (
	"fmt"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Inputs takes commands to a model: it checks and clamps them, lets the ports of
// a group supersede one another without a jump, and moves the setpoints at no
// more than their greatest rate. It is not safe for concurrent use.
//
// Until the first command of a group the model keeps the setpoints it has.
type Inputs struct {
	model   Model
	limits  []*Limits // by port, nil for Out ports
	groups  []group
	groupOf []int                      // group of each port, -1 for Out ports
	drives  [][]drive                  // by group and value
	scratch []float64                  // one command of the widest port
	counts  [NumCommandStatuses]uint64 // commands that Set has given each status
}

// drive is the state of one value of a group, in the units of the port that
// decides about it.
type drive struct {
	port     int     // index of the deciding port, noPort before the first command
	moving   bool    // whether the setpoint has yet to reach the target
	setpoint float64 // what the model obeys now
	target   float64 // where the setpoint goes
}

const noPort = -1

// NewInputs returns the Inputs of m. It panics if m.Ports breaks a rule of Port:
// a name that is missing or taken, limits that contradict one another or do not
// fit the width.
func NewInputs(m Model) *Inputs {
	ports := m.Ports()
	if err := checkPorts(ports); err != nil {
		panic("sim: " + err.Error())
	}
	in := &Inputs{model: m, limits: make([]*Limits, len(ports))}
	in.groups, in.groupOf = groupsOf(ports)
	for i := range ports {
		if ports[i].Direction == In {
			in.limits[i] = NewLimits(&ports[i])
		}
	}
	in.drives = newDrives(in.groups)
	for _, g := range in.groups {
		in.scratch = make([]float64, max(len(in.scratch), g.width))
	}
	return in
}

// newDrives makes the drives of groups before their first command.
func newDrives(groups []group) [][]drive {
	drives := make([][]drive, len(groups))
	for g := range drives {
		drives[g] = make([]drive, groups[g].width)
		for i := range drives[g] {
			drives[g][i].port = noPort
		}
	}
	return drives
}

// copyDrives copies the drives of the same groups.
func copyDrives(dst, src [][]drive) {
	for g := range src {
		copy(dst[g], src[g])
	}
}

// CopyFrom makes the setpoints, their targets and the counts those of other, which is of a
// model of the same robot. With the state of that model restored, both go on alike.
func (in *Inputs) CopyFrom(other *Inputs) {
	copyDrives(in.drives, other.drives)
	in.counts = other.counts
}

// Set makes v, in the units and of the width of In port number port, the target of
// the port's group. Values beyond the limits are clamped, and values that are Keep
// leave their target alone. Where another port decided so far, the ramp starts
// from what that amounts to on this port. A status that is not OK changes
// nothing. Set panics if port is not an In port.
func (in *Inputs) Set(port int, v []float64) CommandStatus {
	status := in.limit(port).Check(v)
	in.counts[status]++
	if status.OK() {
		in.setTarget(port, v)
	}
	return status
}

// Group returns the name of the group of an In port, as Release takes it.
func (in *Inputs) Group(port int) string { return in.groups[in.groupOf[port]].name }

// Release sends a group to the Safe values of its home port, at the greatest
// rate of that port. It panics if there is no such group.
func (in *Inputs) Release(group string) {
	for g := range in.groups {
		if in.groups[g].name == group {
			in.release(g)
			return
		}
	}
	panic(fmt.Sprintf("sim: no group %q", group))
}

// Advance moves the setpoints as far as they may move in dt seconds and commands
// the model where they changed. It is to be called before every Model.Step, with
// the same dt. It does not allocate.
func (in *Inputs) Advance(dt float64) {
	for g := range in.drives {
		if !moving(in.drives[g]) {
			continue
		}
		for _, port := range in.groups[g].ports {
			in.advance(port, in.drives[g], dt)
		}
	}
}

// advance moves the setpoints that port decides about by at most dt seconds.
func (in *Inputs) advance(port int, drives []drive, dt float64) {
	l := in.limits[port]
	command, changed := in.scratch[:l.width()], false
	for i := range command {
		d := &drives[i]
		if d.port != port {
			command[i] = Keep
			continue
		}
		if d.moving {
			d.setpoint = l.slew(i, d.setpoint, d.target, dt)
			d.moving = d.setpoint != d.target
			changed = true
		}
		command[i] = d.setpoint
	}
	if changed {
		in.model.Command(port, command)
	}
}

// Moving reports whether a setpoint is still on its way to its target.
func (in *Inputs) Moving() bool { return slices.ContainsFunc(in.drives, moving) }

// moving reports whether one of the drives has yet to reach its target.
func moving(drives []drive) bool {
	for i := range drives {
		if drives[i].moving {
			return true
		}
	}
	return false
}

// Counts returns the number of commands that Set has given each status.
func (in *Inputs) Counts() [NumCommandStatuses]uint64 { return in.counts }

// limit returns the limits of an In port.
func (in *Inputs) limit(port int) *Limits {
	if port < 0 || port >= len(in.limits) || in.limits[port] == nil {
		panic(fmt.Sprintf("sim: port %d takes no commands", port))
	}
	return in.limits[port]
}

// setTarget makes v, which Check allows, the target of the group of port.
func (in *Inputs) setTarget(port int, v []float64) {
	g := in.groupOf[port]
	drives, l := in.drives[g], in.limits[port]
	now := in.present(port)
	if !in.groups[g].byValue && drives[0].port != port {
		for i := range drives {
			drives[i] = drive{port: noPort}
		}
		for i := range v { // the port takes over all values as they are
			drives[i] = takeOver(port, now[i])
		}
	}
	for i, x := range v {
		if IsKeep(x) {
			continue
		}
		d := &drives[i]
		if d.port != port {
			*d = takeOver(port, now[i])
		}
		d.target, d.moving = l.clamp(i, x), true
	}
}

// present returns the present setpoints of the actuators in terms of a port, within its limits.
// Where the model does not return a value, it is the safe value, or 0 if that is Keep. The
// slice is valid until the next call.
func (in *Inputs) present(port int) []float64 {
	l := in.limits[port]
	now := in.scratch[:l.width()]
	in.model.Setpoint(port, now)
	for i, x := range now {
		if !spatial.IsFinite(x) {
			x = l.safe[i]
		}
		if IsKeep(x) {
			x = 0
		}
		now[i] = l.clamp(i, x)
	}
	return now
}

// takeOver returns a drive that port holds at setpoint.
func takeOver(port int, setpoint float64) drive {
	return drive{port: port, moving: true, setpoint: setpoint, target: setpoint}
}

// holdLimits brings the targets within limits that have changed.
func (in *Inputs) holdLimits() {
	for g := range in.drives {
		for i := range in.drives[g] {
			d := &in.drives[g][i]
			if d.port == noPort {
				continue
			}
			if within := in.limits[d.port].clamp(i, d.target); within != d.target {
				d.target, d.moving = within, true
			}
		}
	}
}

// release sends group g to the Safe values of its home port, at the greatest rate
// of that port.
func (in *Inputs) release(g int) {
	home := in.groups[g].home()
	safe := in.limits[home].safe
	in.setTarget(home, safe)
	if !in.groups[g].byValue {
		return
	}
	for i := range safe { // what has no safe value stops where it is
		if d := &in.drives[g][i]; IsKeep(safe[i]) {
			d.target, d.moving = d.setpoint, false
		}
	}
}

// releaseAll releases every group, and stops what has no safe value where it is, wherever it
// was sent.
func (in *Inputs) releaseAll() {
	for g := range in.groups {
		in.stop(g)
		in.release(g)
	}
}

// stop makes where they are the setpoints of the values of group g that have no safe one and
// are decided by its home port or, value by value, by any.
func (in *Inputs) stop(g int) {
	home, drives := in.groups[g].home(), in.drives[g]
	m, ok := As[Stopper](in.model)
	if !ok {
		return
	}
	m.Stop(home) // release takes over from other ports at what this leaves
	if !in.groups[g].byValue && drives[0].port != home {
		return
	}
	for i, safe := range in.limits[home].safe {
		if d := &drives[i]; IsKeep(safe) && d.port != noPort {
			d.setpoint = in.present(d.port)[i]
			d.target, d.moving = d.setpoint, false
		}
	}
}
