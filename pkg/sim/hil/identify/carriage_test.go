package identify

import (
	"errors"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/trajectory"
)

// Carriage is a robot that can be computed by hand: the force F (N) on its first port
// pushes a spring of k N/m along x, and it turns about z by 1 rad/m. A step of dt goes
// the share dt/lagS of the way to equilibrium.
type Carriage struct {
	k, x, force float64
	lift        float64 // m along y, commanded by the second port
	steps       int
	failAt      int     // step that fails; 0: none
	breaks      float64 // N, above which there is no equilibrium
}

const (
	lagS    = 0.4
	startX  = 0.01 // m
	StepS   = 0.1
	limitN  = 20.
	breakN  = 15.
	stretch = 200. // N/m
)

var errStuck = errors.New("the carriage is stuck")

func (c *Carriage) Ports() []sim.Port {
	return []sim.Port{
		{Name: "measured_cp", Kind: sim.Pose, Direction: sim.Out},
		{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: []string{"push"}, Unit: "N", Group: "push", Max: []float64{limitN}},
		{Name: "lift_jp", Kind: sim.TendonLength, Direction: sim.In, Labels: []string{"lift"}, Unit: "m", Group: "lift"},
		{Name: "other_cp", Kind: sim.Pose, Direction: sim.Out},
	}
}

func (c *Carriage) Gauges() []sim.Gauge     { return nil }
func (c *Carriage) Setpoint(int, []float64) {}
func (c *Carriage) Measure([]float64)       {}
func (c *Carriage) Draw(*sim.Scene)         {}
func (c *Carriage) StateLen() int           { return 3 }
func (c *Carriage) Save(dst []float64)      { copy(dst, []float64{c.x, c.force, c.lift}) }
func (c *Carriage) Restore(src []float64) error {
	c.x, c.force, c.lift = src[0], src[1], src[2]
	return nil
}

func (c *Carriage) Command(i int, v []float64) {
	if !sim.IsKeep(v[0]) {
		*[]*float64{nil, &c.force, &c.lift}[i] = v[0]
	}
}

func (c *Carriage) Value(i int, dst []float64) {
	if i != 0 {
		clear(dst)
		return
	}
	sin, cos := math.Sincos(c.x / 2)
	copy(dst, []float64{c.x, c.lift, 0, 0, 0, sin, cos})
}

func (c *Carriage) Step(dt float64) error {
	c.steps++
	if c.steps == c.failAt {
		return errStuck
	}
	c.x += (c.force/c.k - c.x) * dt / lagS
	return nil
}

func (c *Carriage) Equilibrate() error {
	if c.force > c.breaks {
		return errStuck
	}
	c.x = c.force / c.k
	return nil
}

// Sledge is a carriage without springs: it has no equilibrium.
type Sledge struct{ sim.Model }

// carriageFile is a File that makes carriages, whose k is Young's modulus.
type carriageFile struct {
	robotfile.Draft[robotfile.Continuum]
	change func(*Model)
}

func (f *carriageFile) Clone() File {
	return &carriageFile{Draft: f.Draft.Clone(), change: f.change}
}

func (f *carriageFile) Print() ([]byte, error) {
	r, err := f.Robot()
	if err != nil {
		return nil, err
	}
	return robotfile.Print(r), nil
}

func (f *carriageFile) Numbers() ([]robotfile.Number, error) {
	r, err := f.Robot()
	if err != nil {
		return nil, err
	}
	return robotfile.Numbers(r), nil
}

func (f *carriageFile) Model() (*Model, error) {
	r, err := f.Robot()
	if err != nil {
		return nil, err
	}
	m := &Model{Model: &Carriage{k: r.Rod.YoungsModulus, x: startX, breaks: breakN}, Port: "measured_cp", StepS: StepS, Hardware: r.Hardware}
	if f.change != nil {
		f.change(m)
	}
	return m, nil
}

// Carriages is the problem of finding k of a carriage, with a robot file in which k is
// start, and more.
func Carriages(t *testing.T, more string, change func(*Model), trials ...*Trial) *Problem {
	t.Helper()
	newFile := func() File { return &carriageFile{change: change} }
	f := newFile()
	f.Merge("robot.yaml", []byte("rod: {youngs_modulus_pa: 100}\ntendons: [{name: up, offset_m: [0.015, 0]}]\n"+more))
	numbers, err := f.Numbers()
	if err != nil {
		t.Fatal(err)
	}
	free, err := Resolve([]string{"youngs_modulus_pa"}, numbers, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(newFile, f, free)
	if err != nil {
		t.Fatal(err)
	}
	p.Trials = trials
	return p
}

// ReadTrial reads a trial of a carriage.
func ReadTrial(t *testing.T, text string) *Trial {
	t.Helper()
	tr, err := ReadText("trial.csv", text, CarriageLayout(), Markers{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// CarriageLayout is what the columns of trials of the carriage may be.
func CarriageLayout() *trajectory.Layout {
	return &trajectory.Layout{Ports: new(Carriage).Ports(), Pose: []string{"x", "y", "z", "qx", "qy", "qz", "qw"}}
}

// ReadText reads a trial from the text of a CSV.
func ReadText(name, text string, l *trajectory.Layout, known Markers) (*Trial, error) {
	l.Markers = known.Names
	t, err := trajectory.ReadCSV(name, strings.NewReader(text), trajectory.Options{Robot: l})
	if err != nil {
		return nil, err
	}
	return NewTrial(t, known)
}
