package sim

// Model is a robot together with its state: what a Simulator steps and a bridge
// serves. One goroutine owns a Model at a time.
//
// Step, Command, Value, Setpoint, Measure and Save do not allocate, and are
// deterministic: the same state, commands and time steps give the same bits.
type Model interface {
	// Ports lists inputs and outputs. A port is addressed by its index here.
	Ports() []Port
	// Gauges lists what Measure gives.
	Gauges() []Gauge

	// Command makes v, of the port's width and already within its limits, the
	// setpoint of In port i from the next step on, except where it is Keep. v is
	// not retained.
	Command(i int, v []float64)
	// Setpoint writes to dst the values that would have to be commanded on In
	// port i to change nothing now: the start of a ramp.
	Setpoint(i int, dst []float64)
	// Value writes the present values of Out port i to dst.
	Value(i int, dst []float64)
	// Measure writes the present gauge values to dst.
	Measure(dst []float64)
	// Draw describes the present scene in dst, reusing its storage.
	Draw(dst *Scene)

	// Step advances the state by dt seconds, dt > 0. After an error the state is
	// that of before the step.
	Step(dt float64) error

	// StateLen is the number of values that Save writes and Restore reads.
	StateLen() int
	// Save writes the complete state, setpoints included, to dst.
	Save(dst []float64)
	// Restore makes src, written by Save of a model of the same robot, the
	// present state. It refuses values that are not finite.
	Restore(src []float64) error
}

// Gauge describes one number about the health of a model.
type Gauge struct {
	Key  string // for example "newton_iterations"
	Unit string // SI unit, or empty
	// Warn is the value above which the gauge deserves attention; 0 means never.
	Warn float64
}
