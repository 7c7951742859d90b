package robotfile

import (
	"slices"
)

// Observer estimates state, unknown force and unknown numbers of a robot from what its sensors measure.
type Observer struct {
	Sensors   []string         `yaml:"sensors" example:"[tracker]" doc:"names of the sensors that it reads; all of them but cameras, which it cannot read, if absent"`
	Hardware  bool             `yaml:"hardware" default:"false" doc:"true: measurements come from topics hardware/sensors/NAME, whose messages are those of the sensors' own topics, and not from the simulated sensors"`
	Update    float64          `yaml:"update_hz" unit:"Hz" range:"(0, 20000]" default:"200" doc:"how often measurements correct the estimate: at most once in each step; those that have arrived since count together, each at the time of its stamp"`
	Rank      int              `yaml:"rank" unit:"1" range:"[0, 60]" default:"0" doc:"number of directions of the covariance; the ensemble has one member more, each of which takes the time of a step. 0: 3 more than twice the number of unknowns"`
	Elements  int              `yaml:"elements" unit:"1" range:"[0, 10000]" default:"0" doc:"number of elements of the rod in the models that predict, each of which takes the time of a step: fewer are faster. 0: as many as the robot has"`
	Force     *UnknownForce    `yaml:"force" doc:"an unknown force on the rod; none if absent"`
	Stiffness *UnknownFraction `yaml:"stiffness" doc:"the elastic moduli of the rod are unknown by a factor"`
}

// UnknownForce is a random walk of a force.
type UnknownForce struct {
	Walk     float64 `yaml:"walk_n" live:"model" unit:"N" range:"[0, 1e6]" default:"1" doc:"random walk of each component while it changes: standard deviation of its change, if it changed for 1 s"`
	Steady   float64 `yaml:"steady_s" live:"model" unit:"s" range:"[0, 1e6]" default:"2" doc:"how long the force is steady before it changes, on average; 0: it always changes"`
	Changing float64 `yaml:"changing_s" live:"model" unit:"s" range:"(0, 1e6]" default:"0.05" doc:"how long it changes before it is steady again, on average"`
	Anywhere bool    `yaml:"anywhere" default:"false" doc:"true: its arc length is unknown; false: it acts at the tip"`
}

// UnknownFraction is a random walk of the logarithm of a factor.
type UnknownFraction struct {
	Deviation float64 `yaml:"deviation" unit:"1" range:"(0, 1]" example:"0.1" doc:"standard deviation of the factor at first, around 1"`
	Walk      float64 `yaml:"walk" live:"model" unit:"1" range:"[0, 10]" default:"0" doc:"random walk of the factor: standard deviation of its change in 1 s"`
}

// Predicting is the robot file of the models with which the observer predicts.
func (r *Continuum) Predicting() *Continuum {
	p := *r
	if n := r.Observer.Elements; n > 0 {
		p.Rod.Elements = n
	}
	p.Observer = nil
	return &p
}

// finalizeObserver checks the observer of a robot of one rod and sets the defaults.
func (r *Continuum) finalizeObserver(c *checker) {
	o := r.Observer
	if o == nil {
		return
	}
	const at = "observer"
	if r.Solver.Method != Implicit && c.ok(at, "solver.method") {
		c.fail(at, Mistake{Problem: "is supported by method implicit only", Hint: "remove it, or use method implicit"})
	}
	var sensors []string
	for i := range r.Sensors {
		sensors = append(sensors, r.Sensors[i].Name)
	}
	if len(sensors) == 0 && c.ok(at) {
		c.fail(at, Mistake{Problem: "has nothing to read: the robot has no sensors", Hint: "add sensors"})
	}
	for i, name := range o.Sensors {
		if k := item(join(at, "sensors"), i); !slices.Contains(sensors, name) && c.ok(k) {
			c.unknownName(k, name, sensors, "sensor")
		}
	}
	if len(o.Sensors) == 0 {
		for i := range r.Sensors {
			if r.Sensors[i].Camera == nil {
				o.Sensors = append(o.Sensors, r.Sensors[i].Name)
			}
		}
	}
	if k := join(at, "update_hz"); o.Update*r.Solver.Step > 1+1e-9 && c.ok(k, "solver.step_s") {
		if !c.has(k) {
			o.Update = 1 / r.Solver.Step
		} else {
			c.fail(k, Mistake{Unit: "Hz", Problem: "is above one update in each step", Allowed: "at most 1/solver.step_s = " + formatNumber(rounded(1/r.Solver.Step))})
		}
	}
	unknowns := 0
	if f := o.Force; f != nil {
		unknowns += 3
		if f.Anywhere {
			unknowns += 6
		}
	}
	if o.Stiffness != nil {
		unknowns++
	}
	if unknowns == 0 && c.ok(at) {
		c.fail(at, Mistake{Problem: "knows everything", Allowed: "at least one of force, stiffness"})
	}
	if o.Rank == 0 {
		o.Rank = min(2*unknowns+3, 60)
	}
	if k, least := join(at, "rank"), 2*unknowns+3; o.Rank < least && c.ok(k) {
		c.fail(k, Mistake{Problem: "is too small for the unknowns", Allowed: "at least " + formatNumber(float64(least))})
	}
	if k := join(at, "elements"); o.Elements > r.Rod.Elements && c.ok(k) {
		c.fail(k, Mistake{Problem: "is above that of the robot", Allowed: "at most " + formatNumber(float64(r.Rod.Elements))})
	}
}
