package sim

import "fmt"

// Inputs takes commands to a model: it checks and clamps them, lets the ports of
// a group supersede one another without a jump, and moves the setpoints at no
// more than their greatest rate. It is not safe for concurrent use.
//
// Until the first command of a group the model keeps the setpoints it has.
type Inputs struct {
	model   Model
	limits  []*Limits // by port, nil for Out ports
	groups  []group
	groupOf []int
	drives  []drive // by group
	counts  [NumVerdicts]uint64
}

// drive is the state of a group: which of its ports decides, where the setpoint
// of that port is and where it goes.
type drive struct {
	port     int // -1 before the first command
	moving   bool
	setpoint []float64
	target   []float64
}

// NewInputs makes the Inputs of m. It panics if the limits of a port contradict
// one another or do not fit its width.
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
	return in
}

// newDrives makes drives that nobody has commanded yet.
func newDrives(groups []group) []drive {
	drives := make([]drive, len(groups))
	for g := range drives {
		w := groups[g].width
		drives[g] = drive{port: -1, setpoint: make([]float64, w), target: make([]float64, w)}
	}
	return drives
}

// Set makes v, clamped to the limits of the port, the target of the port's
// group. If another port drove the group so far, the ramp starts from what that
// amounts to on this port. A verdict that is not OK changes nothing. Set panics
// if port is not an In port.
func (in *Inputs) Set(port int, v []float64) Verdict {
	verdict := in.limit(port).Check(v)
	in.counts[verdict]++
	if verdict.OK() {
		in.aim(port, v)
	}
	return verdict
}

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
// the model where they changed. It belongs before every Model.Step. It does not
// allocate.
func (in *Inputs) Advance(dt float64) {
	for g := range in.drives {
		d := &in.drives[g]
		if !d.moving {
			continue
		}
		l := in.limits[d.port]
		n := len(l.min)
		d.moving = !l.slew(d.setpoint[:n], d.target[:n], dt)
		in.model.Command(d.port, d.setpoint[:n])
	}
}

// Moving reports whether a setpoint is still on its way to its target.
func (in *Inputs) Moving() bool {
	for g := range in.drives {
		if in.drives[g].moving {
			return true
		}
	}
	return false
}

// Counts is the number of commands that Set has given each verdict.
func (in *Inputs) Counts() [NumVerdicts]uint64 { return in.counts }

// limit returns the limits of an In port.
func (in *Inputs) limit(port int) *Limits {
	if port < 0 || port >= len(in.limits) || in.limits[port] == nil {
		panic(fmt.Sprintf("sim: port %d takes no commands", port))
	}
	return in.limits[port]
}

// aim makes v, which is finite and of the right length, the target of the group
// of port.
func (in *Inputs) aim(port int, v []float64) {
	d, l := &in.drives[in.groupOf[port]], in.limits[port]
	n := len(l.min)
	target := d.target[:n]
	copy(target, v)
	l.Clamp(target)
	if d.port != port {
		d.port = port
		setpoint := d.setpoint[:n]
		in.model.Setpoint(port, setpoint)
		l.Clamp(setpoint)
		if !finite(setpoint) { // the model cannot tell: there is nothing to start from
			copy(setpoint, target)
		}
	}
	d.moving = true
}

// release aims group g at its safe values.
func (in *Inputs) release(g int) {
	home := in.groups[g].home
	in.aim(home, in.limits[home].safe)
}

func (in *Inputs) releaseAll() {
	for g := range in.groups {
		in.release(g)
	}
}

// copyDrives copies the state of a group's drive; both have the same storage.
func copyDrives(dst, src []drive) {
	for g := range src {
		d := &dst[g]
		d.port, d.moving = src[g].port, src[g].moving
		copy(d.setpoint, src[g].setpoint)
		copy(d.target, src[g].target)
	}
}
