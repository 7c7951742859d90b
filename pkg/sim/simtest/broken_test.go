package simtest

import (
	"errors"
	"math"
	"sort"
	"strings"
	"sync/atomic"
	"testing"

	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// oscillator is a point on a line that a commanded force moves, with what can be wrong with a model.
type oscillator struct {
	position, velocity, force float64
	scene                     sim.Polyline
	faults
	steps int
	kept  [][]float64
}

// faults are ways to break the contract.
type faults struct {
	portsChange, writesTooFew                         bool
	gaugeNameTwice, gaugeKeyInCapitals, gaugeFalls    bool
	gaugeZero                                         bool
	sceneGrows, sceneUnnamed, sceneKeepsPoints        bool
	valueInfinite, gaugeInfinite, sceneInfinite       bool
	readingMoves, drawingMoves                        bool
	stepAllocates, saveAllocates, drawAllocates       bool
	stateIncomplete, dependsOnThePast                 bool
	takesShortStates, takesNaN, refusesLate, takesInf bool
	shared                                            *atomic.Int64 // steps of all models
	tied                                              bool          // to the axes of the world
}

const stateLen = 3

func (o *oscillator) Ports() []sim.Port {
	name := "measured_cp"
	if o.portsChange && o.steps > 0 {
		name = "moved_cp"
	}
	return []sim.Port{
		{Name: "servo_cf", Kind: sim.Currents, Direction: sim.In, Labels: []string{"force"}, Group: "force", Frames: []string{"base"}},
		{Name: name, Kind: sim.Pose, Direction: sim.Out, Frames: []string{sim.World}},
	}
}

func (o *oscillator) Gauges() []sim.Gauge {
	all := []sim.Gauge{{Key: "energy"}, {Key: sim.DividedSteps}}
	if o.gaugeNameTwice {
		all[0].Key = sim.DividedSteps
	}
	if o.gaugeKeyInCapitals {
		all[0].Key = "Energy"
	}
	return all
}

func (o *oscillator) Command(_ int, v []float64) { o.force = v[0] }

func (o *oscillator) Setpoint(_ int, dst []float64) { dst[0] = o.force }

func (o *oscillator) Value(_ int, dst []float64) {
	p := spatial.Vec{X: o.position}
	q := spatial.Quat{W: 1}
	copy(dst, []float64{p.X, p.Y, p.Z, q.X, q.Y, q.Z})
	if !o.writesTooFew {
		dst[6] = q.W
	}
	if o.valueInfinite && o.steps > 5 {
		dst[0] = math.Inf(1)
	}
	if o.readingMoves {
		o.velocity += 1e-9
	}
}

func (o *oscillator) Measure(dst []float64) {
	dst[0], dst[1] = o.position*o.position+o.velocity*o.velocity, 0
	if o.gaugeZero {
		dst[0] = 0
	}
	if o.gaugeInfinite {
		dst[0] = math.NaN()
	}
	if o.gaugeFalls {
		dst[1] = -float64(o.steps)
	}
}

func (o *oscillator) Draw(dst *sim.Scene) {
	if len(dst.Polylines) == 0 {
		dst.Polylines = []sim.Polyline{{Name: "way"}}
	}
	l := &dst.Polylines[0]
	if !o.sceneKeepsPoints {
		l.Points = l.Points[:0]
	}
	points := 2
	if o.sceneGrows {
		points += o.steps
	}
	for range points {
		if !o.sceneKeepsPoints || len(l.Points) < points {
			l.Points = append(l.Points, spatial.Vec{X: o.position})
		}
	}
	if o.sceneUnnamed {
		l.Name = ""
	}
	if o.sceneInfinite {
		l.Width = math.Inf(1)
	}
	if o.drawingMoves {
		o.position += 1e-9
	}
	if o.drawAllocates {
		o.kept = append(o.kept[:0], make([]float64, 10+o.steps))
	}
}

func (o *oscillator) Step(dt float64) error {
	if o.shared != nil {
		o.velocity += 1e-3 * float64(o.shared.Add(1))
	}
	o.velocity += dt * (o.force - o.position)
	o.position += dt * o.velocity
	o.steps++
	if o.stateIncomplete {
		o.position += 1e-6 * float64(o.steps)
	}
	if o.dependsOnThePast && len(o.kept) > 0 {
		o.position += 1e-3
	}
	if o.stepAllocates {
		o.kept = append(o.kept[:0], make([]float64, 10+o.steps))
	}
	return nil
}

func (o *oscillator) StateLen() int { return stateLen }

func (o *oscillator) Save(dst []float64) {
	dst[0], dst[1], dst[2] = o.position, o.velocity, o.force
	if o.saveAllocates || o.dependsOnThePast && o.steps > 3 {
		o.kept = append(o.kept[:0], make([]float64, 10+o.steps))
	}
}

func (o *oscillator) Restore(src []float64) error {
	if o.refusesLate && len(src) > 0 {
		o.position = src[0]
	}
	if len(src) != stateLen && !(o.takesShortStates && len(src) == stateLen-1) {
		return errors.New("another length")
	}
	for _, x := range src {
		if !o.takesNaN && x != x || !o.takesInf && math.IsInf(x, 0) {
			return errors.New("not finite")
		}
	}
	o.position, o.velocity = src[0], src[1]
	if len(src) == stateLen {
		o.force = src[2]
	}
	return nil
}

// motionOf is a motion of an oscillator.
func motionOf(f faults) (func() (sim.Model, error), Motion) {
	newModel := func() (sim.Model, error) { return &oscillator{position: 0.1, faults: f}, nil }
	return newModel, Motion{
		Step: 0.01, Steps: 30, Command: Amplitudes{Current: 1}.Command, Exercised: []string{"energy"},
		Turned: func(by spatial.Pose) (sim.Model, error) {
			m := &oscillator{position: 0.1, faults: f}
			if f.tied {
				return m, nil
			}
			return &turned{m, by}, nil
		},
	}
}

// turned is an oscillator in a world that is moved.
type turned struct {
	*oscillator
	by spatial.Pose
}

func (m *turned) Value(i int, dst []float64) {
	m.oscillator.Value(i, dst)
	copy(dst, movedValue(sim.Pose, dst))
}

// failing returns the names of the checks that fail.
func failing(newModel func() (sim.Model, error), m Motion) (names []string) {
	c := &contract{Motion: m, newModel: newModel}
	for _, k := range checks {
		if k.isSkipped != nil && k.isSkipped(c) {
			continue
		}
		if k.check(c) != nil {
			names = append(names, k.name)
		}
	}
	sort.Strings(names)
	return names
}

// TestBrokenModelsFail shows for each property that it can fail.
func TestBrokenModelsFail(t *testing.T) {
	if got := failing(motionOf(faults{})); len(got) != 0 {
		t.Errorf("a model without faults fails: %v", got)
	}
	for _, c := range []struct {
		check string
		faults
	}{
		{"ports", faults{portsChange: true}},
		{"ports", faults{writesTooFew: true}},
		{"gauges", faults{gaugeNameTwice: true}},
		{"gauges", faults{gaugeKeyInCapitals: true}},
		{"gauges", faults{gaugeFalls: true}},
		{"exercised", faults{gaugeZero: true}},
		{"scene", faults{sceneGrows: true}},
		{"scene", faults{sceneUnnamed: true}},
		{"scene", faults{sceneKeepsPoints: true}},
		{"finite", faults{valueInfinite: true}},
		{"finite", faults{gaugeInfinite: true}},
		{"finite", faults{sceneInfinite: true}},
		{"observation", faults{readingMoves: true}},
		{"observation", faults{drawingMoves: true}},
		{"allocations", faults{stepAllocates: true}},
		{"allocations", faults{saveAllocates: true}},
		{"allocations", faults{drawAllocates: true}},
		{"replay", faults{stateIncomplete: true}},
		{"replay", faults{dependsOnThePast: true}},
		{"refused states", faults{takesShortStates: true}},
		{"refused states", faults{takesNaN: true}},
		{"refused states", faults{takesInf: true}},
		{"refused states", faults{refusesLate: true}},
		{"parallel", faults{shared: new(atomic.Int64)}},
		{"frame", faults{tied: true}},
	} {
		if got := failing(motionOf(c.faults)); !strings.Contains(strings.Join(got, ","), c.check) {
			t.Errorf("%+v: %v fail, want %s", c.faults, got, c.check)
		}
	}
}

// spring is a force element between the tip and a point of the world, with what can be wrong with one.
type spring struct {
	stiffness                      float64 // N/m
	potentialFactor, tangentFactor float64
	torque                         float64 // N m about x, without a tangent
	isUnscaled                     bool    // by the share of the load
	without                        float64 // share of the load that does not act
}

func (s *spring) UpdateKinematics(*strain.State) {}

func (s *spring) Assemble(rod *strain.State, q *strain.Equations) {
	s.AssembleWrenches(rod, q)
	n := len(rod.Pose) - 1
	r := &rod.Pose[n].R
	k := q.Diag[n]
	k.LinLin().AddDiag(s.stiffness * s.tangentFactor)
	k.RotLin().AddSkew(r.ApplyT(s.force(rod)).Scale(0.5))
}

func (s *spring) AssembleWrenches(rod *strain.State, q *strain.Equations) {
	n := len(rod.Pose) - 1
	w := &q.Wrench[n]
	w.Force = w.Force.Add(rod.Pose[n].R.ApplyT(s.force(rod)))
	if s.torque != 0 {
		w.Moment.X += (1 - s.without) * s.torque
	}
}

func (s *spring) force(rod *strain.State) spatial.Vec {
	return rod.Pose[len(rod.Pose)-1].P.Scale(-(1 - s.without) * s.stiffness)
}

func (s *spring) SetLoadFactor(_ *strain.State, factor float64) {
	if !s.isUnscaled {
		s.without = 1 - factor
	}
}

func (s *spring) Potential(rod *strain.State) float64 {
	return 0.5 * s.stiffness * s.potentialFactor * rod.Pose[len(rod.Pose)-1].P.Norm2()
}

func (s *spring) HasPotential() bool { return true }

func (s *spring) BaseWrench(*strain.State) spatial.Wrench { return spatial.Wrench{} }

// TestBrokenElementsFail shows that a force element whose wrench is not the gradient of its potential, whose tangent is not the
// derivative of its wrench, or which load stepping does not scale, is found.
func TestBrokenElementsFail(t *testing.T) {
	robot, _ := robots.Find("nitinol")
	file, err := robotfile.Parse[robotfile.Continuum]("nitinol.yaml", robot.File())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		spring spring
		want   map[string]string // check and what its error begins with
	}{
		{"right", spring{stiffness: 10, potentialFactor: 1, tangentFactor: 1}, nil},
		{"potential", spring{stiffness: 10, potentialFactor: 1.01, tangentFactor: 1}, map[string]string{"potential": "node 20"}},
		{"symmetric part", spring{stiffness: 10, potentialFactor: 1, tangentFactor: 2}, map[string]string{"tangent": "symmetric"}},
		{"skew part", spring{stiffness: 10, potentialFactor: 1, tangentFactor: 1, torque: 0.01}, map[string]string{"potential": "node 20", "tangent": "skew"}},
		{"load", spring{stiffness: 10, potentialFactor: 1, tangentFactor: 1, isUnscaled: true}, map[string]string{"loading": "node 20"}},
	} {
		k := &contract{
			newModel: func() (sim.Model, error) { return continuum.New(file) },
			Motion: Motion{Step: file.Solver.Step, Steps: 20, Command: Amplitudes{Tension: 1}.Command, Equations: func(m sim.Model) *equations.System {
				p, _ := m.(*continuum.Model).Parts()
				c.spring.without = 0
				s, err := equations.New(p.System.State, p.System.Rod, 1e-5, append(append([]equations.Element(nil), p.System.Elements...), &c.spring)...)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}},
		}
		for name, check := range map[string]func() error{"potential": k.checkPotential, "tangent": k.checkTangent, "loading": k.checkLoading} {
			switch err, want := check(), c.want[name]; {
			case (err == nil) != (want == ""):
				t.Errorf("%s: %s: %v", c.name, name, err)
			case err != nil && !strings.HasPrefix(err.Error(), want):
				t.Errorf("%s: %s: %v, want an error that begins with %s", c.name, name, err, want)
			}
		}
	}
}
