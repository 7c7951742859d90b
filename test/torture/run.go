package torture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Outcome is what a run gave.
type Outcome struct {
	Poses   [][]float64 // at the end of every step of the file, as the ports pose or poses
	Err     error       // that ended the run
	Begun   bool        // the model was made
	Gauges  map[string]float64
	MinGap  float64 // smallest one to a wall or between beads, m; +Inf without
	Faulty  string  // number that is not finite, if any
	Resumed error   // why a restored model does not go on as the saved one
	// TimeErrorTold says that the model has warned of the error that its steps cause.
	TimeErrorTold bool
}

// player is a run that is going on.
type player struct {
	c         *Case
	m         sim.Model
	in        *sim.Inputs
	step      float64 // s
	at        int     // the step taken last
	perPeriod int     // steps of a period
	poses     []int   // ports
	width     int     // of a sample
	outputs   []int
	value     []float64
	gauges    []float64
	o         Outcome
}

// Run steps the robot for the length of its commands, at a share of its step.
func (c *Case) Run(share float64) Outcome {
	return c.run(share, c.model, share == 1 && !c.Skip.Resume)
}

// RunFiner is Run at the step of the case, with elements of half the length.
func (c *Case) RunFiner() Outcome { return c.run(1, c.finer, false) }

func (c *Case) run(share float64, model func(step float64) (sim.Model, error), resumes bool) Outcome {
	step := c.Step * share
	m, err := model(step)
	if err != nil {
		return Outcome{Err: err, MinGap: math.Inf(1)}
	}
	p := newPlayer(c, m)
	perSample := int(math.Round(1 / share))
	p.o.Begun = true
	p.step, p.perPeriod = step, int(math.Round(c.Period/step))
	var w *witness
	if resumes {
		w = newWitness(c, p.perPeriod)
	}
	for i := 0; i < c.Periods*p.perPeriod && p.o.Err == nil; i++ {
		if w.begins(i) {
			w.save(p)
		}
		if p.o.Err = p.advance(i); p.o.Err == nil && (i+1)%perSample == 0 {
			p.sample()
		}
		if w.follows(i) {
			w.note(p)
		}
		if (i+1)%p.perPeriod == 0 {
			p.check()
		}
	}
	p.check()
	if w != nil {
		p.o.Resumed = w.resume(p)
	}
	return p.o
}

// advance takes step i of the run, counted from 0.
func (p *player) advance(i int) error {
	p.at = i
	if i%p.perPeriod == 0 {
		p.command(i / p.perPeriod)
	}
	p.in.Advance(p.step)
	return p.m.Step(p.step)
}

func newPlayer(c *Case, m sim.Model) *player {
	p := &player{c: c, m: m, in: sim.NewInputs(m), gauges: make([]float64, len(m.Gauges()))}
	p.o.MinGap, p.o.Gauges = math.Inf(1), map[string]float64{}
	width := 0
	for i, port := range m.Ports() {
		if port.Direction != sim.Out {
			continue
		}
		p.outputs = append(p.outputs, i)
		width = max(width, port.Width())
		switch {
		case port.Name == "poses": // of a swarm, whose measured_cp is that of its first robot
			p.poses, p.width = []int{i}, port.Width()
		case strings.HasSuffix(port.Name, "measured_cp"):
			p.poses = append(p.poses, i)
			p.width += port.Width()
		}
	}
	p.value = make([]float64, width)
	return p
}

// command gives the commands of period k.
func (p *player) command(k int) {
	for _, h := range p.c.Commands {
		i := slices.IndexFunc(p.m.Ports(), func(port sim.Port) bool { return port.Name == h.Port })
		if i < 0 {
			panic("torture: no port " + h.Port)
		}
		if v := p.in.Set(i, h.Rows[k]); !v.OK() {
			panic(fmt.Sprintf("torture: %s %v: %v", h.Port, h.Rows[k], v))
		}
	}
}

// sample notes where the robot is.
func (p *player) sample() {
	v := make([]float64, p.width)
	at := v
	for _, i := range p.poses {
		w := p.m.Ports()[i].Width()
		p.m.Value(i, at[:w])
		at = at[w:]
	}
	p.o.Poses = append(p.o.Poses, v)
	p.o.MinGap = min(p.o.MinGap, beadGap(v, p.c.Diameter))
}

// check measures everything and notes what is not finite.
func (p *player) check() {
	for _, i := range p.outputs {
		port := &p.m.Ports()[i]
		v := p.value[:port.Width()]
		p.m.Value(i, v)
		if !spatial.AllFinite(v) {
			p.o.Faulty = port.Name
		}
	}
	p.m.Measure(p.gauges)
	for i, g := range p.m.Gauges() {
		if !spatial.IsFinite(p.gauges[i]) {
			p.o.Faulty = g.Key
		}
		p.o.Gauges[g.Key] = p.gauges[i]
		if g.Key == sim.TimeError && p.gauges[i] > g.Warn {
			p.o.TimeErrorTold = true
		}
		if g.Key == "wall_gap" {
			p.o.MinGap = min(p.o.MinGap, p.gauges[i])
		}
	}
}

// poseLen is the number of values of a pose.
const poseLen = 7

// beadGap returns the smallest gap between the surfaces of beads, +Inf with diameter 0.
func beadGap(poses []float64, diameter float64) float64 {
	gap := math.Inf(1)
	if diameter == 0 {
		return gap
	}
	for i := 0; i < len(poses); i += poseLen {
		for j := 0; j < i; j += poseLen {
			gap = min(gap, spatial.VecAt(poses[i:]).Sub(spatial.VecAt(poses[j:])).Norm()-diameter)
		}
	}
	return gap
}
