package observer

import (
	"errors"
	"fmt"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Model is a robot with an observer beside it. Its first ports and gauges are those of the robot, in their order; behind them are those of the
// estimate.
type Model struct {
	sim.Model // the robot

	ports    []sim.Port
	gauges   []sim.Gauge
	outside  int // number of the robot's ports, behind which there are those of the estimate
	roles    []role
	measured int     // number of the robot's gauges
	step     float64 // s, of the robot file

	file    robotfile.Observer
	all     []sim.Estimable // the members and, the last one, the center
	members []sim.Estimable
	center  sim.Estimable // is where the mean of the members was: their mean leaves it by what is not linear
	filter  *filter
	sensors []sensor
	unknown unknowns
	places  *places
	parts   []sim.Span

	time, updated float64 // s
	steps         int     // of the robot file that have passed
	begun         int     // number of steps when the ensemble began: measurements taken until then do not count
	due           float64 // time of the next update, s
	stage         stage   // of the update
	history       history
	queue         queue
	failed        bool    // the prediction or the update of this step
	lost          float64 // until when the estimate counts as lost since a failure, s
	err           error   // that was the newest failure
	restarts      restarts

	estimate estimate

	// scratch
	states, mixed [][]float64
	row           []float64
	outputs       []output
	numbers       [9]float64
	before        []float64
}

var (
	_ sim.Model   = (*Model)(nil)
	_ sim.Wrapper = (*Model)(nil)
	_ sim.Holder  = (*Model)(nil)
	_ sim.Stopper = (*Model)(nil)
)

// output is an Out port whose values the reduction looks at and the estimate shows.
type output struct {
	port   int
	values [][]float64 // by member
}

// New makes an observer of a robot. Each call of member makes another model of it, in the same state. The error is about the key observer.
func New(robot sim.Model, f *robotfile.Continuum, member func() (sim.Estimable, error)) (*Model, error) {
	o := &Model{Model: robot, file: *f.Observer, step: f.Solver.Step}
	o.ports = slices.Clone(robot.Ports())
	o.outside = len(o.ports)
	o.unknown = newUnknowns(&o.file, f)
	o.filter = newFilter(o.file.Rank, len(o.unknown.list), o.unknown.hypotheses(), o.unknown.modes())
	o.places = newPlaces(o.filter, f.Rod.Length)
	n := o.filter.members()
	for range n + 1 {
		m, err := member()
		if err != nil {
			return nil, err
		}
		m.OnlyPredict()
		o.all = append(o.all, m)
	}
	o.members, o.center = o.all[:n], o.all[n]
	o.parts = o.members[0].ContinuousState()
	if o.parts == nil {
		return nil, errors.New("an observer needs method implicit")
	}
	if err := o.findSensors(f); err != nil {
		return nil, err
	}
	if err := o.checkNoise(); err != nil {
		return nil, err
	}
	if o.file.Hardware {
		o.addHardware()
	}
	o.queue = newQueue(o)
	for range n {
		o.states = append(o.states, make([]float64, o.members[0].StateLen()))
		o.mixed = append(o.mixed, make([]float64, o.members[0].StateLen()))
	}
	o.row = make([]float64, n)
	for _, name := range []string{tipPort, "measured_cv"} {
		i := slices.IndexFunc(robot.Ports(), func(p sim.Port) bool { return p.Name == name })
		x := output{port: i}
		for range n {
			x.values = append(x.values, make([]float64, robot.Ports()[i].Width()))
		}
		o.outputs = append(o.outputs, x)
	}
	o.unknown.begin(o.filter)
	o.restarts.begin(o)
	o.apply()
	o.addPorts()
	o.addGauges()
	o.before = make([]float64, o.StateLen())
	o.findForce()
	o.refresh()
	return o, nil
}

// checkNoise refuses sensors whose noise is not stated.
func (o *Model) checkNoise() error {
	for k := range o.sensors {
		s := &o.sensors[k]
		if s.port.Kind == sim.ImagePoints {
			return fmt.Errorf("cameras, such as sensor %s, are not supported by an observer; name the others in observer.sensors", o.file.Sensors[k])
		}
		for c, d := range s.deviation {
			if !(d > 0) {
				return fmt.Errorf("the noise of value %s of sensor %s is 0: an observer needs the standard deviation of every value; give noise in each of its errors",
					s.port.Components()[sim.SampleHead+c].Name, o.file.Sensors[k])
			}
		}
	}
	return nil
}

// Unwrap implements sim.Wrapper: it returns the robot.
func (o *Model) Unwrap() sim.Model { return o.Model }

// Ports implements sim.Model.
func (o *Model) Ports() []sim.Port { return o.ports }

// Command implements sim.Model. A wrench on the tip pushes the robot alone: it is what the observer looks for.
func (o *Model) Command(i int, v []float64) {
	if s := o.hardware(i); s != nil {
		copy(s.given, v)
		return
	}
	o.Model.Command(i, v)
	if o.ports[i].Name == "external_wrench" {
		return
	}
	for _, m := range o.all {
		m.Command(i, v)
	}
}

// Setpoint implements sim.Model.
func (o *Model) Setpoint(i int, dst []float64) {
	if s := o.hardware(i); s != nil {
		copy(dst, s.given)
		return
	}
	o.Model.Setpoint(i, dst)
}

// Stop implements sim.Stopper.
func (o *Model) Stop(i int) {
	if i >= o.outside {
		return
	}
	if s, ok := sim.As[sim.Stopper](o.Model); ok {
		s.Stop(i)
	}
	for _, m := range o.all {
		if s, ok := sim.As[sim.Stopper](m); ok {
			s.Stop(i)
		}
	}
}

// Hold implements sim.Holder.
func (o *Model) Hold(dt float64) {
	if h, ok := sim.As[sim.Holder](o.Model); ok {
		h.Hold(dt)
	}
	for _, m := range o.all {
		if h, ok := sim.As[sim.Holder](m); ok {
			h.Hold(dt)
		}
	}
	if dt > 0 {
		o.pass(dt)
		o.listen()
	}
	o.refresh()
}

// settler is a model that finds its equilibrium.
type settler interface{ Equilibrate() error }

// Equilibrate moves the robot to its equilibrium under the present commands, and the members to theirs. It fails where the robot has none.
func (o *Model) Equilibrate() error {
	s, ok := sim.As[settler](o.Model)
	if !ok {
		return errors.New("the robot cannot search for its equilibrium")
	}
	if err := s.Equilibrate(); err != nil {
		return err
	}
	for i, m := range o.all {
		if s, ok := sim.As[settler](m); ok {
			if err := s.Equilibrate(); err != nil {
				o.fail(fmt.Errorf("member %d of the ensemble: %w", i, err))
			}
		}
	}
	o.forget()
	o.recover()
	o.refresh()
	return nil
}

// Step implements sim.Model. Its errors are those of the robot.
func (o *Model) Step(dt float64) error {
	if err := o.Model.Step(dt); err != nil {
		return err
	}
	o.predict(dt)
	o.listen()
	if !o.failed {
		o.correct()
	}
	o.recover()
	o.refresh()
	return nil
}

// roundoff (s) is by how much a time that is a sum of steps may be too early.
const roundoff = 1e-9

// predict steps the members.
func (o *Model) predict(dt float64) {
	for i, m := range o.all {
		if err := m.Step(dt); err != nil {
			o.fail(fmt.Errorf("member %d of the ensemble: %w", i, err))
			if h, ok := sim.As[sim.Holder](m); ok { // loads and commands go on
				h.Hold(dt)
			}
		}
	}
	o.pass(dt)
}

// shareOfAStep is by how much of a step the end of one may be too early.
const shareOfAStep = 1e-3

// pass lets dt seconds pass, at the end of which the members are where they are.
func (o *Model) pass(dt float64) {
	o.time += dt
	for ; float64(o.steps+1)*o.step <= o.time+o.step*shareOfAStep; o.steps++ { // where steps are divided, or longer
		slot := o.history.at(o.steps + 1)
		for i := range o.all {
			o.observe(slot, i)
		}
	}
	for k := range o.sensors {
		o.sensors[k].recent.decay(dt)
	}
}

// Force is the estimated force (N, world axes) and its place (m), with standard deviations.
func (o *Model) Force() (mean, deviation [4]float64) {
	x := &o.estimate.force
	return [4]float64{x.force.X, x.force.Y, x.force.Z, x.place}, [4]float64{x.forceDeviation.X, x.forceDeviation.Y, x.forceDeviation.Z, x.placeDeviation}
}

// Tip is the estimated position of the tip (m) with its covariance.
func (o *Model) Tip() (mean spatial.Vec, covariance [3][3]float64) {
	o.showTip()
	for a := range 3 {
		copy(covariance[a][:], o.estimate.tip[sim.PoseWidth+6*a:])
	}
	return spatial.VecAt(o.estimate.tip), covariance
}

// Err is the newest failure of the prediction or of an update, after which the ensemble has begun anew; nil if there was none.
func (o *Model) Err() error { return o.err }

// Innovations returns of each sensor how many measurements counted, how many were refused and the mean square of the innovations over what
// was expected, whose expected value is 1.
func (o *Model) Innovations() (accepted, refused []int, square []float64) {
	for i := range o.sensors {
		s := &o.sensors[i]
		accepted, refused = append(accepted, s.accepted), append(refused, s.refused)
		square = append(square, s.square/float64(max(1, (s.accepted+s.refused)*s.width)))
	}
	return accepted, refused, square
}
