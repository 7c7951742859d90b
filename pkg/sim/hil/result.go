package hil

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Pair is a sample of the hardware and the simulation at the same instant.
type Pair struct {
	T   float64      // stamp of the hardware's sample, s
	Sim spatial.Pose // simulated pose, interpolated at T minus the latency
	Hw  spatial.Pose // pose of the hardware, as measured or aligned
}

// Result is a comparison with one latency and one alignment. Vectors are in the
// world frame of the simulation.
type Result struct {
	LatencyS  float64       // latency that was removed, s
	Frame     Frame         // alignment of the hardware
	Pairs     []Pair        // aligned samples
	Error     []spatial.Vec // position error of each pair, simulation minus hardware, m
	Rotation  []float64     // rotation error of each pair, rad; nil without rotations
	Outside   int           // number of samples of the hardware before or after the simulation
	InGaps    int           // number of samples of the hardware in gaps of the simulation
	Position  Summary       // of |Error|, m
	Angle     Summary       // of Rotation, rad; NaN without rotations
	Bias      spatial.Vec   // mean of Error, m
	AxisRMSE  spatial.Vec   // root mean square of each component of Error, m
	LengthM   float64       // length of the robot, m; 0 if unknown
	Rotations bool          // whether both recordings have rotations
}

// Percent returns a length (m) in percent of the robot's, NaN if that is unknown.
func (r *Result) Percent(m float64) float64 {
	if r.LengthM == 0 {
		return math.NaN()
	}
	return 100 * m / r.LengthM
}

// Norms returns the position error of each pair (m).
func (r *Result) Norms() []float64 {
	n := make([]float64, len(r.Error))
	for i, e := range r.Error {
		n[i] = e.Norm()
	}
	return n
}

// match pairs the samples of hw with sim, latency s earlier.
func match(sim, hw *trajectory.Poses, latency, maxGap float64) (pairs []Pair, outside, inGaps int) {
	pairs = make([]Pair, 0, hw.Len())
	for i, t := range hw.T {
		p, where := sim.At(t-latency, maxGap)
		switch where {
		case trajectory.Inside:
			pairs = append(pairs, Pair{t, p, hw.Pose[i]})
		case trajectory.InGap:
			inGaps++
		default:
			outside++
		}
	}
	return pairs, outside, inGaps
}

// evaluate compares sim and hw with one latency (s). It returns an error if fewer
// than 4 samples can be compared or the alignment fails.
func evaluate(sim, hw *trajectory.Poses, latency float64, o *Options) (*Result, error) {
	r := &Result{LatencyS: latency, LengthM: o.LengthM, Rotations: sim.Rotations && hw.Rotations}
	r.Pairs, r.Outside, r.InGaps = match(sim, hw, latency, o.MaxGapS)
	if len(r.Pairs) < minSamples {
		return nil, fmt.Errorf("only %d of %d samples of the hardware can be compared (%d before or after the simulation, %d in gaps of the simulation longer than %.3g s, whose median interval is %.3g s); %w",
			len(r.Pairs), hw.Len(), r.Outside, r.InGaps, o.MaxGapS, medianInterval(sim), ErrTooFew)
	}
	rotation := o.AlignRotation
	if !r.Rotations {
		rotation = RotationNone
	}
	var err error
	if r.Frame, err = align(r.Pairs, o.Align, rotation); err != nil {
		return nil, err
	}
	if o.Align != AlignNone || rotation != RotationNone {
		for i := range r.Pairs {
			r.Pairs[i].Hw = r.Frame.Apply(&r.Pairs[i].Hw, r.Rotations)
		}
	}
	r.measure()
	return r, nil
}

// measure computes the errors of the pairs and describes them.
func (r *Result) measure() {
	r.Error = make([]spatial.Vec, len(r.Pairs))
	if r.Rotations {
		r.Rotation = make([]float64, len(r.Pairs))
	}
	var sum, squares spatial.Vec
	for i := range r.Pairs {
		e, angle := difference(&r.Pairs[i].Sim, &r.Pairs[i].Hw, r.Rotations)
		r.Error[i] = e
		if r.Rotations {
			r.Rotation[i] = angle
		}
		sum = sum.Add(e)
		squares = squares.Add(e.Mul(e))
	}
	n := float64(len(r.Pairs))
	r.Bias = sum.Scale(1 / n)
	squares = squares.Scale(1 / n)
	r.AxisRMSE = spatial.Vec{X: math.Sqrt(squares.X), Y: math.Sqrt(squares.Y), Z: math.Sqrt(squares.Z)}
	r.Position = summarize(r.Norms())
	r.Angle = summarize(r.Rotation)
}

// arc returns the arc length (m) at a fraction of the robot's length, NaN if that
// is unknown.
func (r *Result) arc(fraction float64) float64 {
	if r.LengthM == 0 {
		return math.NaN()
	}
	return fraction * r.LengthM
}

// difference returns the error of one sample, simulation minus hardware: the
// vector between the positions (m) and the angle between the rotations (rad, 0
// without rotations).
func difference(sim, hw *spatial.Pose, rotations bool) (position spatial.Vec, angle float64) {
	position = sim.P.Sub(hw.P)
	if rotations {
		angle = sim.R.MulT(hw.R).Log().Norm()
	}
	return position, angle
}
