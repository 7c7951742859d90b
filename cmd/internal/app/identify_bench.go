package app

import (
	"context"
	"errors"
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/spatial"
)

// bench predicts trials with a robot whose parameters change. It is not safe for
// concurrent use; every worker has its own.
type bench struct {
	ctx    context.Context // ends predictions too
	robot  *Robot
	file   File // complete, so that every number can be set
	frees  []free
	trials []*trial
	turn   float64 // m/rad, the weight of rotations
}

// newBench makes a bench for a complete robot file.
func newBench(ctx context.Context, robot *Robot, complete []byte, frees []free, trials []*trial, turn float64) *bench {
	b := &bench{ctx: ctx, robot: robot, file: robot.File(), frees: frees, trials: trials, turn: turn}
	b.file.Merge("robot file", complete)
	return b
}

// set lays parameters over the robot file.
func (b *bench) set(x []float64) {
	for _, f := range b.frees {
		n := len(f.parameters)
		for _, a := range f.assign(x[:n]) {
			b.file.Set(a.path, a.value, "identify")
		}
		x = x[n:]
	}
}

// deviation is how far the prediction of a measured row is from it: of position,
// m, and rotation, rad, both in world axes.
type deviation struct{ p, r spatial.Vec }

// predict returns the deviation of every measured row of every trial.
func (b *bench) predict(x []float64) ([][]deviation, error) {
	b.set(x)
	made, err := b.file.Make()
	if err != nil {
		return nil, err
	}
	r, err := newRig(made, b.robot.Shown)
	if err != nil {
		return nil, err
	}
	all := make([][]deviation, len(b.trials))
	for i, tr := range b.trials {
		all[i] = make([]deviation, len(tr.rows))
		if err := r.run(b.ctx, tr, all[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", tr.name, err)
		}
	}
	return all, nil
}

// residuals is fit.Residuals of the rows that are held out, or of the others.
func (b *bench) residuals(held bool) fit.Residuals {
	return func(x, dst []float64) error {
		all, err := b.predict(x)
		if err != nil {
			return err
		}
		for i, tr := range b.trials {
			for k := range tr.rows {
				if row := &tr.rows[k]; row.measured && row.held == held {
					dst = b.put(dst, tr, &all[i][k])
				}
			}
		}
		return nil
	}
}

// put writes the residuals of one row and returns what is left of dst.
func (b *bench) put(dst []float64, tr *trial, d *deviation) []float64 {
	dst[0], dst[1], dst[2] = d.p.X, d.p.Y, d.p.Z
	if b.turn == 0 || !tr.rotations {
		return dst[3:]
	}
	dst[3], dst[4], dst[5] = b.turn*d.r.X, b.turn*d.r.Y, b.turn*d.r.Z
	return dst[6:]
}

// count is the number of residuals.
func (b *bench) count(held bool) (n int) {
	for _, tr := range b.trials {
		for k := range tr.rows {
			if row := &tr.rows[k]; row.measured && row.held == held {
				n += 3
				if b.turn > 0 && tr.rotations {
					n += 3
				}
			}
		}
	}
	return n
}

// settler is a model that finds its own equilibrium.
type settler interface{ Equilibrate() error }

// rig is a robot under test.
type rig struct {
	made    *Made
	shown   int // the port of the pose that is measured
	initial []float64
	place   spatial.Pose // of the frame that the hardware is measured in
	latency float64
	value   [7]float64
}

var errNoPose = errors.New("the robot shows no pose that could be measured")

func newRig(made *Made, shown string) (*rig, error) {
	r := &rig{made: made, shown: -1, initial: make([]float64, made.Model.StateLen())}
	for i, p := range made.Model.Ports() {
		if p.Name == shown && p.Kind == sim.Pose && p.Direction == sim.Out {
			r.shown = i
		}
	}
	if r.shown < 0 {
		return nil, errNoPose
	}
	h := &made.Hardware
	r.place = spatial.Pose{R: h.Orientation.Rot(), P: h.Position}
	if h.Latency != nil {
		r.latency = *h.Latency
	}
	made.Model.Save(r.initial)
	return r, nil
}

// pose is where the robot is now.
func (r *rig) pose() spatial.Pose {
	r.made.Model.Value(r.shown, r.value[:])
	q := spatial.Quat{X: r.value[3], Y: r.value[4], Z: r.value[5], W: r.value[6]}
	return spatial.Pose{R: q.Rot(), P: vec(r.value[:3])}
}

// run predicts one trial from the initial state.
func (r *rig) run(ctx context.Context, tr *trial, dst []deviation) error {
	if err := r.made.Model.Restore(r.initial); err != nil {
		return err
	}
	if tr.still {
		return r.runStill(ctx, tr, dst)
	}
	return r.runMoving(ctx, tr, dst)
}

// longEnough is a time in which every setpoint is reached, s.
const longEnough = 1e12

// runStill finds the equilibrium of each row, from that of the row before.
func (r *rig) runStill(ctx context.Context, tr *trial, dst []deviation) error {
	m, ok := r.made.Model.(settler)
	if !ok {
		return errNotStill
	}
	in := sim.NewInputs(r.made.Model)
	for k := range tr.rows {
		row := &tr.rows[k]
		for port, v := range row.commands {
			in.Set(port, v)
		}
		in.Advance(longEnough)
		if !row.measured {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.Equilibrate(); err != nil {
			return fmt.Errorf("row %d: %w", k+1, err)
		}
		dst[k] = r.compare(row, r.pose())
	}
	return nil
}

var errNotStill = errors.New("rows without t are equilibria, which this robot does not have; add the column t")

// watched is the number of steps between two looks at the context.
const watched = 1000

// runMoving steps through the trial. Commands act from the first step that starts
// at or after their time; poses between two steps are interpolated.
func (r *rig) runMoving(ctx context.Context, tr *trial, dst []deviation) error {
	in, script := sim.NewInputs(r.made.Model), tr.script
	if m, ok := r.made.Model.(settler); ok && r.made.Settled {
		script.apply(0, in)
		in.Advance(longEnough)
		if err := m.Equilibrate(); err != nil {
			return err
		}
	}
	dt := r.made.Timing.StepS
	now := r.pose()
	row := 0 // to compare
	for n := 0; ; n++ {
		t := float64(n) * dt
		before := now
		if n%watched == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n > 0 {
			in.Advance(dt)
			if err := r.made.Model.Step(dt); err != nil {
				return fmt.Errorf("t = %g s: %w", t-dt, err)
			}
			now = r.pose()
		}
		for ; row < len(tr.rows) && tr.rows[row].t-r.latency <= t+rowEarly; row++ {
			if tr.rows[row].measured {
				share := min(1, max(0, (tr.rows[row].t-r.latency-t+dt)/dt))
				dst[row] = r.compare(&tr.rows[row], between(before, now, share))
			}
		}
		if row == len(tr.rows) {
			return nil
		}
		script.apply(t, in)
	}
}

// between is the pose at a share of the way from a to b, which are a step apart.
func between(a, b spatial.Pose, share float64) spatial.Pose {
	if share == 1 {
		return b
	}
	turn := a.R.TMul(b.R).Log().Scale(share)
	return spatial.Pose{R: a.R.Mul(spatial.ExpRot(turn)), P: a.P.AddScaled(share, b.P.Sub(a.P))}
}

// compare is prediction minus measurement, in the world.
func (r *rig) compare(row *trialRow, p spatial.Pose) deviation {
	d := deviation{p: p.P.Sub(r.place.Apply(row.pose.p))}
	if row.pose.r != (spatial.Mat3{}) {
		d.r = p.R.MulT(r.place.R.Mul(row.pose.r)).Log()
	}
	return d
}
