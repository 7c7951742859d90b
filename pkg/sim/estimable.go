package sim

import "sinew/pkg/sim/spatial"

// Estimable is a model with which a state estimator predicts. Copies of it form an ensemble, of which a filter takes weighted means.
type Estimable interface {
	Model
	// ContinuousState returns the runs of a saved state that are continuous, in ascending order: of those a weighted mean of states, with
	// weights that sum to 1, is a state. The other values are discrete, such as counts and modes, or commands.
	ContinuousState() []Span
	// RestoreMean is Restore of such a mean, with the discrete values of one of its states.
	RestoreMean(src []float64) error
	// ArcLengths returns those of the nodes, base to tip, m: the poses of port backbone.
	ArcLengths() []float64
	// OnlyPredict leaves out what predictions do not need from now on: the measurements of sensors, and estimates of the error of steps. It
	// changes the length of saved states.
	OnlyPredict()
	// ReadSensor writes what the sensor of Out port i reads now, without errors, to dst, in the layout of its Kind.
	ReadSensor(i int, dst []float64)
	// Disturb lets forces act on the rod from the next step on, besides all that is commanded, until the next call. They are no part of the
	// state. There may be as many as there have been in the first call.
	Disturb(forces []PointForce)
	// ScaleStiffness makes the elastic moduli of the robot those of its file times a factor above 0. It is no part of the state.
	ScaleStiffness(factor float64)
}

// EstimateTopics is the beginning of the names of ports that show an estimate.
const EstimateTopics = "estimate/"

// Span is a run of values.
type Span struct{ First, Len int }

// PointForce is a force on a rod.
type PointForce struct {
	ArcLength float64     // m, within the length
	Force     spatial.Vec // N, world axes
}
