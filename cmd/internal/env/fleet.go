package env

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sinew/cmd/internal/program"
	"sinew/cmd/internal/variation"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
	"sinew/pkg/sim/batch"
	"sinew/pkg/sim/sweep"
)

// fleet holds the robots and the arrays that the caller shares.
type fleet struct {
	*arrays
	header      *header
	batch       *batch.Batch
	base        program.File
	given       []naming.Param // values from the command line
	timing      program.Timing
	actions     []input
	observe     []output
	robots      []robot
	numbers     *variation.Numbers // what varies
	set         bool               // the caller says how, in parameters
	isRandom    bool               // the robot has noise of its own
	noise       *sweep.Variation   // the seed of the robot's own noise; nil where it has none, or numbers decide
	interrupted func() bool        // to end
	parent      int                // the process of the caller

	// Made once: a method value would allocate in each step.
	restarting, stepping func(i int)
	scene                sim.Scene // of the last draw
}

// robot is the position of a robot in its random sequence.
type robot struct {
	seed    uint64
	episode int  // number of resets since the seed
	varied  bool // its numbers are not those of the file
}

// input is an In port that actions command, output an observed Out port.
type input struct {
	port, first, width int
	limits             *sim.Limits
}
type output struct{ port, first, width int }

// start binds robots to a shared memory.
func (f *fleet) start(memory []byte) {
	f.arrays = f.header.in(memory)
	f.robots = make([]robot, f.batch.Len())
	f.restarting = func(i int) {
		if f.reset[i] != 0 && !f.interrupted() {
			f.restart(i)
		}
	}
	f.stepping = func(i int) {
		switch {
		case f.interrupted():
		case f.reset[i] != 0:
			f.restart(i)
		case f.failed[i] == 0:
			f.step(i)
		}
	}
	for i := range f.robots {
		f.robots[i].seed = uint64(i)
		f.show(i)
	}
}

// do executes a request.
func (f *fleet) do(r request) error {
	switch r.verb {
	case resetRequest:
		f.batch.Each(f.restarting)
	case resetAllRequest:
		return f.restartAll()
	case stepRequest:
		if err := f.check(); err != nil {
			return err
		}
		f.batch.Each(f.stepping)
	case varyRequest:
		return f.setVary(r.more)
	case setRequest:
		texts := make([]string, len(r.more))
		for i, name := range r.more {
			texts[i] = name + "=choice(0)" // of which only the name counts
		}
		if err := f.setVary(texts); err != nil {
			return err
		}
		f.set = true
	}
	return nil
}

// restartAll resets all robots of which reset is 1, or none if one of them cannot be.
func (f *fleet) restartAll() error {
	made := make([]*program.Instance, len(f.robots))
	errs := make([]error, len(f.robots))
	drawn := slices.Clone(f.parameters)
	f.batch.Each(func(i int) {
		if f.reset[i] != 0 && !f.interrupted() {
			made[i], errs[i] = f.make(i, f.next(i), drawn[i*mostVaried:(i+1)*mostVaried])
		}
	})
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("env %d: reset: %w", i, err)
		}
	}
	f.batch.Each(func(i int) {
		if f.reset[i] != 0 && !f.interrupted() {
			copy(f.parameters[i*mostVaried:(i+1)*mostVaried], drawn[i*mostVaried:])
			f.begin(i, f.next(i), made[i], nil)
		}
	})
	return nil
}

// seedKey is the number of a robot file that seeds its noise, where it has one.
const seedKey = "seed"

// setVary sets the variations that each reset draws.
func (f *fleet) setVary(texts []string) error {
	if len(texts) > mostVaried {
		return fmt.Errorf("--vary of %d numbers; at most %d are allowed", len(texts), mostVaried)
	}
	numbers, err := variation.Read(texts, f.base, f.given)
	if err != nil {
		return err
	}
	// no two robots, and no two episodes, have the same noise
	noise, err := sweep.Parse(seedKey + "=uniform(0,9007199254740991)")
	if err != nil {
		return err
	}
	own := f.base.Has(seedKey) && f.isRandom
	for i := range numbers.Variations {
		v := &numbers.Variations[i]
		if !v.Random() {
			return fmt.Errorf("--vary %s=%s: a reset cannot draw from a grid; use uniform, loguniform, normal, lognormal or choice", v.Name, v.Text)
		}
		own = own && v.Name != seedKey
	}
	if len(texts) > 0 { // such as a number that is varied twice
		if _, err := sweep.NewPlan(numbers.Variations, 1, 0); err != nil {
			return fmt.Errorf("--vary: %w", err)
		}
	}
	f.numbers, f.noise, f.set = numbers, nil, false
	if own {
		f.noise = &noise
	}
	return nil
}

// check returns an error for invalid actions before any robot moves.
func (f *fleet) check() error {
	wide := widthOf(f.header.Actions)
	for i := range f.robots {
		if f.reset[i] != 0 || f.failed[i] != 0 {
			continue
		}
		for k, in := range f.actions {
			v := f.action[i*wide+in.first:][:in.width]
			if verdict := in.limits.Check(v); !verdict.OK() {
				return fmt.Errorf("env %d: action %w", i, f.refused(k, in, v, verdict))
			}
		}
	}
	return nil
}

// refused says which value of action port k is why it is refused.
func (f *fleet) refused(k int, in input, v []float64, verdict sim.CommandStatus) error {
	p := &f.header.Actions[k]
	if verdict == sim.UnknownFrame { // which the last value says
		frames := f.batch.Ports()[in.port].Frames
		return fmt.Errorf("%s: value %d is %g; want 0 to %d, which of the frames %s: %w", p.Name, len(v)-1, v[len(v)-1], len(frames)-1, strings.Join(frames, ", "), verdict.Err())
	}
	one := make([]float64, len(v))
	for i := range v {
		for j := range one {
			one[j] = sim.Keep
		}
		if one[i] = v[i]; in.limits.Check(one).OK() {
			continue
		}
		name := strconv.Itoa(i)
		if i < len(p.Labels) {
			name += " (" + p.Labels[i] + ")"
		}
		return fmt.Errorf("%s: value %s is %g %s; want a finite number%s: %w", p.Name, name, v[i], p.Units[i], between(p, i), verdict.Err())
	}
	return fmt.Errorf("%s: %w", p.Name, verdict.Err())
}

// between formats the range of a value; empty without bounds.
func between(p *port, i int) string {
	text := ""
	if b := p.Min[i]; b != nil {
		text += fmt.Sprintf(" from %g", *b)
	}
	if b := p.Max[i]; b != nil {
		text += fmt.Sprintf(" to %g", *b)
	}
	return text
}

// next is where in its random sequence robot i begins its next episode.
func (f *fleet) next(i int) robot {
	r := f.robots[i]
	if f.reseed[i] != 0 {
		r.seed, r.episode = f.seed[i], 0
	}
	return r
}

// restart resets robot i to its initial state and draws its varied numbers.
func (f *fleet) restart(i int) {
	r := f.next(i)
	made, err := f.make(i, r, f.parameters[i*mostVaried:(i+1)*mostVaried])
	f.begin(i, r, made, err)
}

// begin begins the next episode of robot i, whose numbers are those of made, or where that is nil of its model.
func (f *fleet) begin(i int, r robot, made *program.Instance, err error) {
	f.time[i], f.clamped[i], f.failed[i] = 0, 0, 0
	clear(f.error[i*errorLen : (i+1)*errorLen])
	switch {
	case err != nil:
	case made == nil:
		f.batch.Reset(i)
	default:
		if err = f.batch.Replace(i, made.Model); err == nil {
			r.varied = f.varies()
		}
	}
	if err != nil {
		f.fail(i, fmt.Errorf("reset: %w", err))
	}
	r.episode++
	f.robots[i] = r
	f.show(i)
}

// varies reports whether a reset draws numbers.
func (f *fleet) varies() bool { return len(f.numbers.Variations) > 0 || f.noise != nil }

// make makes the robot of an episode of robot i, with its varied numbers in drawn; nil if its model has them already.
func (f *fleet) make(i int, r robot, drawn []float64) (*program.Instance, error) {
	if !f.set {
		clear(drawn)
	}
	if !f.varies() && !r.varied {
		return nil, nil
	}
	file := f.base.Clone()
	plan := sweep.Plan{Variations: f.numbers.Variations, Samples: sweep.MaxSamples, Seed: r.seed}
	if !f.set {
		plan.Values(r.episode, drawn)
	}
	f.numbers.Set(file, drawn)
	if f.noise != nil {
		var seed [1]float64
		plan.Variations = []sweep.Variation{*f.noise}
		plan.Values(r.episode, seed[:])
		file.Set(seedKey, strconv.FormatInt(int64(seed[0]), 10), "reset")
	}
	made, err := file.Make()
	if err != nil {
		return nil, err
	}
	if made.Timing.StepS != f.timing.StepS || made.Timing.ControlHz != f.timing.ControlHz {
		return nil, errors.New("step_s and control_hz cannot vary: all robots take the same steps")
	}
	return made, f.batch.Accepts(i, made.Model)
}

// step advances robot i by one period with its action.
func (f *fleet) step(i int) {
	wide := widthOf(f.header.Actions)
	f.clamped[i] = 0
	for k, in := range f.actions {
		v := f.action[i*wide+in.first:][:in.width]
		verdict := f.batch.Command(i, in.port, v)
		if !verdict.OK() { // by limits that vary
			f.fail(i, fmt.Errorf("action %w", f.refused(k, in, v, verdict)))
			return
		}
		if verdict == sim.Clamped {
			f.clamped[i] = 1
		}
	}
	if err := f.batch.Advance(i, f.header.StepS, f.header.Steps); err != nil {
		f.fail(i, err)
	} else {
		f.time[i] += f.header.PeriodS
	}
	f.show(i)
}

// show writes the observation of robot i.
func (f *fleet) show(i int) {
	wide := widthOf(f.header.Observations)
	for _, out := range f.observe {
		f.batch.Value(i, out.port, f.observation[i*wide+out.first:][:out.width])
	}
}

// fail stores the error that stopped robot i.
func (f *fleet) fail(i int, err error) {
	f.failed[i] = 1
	text := err.Error()
	for len(text) > errorLen {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	row := f.error[i*errorLen : (i+1)*errorLen]
	clear(row[copy(row, text):])
}
