package identify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// run simulates trials with one model.
type run struct {
	model   *Model
	shown   int // Out port of the pose that is measured, unless a trial has its own
	port    int // that of the trial
	initial []float64
	place   spatial.Pose // place of the frame that the hardware is measured in
	latency float64      // s
	value   [7]float64
	drive   drive

	tensions, count int // Out port of the joints, −1: none; and how many of them are tendons
	joints          []float64

	markers     int       // Out port of the markers, −1: none
	poses       []float64 // of that port
	before, now []spatial.Vec
}

// measuredMarkers is the Out port of the poses of markers.
const measuredMarkers = "markers_measured"

var errNoPose = errors.New("the robot shows no pose that could be measured")

func newRun(m *Model) (*run, error) {
	r := &run{model: m, shown: -1, markers: -1, tensions: -1, initial: make([]float64, m.StateLen())}
	motors := 0
	for i, p := range m.Ports() {
		if p.Name == m.Port && p.Kind == sim.Pose && p.Direction == sim.Out {
			r.shown = i
		}
		if p.Kind == sim.JointState && p.Direction == sim.Out && p.Parts == sim.Position|sim.Velocity|sim.Effort {
			r.tensions, r.count, r.joints = i, len(p.Labels), make([]float64, p.Width())
		}
		if p.IsMotors() { // they follow the tendons
			motors = len(p.Labels)
		}
		if p.Name == measuredMarkers {
			r.markers, r.poses = i, make([]float64, p.Width())
			r.before, r.now = make([]spatial.Vec, len(p.Labels)), make([]spatial.Vec, len(p.Labels))
		}
	}
	if r.port = r.shown; r.port < 0 {
		return nil, errNoPose
	}
	if mechanism, ok := sim.As[sim.Mechanism](m.Model); ok {
		motors = 0
		for _, j := range mechanism.Joints() {
			motors += len(j.Coordinates)
		}
	}
	r.count -= motors
	r.drive = newDrive(m.Hardware.Tendons, m.Ports())
	m.Save(r.initial)
	return r, nil
}

// take is how a recording was measured.
func (r *run) take(tr *Trial) {
	h, name := &r.model.Hardware, path.Base(tr.Name)
	r.place, r.latency = h.FramePoseOf(name), h.ExtraLatency(name)
	if h.Latency != nil {
		r.latency += *h.Latency
	}
	r.port = r.shown
	for i, p := range r.model.Ports() {
		if tr.Port != "" && p.Name == tr.Port && p.Direction == sim.Out {
			r.port = i
		}
	}
}

// look sees where the markers are now, if the trial has any, and keeps where they were.
func (r *run) look(tr *Trial) {
	if len(tr.markers) == 0 {
		return
	}
	r.before, r.now = r.now, r.before
	r.model.Value(r.markers, r.poses)
	for k := range r.now {
		r.now[k] = vec(r.poses[7*k:])
	}
}

// pose is where the robot is now.
func (r *run) pose() spatial.Pose {
	r.model.Value(r.port, r.value[:])
	q := spatial.Quat{X: r.value[3], Y: r.value[4], Z: r.value[5], W: r.value[6]}
	return spatial.Pose{R: q.Rot(), P: vec(r.value[:3])}
}

// trial predicts one trial from the initial state.
func (r *run) trial(ctx context.Context, tr *Trial, dst []deviation) error {
	if err := r.begin(tr); err != nil {
		return err
	}
	if tr.Static {
		return r.equilibria(ctx, tr, dst)
	}
	return r.motion(ctx, tr, dst)
}

// begin goes back to the initial state, to predict a trial.
func (r *run) begin(tr *Trial) error {
	r.take(tr)
	return r.model.Restore(r.initial)
}

// rampS is a time in which every setpoint is reached, s.
const rampS = 1e12

// equilibria finds the equilibrium of each row, starting from the equilibrium of the
// row before.
func (r *run) equilibria(ctx context.Context, tr *Trial, dst []deviation) error {
	m, ok := r.model.settler()
	if !ok {
		return errNoEquilibrium
	}
	in := sim.NewInputs(r.model.Model)
	for k := range tr.rows[:tr.measuredUntil()] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.equilibrium(tr, k, in, m.Equilibrate, dst); err != nil {
			return err
		}
	}
	return nil
}

// equilibrium applies the commands of row k of the trial and finds the equilibrium by find. For a
// history-dependent robot it also computes rows without a measurement.
func (r *run) equilibrium(tr *Trial, k int, in *sim.Inputs, find func() error, dst []deviation) error {
	row := &tr.rows[k]
	for _, port := range row.commands.Ports() {
		r.drive.command(in, port, row.commands[port])
	}
	in.Advance(rampS)
	if !row.measured && !r.model.isHistoryDependent() {
		if m, ok := sim.As[motorised](r.model.Model); ok { // what turns there takes the pulleys along
			m.SettleJoints()
		}
		return nil
	}
	if err := find(); err != nil {
		return fmt.Errorf("row %d: %w", k+1, err)
	}
	if row.measured {
		r.look(tr)
		dst[k] = r.compare(tr, row, r.pose(), 1)
	}
	return nil
}

// measuredUntil is the number of rows up to the last one in which something was measured.
func (tr *Trial) measuredUntil() int {
	n := len(tr.rows)
	for n > 0 && !tr.rows[n-1].measured {
		n--
	}
	return n
}

// stepsPerCheck is the number of steps between two looks at the context.
const stepsPerCheck = 1000

// motion steps through the trial. Commands act from the first step that starts at
// or after their time; poses between two steps are interpolated.
func (r *run) motion(ctx context.Context, tr *Trial, dst []deviation) error {
	in, player := sim.NewInputs(r.model.Model), tr.commands.Play()
	player.Through = r.drive.command
	if m, ok := r.model.settler(); ok && r.model.InEquilibrium && !tr.jumps {
		player.Apply(0, in)
		in.Advance(rampS)
		if err := m.Equilibrate(); err != nil {
			return err
		}
	}
	dt := r.model.StepS
	now := r.pose()
	r.look(tr)
	r.look(tr)                          // before was as now
	row, until := 0, tr.measuredUntil() // the next row to compare, and behind the last one
	for n := 0; ; n++ {
		t := float64(n) * dt
		before := now
		if n%stepsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n > 0 {
			in.Advance(dt)
			if err := r.model.Step(dt); err != nil {
				return named(err, t-dt)
			}
			now = r.pose()
			r.look(tr)
		}
		for ; row < until && tr.rows[row].t-r.latency <= t+trajectory.TimeTolerance; row++ {
			if tr.rows[row].measured {
				share := min(1, max(0, (tr.rows[row].t-r.latency-t+dt)/dt))
				dst[row] = r.compare(tr, &tr.rows[row], between(before, now, share), share)
			}
		}
		if row == until {
			return nil
		}
		player.Apply(t, in)
	}
}

// named adds the time of a step (s) to its error, unless the model has named it.
func named(err error, t float64) error {
	if strings.Contains(err.Error(), "t = ") {
		return err
	}
	return fmt.Errorf("t = %g s: %w", t, err)
}

// between is the pose at a share of the way from a to b, which are a step apart.
func between(a, b spatial.Pose, share float64) spatial.Pose {
	if share == 1 {
		return b
	}
	turn := a.R.TMul(b.R).Log().Scale(share)
	return spatial.Pose{R: a.R.Mul(spatial.ExpRot(turn)), P: a.P.AddScaled(share, b.P.Sub(a.P))}
}

// load is the sum of the tensions now, N; NaN where the robot has none.
func (r *run) load() (sum float64) {
	if r.tensions < 0 {
		return math.NaN()
	}
	r.model.Value(r.tensions, r.joints)
	for _, v := range r.joints[len(r.joints)/3*2:][:r.count] {
		sum += v
	}
	return sum
}

// compare is prediction minus measurement, in the world: with the tip at p, at a share of the
// last step.
func (r *run) compare(tr *Trial, row *trialRow, p spatial.Pose, share float64) (d deviation) {
	d.frame, d.at, d.load, d.late = r.place.R, p.P, r.load(), r.latency
	if len(row.markers) > 0 {
		d.markers, d.markersAt = make([]spatial.Vec, len(row.markers)), make([]spatial.Vec, len(row.markers))
		for k, x := range row.markers {
			i := tr.markers[k].index
			at := r.before[i].AddScaled(share, r.now[i].Sub(r.before[i]))
			if share == 1 {
				at = r.now[i]
			}
			d.markersAt[k], d.markers[k] = at, at.Sub(r.place.Apply(x))
		}
	}
	if !row.posed {
		return d
	}
	if !tr.unplaced {
		d.p = tr.inPlane(r.place.R, p.P.Sub(r.place.Apply(row.pose.p)))
	}
	if row.pose.r != (spatial.Mat3{}) {
		measured := r.place.R.Mul(row.pose.r)
		if r.place.R.Det() < 0 {
			measured = measured.Mul(r.model.Hardware.Mirror())
		}
		d.r = p.R.MulT(measured).Log()
	}
	return d
}

// inPlane leaves the part of a vector in the world out that was not measured, in a frame turned by r: of a trial in a plane, that along z.
func (tr *Trial) inPlane(r spatial.Mat3, v spatial.Vec) spatial.Vec {
	if !tr.planar {
		return v
	}
	v = r.ApplyT(v)
	return r.Apply(spatial.Vec{X: v.X, Y: v.Y})
}
